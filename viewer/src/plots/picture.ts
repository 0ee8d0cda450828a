// A chart as PNG: its title and the names of the curves that are shown, above the chart.

import { el } from "../dom";
import { css_color } from "../theme";
import type { Look } from "./look";
import { with_unit, type Sheet } from "./sheet";

const margin = 12;
const line_height = 18;
const family = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";

type Titled = Pick<Sheet, "title" | "unit" | "curves">;

export function picture_of(sheet: Titled, looks: Look[], shown: boolean[], chart: HTMLCanvasElement): Promise<Blob | null> {
  const scale = devicePixelRatio;
  const width = chart.width / scale;
  const canvas = el("canvas");
  const context = canvas.getContext("2d")!;
  context.font = `12px ${family}`;
  const entries = place_names(sheet, shown, width, (text) => context.measureText(text).width);
  const head = margin + line_height + line_height * (entries.length ? entries[entries.length - 1].row + 1 : 0) + 4;

  canvas.width = chart.width;
  canvas.height = chart.height + head * scale;
  context.fillStyle = css_color("--sheet");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(chart, 0, head * scale);
  context.scale(scale, scale);
  context.textBaseline = "middle";
  context.fillStyle = css_color("--ink");
  context.font = `600 13px ${family}`;
  context.fillText(with_unit(sheet.title, sheet.unit), margin, margin + 6, width - 2 * margin);
  context.font = `12px ${family}`;
  for (const { index, left, row } of entries) draw_entry(context, sheet.curves[index].name, looks[index], left, margin + line_height * (row + 1) + 6);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

function place_names(sheet: Titled, shown: boolean[], width: number, measure: (text: string) => number) {
  const entries: { index: number; left: number; row: number }[] = [];
  let left = margin;
  let row = 0;
  sheet.curves.forEach(({ name }, index) => {
    if (!shown[index]) return;
    const length = 26 + measure(name) + 14;
    if (left > margin && left + length > width) {
      left = margin;
      ++row;
    }
    entries.push({ index, left, row });
    left += length;
  });
  return entries;
}

function draw_entry(context: CanvasRenderingContext2D, name: string, look: Look, left: number, middle: number): void {
  context.strokeStyle = context.fillStyle = look.color();
  context.lineWidth = look.width + 0.4;
  context.setLineDash(look.dash);
  context.beginPath();
  context.moveTo(left, middle);
  context.lineTo(left + 20, middle);
  if (look.line) context.stroke();
  context.beginPath();
  context.arc(left + 10, middle, 3, 0, 2 * Math.PI);
  if (look.markers) context.fill();
  context.fillStyle = css_color("--ink");
  context.fillText(name, left + 26, middle);
}
