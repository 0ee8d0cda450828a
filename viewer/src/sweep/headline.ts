// The first thing that the page says: how many cases there are, and what became of them.

import type { Verdict } from "../data";
import { short } from "../number";
import type { SweepPage } from "./data";

const cases = (count: number) => `${count} ${count === 1 ? "case" : "cases"}`;

export function verdict_of(page: SweepPage, shown: number): Verdict {
  const finished = page.counts.finished ?? 0;
  const others = Object.entries(page.counts).filter(([status]) => status !== "finished").sort((a, b) => b[1] - a[1]);
  const whole = page.rows === page.cases && page.complete;
  const so_far = page.rows === page.cases ? cases(page.rows) : `${page.rows} of ${cases(page.cases)} so far`;
  const listed = others.map(([status, count]) => `${count} ${status}`).join(", ");
  const rest = page.rows - finished;
  const outcome = rest === 0 ? (page.rows === 1 ? "it finished" : "all finished") : finished === 0 ? `none finished, ${listed}` : `${finished} finished, ${listed}`;
  return {
    good: whole && page.rows > 0 && rest === 0,
    text: page.rows === 0 ? `${so_far}.` : `${so_far}: ${outcome}.`,
    facts: facts_of(page),
    warnings: [
      ...(whole ? [] : ["The sweep is not finished: the same command with --resume goes on."]),
      ...(shown < page.rows
        ? [`Charts show ${shown} of the ${cases(page.rows)}, chosen evenly by chance, with all that tables name: fronts, extremes and counts in charts are those of these. Measures and failures are of all cases. All rows are in table.csv.`]
        : []),
    ],
  };
}

function facts_of(page: SweepPage): Verdict["facts"] {
  const varied = page.columns.filter(({ kind }) => kind === "varied");
  const drawn = page.draws > 1 || varied.some(({ how }) => !["grid", "list"].includes(how));
  return [
    { label: "varied", value: varied.map(({ name }) => name).join(", ") || "nothing" },
    { label: "cases", value: page.grid_points > 1 && page.draws > 1 ? `${page.grid_points} grid points × ${page.draws} draws` : page.grid_points > 1 ? `${page.grid_points} grid points` : `${short(page.draws)} ${page.draws === 1 ? "draw" : "draws"}` },
    ...(drawn ? [{ label: "seed", value: String(page.seed) }] : []),
    { label: "computed with", value: page.instructions },
  ];
}
