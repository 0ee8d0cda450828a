// The visuals of a body: box, cylinder, sphere, mesh, with drawn edges so that they read in any light.

import {
  BoxGeometry, BufferAttribute, BufferGeometry, Color, CylinderGeometry, EdgesGeometry, LineBasicMaterial, LineSegments,
  Mesh, MeshLambertMaterial, SphereGeometry, SRGBColorSpace,
} from "three";
import type { Shape } from "../data";
import { f32, u32 } from "../decode";
import { solid, themed } from "./paint";

export function draw_shape(shape: Shape, body: number): Mesh {
  const material = shape.color ? painted(shape.color) : solid(body % 2 ? "--body-b" : "--body-a");
  material.flatShading = shape.kind === "mesh";
  const mesh = new Mesh(geometry(shape), material);
  if (shape.kind === "box" || shape.kind === "cylinder") mesh.add(new LineSegments(new EdgesGeometry(mesh.geometry, 30), edges()));
  mesh.position.set(...shape.p);
  const [w, x, y, z] = shape.q;
  mesh.quaternion.set(x, y, z, w);
  return mesh;
}

function geometry(shape: Shape): BufferGeometry {
  switch (shape.kind) {
    case "box": return new BoxGeometry(...shape.size);
    case "cylinder": return new CylinderGeometry(shape.radius, shape.radius, shape.length, 48).rotateX(Math.PI / 2);
    case "sphere": return new SphereGeometry(shape.radius, 40, 24);
    case "mesh": return triangles(f32(shape.vertices), u32(shape.triangles));
  }
}

function triangles(vertices: Float32Array, indices: Uint32Array): BufferGeometry {
  const out = new BufferGeometry();
  out.setAttribute("position", new BufferAttribute(vertices, 3));
  out.setIndex(new BufferAttribute(indices, 1));
  return out;
}

function painted([red, green, blue, alpha]: [number, number, number, number]): MeshLambertMaterial {
  const color = new Color().setRGB(red, green, blue, SRGBColorSpace);
  return new MeshLambertMaterial({ color, transparent: alpha < 1, opacity: alpha });
}

let shared_edges: LineBasicMaterial | undefined;
const edges = () => (shared_edges ??= themed(new LineBasicMaterial({ transparent: true, opacity: 0.35 }), "--edge"));
