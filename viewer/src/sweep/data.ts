// What the page of a sweep is given: the contract with the program that writes it (trammel/sweep/sweep_page.cpp). It stands in the page as
// that of a run does (../data.ts). Most of it is sweep.json, with the columns of table.csv and the bands of bands.csv.

import type { F32, F64, U32 } from "../data";

export interface SweepPage {
  format: 1;
  title: string;
  version: string;
  instructions: string;
  file: string; // of the sweep
  scenario_file: string;
  sweep: string; // texts of both files
  scenario: string;
  set: string[]; // the --set of the sweep itself, KEY=VALUE
  seed: number;
  cases: number; // of the sweep
  grid_points: number;
  draws: number;
  rows: number; // of the table; fewer than the cases where the sweep is not finished
  complete: boolean;
  case_numbers: U32; // of the rows that are on the page, ascending: all of the table, or where it is too long a part of it
  columns: ColumnData[];
  counts: Record<string, number>; // rows by status
  failures: Failure[];
  measures: Measure[];
  recordings: Recording[];
  bands: Band[];
}

/// A column of the table. Numbers: NaN where there is none. Texts: their place in `words`.
export interface ColumnData {
  name: string;
  kind: "varied" | "status" | "reason" | "measure";
  unit: string; // may be empty
  how: string; // of varied ones: grid, list, normal …
  expression: string; // of measures
  numbers?: F64;
  codes?: U32;
  words?: string[];
}

export interface Failure { status: string; reason: string; count: number; cases: number[]; command: string }
export interface Extreme { case: number; value: number; command: string }
export interface Measure { name: string; count: number; mean?: number; lowest: Extreme[]; highest: Extreme[] }
export interface Recording { case: number; value: number; file: string; command: string }

/// Percentiles of a kept column over all cases that have a number at that time.
export interface Band {
  column: string;
  t: F64; // s
  min: F32;
  p5: F32;
  p25: F32;
  median: F32;
  p75: F32;
  p95: F32;
  max: F32;
  mean: F32;
}
