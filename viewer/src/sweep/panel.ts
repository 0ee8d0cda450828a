// What the charts of a sweep have around them: title, choices, notes, a picture to save.

import { checkbox, el, file_name, icon_button, save_as, text_button } from "../dom";
import { icons } from "../icons";
import { picture_of } from "../plots/picture";
import { with_unit } from "../plots/sheet";
import type { Column } from "./table";

interface Charted { title: string; canvas(): HTMLCanvasElement | null; reset: (() => void) | null }

/// A card without its chart. `caption` says what the picture is of, in words above a saved picture.
export function card_of(charted: Charted, caption: () => string, ...content: Node[]): HTMLElement {
  const save = async () => {
    const canvas = charted.canvas();
    const blob = canvas && (await picture_of({ title: caption(), unit: "", curves: [] }, [], [], canvas));
    if (blob) save_as(file_name(charted.title, "png"), blob);
  };
  const head = el("div", { class: "card-head" }, el("h3", {}, charted.title));
  if (charted.reset) head.append(icon_button(icons.reset(), "Show all (or double-click the plot)", charted.reset));
  head.append(text_button("PNG", "Save as PNG", () => void save()));
  return el("article", { class: "card panel", "aria-label": charted.title }, head, ...content);
}

export interface Option { value: string; text: string }

export function select(label: string, options: Option[], chosen: string, action: (value: string) => void): HTMLLabelElement {
  const input = el("select", {});
  for (const { value, text } of options) input.append(el("option", { value, selected: value === chosen }, text));
  input.addEventListener("change", () => action(input.value));
  return el("label", { class: "pick" }, label, input);
}

/// A choice of columns by their places in the table.
export function column_select(label: string, columns: Column[], fits: (column: Column) => boolean, chosen: number, action: (column: number) => void): HTMLLabelElement {
  const options = columns
    .map((column, index) => ({ column, value: String(index), text: with_unit(column.name, column.unit) }))
    .filter(({ column }) => fits(column));
  return select(label, options, String(chosen), (value) => action(Number(value)));
}

/// A choice of a column for an axis, with whether the axis is logarithmic.
/// `starts_log` says whether it is at first.
export function axis_select(label: string, columns: Column[], chosen: number, starts_log: (column: Column) => boolean, action: (column: number, log: boolean) => void): HTMLElement[] {
  let index = chosen;
  const log = checkbox(`log ${label}`, starts_log(columns[chosen]), (on) => action(index, on));
  const pick = column_select(label, columns, () => true, chosen, (column) => {
    index = column;
    const on = starts_log(columns[column]);
    log.querySelector("input")!.checked = on;
    action(column, on);
  });
  return [pick, log];
}

/// The command, and a button that copies it.
export function command_line(command: string): HTMLElement {
  // lines break between its words
  const words = command.split(/ (?=--set )/).flatMap((word, i) => [...(i ? [" "] : []), el("span", {}, word)]);
  return el("div", { class: "command" }, el("code", {}, ...words), copy_button(command));
}

export function copy_button(command: string): HTMLButtonElement {
  const button = text_button("Copy", `Copy: ${command}`, () => {
    void copy(command).then((done) => {
      button.textContent = done ? "Copied" : "Not copied";
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
  });
  return button;
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // where the browser gives no clipboard to files on disk
    const field = el("textarea", { "aria-hidden": "true" });
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

export const is_number = (column: Column): boolean => column.words === null;
