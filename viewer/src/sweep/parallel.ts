// Parallel coordinates: an axis for each column, a line for each case. Dragging along an axis limits its column; so do the fields below.

import { el, text_button } from "../dom";
import { css_color, on_theme_change } from "../theme";
import type { Focus } from "./focus";
import { card_of } from "./panel";
import { scale_of, stepped_kind_of, text_of, type Scale } from "./scale";
import type { Column, Table } from "./table";

const most_axes = 8;
const most_lines = 2000;
const spacing = 112; // px, at least, between axes
const margin = { left: 60, right: 60, top: 46, bottom: 14 }; // px
const font = "11px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";

export class Parallel {
  readonly root: HTMLElement;
  private readonly canvas = el("canvas", { "aria-hidden": "true" });
  private readonly paper = el("div", { class: "paper parallel", tabindex: 0, role: "region", "aria-label": "Parallel coordinates; the fields below limit the columns" });
  private readonly note = el("p", { class: "note", "aria-live": "polite" });
  private readonly fields = el("div", { class: "limits" });
  private axes: number[]; // columns
  private scales = new Map<number, Scale>();

  constructor(private readonly table: Table, private readonly focus: Focus) {
    const worthy = table.columns.map((column, index) => ({ column, index })).filter(({ column }) => is_worthy(column)).map(({ index }) => index);
    this.axes = first_of_both(worthy, table.columns);
    for (const index of worthy) this.scales.set(index, scale_of(table.columns[index], stepped_kind_of(table.columns[index]), true));
    this.paper.append(this.canvas);
    const charted = { title: "Parallel coordinates", canvas: () => this.canvas, reset: null };
    const clear = text_button("No limits", "No limits: all cases", () => this.clear());
    this.root = card_of(charted, () => "Parallel coordinates", this.axis_choice(worthy), this.paper, el("div", { class: "limits-head" }, this.note, clear), this.fields);
    this.root.classList.add("wide-card");
    this.take_brushes();
    new ResizeObserver(() => this.paint()).observe(this.paper);
    on_theme_change(() => this.paint());
    focus.on_change(() => {
      this.show_fields();
      this.paint();
    });
    this.make_fields();
    this.show_fields();
  }

  private axis_choice(worthy: number[]): HTMLElement {
    const out = el("div", { class: "choices", role: "group", "aria-label": "Axes" });
    for (const index of worthy) {
      const input = el("input", { type: "checkbox", checked: this.axes.includes(index) });
      input.addEventListener("change", () => {
        this.axes = worthy.filter((other) => (other === index ? input.checked : this.axes.includes(other)));
        if (!input.checked) this.focus.limit(index, null);
        this.make_fields();
        this.show_fields();
        this.paint();
      });
      out.append(el("label", { class: "check" }, input, this.table.columns[index].name));
    }
    return out;
  }

  // fields for the limits of every axis

  private make_fields(): void {
    this.fields.replaceChildren(...this.axes.map((index) => {
      const column = this.table.columns[index];
      return column.words ? this.word_field(index, column) : this.number_fields(index, column);
    }));
  }

  private word_field(index: number, column: Column): HTMLElement {
    const input = el("select", { "data-column": index }, el("option", { value: "" }, "any"));
    column.words!.forEach((_, code) => input.append(el("option", { value: code }, text_of(column, code))));
    input.addEventListener("change", () => this.focus.limit(index, input.value === "" ? null : [Number(input.value), Number(input.value)]));
    return el("label", { class: "pick" }, column.name, input);
  }

  private number_fields(index: number, column: Column): HTMLElement {
    const field = (which: string) => el("input", { type: "number", step: "any", "data-column": index, "aria-label": `${column.name} ${which}`, placeholder: which });
    const [from, to] = [field("from"), field("to")];
    const apply = () => {
      const given = (input: HTMLInputElement, none: number) => (input.value === "" ? none : Number(input.value));
      this.focus.limit(index, from.value === "" && to.value === "" ? null : [given(from, -Infinity), given(to, Infinity)]);
    };
    from.addEventListener("change", apply);
    to.addEventListener("change", apply);
    return el("span", { class: "pick" }, column.name, from, to);
  }

