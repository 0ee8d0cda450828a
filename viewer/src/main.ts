// The page: reads its data, lays out summary, playback, plots, sections and origin, and links them by one clock.

import "uplot/dist/uPlot.min.css";
import "./style/theme.css";
import "./style/page.css";
import "./style/player.css";
import "./style/plots.css";

import { Clock } from "./clock";
import type { Page } from "./data";
import { f64 } from "./decode";
import { el } from "./dom";
import { origin_of } from "./origin";
import { player_of } from "./player";
import { Plots } from "./plots/plots";
import { contents_of, section_of } from "./sections";
import { header_of, summary_of } from "./summary";
import { expose } from "./test_hook";

const expected_format = 1;

function read(): Page {
  const text = document.getElementById("trammel-data")?.textContent;
  if (!text) throw new Error("This is the empty template of a report: it holds no data.");
  const page = JSON.parse(text) as Page;
  if (page.format !== expected_format) throw new Error(`This page shows data of format ${expected_format}, and was given format ${page.format}.`);
  return page;
}

function show(page: Page): void {
  document.title = page.title ? `${page.title} · Trammel` : "Trammel";
  const clock = new Clock(f64(page.t));
  const plots = new Plots(clock);
  const player = page.scene ? player_of(page, page.scene, clock) : null;
  const cards = page.plots.map((plot) => plots.card_of(plot, "recording"));

  const main = el("main", {}, summary_of(page));
  if (page.sections.length > 2) main.append(contents_of(page.sections));
  if (player || cards.length) {
    const bench = el("div", { class: `bench${player ? " with-player" : ""}` });
    if (player) bench.append(player.root);
    if (cards.length) bench.append(el("section", { class: "plots", "aria-label": "Plots" }, ...cards));
    main.append(bench);
  }
  page.sections.forEach((section, index) => {
    const section_cards = section.plots.map((plot) => plots.card_of(plot, `section ${index}`));
    main.append(section_of(section, index, section_cards));
  });
  main.append(origin_of(page));
  document.body.append(header_of(page), main);
  expose(clock, player?.stage ?? null, plots);
}

try {
  show(read());
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  document.body.append(el("main", {}, el("p", { class: "failure panel", role: "alert" }, message)));
  if (document.getElementById("trammel-data")) console.error(error);
}
