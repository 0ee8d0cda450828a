// A third column over the plane of two: mean, least or greatest value in each cell. Values of grids and lists have cells of their own.

import { el } from "../dom";
import { short } from "../number";
import { cells_of, bin_of, number_of_bins, type CellAxis, type Cells } from "./bins";
import type { Focus } from "./focus";
import { axis_select, card_of, column_select, is_number, select } from "./panel";
import { Paper, type Pen } from "./paper";
import { ramp_color, ramp_key } from "./ramp";
import { missing_text, scale_of, stepped_kind_of, type Scale } from "./scale";
import type { Column, Table } from "./table";

type Statistic = "mean" | "lowest" | "highest" | "count";
const most_bins = 40;
const starts_log = (column: Column) => stepped_kind_of(column) === "log";

export class HeatMap {
  readonly root: HTMLElement;
  private readonly paper = new Paper("Heat map", "");
  private readonly key = el("div");
  private readonly note = el("p", { class: "note" });
  private statistic: Statistic = "mean";
  private log: { x: boolean; y: boolean };
  private scales!: { x: Scale; y: Scale };
  private axes!: { x: CellAxis; y: CellAxis };
  private cells!: Cells;
  private shown!: ArrayLike<number>; // of each cell
  private low = NaN;
  private high = NaN;

  constructor(private readonly table: Table, private readonly focus: Focus, private columns: { x: number; y: number; value: number }) {
    this.log = { x: starts_log(table.columns[columns.x]), y: starts_log(table.columns[columns.y]) };
    const charted = { title: "Heat map", canvas: () => this.paper.canvas(), reset: () => this.paper.reset() };
    this.root = card_of(charted, () => this.caption(), this.choices(), this.paper.root, this.key, this.note);
  }

  show(): void {
    const { columns } = this.table;
    const [x, y, value] = [columns[this.columns.x], columns[this.columns.y], columns[this.columns.value]];
    this.scales = { x: scale_of(x, this.log.x ? "log" : "even", true), y: scale_of(y, this.log.y ? "log" : "even", true) };
    this.axes = { x: cell_axis(this.scales.x), y: cell_axis(this.scales.y) };
    this.cells = cells_of(this.axes.x, this.axes.y, value.values);
    this.shown = this.cells[this.statistic];
    this.find_range();
    const name = this.statistic === "count" ? "cases in a cell" : `${this.statistic} ${value.name}`;
    const range = this.low <= this.high ? [ramp_key(value.unit && this.statistic !== "count" ? `${name} [${value.unit}]` : name, short(this.low), `${short(this.high)}${this.log_colors() ? ", logarithmic" : ""}`)] : [];
    this.key.replaceChildren(...range);
    const missing = [missing_text(x, this.scales.x), missing_text(y, this.scales.y), missing_text(value, scale_of(value, "even"))].filter((text) => text !== null);
    this.note.textContent = [
      `${this.cells.columns} × ${this.cells.rows} cells; ${this.cells.count.reduce((sum, n) => sum + n, 0)} cases.`,
      ...(missing.length ? [`Left out: ${[...new Set(missing)].join("; ")}.`] : []),
    ].join(" ");
    const range_of = ({ low, high }: CellAxis, scale: Scale) => ({ ...scale, range: (low < high ? [low, high] : scale.range) as [number, number] });
    this.paper.show({
      x: range_of(this.axes.x, this.scales.x),
      y: range_of(this.axes.y, this.scales.y),
      zoom: true,
      paint: (pen) => this.paint(pen),
      hover: (at_x, at_y) => this.tell(at_x, at_y),
      click: (at_x, at_y) => this.pick(at_x, at_y),
    });
  }

  // for tests
  state(): { count: number[]; shown: number[] } {
    return { count: [...this.cells.count], shown: Array.from(this.shown) };
  }

