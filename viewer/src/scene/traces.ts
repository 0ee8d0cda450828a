// Paths of recorded points: what was wanted as a dashed line, what was done as a solid one up to the time shown and
// faint beyond it.

import { Group, Mesh, MeshBasicMaterial, SphereGeometry, Vector3 } from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { Trace } from "../data";
import { f32 } from "../decode";
import { Retrace } from "../retrace";
import { index_before } from "../search";
import { css_color, on_theme_change, palette_color } from "../theme";

export const trace_color = (index: number): string => palette_color(index);

export class Traces {
  readonly root = new Group();
  private readonly paths: { actual: Float32Array; ends: number[]; done: LineSegments2; head: Mesh }[] = [];

  constructor(traces: Trace[], private readonly times: Float64Array, size: number) {
    traces.forEach((trace, index) => {
      const color = () => trace_color(index);
      if (trace.wanted) {
        const dashes = { dashed: true, dashSize: size * 0.016, gapSize: size * 0.012 };
        const wanted = segments_of(f32(trace.wanted), size * 4e-3); // dashes need no more than this
        this.root.add(line(once(wanted.positions, size * 8e-3), 1.6, 0.9, () => css_color("--wanted"), dashes));
      }
      const actual = f32(trace.actual);
      const { positions, ends } = segments_of(actual, size * 5e-4);
      const done = line(positions, 2.6, 1, color);
      const head = new Mesh(new SphereGeometry(size * 0.011, 20, 14), new MeshBasicMaterial());
      on_paint(() => head.material.color.set(color()));
      this.root.add(line(positions, 1.6, 0.28, color), done, head);
      this.paths.push({ actual, ends, done, head });
    });
  }

  show(time: number): void {
    const row = index_before(this.times, time);
    for (const { actual, ends, done, head } of this.paths) {
      const shown = ends.length && ends[0] <= row ? index_before(ends, row) + 1 : 0;
      (done.geometry as LineSegmentsGeometry).instanceCount = shown;
      done.visible = shown > 0;
      point_at(actual, this.times, time, row, head.position);
      head.visible = Number.isFinite(head.position.x);
    }
  }
}

/// Pieces of a path that are at least `shortest` long, without those across a gap; and the row where each ends.
function segments_of(path: Float32Array, shortest: number): { positions: number[]; ends: number[] } {
  const positions: number[] = [];
  const ends: number[] = [];
  const rows = path.length / 3;
  const last = new Vector3(NaN, NaN, NaN);
  const here = new Vector3();
  for (let row = 0; row < rows; ++row) {
    here.fromArray(path, 3 * row);
    const gap = !Number.isFinite(here.x);
    const broken = !Number.isFinite(last.x);
    if (!gap && !broken) {
      if (here.distanceTo(last) < shortest && row < rows - 1) continue;
      positions.push(last.x, last.y, last.z, here.x, here.y, here.z);
      ends.push(row);
    }
    last.copy(here);
  }
  return { positions, ends };
}

/// Without the pieces that lie where others do already.
function once(positions: number[], cell: number): number[] {
  const retrace = new Retrace(cell);
  const out: number[] = [];
  for (let i = 0; i < positions.length; i += 6) {
    const piece = positions.slice(i, i + 6);
    if (!retrace.again(...piece.slice(3))) out.push(...piece);
  }
  return out;
}

function line(positions: number[], width: number, opacity: number, color: () => string, dashes: object = {}): LineSegments2 {
  const geometry = new LineSegmentsGeometry();
  if (positions.length) geometry.setPositions(positions);
  const material = new LineMaterial({ linewidth: width, transparent: opacity < 1, opacity, ...dashes });
  on_paint(() => material.color.set(color()));
  const out = new LineSegments2(geometry, material);
  if ("dashed" in dashes && positions.length) out.computeLineDistances();
  out.visible = positions.length > 0;
  out.frustumCulled = false;
  return out;
}

function point_at(path: Float32Array, times: Float64Array, time: number, row: number, out: Vector3): void {
  const after = Math.min(row + 1, times.length - 1);
  const gap = times[after] - times[row];
  const part = gap > 0 ? Math.max(0, (time - times[row]) / gap) : 0;
  out.fromArray(path, 3 * row);
  if (part > 0) out.lerp(new Vector3().fromArray(path, 3 * after), part);
}

function on_paint(paint: () => void): void {
  on_theme_change(paint);
  paint();
}
