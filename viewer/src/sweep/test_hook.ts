// What tests may read: the page's state, nothing that changes it.

import type { Plots } from "../plots/plots";
import type { Focus } from "./focus";
import type { HeatMap } from "./heat";
import type { HistogramCard } from "./histogram";
import type { Scatter } from "./scatter";
import type { Table } from "./table";

interface Parts { table: Table; focus: Focus; scatter: Scatter; histogram: HistogramCard; heat: HeatMap; plots: Plots }

export function expose({ table, focus, scatter, histogram, heat, plots }: Parts): void {
  // two frames later the first picture has been drawn and the page answers
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const hook = {
        interactive: performance.now(), // ms from the start of loading until the page could be used
        picked: () => (focus.row === null ? null : table.cases[focus.row]),
        within: () => focus.count,
        scatter: () => scatter.state(),
        place: (number: number) => scatter.place_of(table.cases.indexOf(number)), // in the scatter plot, px of the window
        histogram: () => histogram.counts(),
        heat: () => heat.state(),
        curves: (plot: number) => plots.cards[plot].curves(),
      };
      (window as { trammel?: unknown }).trammel = Object.freeze(hook);
    }),
  );
}
