// Each case as a point in the plane of two columns, coloured by a third, with its Pareto front.

import { checkbox, el } from "../dom";
import { css_color } from "../theme";
import { axis_select, card_of, copy_button, is_number, select } from "./panel";
import type { Focus } from "./focus";
import { Paper, type Drawing, type Pen } from "./paper";
import { pareto_front, type Direction } from "./pareto";
import { key_of, shade_color, shades_of } from "./ramp";
import { kind_of, missing_text, scale_of, text_of, type Scale } from "./scale";
import type { Column, Table } from "./table";

const reach = 12; // px from the mouse to the point that it means
const most_listed = 200;

export class Scatter {
  readonly root: HTMLElement;
  private readonly paper = new Paper("Scatter plot of the cases", "Arrows left and right go through the cases along x, home and end to the first and the last, 0 shows all.");
  private readonly key = el("div");
  private readonly note = el("p", { class: "note" });
  private readonly list = el("div", { class: "front" });
  private log: { x: boolean; y: boolean };
  private better: { x: Direction; y: Direction };
  private with_front = true;
  private scales!: { x: Scale; y: Scale };
  private shades: Int16Array | null = null;
  private front: number[] = [];

  constructor(private readonly table: Table, private readonly focus: Focus, private readonly command: (row: number) => string, private columns: { x: number; y: number; color: number }) {
    // what varies is what is wanted, what is measured is what it costs
    this.log = { x: this.column("x").wide, y: this.column("y").wide };
    this.better = { x: this.column("x").kind === "varied" ? "highest" : "lowest", y: "lowest" };
    const charted = { title: "Cases in a plane", canvas: () => this.paper.canvas(), reset: () => this.paper.reset() };
    this.root = card_of(charted, () => this.caption(), this.choices(), this.paper.root, this.key, this.note, this.list);
    this.paper.root.addEventListener("keydown", (event) => this.on_key(event));
    focus.on_change(() => this.paper.redraw());
  }

  show(): void {
    const [x, y] = [this.column("x"), this.column("y")];
    this.scales = { x: scale_of(x, this.log.x ? "log" : "even"), y: scale_of(y, this.log.y ? "log" : "even") };
    const color = this.columns.color < 0 ? null : this.table.columns[this.columns.color];
    const color_scale = color && scale_of(color, kind_of(color));
    this.shades = color && shades_of(color, color_scale!);
    this.key.replaceChildren(...(color ? [key_of(color, color_scale!)] : []));
    const missing = [missing_text(x, this.scales.x), y === x ? null : missing_text(y, this.scales.y)].filter((text) => text !== null);
    this.note.textContent = missing.length ? `Not drawn: ${missing.join("; ")}.` : "";
    this.show_front();
    this.paper.show(this.drawing());
  }

  // for tests
  state(): { front: number[]; x: string; y: string } {
    return { front: this.front.map((row) => this.table.cases[row]), x: this.column("x").name, y: this.column("y").name };
  }

  place_of(row: number): { left: number; top: number } | null {
    return this.paper.place_of(this.scales.x.places[row], this.scales.y.places[row]);
  }

  private column(axis: "x" | "y"): Column {
    return this.table.columns[this.columns[axis]];
  }

  private choices(): HTMLElement {
    const { columns } = this.table;
    const along = (axis: "x" | "y") => axis_select(axis, columns, this.columns[axis], (column) => column.wide, (index, log) => {
      this.columns[axis] = index;
      this.log[axis] = log;
      this.show();
    });
    const better = (axis: "x" | "y") => select(`better ${axis}`, [{ value: "lowest", text: "lowest" }, { value: "highest", text: "highest" }], this.better[axis], (value) => {
      this.better[axis] = value as Direction;
      this.show();
    });
    const color = el("select", {}, el("option", { value: -1 }, "none"));
    columns.forEach(({ name }, index) => color.append(el("option", { value: index, selected: index === this.columns.color }, name)));
    color.addEventListener("change", () => {
      this.columns.color = Number(color.value);
      this.show();
    });
    const front = checkbox("Pareto front", this.with_front, (on) => {
      this.with_front = on;
      this.show();
    });
    return el(
      "div",
      { class: "choices", role: "group", "aria-label": "What the plane shows" },
      ...along("x"), ...along("y"), el("label", { class: "pick" }, "colour", color), front, better("x"), better("y"),
    );
  }

