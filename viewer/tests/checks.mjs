// What holds for every page.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const axe_source = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/// What axe calls serious or critical.
export async function serious_findings(page) {
  await page.evaluate(axe_source);
  const { violations } = await page.evaluate(() => window.axe.run());
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => `${node.html.slice(0, 100)} ${node.failureSummary}`).join(" | ")}`);
}

/// Elements cut off at the right, apart from what scrolls in its own box
export function sticking_out(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll("main *, header *")]
      .filter((e) => !e.closest(".table, pre, .paper, svg, .picture") && e.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5)
      .map((e) => e.outerHTML.slice(0, 120)));
}
