// How often each value of a column occurs; of the cases within the limits in full colour.

import { el } from "../dom";
import { css_color } from "../theme";
import { bin_of, histogram_of, number_of_bins, type Histogram } from "./bins";
import type { Focus } from "./focus";
import { axis_select, card_of } from "./panel";
import { Paper, type Pen } from "./paper";
import { missing_text, scale_of, stepped_kind_of, type Scale } from "./scale";
import type { Column, Table } from "./table";

const starts_log = (column: Column) => stepped_kind_of(column) === "log";

export class HistogramCard {
  readonly root: HTMLElement;
  private readonly paper = new Paper("Histogram", "");
  private readonly note = el("p", { class: "note" });
  private log: boolean;
  private scale!: Scale;
  private all!: Histogram;
  private within!: Histogram;

  constructor(private readonly table: Table, private readonly focus: Focus, private column: number) {
    this.log = starts_log(table.columns[column]);
    const choices = el(
      "div",
      { class: "choices", role: "group", "aria-label": "What the histogram shows" },
      ...axis_select("x", table.columns, column, starts_log, (index, log) => {
        this.column = index;
        this.log = log;
        this.show();
      }),
    );
    const charted = { title: "Histogram", canvas: () => this.paper.canvas(), reset: null };
    this.root = card_of(charted, () => `Cases by ${this.scale.label}`, choices, this.paper.root, this.note);
    focus.on_change(() => this.recount());
  }

  show(): void {
    const column = this.table.columns[this.column];
    this.scale = scale_of(column, this.log ? "log" : "even", true);
    const bins = this.scale.steps ?? number_of_bins(this.scale.places);
    this.all = histogram_of(this.scale.places, this.scale.low, this.scale.high, Math.max(1, bins));
    this.count_within();
    const missing = missing_text(column, this.scale);
    this.note.textContent = missing ? `Not counted: ${missing}.` : "";
    this.paper.show({
      x: { ...this.scale, range: this.range() },
      y: { label: "cases", range: [0, 1.08 * Math.max(1, ...this.all.counts)], ticks: null },
      whole: true,
      zoom: false,
      paint: (pen) => this.paint(pen),
      hover: (x) => this.tell(x),
      click: () => {},
    });
  }

  counts(): number[] {
    return this.all.counts;
  }

  private range(): [number, number] {
    const { low, high, range } = this.scale;
    return low < high ? [low - 0.03 * (high - low), high + 0.03 * (high - low)] : range;
  }

  private recount(): void {
    this.count_within();
    this.paper.redraw();
  }

  private count_within(): void {
    const places = this.focus.within ? this.scale.places.map((place, row) => (this.focus.is_within(row) ? place : NaN)) : this.scale.places;
    this.within = histogram_of(places, this.all.low, this.all.high, this.all.counts.length);
  }

  // the ends of a bar; one that stands for a single value is as wide as may be
  private ends(bin: number): [number, number] {
    const { low, high, counts } = this.all;
    if (low === high) {
      const width = 0.1 * (this.scale.range[1] - this.scale.range[0]);
      return [low - width, low + width];
    }
    const width = (high - low) / counts.length;
    const gap = this.scale.steps ? 0.1 * width : 0;
    return [low + bin * width + gap, low + (bin + 1) * width - gap];
  }

  private paint(pen: Pen): void {
    const bars = (counts: number[], color: string) => {
      pen.context.fillStyle = css_color(color);
      counts.forEach((count, bin) => {
        if (!count) return;
        const [from, to] = this.ends(bin).map(pen.x);
        pen.context.fillRect(from, pen.y(count), Math.max(pen.ratio, to - from - pen.ratio), pen.y(0) - pen.y(count));
      });
    };
    if (this.focus.within) bars(this.all.counts, "--faint");
    bars(this.within.counts, "--curve-0");
  }

  private tell(x: number): string[] | null {
    const { low, high, counts } = this.all;
    const bin = low === high ? (this.ends(0)[0] <= x && x <= this.ends(0)[1] ? 0 : null) : bin_of(x, low, high, counts.length);
    if (bin === null) return null;
    const width = (high - low) / counts.length;
    const value = this.scale.steps || low === high
      ? this.scale.text(this.scale.steps ? bin : low)
      : `${this.scale.text(low + bin * width)} to ${this.scale.text(low + (bin + 1) * width)}`;
    const of_them = this.focus.within ? `, ${this.within.counts[bin]} within the limits` : "";
    return [`${this.scale.label}: ${value}`, `${counts[bin]} of ${this.table.cases.length} cases${of_them}`];
  }
}