  private choices(): HTMLElement {
    const { columns } = this.table;
    const along = (axis: "x" | "y") => axis_select(axis, columns, this.columns[axis], starts_log, (index, log) => {
      this.columns[axis] = index;
      this.log[axis] = log;
      this.show();
    });
    const value = column_select("value", columns, is_number, this.columns.value, (index) => {
      this.columns.value = index;
      this.show();
    });
    const statistics: Statistic[] = ["mean", "lowest", "highest", "count"];
    const statistic = select("shows", statistics.map((value) => ({ value, text: value })), this.statistic, (value) => {
      this.statistic = value as Statistic;
      this.show();
    });
    return el("div", { class: "choices", role: "group", "aria-label": "What the heat map shows" }, ...along("x"), ...along("y"), value, statistic);
  }

  private find_range(): void {
    this.low = Infinity;
    this.high = -Infinity;
    for (let cell = 0; cell < this.shown.length; ++cell) {
      if (!this.cells.count[cell]) continue;
      this.low = Math.min(this.low, this.shown[cell]);
      this.high = Math.max(this.high, this.shown[cell]);
    }
  }

  // of the way from the lowest to the highest colour; by logarithms where values span decades
  private part(value: number): number {
    if (!(this.high > this.low)) return 0.5;
    return this.log_colors() ? Math.log(value / this.low) / Math.log(this.high / this.low) : (value - this.low) / (this.high - this.low);
  }

  private log_colors(): boolean {
    return this.low > 0 && this.high > 1000 * this.low;
  }

  private ends(axis: "x" | "y", bin: number): [number, number] {
    const { low, high, bins } = this.axes[axis];
    if (low === high) return this.scales[axis].range;
    return [low + (bin / bins) * (high - low), low + ((bin + 1) / bins) * (high - low)];
  }

  private paint(pen: Pen): void {
    const { context } = pen;
    for (let cell = 0; cell < this.shown.length; ++cell) {
      if (!this.cells.count[cell]) continue;
      const [left, right] = this.ends("x", cell % this.cells.columns).map((place) => Math.round(pen.x(place)));
      const [bottom, top] = this.ends("y", Math.floor(cell / this.cells.columns)).map((place) => Math.round(pen.y(place)));
      context.fillStyle = ramp_color(this.part(this.shown[cell]));
      context.fillRect(left, top, right - left, bottom - top);
    }
  }

  private cell_at(x: number, y: number): number | null {
    const at = (axis: "x" | "y", place: number) => (this.axes[axis].low === this.axes[axis].high ? 0 : bin_of(place, this.axes[axis].low, this.axes[axis].high, this.axes[axis].bins));
    const [column, row] = [at("x", x), at("y", y)];
    if (column === null || row === null) return null;
    const cell = row * this.cells.columns + column;
    return this.cells.count[cell] ? cell : null;
  }

  private tell(x: number, y: number): string[] | null {
    const cell = this.cell_at(x, y);
    if (cell === null) return null;
    const { cells, table } = this;
    const value = table.columns[this.columns.value];
    const along = (axis: "x" | "y", bin: number) => {
      const scale = this.scales[axis];
      const [from, to] = this.ends(axis, bin);
      return `${scale.label}: ${scale.steps ? scale.text(bin) : `${scale.text(from)} to ${scale.text(to)}`}`;
    };
    return [
      along("x", cell % cells.columns),
      along("y", Math.floor(cell / cells.columns)),
      `${cells.count[cell]} ${cells.count[cell] === 1 ? "case" : "cases"}, ${value.name} ${short(cells.lowest[cell])} to ${short(cells.highest[cell])}, mean ${short(cells.mean[cell])}${value.unit ? ` ${value.unit}` : ""}`,
    ];
  }

  private pick(x: number, y: number): void {
    const cell = this.cell_at(x, y);
    if (cell !== null) this.focus.pick(this.statistic === "highest" ? this.cells.highest_row[cell] : this.cells.lowest_row[cell]);
  }

  private caption(): string {
    return `${this.statistic} ${this.table.columns[this.columns.value].name} over ${this.scales.x.label} and ${this.scales.y.label}`;
  }
}

// about as many cells as show something, and no more than can be told apart
function cell_axis(scale: Scale): CellAxis {
  const { places, low, high } = scale;
  const sparse = Math.ceil(Math.sqrt(places.length / 4));
  const bins = scale.steps ?? Math.min(most_bins, sparse, number_of_bins(places));
  return low <= high ? { places, low, high, bins: Math.max(1, bins) } : { places, low: 0, high: 0, bins: 1 };
}
