// Parts of a longer report, such as a paper's figures in their order: text, a table, plots.

import type { Section, Table } from "./data";
import { el } from "./dom";

export function section_of(section: Section, index: number, plots: HTMLElement[]): HTMLElement {
  const out = el("section", { class: "section", "aria-labelledby": heading_id(index) }, el("h2", { id: heading_id(index) }, section.title));
  const paragraphs = section.text.split(/\n\s*\n/).filter((text) => text.trim());
  if (paragraphs.length) out.append(el("div", { class: "prose" }, ...paragraphs.map((text) => el("p", {}, text.trim()))));
  const body = el("div", { class: "section-body" });
  if (section.table) body.append(table_of(section.table, section.title));
  if (plots.length) body.append(el("div", { class: "plots" }, ...plots));
  out.append(body);
  return out;
}

/// Links to the sections, for pages with several.
export function contents_of(sections: Section[]): HTMLElement {
  const links = sections.map(({ title }, index) => el("li", {}, el("a", { href: `#${heading_id(index)}` }, title)));
  return el("nav", { class: "contents", "aria-label": "Contents" }, el("ol", {}, ...links));
}

const heading_id = (index: number) => `section-${index + 1}`;

function table_of(table: Table, title: string): HTMLElement {
  const numeric = table.columns.map((_, column) => table.rows.length > 0 && table.rows.every((row) => is_number(row[column] ?? "")));
  const cell = (tag: "th" | "td", text: string, column: number) =>
    el(tag, { class: numeric[column] ? "number" : null, scope: tag === "th" ? "col" : null }, text);
  const head = el("tr", {}, ...table.columns.map((text, column) => cell("th", text, column)));
  const rows = table.rows.map((row) => el("tr", {}, ...row.map((text, column) => cell("td", text, column))));
  return el(
    "div",
    { class: "table panel", tabindex: 0, role: "region", "aria-label": `Table: ${title}` },
    el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows)),
  );
}

const is_number = (text: string) => /^[\s≤≥<>~≈±]*[-+−]?(\d|\.\d|[–-]?$)/.test(text.trim());
