// Kept columns over time: what parts of the cases lie between.

import { f32 } from "../decode";
import type { Plot, Series } from "../data";
import type { Band } from "./data";

export function plot_of(band: Band, cases: number): Plot {
  const room = reach_of([band.p5, band.p95]);
  const series = (name: string, y: string, style: Series["style"] = null): Series =>
    ({ name, x: band.t, y, style, hidden: reach_of([band.p5, band.p95, y]) > most_reach * room });
  const curves = [
    series("median", band.median),
    series("mean", band.mean, "theory"),
    series("25 %", band.p25, "edge"),
    series("75 %", band.p75, "edge"),
    series("5 %", band.p5, "edge"),
    series("95 %", band.p95, "edge"),
    series("least", band.min, "limit"),
    series("greatest", band.max, "limit"),
  ];
  const hides = curves.some(({ hidden }) => hidden) ? " What goes far beyond 5 % and 95 % is hidden at first: press its name." : "";
  return {
    title: band.column,
    unit: "",
    log: false,
    note: `Of ${cases === 1 ? "the one case" : `all ${cases} cases`}, at each time those that have a number there.${hides}`,
    series: curves,
    fills: [[4, 5, 0.14], [2, 3, 0.22]],
  };
}

const most_reach = 4;

// from the lowest to the highest number of these curves
function reach_of(curves: string[]): number {
  let [low, high] = [Infinity, -Infinity];
  for (const curve of curves) {
    for (const value of f32(curve)) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return high - low;
}
