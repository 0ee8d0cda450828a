// The head of the page: what ran, whether it holds, the numbers that matter, what to beware of.

import type { Page } from "./data";
import { el, icon_button } from "./dom";
import { icons } from "./icons";
import { toggle_theme } from "./theme";

export function header_of(page: Pick<Page, "title" | "file" | "version">): HTMLElement {
  const origin = [page.file, page.version && `Trammel ${page.version.replace(/^trammel\s*/i, "")}`].filter(Boolean);
  return el(
    "header",
    { class: "top" },
    el("div", {}, el("h1", {}, page.title || "Trammel report"), el("p", { class: "origin" }, origin.join(" · "))),
    icon_button(icons.theme(), "Switch between dark and light", toggle_theme),
  );
}

export function summary_of({ verdict }: Pick<Page, "verdict">): HTMLElement {
  const badge = el("span", { class: "badge" }, verdict.good ? icons.good() : icons.bad());
  const facts = verdict.facts.map(({ label, value }) => el("div", {}, el("dt", {}, label), el("dd", {}, value)));
  const warnings = verdict.warnings.map((text) => el("li", {}, icons.warning(), el("span", {}, text)));
  const out = el(
    "section",
    { class: `summary panel ${verdict.good ? "good" : "bad"}`, "aria-label": "Summary" },
    el("h2", { class: "verdict" }, badge, el("span", {}, verdict.text)),
  );
  if (facts.length) out.append(el("dl", { class: "facts" }, ...facts));
  if (warnings.length) out.append(el("ul", { class: "warnings", "aria-label": "Warnings" }, ...warnings));
  return out;
}
