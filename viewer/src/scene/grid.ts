// The ground: squares of a round size that fade with distance. A planar robot gets them in its own plane.

import { BufferAttribute, BufferGeometry, Float32BufferAttribute, Group, LineBasicMaterial, LineSegments, Quaternion, Vector3 } from "three";
import { themed } from "./paint";

const lines_each_way = 24;
const pieces = 12; // of a line, so that it can fade along its length

export interface Grid {
  root: Group;
  spacing: number; // m
}

/// Through `center`, across `normal`, for a scene of the given size in m.
export function draw_grid(center: Vector3, normal: Vector3, size: number): Grid {
  const spacing = round_spacing(size / 6);
  const half = lines_each_way * spacing;
  const positions: number[] = [];
  const colors: number[] = [];
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), normal);
  const middle = snapped(center.clone().applyQuaternion(turn.clone().invert()), spacing);

  const vertex = (x: number, y: number, strength: number) => {
    const fade = Math.max(0, 1 - Math.hypot(x, y) / half);
    const place = new Vector3(middle.x + x, middle.y + y, middle.z).applyQuaternion(turn);
    positions.push(place.x, place.y, place.z);
    colors.push(1, 1, 1, strength * fade * fade);
  };
  for (let i = -lines_each_way; i <= lines_each_way; ++i) {
    const along = i * spacing;
    for (let piece = 0; piece < pieces; ++piece) {
      const from = -half + (2 * half * piece) / pieces;
      const to = from + (2 * half) / pieces;
      const strength_x = strength_of(middle.x + along, spacing);
      const strength_y = strength_of(middle.y + along, spacing);
      vertex(along, from, strength_x);
      vertex(along, to, strength_x);
      vertex(from, along, strength_y);
      vertex(to, along, strength_y);
    }
  }

  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
  geometry.setAttribute("color", new BufferAttribute(new Float32Array(colors), 4));
  const material = themed(new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false }), "--grid");
  const lines = new LineSegments(geometry, material);
  lines.renderOrder = -1;
  const root = new Group();
  root.add(lines);
  return { root, spacing };
}

// every fifth line is stronger, and those through the world's origin are strongest
function strength_of(place: number, spacing: number): number {
  const index = Math.round(place / spacing);
  return index === 0 ? 1 : index % 5 === 0 ? 0.7 : 0.38;
}

const snapped = (v: Vector3, spacing: number) =>
  new Vector3(Math.round(v.x / spacing) * spacing, Math.round(v.y / spacing) * spacing, v.z);

/// 1, 2 or 5 times a power of ten, at most `length`.
function round_spacing(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  return (length >= 5 * power ? 5 : length >= 2 * power ? 2 : 1) * power;
}
