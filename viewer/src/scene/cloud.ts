// Where the whole motion takes place, as a cloud of points.

import { Box3, Quaternion, Vector3 } from "three";
import type { Scene, Shape } from "../data";
import { f32 } from "../decode";
import type { Poses } from "./poses";

const sampled_rows = 60;

/// Corners of all bodies at some of the rows, and of the paths.
export function cloud_of(scene: Scene, poses: Poses): Vector3[] {
  const cloud: Vector3[] = [];
  const stride = Math.max(1, Math.floor(poses.rows / sampled_rows));
  const position = new Vector3();
  const rotation = new Quaternion();
  const reach = scene.bodies.map((body) => [
    new Vector3(),
    ...body.points.map((point) => new Vector3(...point)),
    ...body.shapes.flatMap(corners),
  ]);
  for (let row = 0; row < poses.rows; row += stride) {
    reach.forEach((points, body) => {
      poses.position(row, body, position);
      poses.rotation(row, body, rotation);
      for (const point of points) cloud.push(point.clone().applyQuaternion(rotation).add(position));
    });
  }
  for (const { actual, wanted } of scene.traces) {
    for (const path of [actual, wanted]) if (path) cloud.push(...points_of(f32(path)));
  }
  const finite = cloud.filter(({ x, y, z }) => Number.isFinite(x + y + z));
  return finite.length ? finite : [new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5)];
}

function corners(shape: Shape): Vector3[] {
  const box = new Box3();
  switch (shape.kind) {
    case "box": box.setFromCenterAndSize(new Vector3(), new Vector3(...shape.size)); break;
    case "cylinder": box.setFromCenterAndSize(new Vector3(), new Vector3(2 * shape.radius, 2 * shape.radius, shape.length)); break;
    case "sphere": box.setFromCenterAndSize(new Vector3(), new Vector3().setScalar(2 * shape.radius)); break;
    case "mesh": box.setFromArray(f32(shape.vertices)); break;
  }
  const [w, x, y, z] = shape.q;
  const rotation = new Quaternion(x, y, z, w);
  const place = new Vector3(...shape.p);
  return corners_of(box).map((corner) => corner.applyQuaternion(rotation).add(place));
}

function corners_of({ min, max }: Box3): Vector3[] {
  return [0, 1, 2, 3, 4, 5, 6, 7].map(
    (i) => new Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z),
  );
}

function points_of(path: Float32Array): Vector3[] {
  const stride = 3 * Math.max(1, Math.floor(path.length / 3 / 400));
  const out: Vector3[] = [];
  for (let i = 0; i + 2 < path.length; i += stride) out.push(new Vector3().fromArray(path, i));
  return out;
}
