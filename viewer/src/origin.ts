// The foot of the page: the scenario itself and how to make the page again.

import type { Page } from "./data";
import { el } from "./dom";

export function origin_of(page: Page): HTMLElement {
  const out = el("section", { class: "origin-details panel", "aria-label": "Origin" });
  const known = [["File", page.file], ["Made by", page.version], ["Make it again", page.command]].filter(([, value]) => value);
  if (known.length) {
    out.append(el("dl", {}, ...known.map(([label, value]) => el("div", {}, el("dt", {}, label), el("dd", {}, el("code", {}, value))))));
  }
  if (page.scenario) {
    const text = el("pre", { tabindex: 0, role: "region", "aria-label": "Scenario text" }, page.scenario);
    out.append(el("details", {}, el("summary", {}, "Scenario"), text));
  }
  return out;
}
