// Tables of the sweep: its measures with their extremes, its failures by reason, the recordings that are kept.

import { el } from "../dom";
import { short } from "../number";
import type { Extreme, SweepPage } from "./data";
import { copy_button } from "./panel";
import type { Column } from "./table";

type Pick = (number: number) => void;

export function measures_of(page: SweepPage, columns: Column[], pick: Pick): HTMLElement | null {
  if (!page.measures.length) return null;
  const rows = page.measures.map((measure) => {
    const column = columns.find(({ name, kind }) => kind === "measure" && name === measure.name);
    const unit = column?.unit ?? "";
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, measure.name, el("code", { class: "expression" }, column?.expression ?? "")),
      el("td", { class: "number" }, String(measure.count)),
      el("td", { class: "number" }, valued(measure.mean, unit)),
      el("td", {}, extreme(measure.lowest[0], unit, pick)),
      el("td", {}, extreme(measure.highest[0], unit, pick)),
    );
  });
  return list("Measures", ["measure", "cases", "mean", "lowest", "highest"], rows, [1, 2]);
}

export function failures_of(page: SweepPage, pick: Pick): HTMLElement | null {
  if (!page.failures.length) return null;
  const rows = [...page.failures].sort((a, b) => b.count - a.count).map((failure) =>
    el(
      "tr",
      {},
      el("td", { class: "number" }, String(failure.count)),
      el("td", {}, failure.status),
      el("td", {}, failure.reason || "–"),
      el("td", { class: "cases" }, ...failure.cases.map((number) => case_button(number, pick)), ...(failure.count > failure.cases.length ? ["…"] : [])),
      el("td", {}, copy_button(failure.command)),
    ));
  return list("Cases that failed or are in doubt, by reason", ["count", "status", "reason of the first", "cases", "command of the first"], rows, [0]);
}

export function recordings_of(page: SweepPage, pick: Pick): HTMLElement | null {
  if (!page.recordings.length) return null;
  const rows = page.recordings.map(({ case: number, value, file, command }) =>
    el("tr", {}, el("td", {}, case_button(number, pick)), el("td", { class: "number" }, short(value)), el("td", {}, el("code", {}, file)), el("td", {}, copy_button(command))));
  return list("Recordings that are kept", ["case", "value", "file in the sweep's folder", "command"], rows, [1]);
}

const valued = (value: number | undefined, unit: string) => (value === undefined ? "–" : unit ? `${short(value)} ${unit}` : short(value));

function extreme(one: Extreme | undefined, unit: string, pick: Pick): HTMLElement {
  if (!one) return el("span", {}, "–");
  return el("span", { class: "extreme" }, el("span", { class: "number" }, valued(one.value, unit)), case_button(one.case, pick, `case ${one.case}`), copy_button(one.command));
}

function case_button(number: number, pick: Pick, text = String(number)): HTMLButtonElement {
  const button = el("button", { type: "button", class: "case", title: `Show case ${number}` }, text);
  button.addEventListener("click", () => pick(number));
  return button;
}

function list(title: string, heads: string[], rows: HTMLElement[], numbers: number[]): HTMLElement {
  const head = el("tr", {}, ...heads.map((text, i) => el("th", { scope: "col", class: numbers.includes(i) ? "number" : null }, text)));
  return el(
    "section",
    { class: "section", "aria-label": title },
    el("h2", {}, title),
    el("div", { class: "table panel long", tabindex: 0, role: "region", "aria-label": `Table: ${title}` }, el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows))),
  );
}
