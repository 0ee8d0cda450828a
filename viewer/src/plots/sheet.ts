// A plot with its numbers decoded.

import type { Plot, Series } from "../data";
import { f32, f64 } from "../decode";

export interface Curve {
  name: string;
  kind: "line" | "theory" | "limit" | "points" | "edge";
  x: Float64Array;
  y: Float32Array;
  hidden: boolean; // at first
  t: Float64Array | null; // s, when playback is at each point; null if it is never
}

export interface Sheet {
  title: string;
  unit: string;
  note: string;
  log: boolean;
  x: { label: string; unit: string; log: boolean; time: boolean };
  whole: boolean; // every y is a whole number: it counts something
  path: boolean; // drawn with one scale for x and y, in the order of its points
  curves: Curve[];
  fills: [number, number, number][]; // between which two curves is filled, and how strongly
}

/// `played`: its time, if it is over time, is that of playback.
export function sheet_of(plot: Plot, times: Float64Array, played: boolean): Sheet {
  const x = plot.x;
  const curves = plot.series.map((series) => curve_of(series, times, played && !x));
  return {
    title: plot.title,
    unit: plot.unit,
    note: plot.note,
    log: plot.log,
    x: { label: x ? x.label : "t", unit: x ? x.unit : "s", log: x?.log ?? false, time: !x },
    whole: curves.length > 0 && curves.every(({ y }) => y.every(Number.isInteger)),
    path: x?.equal ?? false,
    curves,
    fills: plot.fills ?? [],
  };
}

function curve_of(series: Series, times: Float64Array, over_time: boolean): Curve {
  const y = f32(series.y);
  const x = series.x ? f64(series.x) : times.subarray(0, y.length);
  const t = series.t ? f64(series.t) : over_time || !series.x ? x : null;
  return { name: series.name, kind: series.style ?? "line", x, y, t, hidden: series.hidden ?? false };
}

/// "x [m]", or "x" if it has no unit.
export const with_unit = (label: string, unit: string): string => (unit ? `${label} [${unit}]` : label);
