// The foot of the page: the files themselves and how to make the page again.

import { el } from "./dom";

export interface Origin {
  file: string;
  version: string;
  command: string;
  texts: [string, string][]; // of files, with what they are
}

export function origin_of(page: Origin): HTMLElement {
  const out = el("section", { class: "origin-details panel", "aria-label": "Origin" });
  const known = [["File", page.file], ["Made by", page.version], ["Make it again", page.command]].filter(([, value]) => value);
  if (known.length) {
    out.append(el("dl", {}, ...known.map(([label, value]) => el("div", {}, el("dt", {}, label), el("dd", {}, el("code", {}, value))))));
  }
  for (const [name, content] of page.texts) {
    if (!content) continue;
    const text = el("pre", { tabindex: 0, role: "region", "aria-label": `${name} text` }, content);
    out.append(el("details", {}, el("summary", {}, name), text));
  }
  return out;
}