  private show_fields(): void {
    for (const input of this.fields.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[data-column]")) {
      const limit = this.focus.limits.get(Number(input.dataset.column));
      if (input instanceof HTMLSelectElement) {
        input.value = limit && limit[0] === limit[1] ? String(limit[0]) : "";
      } else {
        const value = limit?.[input.placeholder === "from" ? 0 : 1];
        input.value = value === undefined || !Number.isFinite(value) ? "" : String(Number(value.toPrecision(6)));
      }
    }
    const { count, limits } = this.focus;
    const total = this.table.cases.length;
    const drawn = this.drawn_rows().length;
    const within = limits.size ? `${count} of ${total} cases within the limits` : `${total} cases`;
    this.note.textContent = drawn < count ? `${within}; ${drawn} of them are drawn, evenly chosen.` : `${within}.`;
  }

  private clear(): void {
    for (const column of [...this.focus.limits.keys()]) this.focus.limit(column, null);
  }

  // the picture

  private x(axis: number): number {
    const { clientWidth } = this.canvas;
    const room = clientWidth - margin.left - margin.right;
    return this.axes.length > 1 ? margin.left + (axis * room) / (this.axes.length - 1) : margin.left + room / 2;
  }

  private y(scale: Scale, place: number): number {
    const [low, high] = this.span(scale);
    const height = this.canvas.clientHeight - margin.top - margin.bottom;
    return margin.top + height * (1 - (place - low) / (high - low));
  }

  private place(scale: Scale, y: number): number {
    const [low, high] = this.span(scale);
    const height = this.canvas.clientHeight - margin.top - margin.bottom;
    return low + (high - low) * (1 - (y - margin.top) / height);
  }

  private span({ low, high, range }: Scale): [number, number] {
    return low < high ? [low, high] : range;
  }

  // those within the limits, or where these are many every n-th
  private drawn_rows(): number[] {
    const rows: number[] = [];
    for (let row = 0; row < this.table.cases.length; ++row) if (this.focus.is_within(row)) rows.push(row);
    const every = Math.ceil(rows.length / most_lines);
    return every > 1 ? rows.filter((_, i) => i % every === 0) : rows;
  }

  private paint(): void {
    if (!this.paper.clientWidth) return;
    const ratio = devicePixelRatio;
    const width = Math.max(this.paper.clientWidth, margin.left + margin.right + spacing * (this.axes.length - 1));
    const height = this.paper.clientHeight;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    const context = this.canvas.getContext("2d")!;
    context.scale(ratio, ratio);
    const scales = this.axes.map((index) => this.scales.get(index)!);
    const rows = this.drawn_rows();
    context.lineWidth = 1;
    context.strokeStyle = css_color("--curve-0");
    context.globalAlpha = Math.min(0.8, Math.max(0.05, 60 / (rows.length + 1)));
    for (const row of rows) this.trace(context, scales, row);
    context.globalAlpha = 1;
    if (this.focus.row !== null) {
      context.strokeStyle = css_color("--ink");
      context.lineWidth = 2.5;
      this.trace(context, scales, this.focus.row);
    }
    scales.forEach((scale, axis) => this.paint_axis(context, scale, axis));
  }

  private trace(context: CanvasRenderingContext2D, scales: Scale[], row: number): void {
    context.beginPath();
    let drawing = false;
    scales.forEach((scale, axis) => {
      const place = scale.places[row];
      if (Number.isNaN(place)) return void (drawing = false);
      if (drawing) context.lineTo(this.x(axis), this.y(scale, place));
      else context.moveTo(this.x(axis), this.y(scale, place));
      drawing = true;
    });
    context.stroke();
  }

