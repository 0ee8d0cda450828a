// The page of a sweep: headline, measures, charts of the table's columns, bands over time, failures, origin.

import "uplot/dist/uPlot.min.css";
import "../style/theme.css";
import "../style/page.css";
import "../style/plots.css";
import "../style/sweep.css";

import { Clock } from "../clock";
import { f64 } from "../decode";
import { el } from "../dom";
import { origin_of } from "../origin";
import { Plots } from "../plots/plots";
import { read_page, show_or_tell } from "../read";
import { header_of, summary_of } from "../summary";
import { plot_of } from "./bands";
import { command_of, sweep_command } from "./command";
import type { SweepPage } from "./data";
import { Focus } from "./focus";
import { HeatMap } from "./heat";
import { verdict_of } from "./headline";
import { HistogramCard } from "./histogram";
import { failures_of, measures_of, recordings_of } from "./lists";
import { is_number } from "./panel";
import { Parallel } from "./parallel";
import { picked_of } from "./picked";
import { Scatter } from "./scatter";
import { row_of_case, table_of, type Table } from "./table";
import { expose } from "./test_hook";

function show(page: SweepPage): void {
  document.title = page.title ? `${page.title} · Trammel` : "Trammel";
  const table = table_of(page);
  const focus = new Focus(table);
  const command = (row: number) => command_of(page, table, row);
  const pick = (number: number) => focus.pick(row_of_case(table, number));
  const main = el("main", {}, summary_of({ verdict: verdict_of(page, table.cases.length) }));
  add(main, measures_of(page, table.columns, pick));

  const first = first_columns(table);
  const scatter = new Scatter(table, focus, command, { x: first.x, y: first.y, color: first.color });
  const histogram = new HistogramCard(table, focus, first.y);
  const heat = new HeatMap(table, focus, { x: first.varied, y: first.other, value: first.y });
  const parallel = new Parallel(table, focus);
  if (table.cases.length > 0) {
    main.append(el("section", { class: "charts", "aria-label": "Charts of the cases" }, scatter.root, histogram.root, heat.root, parallel.root));
  }
  const plots = new Plots(new Clock(page.bands.length ? f64(page.bands[0].t) : new Float64Array()));
  if (page.bands.length) {
    const cards = page.bands.map((band) => plots.card_of(plot_of(band, page.rows), "bands"));
    main.append(el("section", { class: "section", "aria-label": "Over time" }, el("h2", {}, "Kept columns over time"), el("div", { class: "plots" }, ...cards)));
  }
  add(main, failures_of(page, pick));
  add(main, recordings_of(page, pick));
  main.append(origin_of({ file: page.file, version: page.version, command: sweep_command(page), texts: [["Sweep", page.sweep], ["Scenario", page.scenario]] }));
  document.body.append(header_of(page), main, picked_of(focus, command));
  if (table.cases.length > 0) for (const chart of [scatter, histogram, heat]) chart.show();
  expose({ table, focus, scatter, histogram, heat, plots });
}

const add = (main: HTMLElement, part: HTMLElement | null) => part && main.append(part);

// what the charts begin with: what is measured against what varies, places in the table
function first_columns({ columns }: Table) {
  const of_kind = (kind: string) => columns.map((column, index) => ({ column, index })).filter(({ column }) => column.kind === kind && is_number(column)).map(({ index }) => index);
  const [varied, measures] = [of_kind("varied"), of_kind("measure")];
  const fallback = 0; // the number of the case
  const y = measures[0] ?? varied[0] ?? fallback;
  const x = strongest(columns[y].values, varied.filter((index) => index !== y), columns) ?? fallback;
  const other = strongest(columns[y].values, varied.filter((index) => index !== x && index !== y), columns) ?? measures[1] ?? fallback;
  const color = other === fallback ? -1 : other;
  return { x, y, color, varied: x, other };
}

// of these columns the one with which y goes up and down most: by the size of the correlation
function strongest(y: Float64Array, candidates: number[], columns: { values: Float64Array }[]): number | undefined {
  const size = (index: number) => Math.abs(correlation(columns[index].values, y));
  return [...candidates].sort((a, b) => size(b) - size(a) || a - b)[0];
}

function correlation(x: Float64Array, y: Float64Array): number {
  let [n, mean_x, mean_y, xx, yy, xy] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < x.length; ++i) {
    if (Number.isNaN(x[i] + y[i])) continue;
    ++n;
    const [dx, dy] = [x[i] - mean_x, y[i] - mean_y];
    mean_x += dx / n;
    mean_y += dy / n;
    xx += dx * (x[i] - mean_x);
    yy += dy * (y[i] - mean_y);
    xy += dx * (y[i] - mean_y);
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : 0;
}

show_or_tell(() => show(read_page<SweepPage>()));
