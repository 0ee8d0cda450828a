// Colours of values: a ramp from the lowest to the highest, or one colour for each word.

import { css_color, palette_color } from "../theme";
import { el } from "../dom";
import { text_of, type Scale } from "./scale";
import type { Column } from "./table";

const anchors = 5;
export const shades = 64;

/// part: 0 lowest, 1 highest.
export function ramp_color(part: number): string {
  const place = Math.min(1, Math.max(0, part)) * (anchors - 1);
  const before = Math.min(anchors - 2, Math.floor(place));
  const from = channels(css_color(`--ramp-${before}`));
  const to = channels(css_color(`--ramp-${before + 1}`));
  return `rgb(${from.map((value, k) => Math.round(value + (place - before) * (to[k] - value))).join(" ")})`;
}

// of "#rrggbb"
const channels = (color: string): number[] => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));

export const shade_color = (column: Column, shade: number): string => (column.words ? palette_color(shade) : ramp_color(shade / (shades - 1)));

/// Which shade each row has; −1 where there is no value.
export function shades_of(column: Column, scale: Scale): Int16Array {
  const span = scale.high - scale.low;
  const of_place = (place: number) => (span > 0 ? Math.min(shades - 1, Math.floor(((place - scale.low) / span) * shades)) : shades >> 1);
  return Int16Array.from(scale.places, (place, row) => (Number.isNaN(place) ? -1 : column.words ? column.values[row] : of_place(place)));
}

/// What the colours mean.
export function key_of(column: Column, scale: Scale): HTMLElement {
  if (column.words) {
    const most = 12;
    const entries = column.words.slice(0, most).map((_, code) => {
      const swatch = el("span", { class: "dot" });
      swatch.style.background = palette_color(code);
      return el("li", {}, swatch, text_of(column, code));
    });
    if (column.words.length > most) entries.push(el("li", {}, `and ${column.words.length - most} more`));
    return el("ul", { class: "key", "aria-label": `Colours of ${column.name}` }, ...entries);
  }
  if (!(scale.low <= scale.high)) return el("p", { class: "note" }, `no case has a ${column.name}`);
  return ramp_key(scale.label, scale.text(scale.low), scale.text(scale.high));
}

/// From the lowest to the highest.
export function ramp_key(label: string, low: string, high: string): HTMLElement {
  const bar = el("span", { class: "ramp", "aria-hidden": "true" });
  return el("p", { class: "key" }, `${label}: ${low}`, bar, high);
}
