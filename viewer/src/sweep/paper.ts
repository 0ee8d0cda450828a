// A chart that paints itself between two axes: uPlot gives axes, zoom by dragging, and the place of the mouse.

import uPlot from "uplot";
import { axis } from "../plots/axes";
import { el } from "../dom";
import { on_theme_change } from "../theme";
import type { Scale } from "./scale";

export interface View { x: [number, number]; y: [number, number] }

export interface Drawing {
  x: Pick<Scale, "label" | "range" | "ticks">;
  y: Pick<Scale, "label" | "range" | "ticks">;
  whole?: boolean; // y counts
  zoom: boolean;
  paint(pen: Pen): void;
  hover(x: number, y: number, pen: Pen): string[] | null; // lines about what is there
  click(x: number, y: number, pen: Pen): void;
}

/// Paints in the places of the scales; sizes are pixels of the screen.
export interface Pen {
  context: CanvasRenderingContext2D;
  ratio: number; // device pixels in one
  x(place: number): number; // device pixels of the canvas
  y(place: number): number;
  view: View;
}

export class Paper {
  readonly root: HTMLElement;
  private chart: uPlot | null = null;
  private drawing: Drawing | null = null;
  private view: View = { x: [0, 1], y: [0, 1] };
  private readonly tip = el("div", { class: "tip", hidden: true });

  constructor(label: string, keys: string) {
    this.root = el("div", { class: "paper", tabindex: 0, role: "group", "aria-label": `${label}. ${keys}` });
    new ResizeObserver(() => this.chart && this.root.clientWidth && this.chart.setSize(this.size())).observe(this.root);
    on_theme_change(() => this.redraw());
  }

  show(drawing: Drawing): void {
    this.chart?.destroy();
    this.drawing = drawing;
    this.view = { x: [...drawing.x.range], y: [...drawing.y.range] };
    this.chart = new uPlot(this.options(drawing), [[0], [0]], this.root);
    this.root.append(this.tip);
    this.tip.hidden = true;
  }

  redraw(): void {
    this.chart?.redraw(false);
  }

  reset(): void {
    if (this.drawing) this.look_at({ x: [...this.drawing.x.range], y: [...this.drawing.y.range] });
  }

  canvas(): HTMLCanvasElement | null {
    return this.chart?.ctx.canvas ?? null;
  }

  /// In pixels of the window; for tests.
  place_of(x: number, y: number): { left: number; top: number } | null {
    if (!this.chart) return null;
    const box = this.chart.over.getBoundingClientRect();
    return { left: box.left + this.chart.valToPos(x, "x"), top: box.top + this.chart.valToPos(y, "y") };
  }

  private options(drawing: Drawing): uPlot.Options {
    return {
      ...this.size(),
      legend: { show: false },
      padding: [10, 18, 0, 0],
      scales: { x: { time: false, range: () => this.view.x }, y: { range: () => this.view.y } },
      axes: [axis("x", drawing.x.ticks, drawing.x.label), axis("y", drawing.y.ticks, drawing.y.label, drawing.whole)],
      series: [{}, { paths: () => null, points: { show: false } }],
      cursor: {
        points: { show: false },
        drag: { x: drawing.zoom, y: drawing.zoom, dist: 5, setScale: false },
        bind: { dblclick: () => () => (this.reset(), null) },
      },
      hooks: {
        ready: [(u) => this.take_clicks(u)],
        draw: [(u) => this.paint(u)],
        setCursor: [(u) => this.hover(u)],
        setSelect: [(u) => this.zoom_to(u)],
      },
    };
  }

  private pen(u: uPlot): Pen {
    return { context: u.ctx, ratio: devicePixelRatio, x: (place) => u.valToPos(place, "x", true), y: (place) => u.valToPos(place, "y", true), view: this.view };
  }

  private paint(u: uPlot): void {
    const { left, top, width, height } = u.bbox;
    u.ctx.save();
    u.ctx.beginPath();
    u.ctx.rect(left, top, width, height);
    u.ctx.clip();
    this.drawing!.paint(this.pen(u));
    u.ctx.restore();
  }

  private hover(u: uPlot): void {
    const { left = -1, top = -1 } = u.cursor;
    const lines = left < 0 ? null : this.drawing!.hover(u.posToVal(left, "x"), u.posToVal(top, "y"), this.pen(u));
    this.tip.hidden = !lines;
    if (!lines) return;
    this.tip.replaceChildren(...lines.map((line) => el("div", {}, line)));
    // on the side of the mouse where there is room
    const { offsetLeft, offsetTop, clientWidth } = u.over;
    const right = left > clientWidth / 2;
    this.tip.style.left = right ? "auto" : `${offsetLeft + left + 14}px`;
    this.tip.style.right = right ? `${this.root.clientWidth - offsetLeft - left + 14}px` : "auto";
    this.tip.style.top = `${Math.max(0, offsetTop + top - 10)}px`;
  }

  private take_clicks(u: uPlot): void {
    let pressed = [0, 0];
    u.over.addEventListener("mousedown", (event) => (pressed = [event.clientX, event.clientY]));
    u.over.addEventListener("click", (event) => {
      if (Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 4) return; // the end of a drag
      const box = u.over.getBoundingClientRect();
      this.drawing!.click(u.posToVal(event.clientX - box.left, "x"), u.posToVal(event.clientY - box.top, "y"), this.pen(u));
    });
  }

  private zoom_to(u: uPlot): void {
    const { left, top, width, height } = u.select;
    if (width < 5 || height < 5) return;
    this.look_at({
      x: [u.posToVal(left, "x"), u.posToVal(left + width, "x")],
      y: [u.posToVal(top + height, "y"), u.posToVal(top, "y")],
    });
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  }

  private look_at(view: View): void {
    this.view = view;
    this.chart?.setScale("x", { min: view.x[0], max: view.x[1] });
    this.chart?.setScale("y", { min: view.y[0], max: view.y[1] });
  }

  private size(): { width: number; height: number } {
    return { width: Math.max(120, this.root.clientWidth), height: Math.max(120, this.root.clientHeight) };
  }
}