  private paint_axis(context: CanvasRenderingContext2D, scale: Scale, axis: number): void {
    const x = this.x(axis);
    const index = this.axes[axis];
    const column = this.table.columns[index];
    const bottom = this.canvas.clientHeight - margin.bottom;
    context.fillStyle = context.strokeStyle = css_color("--ink-2");
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x, margin.top);
    context.lineTo(x, bottom);
    context.stroke();
    const limit = this.focus.limits.get(index);
    if (limit) this.paint_limit(context, scale, column, limit, x);
    context.fillStyle = css_color("--ink");
    context.textAlign = "center";
    context.font = `600 ${font}`;
    context.fillText(fitted(context, scale.label, this.room(axis)), x, 14);
    context.font = font;
    context.textAlign = "left";
    for (const [place, text] of this.labels(scale, column)) {
      context.fillStyle = css_color("--sheet");
      context.globalAlpha = 0.75;
      const y = this.y(scale, place);
      context.fillRect(x + 4, y - 8, context.measureText(text).width + 4, 14);
      context.globalAlpha = 1;
      context.fillStyle = css_color("--ink-2");
      context.fillText(text, x + 6, y + 3);
    }
  }

  // for the name above an axis: to half the way to its neighbours, and not beyond the picture
  private room(axis: number): number {
    const inner = this.axes.length > 1 ? this.x(1) - this.x(0) - 8 : Infinity;
    return Math.min(inner, 2 * this.x(axis), 2 * (this.canvas.clientWidth - this.x(axis)));
  }

  private labels(scale: Scale, column: Column): [number, string][] {
    if (scale.ticks) return scale.ticks.ticks(scale.low, scale.high).map((place) => [place, scale.ticks!.label(place)]);
    if (!(scale.low <= scale.high)) return [];
    const parts = scale.low === scale.high ? [0] : [0, 0.25, 0.5, 0.75, 1];
    return parts.map((part) => scale.low + part * (scale.high - scale.low)).map((place) => [place, text_of(column, place, 4)]);
  }

  private paint_limit(context: CanvasRenderingContext2D, scale: Scale, column: Column, limit: [number, number], x: number): void {
    const [low, high] = this.span(scale);
    const levels = scale.steps ? column.levels! : null;
    const ends = levels
      ? [levels.findIndex((level) => level >= limit[0]) - 0.4, levels.length - 1 - [...levels].reverse().findIndex((level) => level <= limit[1]) + 0.4]
      : [Math.max(low, scale.of(limit[0])), Math.min(high, scale.of(limit[1]))];
    const [top, bottom] = [this.y(scale, ends[1]), this.y(scale, ends[0])];
    context.fillStyle = css_color("--accent");
    context.globalAlpha = 0.35;
    context.fillRect(x - 7, top, 14, Math.max(2, bottom - top));
    context.globalAlpha = 1;
  }

  private take_brushes(): void {
    let start: { axis: number; y: number } | null = null;
    const place = (event: PointerEvent) => {
      const box = this.canvas.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      const { x, y } = place(event);
      const axis = this.axes.findIndex((_, i) => Math.abs(this.x(i) - x) < 20);
      if (axis < 0) return;
      start = { axis, y };
      this.canvas.setPointerCapture(event.pointerId);
    });
    this.canvas.addEventListener("pointerup", (event) => {
      if (!start) return;
      const { axis, y } = start;
      start = null;
      this.brush(axis, y, place(event).y);
    });
  }

  // a click takes the limit off
  private brush(axis: number, from: number, to: number): void {
    const index = this.axes[axis];
    const scale = this.scales.get(index)!;
    if (Math.abs(from - to) < 4) return this.focus.limit(index, null);
    const [low, high] = [this.place(scale, Math.max(from, to)), this.place(scale, Math.min(from, to))];
    const { levels } = this.table.columns[index];
    if (!scale.steps || !levels) return this.focus.limit(index, [scale.value(low), scale.value(high)]);
    const inside = levels.filter((_, place) => place >= low && place <= high);
    this.focus.limit(index, inside.length ? [inside[0], inside[inside.length - 1]] : null);
  }
}

// what differs from case to case; reasons have no order
const is_worthy = (column: Column) => column.kind !== "reason" && column.kind !== "case" && !(column.kind === "status" && column.words!.length < 2);

// as many of what varies as of what is measured, where there are more than can be read
function first_of_both(worthy: number[], columns: Column[]): number[] {
  const varied = worthy.filter((index) => columns[index].kind === "varied");
  const others = worthy.filter((index) => columns[index].kind !== "varied");
  const half = most_axes / 2;
  const kept = new Set([...varied.slice(0, Math.max(half, most_axes - others.length)), ...others.slice(0, Math.max(half, most_axes - varied.length))]);
  return worthy.filter((index) => kept.has(index));
}

function fitted(context: CanvasRenderingContext2D, text: string, width: number): string {
  if (context.measureText(text).width <= width) return text;
  let kept = text.length;
  while (kept > 1 && context.measureText(`${text.slice(0, kept)}…`).width > width) --kept;
  return `${text.slice(0, kept)}…`;
}
