// The data of the page, and what is said where there is none.

import { el } from "./dom";

const expected_format = 1;

export function read_page<Page extends { format: number }>(): Page {
  const text = document.getElementById("trammel-data")?.textContent;
  if (!text) throw new Error("This is the empty template of a report: it holds no data.");
  const page = JSON.parse(text) as Page;
  if (page.format !== expected_format) throw new Error(`This page shows data of format ${expected_format}, and was given format ${page.format}.`);
  return page;
}

/// Shows the page, or else says why it cannot be shown.
export function show_or_tell(show: () => void): void {
  try {
    show();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    document.body.append(el("main", {}, el("p", { class: "failure panel", role: "alert" }, message)));
    if (document.getElementById("trammel-data")) console.error(error);
  }
}
