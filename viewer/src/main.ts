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
import { read_page, show_or_tell } from "./read";
import { contents_of, section_of } from "./sections";
import { header_of, summary_of } from "./summary";
import { expose } from "./test_hook";

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
  main.append(origin_of({ ...page, texts: [["Scenario", page.scenario]] }));
  document.body.append(header_of(page), main);
  expose(clock, player?.stage ?? null, plots);
}

show_or_tell(() => show(read_page<Page>()));
