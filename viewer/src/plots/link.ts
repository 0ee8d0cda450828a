// Charts over the same axis show the same part of it: zooming one zooms all, and their cursors move together.

import type uPlot from "uplot";

export class Link {
  private readonly charts: uPlot[] = [];
  private range: { min: number; max: number } | null = null; // null: everything
  private passing_on = false;

  constructor(readonly key: string) {}

  add(chart: uPlot): void {
    this.charts.push(chart);
    if (this.range) this.apply([chart], this.range);
  }

  /// A chart has been zoomed by its reader.
  took_range(chart: uPlot): void {
    const { min, max } = chart.scales.x;
    if (this.passing_on || min == null || max == null) return;
    const all = everything(chart);
    const is_all = min <= all.min && max >= all.max;
    if (is_all && !this.range) return; // it has just been made
    this.range = { min, max };
    this.apply(this.charts.filter((other) => other !== chart), this.range);
  }

  reset(): void {
    this.range = null;
    for (const chart of this.charts) this.apply([chart], everything(chart));
  }

  /// About `center`, or about the middle if that is out of sight.
  zoom(chart: uPlot, factor: number, center: number): void {
    const { min, max } = chart.scales.x as { min: number; max: number };
    const fixed = center >= min && center <= max ? center : (min + max) / 2;
    const all = everything(chart);
    const range = { min: Math.max(all.min, fixed + (min - fixed) / factor), max: Math.min(all.max, fixed + (max - fixed) / factor) };
    chart.setScale("x", range);
  }

  private apply(charts: uPlot[], range: { min: number; max: number }): void {
    this.passing_on = true;
    for (const chart of charts) chart.batch(() => chart.setScale("x", range));
    this.passing_on = false;
  }
}

function everything(chart: uPlot): { min: number; max: number } {
  const x = chart.data[0];
  const min = x[0] ?? 0;
  const max = x[x.length - 1] ?? 1;
  return max > min ? { min, max } : { min: min - 1, max: max + 1 };
}
