// Forces of the constraints as arrows from the points they act on, each with a dot; moments with two heads, by the right hand. All forces of a page are drawn
// to one scale, all moments to another; virtual ones are pale.

import { ConeGeometry, CylinderGeometry, Group, Mesh, MeshBasicMaterial, type Raycaster, SphereGeometry, Vector3 } from "three";
import type { Force } from "../data";
import { f32 } from "../decode";
import { short } from "../number";
import { on_theme_change, palette_color } from "../theme";
import { index_before, index_nearest } from "../search";

// paths take the first colours, forces the last ones
export const force_color = (index: number): string => palette_color(6 - (index % 6));

export const virtual_opacity = 0.4;

export const label_of = ({ name, body }: Force): string => `${name} on ${body}`;
export const sized = ({ moment }: Force, size: number): string =>
  Number.isNaN(size) ? "not determined" : `${short(size, 4)} ${moment ? "N·m" : "N"}`;

const along_y = new Vector3(0, 1, 0);

export class Forces {
  readonly root = new Group();
  exaggeration = 1; // set by the reader
  // such that almost all arrows span less than a good quarter of the scene
  readonly metres_per_newton: number;
  readonly metres_per_newton_metre: number;

  private readonly arrows: { at: Float32Array; vector: Float32Array; scale: number; arrow: Arrow }[];

  constructor(forces: Force[], private readonly times: Float64Array, private readonly size: number) {
    const usual = (moment: boolean) => usually_at_most(forces.filter((force) => force.moment === moment).map(({ vector }) => f32(vector)));
    const force = usual(false);
    const moment = Math.max(usual(true), 1e-9 * force * size); // less is rounding
    this.metres_per_newton = force > 0 ? (0.28 * size) / force : 1;
    this.metres_per_newton_metre = moment > 0 ? (0.2 * size) / moment : 1;
    this.arrows = forces.map((force, index) => {
      const arrow = new Arrow(size * 0.007, index, force);
      this.root.add(arrow.root);
      const scale = force.moment ? this.metres_per_newton_metre : this.metres_per_newton;
      return { at: f32(force.at), vector: f32(force.vector), scale, arrow };
    });
  }

  show(time: number): void {
    const row = index_nearest(this.times, time);
    for (const { at, vector, scale, arrow } of this.arrows) {
      this.start(at, time, arrow.root.position);
      arrow.show(span.fromArray(vector, 3 * row).multiplyScalar(scale * this.exaggeration), this.size);
    }
  }

  /// Where the arrows reach to as they are drawn at first, but for extreme ones.
  tips(): Vector3[] {
    const out: Vector3[] = [];
    const stride = 3 * Math.max(1, Math.floor(this.times.length / 100));
    for (const { at, vector, scale } of this.arrows) {
      for (let i = 0; i + 2 < at.length; i += stride) {
        const span = new Vector3().fromArray(vector, i).multiplyScalar(scale);
        const tip = new Vector3().fromArray(at, i).add(span);
        if (span.length() < 0.4 * this.size && Number.isFinite(tip.x + tip.y + tip.z)) out.push(tip);
      }
    }
    return out;
  }

  /// N, or N·m of moments
  sizes(time: number): number[] {
    const row = index_nearest(this.times, time);
    return this.arrows.map(({ vector }) => Math.hypot(vector[3 * row], vector[3 * row + 1], vector[3 * row + 2]));
  }

  /// As drawn: from where to where; none where an arrow is hidden or too short to be seen.
  drawn(): ({ from: number[]; to: number[] } | null)[] {
    return this.arrows.map(({ arrow }) => arrow.drawn());
  }

  /// The arrow under a ray, by its index.
  under(ray: Raycaster): number | null {
    if (!this.root.visible) return null;
    const shown = this.arrows.map(({ arrow }) => arrow.root).filter(({ visible }) => visible);
    const hit = ray.intersectObjects(shown)[0]?.object.parent;
    const index = this.arrows.findIndex(({ arrow }) => arrow.root === hit);
    return index < 0 ? null : index;
  }

  set_visible(index: number, visible: boolean): void {
    this.arrows[index].arrow.wanted = visible;
  }

  // the bodies move between the rows, and so does what they are held by
  private start(at: Float32Array, time: number, out: Vector3): void {
    const row = index_before(this.times, time);
    const after = Math.min(row + 1, this.times.length - 1);
    const gap = this.times[after] - this.times[row];
    out.fromArray(at, 3 * row);
    if (gap > 0 && time > this.times[row]) out.lerp(span.fromArray(at, 3 * after), (time - this.times[row]) / gap);
  }
}

class Arrow {
  readonly root = new Group();
  wanted = true;
  private readonly shaft: Mesh;
  private readonly heads: Mesh[];
  private length = 0;

  constructor(private readonly radius: number, index: number, force: Force) {
    // drawn over the bodies: a force that acts inside one must still be seen
    const paint = new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: force.virtual ? virtual_opacity : 1 });
    const color = () => paint.color.set(force_color(index));
    on_theme_change(color);
    color();
    this.shaft = new Mesh(new CylinderGeometry(radius, radius, 1, 16).translate(0, 0.5, 0), paint);
    const cone = new ConeGeometry(radius * 2.9, radius * 8, 24).translate(0, radius * 4, 0);
    this.heads = (force.moment ? [0, 1] : [0]).map(() => new Mesh(cone, paint));
    const dot = new Mesh(new SphereGeometry(radius * 1.8, 16, 12), paint);
    for (const part of [dot, this.shaft, ...this.heads]) part.renderOrder = 10;
    this.root.add(dot, this.shaft, ...this.heads);
  }

  show(span: Vector3, size: number): void {
    this.length = span.length();
    this.root.visible = this.wanted && this.length > size * 1e-4 && Number.isFinite(this.length + this.root.position.x);
    if (!this.root.visible) return;
    const head_length = this.radius * 8;
    const heads_length = head_length * (1 + 0.6 * (this.heads.length - 1)); // a second one stands 0.6 of itself behind the first
    const shrink = Math.min(1, this.length / (1.6 * heads_length)); // short forces get a small head
    this.root.quaternion.setFromUnitVectors(along_y, span.divideScalar(this.length));
    this.shaft.scale.set(shrink, this.length - head_length * shrink, shrink);
    this.heads.forEach((head, i) => {
      head.scale.setScalar(shrink);
      head.position.y = this.length - head_length * (1 + 0.6 * i) * shrink;
    });
  }

  drawn(): { from: number[]; to: number[] } | null {
    if (!this.root.visible) return null;
    const tip = along_y.clone().multiplyScalar(this.length).applyQuaternion(this.root.quaternion).add(this.root.position);
    return { from: this.root.position.toArray(), to: tip.toArray() };
  }
}

const span = new Vector3();

/// N, exceeded by one in fifty: a jolt at the start must not shrink all that follows.
function usually_at_most(vectors: Float32Array[]): number {
  const sizes: number[] = [];
  for (const vector of vectors) {
    for (let i = 0; i + 2 < vector.length; i += 3) sizes.push(Math.hypot(vector[i], vector[i + 1], vector[i + 2]));
  }
  const ascending = Float32Array.from(sizes.filter(Number.isFinite)).sort();
  const usual = ascending[Math.floor(0.98 * (ascending.length - 1))] ?? 0;
  return usual > 0 ? usual : (ascending[ascending.length - 1] ?? 0);
}
