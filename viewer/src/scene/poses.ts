// Poses of bodies between the rows of a recording: positions straight, rotations along the shortest arc.

import { Quaternion, Vector3 } from "three";
import { index_before } from "../search";

const numbers_per_pose = 7;

export class Poses {
  constructor(
    private readonly times: Float64Array,
    private readonly data: Float32Array, // rows × bodies × (x y z qw qx qy qz)
    private readonly bodies: number,
  ) {}

  get rows(): number { return this.times.length; }

  position(row: number, body: number, out: Vector3): Vector3 {
    return out.fromArray(this.data, this.offset(row, body));
  }

  rotation(row: number, body: number, out: Quaternion): Quaternion {
    const i = this.offset(row, body) + 3;
    return out.set(this.data[i + 1], this.data[i + 2], this.data[i + 3], this.data[i]);
  }

  at(time: number, body: number, position: Vector3, rotation: Quaternion): void {
    const before = index_before(this.times, time);
    const after = Math.min(before + 1, this.rows - 1);
    const gap = this.times[after] - this.times[before];
    const part = gap > 0 ? Math.min(1, Math.max(0, (time - this.times[before]) / gap)) : 0;
    this.position(before, body, position);
    this.rotation(before, body, rotation);
    if (part === 0) return;
    position.lerp(this.position(after, body, next_position), part);
    rotation.slerp(this.rotation(after, body, next_rotation), part);
  }

  private offset(row: number, body: number): number {
    return (row * this.bodies + body) * numbers_per_pose;
  }
}

const next_position = new Vector3();
const next_rotation = new Quaternion();
