// The commands that make a case, or the sweep, again: as Sweep::command writes them (trammel/sweep/sweep.cpp).

import type { SweepPage } from "./data";
import type { Table } from "./table";

export function command_of(page: SweepPage, table: Table, row: number): string {
  const varied = table.columns.filter(({ kind }) => kind === "varied");
  const set = varied.map(({ name, values, words }) => `${name}=${words ? words[values[row]] : exact(values[row])}`);
  return ["trammel run", quoted(page.scenario_file), ...[...page.set, ...set].map((item) => `--set ${quoted(item)}`)].join(" ");
}

export const sweep_command = (page: SweepPage): string =>
  ["trammel sweep", quoted(page.file), ...page.set.map((item) => `--set ${quoted(item)}`)].join(" ");

/// The shortest text that reads back as the same number, laid out as fmt does: 0.0001, 1e-05, 1e+16.
export function exact(value: number): string {
  const [digits, power] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 16) return String(value);
  return `${digits}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/// As a shell takes it.
export const quoted = (word: string): string => (/^[\w\-=./:,+]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`);
