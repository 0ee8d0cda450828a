// One plot on the page: title, curves, chart, note. The chart is made when it comes into sight; what is out of sight
// is not kept up to date.

import type uPlot from "uplot";
import type { Clock } from "../clock";
import { el, file_name, icon_button, save_as, text_button } from "../dom";
import { icons } from "../icons";
import { index_nearest } from "../search";
import { on_theme_change } from "../theme";
import { chart_of } from "./chart";
import { csv_of } from "./csv";
import { Legend } from "./legend";
import type { Link } from "./link";
import { looks_of } from "./look";
import { path_chart_of } from "./path_chart";
import { picture_of } from "./picture";
import { Playhead } from "./playhead";
import type { Sheet } from "./sheet";

export class Card {
  readonly root: HTMLElement;
  private readonly looks;
  private readonly legend: Legend;
  private readonly paper: HTMLElement;
  private chart: uPlot | null = null;
  private playhead: Playhead | null = null;
  private hovered: number | null = null;
  private in_sight = false;

  constructor(private readonly sheet: Sheet, private readonly link: Link, private readonly clock: Clock) {
    this.looks = looks_of(sheet);
    this.legend = new Legend(sheet.curves, this.looks, () => this.show_curves());
    this.paper = el("div", { class: "paper", tabindex: 0, role: "group", "aria-label": `Plot: ${sheet.title}. Arrows step through time, plus and minus zoom, 0 shows all.` });
    this.root = el("article", { class: "card panel", "aria-label": sheet.title }, this.head(), this.legend.root, this.paper);
    if (sheet.note) this.root.append(el("p", { class: "note" }, sheet.note));

    this.paper.addEventListener("keydown", (event) => this.on_key(event));
    new ResizeObserver(() => this.resize()).observe(this.paper);
    on_theme_change(() => this.chart?.redraw(false));
    clock.on_change(() => this.show_time());
  }

  set_in_sight(in_sight: boolean): void {
    this.in_sight = in_sight;
    if (!in_sight) return;
    this.make();
    this.show_time();
  }

  make(): uPlot {
    if (this.chart) return this.chart;
    const events = { hover: (x: number | null) => this.hover(x), rescaled: () => this.playhead?.show() };
    this.chart = this.sheet.path
      ? path_chart_of(this.sheet, this.looks, this.size(), events)
      : chart_of(this.sheet, this.looks, this.link, this.size(), events);
    if (!this.sheet.path) this.link.add(this.chart);
    this.playhead = new Playhead(this.chart, this.sheet, this.looks, this.clock);
    this.paper.append(this.chart.root);
    this.seek_on_click(this.chart.over);
    this.show_curves();
    this.show_time();
    return this.chart;
  }

  // for tests: where the playback line stands, what part of x is shown, which curves are shown
  cursor(): number | null {
    return this.playhead?.time() ?? null;
  }

  range(): [number, number] | null {
    const x = this.chart?.scales.x;
    return x ? [x.min!, x.max!] : null;
  }

  curves(): { name: string; shown: boolean }[] {
    const chart = this.make();
    return this.sheet.curves.map(({ name }, i) => ({ name, shown: chart.series[i + 1].show === true }));
  }

  private head(): HTMLElement {
    const title = el("h3", {}, this.sheet.title);
    if (this.sheet.unit) title.append(el("span", { class: "unit" }, this.sheet.unit));
    const expand = icon_button(icons.expand(), "Larger", () => {
      const wide = this.root.classList.toggle("wide");
      expand.setAttribute("aria-pressed", String(wide));
    });
    expand.setAttribute("aria-pressed", "false");
    return el(
      "div",
      { class: "card-head" },
      title,
      icon_button(icons.reset(), "Show all (or double-click the plot)", () => this.reset()),
      expand,
      text_button("PNG", "Save as PNG", () => void this.save_picture()),
      text_button("CSV", "Save as CSV", () => save_as(file_name(this.sheet.title, "csv"), new Blob([csv_of(this.sheet)], { type: "text/csv" }))),
    );
  }

  private async save_picture(): Promise<void> {
    // drawn large for a moment; nothing of that is seen, as the browser paints only when this task is over
    const chart = this.make();
    const { width, height } = this.size();
    chart.setSize({ width: Math.max(width, 960), height: Math.max(height, 480) });
    await settled();
    const saving = picture_of(this.sheet, this.looks, this.legend.shown, chart.ctx.canvas);
    chart.setSize({ width, height });
    const blob = await saving;
    if (blob) save_as(file_name(this.sheet.title, "png"), blob);
  }

  private reset(): void {
    const chart = this.make();
    if (this.sheet.path) chart.over.dispatchEvent(new MouseEvent("dblclick"));
    else this.link.reset();
  }

  private show_curves(): void {
    if (!this.chart) return;
    this.legend.shown.forEach((shown, i) => {
      if (this.chart!.series[i + 1].show !== shown) this.chart!.setSeries(i + 1, { show: shown });
    });
    this.show_values();
    this.playhead?.show();
  }

  private show_time(): void {
    if (!this.in_sight) return;
    this.playhead?.show();
    if (this.hovered === null) this.show_values();
  }

  private hover(x: number | null): void {
    this.hovered = x;
    if (this.in_sight) this.show_values();
  }

  // at the mouse if it is over a plot, else at the time of playback
  private show_values(): void {
    const { hovered, sheet, clock } = this;
    this.legend.show_values(sheet.curves.map((curve) => {
      if (sheet.path || !curve.x.length) return null;
      if (hovered === null && !(sheet.x.time && sheet.curves.some(({ t }) => t))) return null;
      return curve.y[index_nearest(curve.x, hovered ?? clock.time)];
    }));
  }

  // a click, which is not the end of a drag, takes playback there
  private seek_on_click(over: HTMLElement): void {
    if (!this.sheet.x.time) return;
    let pressed = 0;
    over.addEventListener("mousedown", (event) => (pressed = event.clientX));
    over.addEventListener("click", (event) => {
      if (Math.abs(event.clientX - pressed) < 4) this.clock.seek(this.chart!.posToVal(event.clientX - over.getBoundingClientRect().left, "x"));
    });
  }

  private on_key(event: KeyboardEvent): void {
    if (event.target !== this.paper || event.ctrlKey || event.metaKey || event.altKey) return;
    const zoom = (factor: number) => this.sheet.path || this.link.zoom(this.make(), factor, this.clock.time);
    const actions: Record<string, () => void> = {
      " ": () => this.clock.toggle(),
      ArrowLeft: () => this.clock.step(event.shiftKey ? -this.leap() : -1),
      ArrowRight: () => this.clock.step(event.shiftKey ? this.leap() : 1),
      "+": () => zoom(1.5),
      "=": () => zoom(1.5),
      "-": () => zoom(1 / 1.5),
      "0": () => this.reset(),
    };
    const action = actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  private leap(): number {
    return Math.max(1, Math.round(this.clock.times.length / 50));
  }

  private size(): { width: number; height: number } {
    return { width: Math.max(120, this.paper.clientWidth), height: Math.max(120, this.paper.clientHeight) };
  }

  private resize(): void {
    if (!this.chart || !this.paper.clientWidth) return;
    this.chart.setSize(this.size());
    this.playhead?.show();
  }
}

// uPlot draws in a microtask, and a path, which then chooses its scales, in another
const settled = async () => {
  for (let i = 0; i < 4; ++i) await Promise.resolve();
};
