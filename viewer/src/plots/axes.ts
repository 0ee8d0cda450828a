// Axes of a chart: round ticks, quiet grid, units.

import type uPlot from "uplot";
import { tick_labels } from "../number";
import { css_color } from "../theme";

/// Where an axis has its ticks, and what stands there.
export interface Ticks {
  ticks(low: number, high: number): number[];
  label(tick: number): string;
}

const font = "11px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";

/// `own`: ticks of its own, else round numbers. `whole`: it counts something, and has no ticks between whole numbers.
export function axis(side: "x" | "y", own: Ticks | null, label: string | null, whole = false): uPlot.Axis {
  const horizontal = side === "x";
  const out: uPlot.Axis = {
    scale: side,
    side: horizontal ? 2 : 3,
    stroke: () => css_color("--ink-2"),
    font,
    gap: 4,
    size: horizontal ? 26 : (_, labels) => room_for(labels),
    space: horizontal ? 64 : 30,
    grid: { stroke: () => css_color("--plot-grid"), width: 1 },
    ticks: { stroke: () => css_color("--plot-grid"), width: 1, size: 4 },
    values: (_, splits, __, ___, step) => (own ? splits.map((tick) => own.label(tick)) : tick_labels(splits, step)),
  };
  if (label !== null) Object.assign(out, { label, labelFont: font, labelSize: 16, labelGap: 0 });
  if (whole) out.incrs = whole_steps;
  if (own) out.splits = (_, __, low, high) => own.ticks(low, high);
  return out;
}

const whole_steps = Array.from({ length: 10 }, (_, decade) => [1, 2, 5].map((digit) => digit * 10 ** decade)).flat();

// the same for most charts, so that their times lie below one another
function room_for(labels: string[] | null): number {
  const longest = Math.max(0, ...(labels ?? []).map((label) => label.length));
  return Math.max(58, 14 + 6.6 * longest);
}

/// A little more than the data spans; down to zero if that is near. What is flat but for rounding is shown flat.
export function even_range(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const span = high - low;
  if (span <= 1e-6 * size) return size === 0 ? [-1, 1] : [low - 0.25 * size, high + 0.25 * size];
  const from_zero = low >= 0 && low < 0.25 * high;
  return [from_zero ? -0.02 * high : low - 0.07 * span, high + 0.07 * span];
}
