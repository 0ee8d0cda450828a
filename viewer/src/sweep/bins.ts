// Intervals and cells that count: histograms and heat maps. Places are those of a Scale: logarithms, or the ordinal of a level.

export interface Histogram {
  low: number;
  high: number;
  counts: number[]; // of equal intervals from low to high; each has its left end, the last one both
  left_out: number; // without a place
}

export function histogram_of(places: Float64Array, low: number, high: number, bins: number): Histogram {
  const counts = new Array<number>(bins).fill(0);
  let left_out = 0;
  for (const place of places) {
    const bin = bin_of(place, low, high, bins);
    if (bin === null) ++left_out;
    else ++counts[bin];
  }
  return { low, high, counts, left_out };
}

export function bin_of(place: number, low: number, high: number, bins: number): number | null {
  if (!(place >= low && place <= high)) return null;
  if (high === low) return 0;
  return Math.min(bins - 1, Math.floor(((place - low) / (high - low)) * bins));
}

/// After Freedman and Diaconis: intervals 2 IQR n^(−1/3) wide, within bounds that can be seen.
export function number_of_bins(places: Float64Array): number {
  const sorted = places.filter((place) => Number.isFinite(place)).sort();
  const n = sorted.length;
  if (n < 2 || sorted[0] === sorted[n - 1]) return 1;
  const width = (2 * (quantile(sorted, 0.75) - quantile(sorted, 0.25))) / Math.cbrt(n);
  const wanted = width > 0 ? Math.ceil((sorted[n - 1] - sorted[0]) / width) : Math.ceil(Math.sqrt(n));
  return Math.min(60, Math.max(Math.min(5, n), wanted));
}

/// Of ascending numbers, linear between neighbours.
export function quantile(sorted: ArrayLike<number>, part: number): number {
  const place = part * (sorted.length - 1);
  const before = Math.floor(place);
  const after = Math.min(before + 1, sorted.length - 1);
  return sorted[before] + (place - before) * (sorted[after] - sorted[before]);
}

export interface Cells {
  columns: number;
  rows: number;
  count: Uint32Array; // of cases with a value; columns run fastest
  mean: Float64Array; // NaN in empty cells, as are the others
  lowest: Float64Array;
  highest: Float64Array;
  lowest_row: Int32Array; // of the table; −1 in empty cells
  highest_row: Int32Array;
  left_out: number; // rows without a place, or without a value
}

export interface CellAxis { places: Float64Array; low: number; high: number; bins: number }

export function cells_of(x: CellAxis, y: CellAxis, values: Float64Array): Cells {
  const size = x.bins * y.bins;
  const out: Cells = {
    columns: x.bins, rows: y.bins, count: new Uint32Array(size), mean: new Float64Array(size),
    lowest: new Float64Array(size).fill(NaN), highest: new Float64Array(size).fill(NaN),
    lowest_row: new Int32Array(size).fill(-1), highest_row: new Int32Array(size).fill(-1), left_out: 0,
  };
  for (let i = 0; i < values.length; ++i) {
    const column = bin_of(x.places[i], x.low, x.high, x.bins);
    const row = bin_of(y.places[i], y.low, y.high, y.bins);
    if (column === null || row === null || Number.isNaN(values[i])) {
      ++out.left_out;
      continue;
    }
    const cell = row * x.bins + column;
    ++out.count[cell];
    out.mean[cell] += values[i];
    if (!(values[i] >= out.lowest[cell])) [out.lowest[cell], out.lowest_row[cell]] = [values[i], i];
    if (!(values[i] <= out.highest[cell])) [out.highest[cell], out.highest_row[cell]] = [values[i], i];
  }
  for (let cell = 0; cell < size; ++cell) out.mean[cell] = out.count[cell] ? out.mean[cell] / out.count[cell] : NaN;
  return out;
}
