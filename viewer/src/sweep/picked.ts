// The case that the reader has picked: its row of the table and the command that makes it again, at the foot of the window.

import { el, icon_button } from "../dom";
import { icons } from "../icons";
import type { Focus } from "./focus";
import { command_line } from "./panel";
import { text_of } from "./scale";

export function picked_of(focus: Focus, command: (row: number) => string): HTMLElement {
  const out = el("section", { class: "picked panel", "aria-label": "Picked case", "aria-live": "polite", hidden: true });
  const close = () => focus.pick(null);
  const show = () => {
    out.hidden = focus.row === null;
    if (focus.row === null) return out.replaceChildren();
    const row = focus.row;
    const entries = focus.table.columns
      .filter(({ kind }) => kind !== "case")
      .map((column) => ({ column, text: text_of(column, column.values[row], 6) }))
      .filter(({ column, text }) => column.kind !== "reason" || (text !== "" && text !== "–"))
      .map(({ column, text }) => el("div", {}, el("dt", {}, column.name), el("dd", {}, text !== "–" && column.unit ? `${text} ${column.unit}` : text)));
    out.replaceChildren(
      el("div", { class: "card-head" }, el("h2", {}, `Case ${focus.table.cases[row]}`), icon_button(icons.bad(), "Close (Escape)", close)),
      el("dl", { class: "facts" }, ...entries),
      command_line(command(row)),
    );
  };
  focus.on_change(show);
  addEventListener("keydown", (event) => event.key === "Escape" && focus.row !== null && close());
  return out;
}
