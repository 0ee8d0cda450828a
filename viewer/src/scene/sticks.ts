// A body without visuals: a stick from its joint to every point where something else sits on it.
// In a planar robot the joints are pins along the plane's normal; in space they are balls.

import { CapsuleGeometry, CylinderGeometry, Group, type Material, Mesh, Quaternion, SphereGeometry, Vector3 } from "three";
import type { Body } from "../data";
import { solid } from "./paint";

export interface StickStyle {
  radius: number; // m, of a stick
  pin_axis: Vector3 | null; // in the body's frame
}

const along_y = new Vector3(0, 1, 0);

export function draw_sticks(body: Body, index: number, { radius, pin_axis }: StickStyle): Group {
  const group = new Group();
  const paint = solid(index % 2 ? "--body-b" : "--body-a");
  for (const point of body.points) {
    const end = new Vector3(...point);
    if (end.length() < radius * 1e-3) continue;
    group.add(stick(end, radius, paint));
    group.add(at(end, pin(radius * 0.7, pin_axis, "--joint", radius * 2.6)));
  }
  group.add(pin(radius * 1.55, pin_axis, "--joint", radius * 3));
  if (pin_axis) group.add(pin(radius * 0.75, pin_axis, "--joint-eye", radius * 3.1));
  return group;
}

/// Where the first joint meets the world.
export function draw_base(origin: Vector3, radius: number, axis: Vector3 | null): Group {
  const group = new Group();
  if (axis) group.add(pin(radius * 2.5, axis, "--base", radius * 1.2));
  else group.add(foot(radius));
  group.position.copy(origin);
  return group;
}

/// The way along which a sliding joint travels.
export function draw_rail(from: Vector3, to: Vector3, radius: number): Group {
  const group = new Group();
  group.add(stick(to.clone().sub(from), radius * 0.35, solid("--base")));
  group.position.copy(from);
  return group;
}

function stick(end: Vector3, radius: number, paint: Material): Mesh {
  const length = end.length();
  const mesh = new Mesh(new CapsuleGeometry(radius, length, 8, 20).translate(0, length / 2, 0), paint);
  mesh.quaternion.setFromUnitVectors(along_y, end.clone().normalize());
  return mesh;
}

function pin(radius: number, axis: Vector3 | null, color: string, height: number): Mesh {
  if (!axis) return new Mesh(new SphereGeometry(radius, 28, 18), solid(color));
  const mesh = new Mesh(new CylinderGeometry(radius, radius, height, 36), solid(color));
  mesh.quaternion.copy(new Quaternion().setFromUnitVectors(along_y, axis.clone().normalize()));
  return mesh;
}

function foot(radius: number): Mesh {
  const mesh = new Mesh(new CylinderGeometry(radius * 2, radius * 3, radius * 1.6, 36).rotateX(Math.PI / 2), solid("--base"));
  mesh.position.z = -radius * 1.2;
  return mesh;
}

function at(position: Vector3, mesh: Mesh): Mesh {
  mesh.position.copy(position);
  return mesh;
}
