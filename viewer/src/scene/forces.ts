// Constraint forces as arrows from the points they act on.

import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, Vector3 } from "three";
import type { Force } from "../data";
import { f32 } from "../decode";
import { on_theme_change, palette_color } from "../theme";
import { index_nearest } from "../search";

// paths take the first colours, forces the last ones
export const force_color = (index: number): string => palette_color(6 - (index % 6));

const along_y = new Vector3(0, 1, 0);

export class Forces {
  readonly root = new Group();
  exaggeration = 1; // set by the reader
  readonly metres_per_newton: number; // such that almost all arrows span less than a good quarter of the scene

  private readonly arrows: { at: Float32Array; force: Float32Array; arrow: Arrow }[];

  constructor(forces: Force[], private readonly times: Float64Array, private readonly size: number) {
    this.arrows = forces.map((force, index) => {
      const arrow = new Arrow(size * 0.007, index);
      this.root.add(arrow.root);
      return { at: f32(force.at), force: f32(force.force), arrow };
    });
    const usual = usually_at_most(this.arrows.map(({ force }) => force));
    this.metres_per_newton = usual > 0 ? (0.28 * size) / usual : 1;
  }

  show(time: number): void {
    const row = index_nearest(this.times, time);
    for (const { at, force, arrow } of this.arrows) {
      arrow.root.position.fromArray(at, 3 * row);
      const span = vector.fromArray(force, 3 * row).multiplyScalar(this.metres_per_newton * this.exaggeration);
      arrow.show(span, this.size);
    }
  }

  /// Where the arrows reach to as they are drawn at first, but for extreme ones.
  tips(): Vector3[] {
    const out: Vector3[] = [];
    const stride = 3 * Math.max(1, Math.floor(this.times.length / 100));
    for (const { at, force } of this.arrows) {
      for (let i = 0; i + 2 < at.length; i += stride) {
        const span = new Vector3().fromArray(force, i).multiplyScalar(this.metres_per_newton);
        const tip = new Vector3().fromArray(at, i).add(span);
        if (span.length() < 0.4 * this.size && Number.isFinite(tip.x + tip.y + tip.z)) out.push(tip);
      }
    }
    return out;
  }

  /// N
  sizes(time: number): number[] {
    const row = index_nearest(this.times, time);
    return this.arrows.map(({ force }) => Math.hypot(force[3 * row], force[3 * row + 1], force[3 * row + 2]));
  }

  set_visible(index: number, visible: boolean): void {
    this.arrows[index].arrow.wanted = visible;
  }
}

class Arrow {
  readonly root = new Group();
  wanted = true;
  private readonly shaft: Mesh;
  private readonly head: Mesh;

  constructor(private readonly radius: number, index: number) {
    // drawn over the bodies: a force that acts inside one must still be seen
    const paint = new MeshBasicMaterial({ depthTest: false, transparent: true });
    const color = () => paint.color.set(force_color(index));
    on_theme_change(color);
    color();
    this.shaft = new Mesh(new CylinderGeometry(radius, radius, 1, 16).translate(0, 0.5, 0), paint);
    this.head = new Mesh(new ConeGeometry(radius * 2.9, radius * 8, 24).translate(0, radius * 4, 0), paint);
    this.shaft.renderOrder = this.head.renderOrder = 10;
    this.root.add(this.shaft, this.head);
  }

  show(span: Vector3, size: number): void {
    const length = span.length();
    this.root.visible = this.wanted && length > size * 1e-4 && Number.isFinite(length + this.root.position.x);
    if (!this.root.visible) return;
    const head_length = this.radius * 8;
    const shrink = Math.min(1, length / (1.6 * head_length)); // short forces get a small head
    this.root.quaternion.setFromUnitVectors(along_y, span.divideScalar(length));
    this.shaft.scale.set(shrink, length - head_length * shrink, shrink);
    this.head.scale.setScalar(shrink);
    this.head.position.y = length - head_length * shrink;
  }
}

const vector = new Vector3();

/// N, exceeded by one in fifty: a jolt at the start must not shrink all that follows.
function usually_at_most(forces: Float32Array[]): number {
  const sizes: number[] = [];
  for (const force of forces) {
    for (let i = 0; i + 2 < force.length; i += 3) sizes.push(Math.hypot(force[i], force[i + 1], force[i + 2]));
  }
  const ascending = Float32Array.from(sizes.filter(Number.isFinite)).sort();
  const usual = ascending[Math.floor(0.98 * (ascending.length - 1))] ?? 0;
  return usual > 0 ? usual : (ascending[ascending.length - 1] ?? 0);
}
