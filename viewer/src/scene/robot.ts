// The bodies, and where they are at a time.

import { Group, Quaternion, Vector3 } from "three";
import type { Scene } from "../data";
import type { Poses } from "./poses";
import { draw_shape } from "./shapes";
import { draw_base, draw_rail, draw_sticks } from "./sticks";

export class Robot {
  readonly root = new Group();
  private readonly bodies: Group[] = [];

  constructor(private readonly scene: Scene, private readonly poses: Poses, size: number) {
    const stick_radius = size * 0.016;
    scene.bodies.forEach((body, index) => {
      const group = new Group();
      group.name = body.name;
      if (body.shapes.length) for (const shape of body.shapes) group.add(draw_shape(shape, index));
      else group.add(draw_sticks(body, index, { radius: stick_radius, pin_axis: this.pin_axis(index) }));
      this.bodies.push(group);
      this.root.add(group);
    });
    scene.bodies.forEach((_, index) => this.add_support(index, stick_radius, size));
  }

  show(time: number): void {
    this.bodies.forEach((group, index) => {
      this.poses.at(time, index, group.position, group.quaternion);
      group.visible = Number.isFinite(group.position.x + group.quaternion.x);
    });
  }

  /// As drawn: x y z qw qx qy qz in the world.
  pose_of(name: string): number[] | null {
    const group = this.bodies[this.scene.bodies.findIndex((body) => body.name === name)];
    if (!group) return null;
    const p = group.getWorldPosition(new Vector3());
    const q = group.getWorldQuaternion(new Quaternion());
    return [p.x, p.y, p.z, q.w, q.x, q.y, q.z];
  }

  // the plane's normal in the body's frame
  private pin_axis(body: number): Vector3 | null {
    if (!this.scene.planar || this.poses.rows === 0) return null;
    return new Vector3(...this.scene.normal).applyQuaternion(this.poses.rotation(0, body, new Quaternion()).invert()).normalize();
  }

  // what holds a stick body: a foot where it turns about a fixed point of the world, a rail where it slides
  private add_support(index: number, radius: number, size: number): void {
    const body = this.scene.bodies[index];
    if (body.shapes.length || this.poses.rows === 0) return;
    const way = this.way_in_parent(index);
    const travel = way.start.distanceTo(way.end);
    if (travel > size * 1e-3 && way.straight) this.add_rail(body.parent, way.start, way.end, radius, size);
    if (travel <= size * 1e-3 && body.parent < 0) {
      const axis = this.scene.planar ? new Vector3(...this.scene.normal) : null;
      this.root.add(draw_base(way.start, radius, axis));
    }
  }

  // a rail that points at its parent's origin begins there: the cylinder of a leg
  private add_rail(parent: number, start: Vector3, end: Vector3, radius: number, size: number): void {
    const far = start.length() > end.length() ? start : end;
    const off_line = new Vector3().crossVectors(start, end).length() / start.distanceTo(end);
    const from_origin = parent >= 0 && off_line < size * 1e-3 && start.dot(end) > 0;
    const begin = from_origin ? new Vector3() : far === start ? end : start;
    (this.bodies[parent] ?? this.root).add(draw_rail(begin, far, radius));
  }

  // the path of a body's origin, seen from its parent: a point for a hinge, a line for a slider
  private way_in_parent(index: number): { start: Vector3; end: Vector3; straight: boolean } {
    const stride = Math.max(1, Math.floor(this.poses.rows / 200));
    const places: Vector3[] = [];
    for (let row = 0; row < this.poses.rows; row += stride) places.push(this.origin_in_parent(row, index));
    const farthest = (from: Vector3) => places.reduce((a, b) => (b.distanceTo(from) > a.distanceTo(from) ? b : a), from);
    const start = farthest(places[0]);
    const end = farthest(start);
    const length = start.distanceTo(end);
    const straight = places.every((place) => place.distanceTo(start) + place.distanceTo(end) < length * 1.001);
    return { start, end, straight };
  }

  private origin_in_parent(row: number, index: number): Vector3 {
    const origin = this.poses.position(row, index, new Vector3());
    const parent = this.scene.bodies[index].parent;
    if (parent < 0) return origin;
    const turned_back = this.poses.rotation(row, parent, new Quaternion()).invert();
    return origin.sub(this.poses.position(row, parent, new Vector3())).applyQuaternion(turned_back);
  }
}
