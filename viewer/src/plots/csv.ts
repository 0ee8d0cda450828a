// The numbers of a plot as text: one table if its curves share x, else a pair of columns for each curve.

import { float32_text } from "../number";
import { with_unit, type Sheet } from "./sheet";

export function csv_of(sheet: Sheet): string {
  const x_name = with_unit(sheet.x.label, sheet.x.unit);
  const shared = sheet.curves.every(({ x }) => x === sheet.curves[0].x || equal(x, sheet.curves[0].x));
  const columns: { name: string; cell: (row: number) => string; rows: number }[] = [];
  sheet.curves.forEach(({ name, x, y }, i) => {
    if (!shared || i === 0) {
      columns.push({ name: shared ? x_name : `${name}: ${x_name}`, cell: (row) => String(x[row]), rows: x.length });
    }
    columns.push({ name: with_unit(name, sheet.unit), cell: (row) => float32_text(y[row]), rows: y.length });
  });
  const rows = Math.max(0, ...columns.map((column) => column.rows));
  const lines = [columns.map(({ name }) => quoted(name)).join(",")];
  for (let row = 0; row < rows; ++row) lines.push(columns.map(({ cell, rows }) => (row < rows ? cell(row) : "")).join(","));
  return lines.join("\r\n") + "\r\n";
}

// as RFC 4180 says
const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text);

const equal = (a: Float64Array, b: Float64Array) => a.length === b.length && a.every((value, i) => value === b[i]);
