// How curves look: colours the colour-blind can tell apart, dashes once these are used up.

import { css_color, palette_color, palette_size } from "../theme";
import type { Curve, Sheet } from "./sheet";

export interface Look {
  color(): string;
  width: number; // px
  dash: number[]; // px
  markers: boolean;
  line: boolean;
}

const dashes = [[], [7, 3], [2, 3], [8, 3, 2, 3]];
const few = 40; // points of a curve: show each

export function looks_of(sheet: Sheet): Look[] {
  let colored = 0;
  return sheet.curves.map((curve) => look_of(curve, curve.kind === "line" || curve.kind === "points" ? colored++ : 0));
}

function look_of(curve: Curve, n: number): Look {
  const markers = curve.kind === "points" || (curve.kind === "line" && curve.x.length <= few);
  const line = curve.kind !== "points";
  switch (curve.kind) {
    case "theory": return { color: () => css_color("--theory"), width: 1.1, dash: [5, 4], markers, line };
    case "limit": return { color: () => css_color("--limit"), width: 1.2, dash: [2, 3], markers, line };
    case "edge": return { color: () => palette_color(0), width: 0.8, dash: [], markers, line };
    default: return { color: () => palette_color(n), width: 1.75, dash: dashes[Math.floor(n / palette_size) % dashes.length], markers, line };
  }
}
