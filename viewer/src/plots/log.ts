// Logarithmic axes: curves are drawn as log10 |value| on an even axis. Zero, which has no logarithm, lies on the lowest
// tick, and that tick says 0.

import { power_of_ten } from "../number";
import type { Ticks } from "./axes";
import type { Curve } from "./sheet";

export interface LogScale extends Ticks {
  of(value: number): number | null; // null for a gap
  range(low: number, high: number): [number, number]; // whole decades around what is seen
}

const most_ticks = 7;

export function log_scale_of(curves: Curve[], which: "x" | "y"): LogScale {
  let smallest = Infinity;
  let has_zero = false;
  for (const curve of curves) {
    for (const value of curve[which]) {
      if (value === 0) has_zero = true;
      else if (Math.abs(value) < smallest) smallest = Math.abs(value);
    }
  }
  const lowest = Number.isFinite(smallest) ? Math.floor(Math.log10(smallest)) : -16;
  const floor = has_zero ? lowest - 1 : lowest;

  return {
    of: (value) => (Number.isFinite(value) ? (value === 0 ? floor : Math.log10(Math.abs(value))) : null),
    range: (low, high) => {
      const bottom = Math.floor(low + 1e-6);
      return [bottom, Math.max(bottom + 1, Math.ceil(high - 1e-6))];
    },
    ticks: (low, high) => log_ticks(low, high).filter((tick) => !(has_zero && tick > floor && tick < floor + 1)),
    label: (tick) => (has_zero && tick === floor ? "0" : log_label(tick)),
  };
}

export function log_label(tick: number): string {
  const decade = Math.floor(tick + 1e-9);
  const factor = Math.round(10 ** (tick - decade));
  if (factor === 1) return power_of_ten(decade);
  return Math.abs(decade) <= 2 ? String(Number((factor * 10 ** decade).toPrecision(1))) : `${factor}·${power_of_ten(decade)}`;
}

// every decade, or every few, counted from a multiple; 2 and 5 as well when there are hardly any decades
export function log_ticks(low: number, high: number): number[] {
  const step = Math.max(1, Math.ceil((high - low) / most_ticks));
  const ticks: number[] = [];
  for (let decade = Math.floor(low); decade <= high; ++decade) {
    if (decade >= low && (decade % step === 0 || decade === low)) ticks.push(decade);
    if (high - low <= 2) ticks.push(...[2, 5].map((m) => decade + Math.log10(m)).filter((tick) => tick > low && tick < high));
  }
  return ticks;
}
