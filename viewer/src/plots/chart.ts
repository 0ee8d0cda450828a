// A chart over one ascending axis, usually time.

import uPlot from "uplot";
import { axis, even_range } from "./axes";
import type { Link } from "./link";
import { log_scale_of, type LogScale } from "./log";
import type { Look } from "./look";
import { with_unit, type Sheet } from "./sheet";

export interface Size { width: number; height: number } // px

export interface ChartEvents {
  hover(x: number | null): void; // along the axis, in its unit
  rescaled(): void;
}

export function chart_of(sheet: Sheet, looks: Look[], link: Link, size: Size, events: ChartEvents): uPlot {
  const log_y = sheet.log ? log_scale_of(sheet.curves, "y") : null;
  const log_x = sheet.x.log ? log_scale_of(sheet.curves, "x") : null;
  const options: uPlot.Options = {
    ...size,
    legend: { show: false },
    padding: [8, 18, 0, 0],
    scales: {
      x: { time: false },
      y: { range: (_, low, high) => (log_y && low !== null ? log_y.range(low, high) : even_range(low, high)) },
    },
    axes: [axis("x", log_x, with_unit(sheet.x.label, sheet.x.unit)), axis("y", log_y, null, sheet.whole)],
    bands: sheet.fills.map(([one, other, strength]) => ({ series: [other + 1, one + 1], fill: () => faded(looks[0].color(), strength) })),
    series: [{}, ...looks.map((look, i) => series(sheet.curves[i].name, look))],
    cursor: {
      y: false,
      points: { size: 7 },
      drag: { x: true, y: false, dist: 5 },
      sync: { key: link.key, setSeries: false, scales: ["x", null] },
      bind: { dblclick: () => () => (link.reset(), null) },
    },
    hooks: {
      setCursor: [(u) => events.hover(hovered(u, log_x))],
      setScale: [(u, key) => {
        if (key === "x") link.took_range(u);
        events.rescaled();
      }],
    },
  };
  return new uPlot(options, aligned(sheet, log_x, log_y));
}

function series(label: string, look: Look): uPlot.Series {
  return {
    label,
    stroke: look.color,
    width: look.width,
    dash: look.dash,
    pxAlign: 0, // smooth curves rather than sharp steps
    points: { show: look.markers, size: 6, fill: look.color, stroke: look.color },
    ...(look.line ? {} : { paths: () => null }),
  };
}

const faded = (color: string, strength: number) => `${color}${Math.round(255 * strength).toString(16).padStart(2, "0")}`;

function hovered(u: uPlot, log_x: LogScale | null): number | null {
  const left = u.cursor.left ?? -1;
  if (left < 0) return null;
  const x = u.posToVal(left, "x");
  return log_x ? 10 ** x : x;
}

// one table for all curves: x, and per curve y with null for a gap and undefined where it has no sample
function aligned(sheet: Sheet, log_x: LogScale | null, log_y: LogScale | null): uPlot.AlignedData {
  const to_x = (values: Float64Array) => (log_x ? Array.from(values, (value) => log_x.of(value)!) : Array.from(values));
  const to_y = (values: Float32Array) =>
    Array.from(values, (value) => (Number.isFinite(value) ? (log_y ? log_y.of(value) : value) : null));
  if (!sheet.curves.length) return [[]];
  const [first, ...others] = sheet.curves;
  if (others.every(({ x }) => same(x, first.x))) return [to_x(first.x), ...sheet.curves.map(({ y }) => to_y(y))];
  return uPlot.join(sheet.curves.map(({ x, y }) => [to_x(x), to_y(y)]));
}

function same(a: Float64Array, b: Float64Array): boolean {
  return a === b || (a.length === b.length && a.every((value, i) => value === b[i]));
}