  private show_front(): void {
    const [x, y] = [this.column("x"), this.column("y")];
    const has_better = (column: Column) => is_number(column) && column.kind !== "case";
    const possible = has_better(x) && has_better(y) && x !== y;
    this.front = possible && this.with_front ? pareto_front(x.values, y.values, this.better.x, this.better.y) : [];
    if (!this.front.length) return this.list.replaceChildren();
    const rows = this.front.slice(0, most_listed).map((row) => {
      const pick = el("button", { type: "button", class: "case" }, String(this.table.cases[row]));
      pick.addEventListener("click", () => this.focus.pick(row));
      return el("tr", {}, el("td", { class: "number" }, pick), el("td", { class: "number" }, text_of(x, x.values[row])), el("td", { class: "number" }, text_of(y, y.values[row])), el("td", {}, copy_button(this.command(row))));
    });
    const head = el("tr", {}, ...["case", this.scales_label(x), this.scales_label(y)].map((text) => el("th", { scope: "col", class: "number" }, text)), el("th", { scope: "col", class: "number" }, "command"));
    const more = this.front.length > most_listed ? `, the first ${most_listed} of them here` : "";
    const count = this.front.length === 1 ? "One case is" : `${this.front.length} cases are`;
    const explained = `${count} on the Pareto front${more}: no case is better in both, ${this.better.x} ${x.name} and ${this.better.y} ${y.name}. Limits do not change it.`;
    this.list.replaceChildren(
      el("p", { class: "note" }, explained),
      el("div", { class: "table", tabindex: 0, role: "region", "aria-label": "Table: Pareto front" }, el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows))),
    );
  }

  private scales_label = (column: Column): string => (column.unit ? `${column.name}, ${column.unit}` : column.name);

  private drawing(): Drawing {
    return {
      ...this.scales,
      zoom: true,
      paint: (pen) => this.paint(pen),
      hover: (x, y, pen) => this.tell(this.nearest(x, y, pen)),
      click: (x, y, pen) => this.focus.pick(this.nearest(x, y, pen)),
    };
  }

  private paint(pen: Pen): void {
    const { x, y } = this.scales;
    const { context, ratio } = pen;
    const count = x.places.length;
    const size = (count > 20000 ? 2 : count > 1500 ? 3 : 5) * ratio;
    const by_color = new Map<number, number[]>();
    for (let row = 0; row < count; ++row) {
      if (Number.isNaN(x.places[row]) || Number.isNaN(y.places[row])) continue;
      const shade = !this.focus.is_within(row) ? -2 : this.shades ? this.shades[row] : 0;
      if (by_color.has(shade)) by_color.get(shade)!.push(row);
      else by_color.set(shade, [row]);
    }
    for (const shade of [...by_color.keys()].sort((a, b) => a - b)) {
      context.fillStyle = this.color(shade);
      context.globalAlpha = shade < 0 ? 0.5 : count > 1500 ? 0.75 : 0.9;
      for (const row of by_color.get(shade)!) context.fillRect(pen.x(x.places[row]) - size / 2, pen.y(y.places[row]) - size / 2, size, size);
    }
    context.globalAlpha = 1;
    this.paint_front(pen);
    if (this.focus.row !== null) ring(pen, pen.x(x.places[this.focus.row]), pen.y(y.places[this.focus.row]));
  }

  private color(shade: number): string {
    if (shade < 0) return css_color("--faint");
    return this.columns.color < 0 ? css_color("--curve-0") : shade_color(this.table.columns[this.columns.color], shade);
  }

  // in steps: between two of its points, what is to be had is the worse of both
  private paint_front(pen: Pen): void {
    const { context, ratio } = pen;
    const points = this.front.map((row) => [this.scales.x.places[row], this.scales.y.places[row]]).filter(([x, y]) => !Number.isNaN(x + y));
    context.strokeStyle = context.fillStyle = css_color("--limit");
    context.lineWidth = 1.5 * ratio;
    context.beginPath();
    points.forEach(([x, y], i) => {
      if (i > 0) context.lineTo(pen.x(x), pen.y(points[i - 1][1]));
      context.lineTo(pen.x(x), pen.y(y));
    });
    context.stroke();
    for (const [x, y] of points) {
      context.beginPath();
      context.arc(pen.x(x), pen.y(y), 3 * ratio, 0, 2 * Math.PI);
      context.fill();
    }
  }

  private nearest(at_x: number, at_y: number, pen: Pen): number | null {
    const { x, y } = this.scales;
    const [left, top] = [pen.x(at_x), pen.y(at_y)];
    let best: number | null = null;
    let least = (reach * pen.ratio) ** 2;
    for (let row = 0; row < x.places.length; ++row) {
      if (!this.focus.is_within(row)) continue;
      const distance = (pen.x(x.places[row]) - left) ** 2 + (pen.y(y.places[row]) - top) ** 2;
      if (distance < least) [best, least] = [row, distance];
    }
    return best;
  }

  private tell(row: number | null): string[] | null {
    if (row === null) return null;
    const shown = [this.columns.x, this.columns.y, this.columns.color].filter((index, i, all) => index > 0 && all.indexOf(index) === i);
    const lines = shown.map((index) => this.table.columns[index]).map((column) => `${column.name}: ${text_of(column, column.values[row])}${column.unit ? ` ${column.unit}` : ""}`);
    return [`case ${this.table.cases[row]}`, ...lines];
  }

  private on_key(event: KeyboardEvent): void {
    if (event.target !== this.paper.root || event.ctrlKey || event.metaKey || event.altKey) return;
    const { x, y } = this.scales;
    const step = (by: number) => {
      const drawn = [...x.places.keys()].filter((row) => !Number.isNaN(x.places[row] + y.places[row]) && this.focus.is_within(row));
      drawn.sort((a, b) => x.places[a] - x.places[b] || a - b);
      if (!drawn.length) return;
      const now = this.focus.row === null ? -1 : drawn.indexOf(this.focus.row);
      const next = now < 0 && Number.isFinite(by) ? 0 : now + by;
      this.focus.pick(drawn[Math.min(drawn.length - 1, Math.max(0, next))]);
    };
    const actions: Record<string, () => void> = {
      ArrowLeft: () => step(-1),
      ArrowRight: () => step(1),
      Home: () => step(-Infinity),
      End: () => step(Infinity),
      "0": () => this.paper.reset(),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  private caption(): string {
    return `${this.scales.y.label} against ${this.scales.x.label}`;
  }
}

function ring({ context, ratio }: Pen, x: number, y: number): void {
  if (Number.isNaN(x + y)) return;
  for (const [color, width] of [["--sheet", 4], ["--ink", 2]] as const) {
    context.strokeStyle = css_color(color);
    context.lineWidth = width * ratio;
    context.beginPath();
    context.arc(x, y, 7 * ratio, 0, 2 * Math.PI);
    context.stroke();
  }
}
