// Where a value of a column lies along an axis, and what stands beside it: even, logarithmic, or one place for each level.

import { log_label, log_ticks } from "../plots/log";
import { even_range, type Ticks } from "../plots/axes";
import { short } from "../number";
import { with_unit } from "../plots/sheet";
import type { Column } from "./table";

export interface Scale {
  label: string;
  places: Float64Array; // of all rows; NaN where the value has none
  low: number; // of the places that there are
  high: number;
  range: [number, number]; // what an axis shows
  ticks: Ticks | null; // null: round numbers
  steps: number | null; // how many levels there are; each takes the place of its ordinal
  text(place: number): string;
  value(place: number): number; // of the column
  of(value: number): number; // the place of a limit; −∞ where there is none
}

export type Kind = "even" | "log";

export const kind_of = (column: Column): Kind => (column.wide ? "log" : "even");
/// Where levels stand one by one, they do so at first.
export const stepped_kind_of = (column: Column): Kind => (column.levels ? "even" : kind_of(column));

/// A column of words or of few levels stands level by level where `stepped`; words always do.
export function scale_of(column: Column, kind: Kind, stepped = false): Scale {
  if (column.levels && (column.words || (stepped && kind === "even"))) return level_scale(column, column.levels);
  const label = with_unit(column.name, column.unit);
  const places = kind === "log" ? column.values.map((value) => (value > 0 ? Math.log10(value) : NaN)) : column.values;
  const [low, high] = bounds_of(places);
  const none = low > high;
  const range: [number, number] = even_range(none ? null : low, none ? null : high);
  if (kind === "even") return { label, places, low, high, range, ticks: null, steps: null, text: (place) => short(place), value: (place) => place, of: (value) => value };
  const tall: [number, number] = none ? [0, 1] : high - low < 0.2 ? [low - 0.2, high + 0.2] : [low - 0.04 * (high - low), high + 0.04 * (high - low)];
  return { label, places, low, high, range: tall, ticks: { ticks: log_ticks, label: log_label }, steps: null, text: (place) => short(10 ** place), value: (place) => 10 ** place, of: (value) => (value > 0 ? Math.log10(value) : -Infinity) };
}

/// How many rows have no place, and why: null if all have one.
export function missing_text(column: Column, scale: Scale): string | null {
  let empty = 0;
  let beyond = 0;
  scale.places.forEach((place, row) => {
    if (!Number.isNaN(place)) return;
    if (Number.isNaN(column.values[row])) ++empty;
    else ++beyond;
  });
  const parts = [
    ...(empty ? [`${empty} ${empty === 1 ? "case has" : "cases have"} no ${column.name}`] : []),
    ...(beyond ? [`${beyond} ${beyond === 1 ? "case has" : "cases have"} ${column.name} ≤ 0, without a logarithm`] : []),
  ];
  return parts.length ? parts.join(", ") : null;
}

/// What a value of a column looks like to people.
export const text_of = (column: Column, value: number, digits = 5): string => (column.words ? (column.words[value] ?? "–") : short(value, digits));

const longest_word = 16;
const clipped = (text: string) => (text.length > longest_word ? `${text.slice(0, longest_word - 1)}…` : text);

function level_scale(column: Column, levels: number[]): Scale {
  const place_of = new Map(levels.map((level, place) => [level, place]));
  const name = (place: number) => (levels[place] === undefined ? "" : column.words ? text_of(column, levels[place]) : short(levels[place], 4).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, ""));
  const most = column.words ? 24 : 10;
  const every = Math.max(1, Math.ceil(levels.length / most));
  const ticks = (low: number, high: number) => levels.map((_, place) => place).filter((place) => place % every === 0 && place >= low && place <= high);
  return {
    label: with_unit(column.name, column.unit),
    places: column.values.map((value) => place_of.get(value) ?? NaN),
    low: -0.5,
    high: levels.length - 0.5,
    range: levels.length ? [-0.5, levels.length - 0.5] : [0, 1],
    ticks: { ticks, label: (tick) => clipped(name(tick)) },
    steps: levels.length,
    text: (place) => name(Math.round(place)),
    value: (place) => levels[Math.round(place)] ?? NaN,
    of: (value) => place_of.get(value) ?? NaN,
  };
}

function bounds_of(places: Float64Array): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const place of places) {
    if (place < low) low = place;
    if (place > high) high = place;
  }
  return [low, high];
}
