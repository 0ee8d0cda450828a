// The table of the sweep, decoded: a row for each case that is on the page.

import { f64, u32 } from "../decode";
import type { SweepPage } from "./data";

export interface Column {
  name: string;
  kind: "case" | "varied" | "status" | "reason" | "measure";
  unit: string;
  expression: string;
  values: Float64Array; // of a column of words: their places in `words`
  words: string[] | null;
  levels: number[] | null; // the distinct values in ascending order, where they are so few that each stands for itself
  wide: boolean; // positive, over more than three decades: better seen on a logarithmic axis
}

export interface Table {
  cases: Uint32Array;
  columns: Column[];
}

const most_levels = 40;

export function table_of(page: SweepPage): Table {
  const cases = u32(page.case_numbers);
  const columns = page.columns.map(({ name, kind, unit, how, expression, numbers, codes, words }): Column => {
    const values = codes ? Float64Array.from(u32(codes)) : f64(numbers ?? "");
    const levels = words ? words.map((_, code) => code) : how === "grid" || how === "list" || how === "choice" ? levels_of(values) : null;
    return { name, kind, unit, expression, values, words: words ?? null, levels, wide: !words && is_wide(values) };
  });
  const number_of_case: Column = { name: "case", kind: "case", unit: "", expression: "", values: Float64Array.from(cases), words: null, levels: null, wide: false };
  return { cases, columns: [number_of_case, ...columns] };
}

/// The distinct values in ascending order; null if they are more than a few.
export function levels_of(values: Float64Array, most = most_levels): number[] | null {
  const seen = new Set<number>();
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    seen.add(value);
    if (seen.size > most) return null;
  }
  return [...seen].sort((a, b) => a - b);
}

export function is_wide(values: Float64Array): boolean {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low > 0 && high > 1000 * low;
}

export const row_of_case = (table: Table, number: number): number | null => {
  let low = 0;
  let high = table.cases.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (table.cases[middle] < number) low = middle + 1;
    else high = middle;
  }
  return table.cases[low] === number ? low : null;
};
