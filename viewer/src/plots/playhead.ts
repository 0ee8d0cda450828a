// Where playback stands: a line across a chart over time, a dot on every recorded curve of a path.

import type uPlot from "uplot";
import type { Clock } from "../clock";
import { el } from "../dom";
import { index_nearest } from "../search";
import type { Look } from "./look";
import type { Sheet } from "./sheet";

export class Playhead {
  private readonly line: HTMLElement | null = null;
  private readonly dots: (HTMLElement | null)[] = [];
  private left: number | null = null; // px

  constructor(private readonly chart: uPlot, private readonly sheet: Sheet, private readonly looks: Look[], private readonly clock: Clock) {
    if (sheet.path) {
      const moving = ({ t, kind }: Sheet["curves"][number]) => kind === "line" && t && t.length > 1;
      this.dots = sheet.curves.map((curve) => (moving(curve) ? el("div", { class: "playdot" }) : null));
      for (const dot of this.dots) if (dot) chart.over.append(dot);
    } else if (sheet.x.time && clock.times.length > 1 && sheet.curves.some(({ t }) => t)) {
      this.line = el("div", { class: "playhead" });
      chart.over.append(this.line);
    }
  }

  show(): void {
    if (this.line) this.show_line(this.line);
    this.dots.forEach((dot, i) => dot && this.show_dot(dot, i));
  }

  /// Read back from where the line is drawn.
  time(): number | null {
    return this.left === null ? null : this.chart.posToVal(this.left, "x");
  }

  private show_line(line: HTMLElement): void {
    const left = this.chart.valToPos(this.clock.time, "x");
    const seen = left >= -0.5 && left <= this.chart.over.clientWidth + 0.5;
    this.left = seen ? left : null;
    line.hidden = !seen;
    if (seen) line.style.transform = `translateX(${left}px)`;
  }

  private show_dot(dot: HTMLElement, index: number): void {
    const { x, y, t } = this.sheet.curves[index];
    const row = index_nearest(t!, this.clock.time);
    const left = this.chart.valToPos(x[row], "x");
    const top = this.chart.valToPos(y[row], "y");
    const { clientWidth, clientHeight } = this.chart.over;
    dot.hidden = !this.chart.series[index + 1].show || !(left >= 0 && left <= clientWidth && top >= 0 && top <= clientHeight);
    dot.style.transform = `translate(${left}px, ${top}px)`;
    dot.style.background = this.looks[index].color();
  }
}
