// The curves by name: pressing one hides it, shift and pressing shows it alone; beside each its value at the cursor.

import { el, svg } from "../dom";
import { short } from "../number";
import { on_theme_change } from "../theme";
import type { Look } from "./look";
import type { Curve } from "./sheet";

const few = 4; // stand in a line; more than these in columns

export class Legend {
  readonly root: HTMLElement;
  readonly shown: boolean[];
  private readonly digits: number;
  private readonly buttons: HTMLButtonElement[];
  private readonly values: HTMLElement[];

  constructor(private readonly curves: Curve[], looks: Look[], private readonly on_change: () => void) {
    this.digits = curves.length > few ? 4 : 5;
    this.shown = curves.map(({ hidden }) => !hidden);
    this.values = curves.map(() => el("span", { class: "value" }));
    this.buttons = curves.map((curve, i) => {
      const hint = `${curve.name}: ${range_of(curve)}. Press to hide or show, with shift to show alone.`;
      const button = el("button", { type: "button", class: "curve", "aria-pressed": String(!curve.hidden), title: hint }, sample(looks[i]), el("span", {}, curve.name));
      button.addEventListener("click", (event) => (event.shiftKey ? this.alone(i) : this.toggle(i)));
      return button;
    });
    this.root = el("ul", { class: curves.length > few ? "legend in-columns" : "legend", "aria-label": "Curves" }, ...curves.map((_, i) => el("li", {}, this.buttons[i], this.values[i])));
  }

  show_values(values: (number | null)[]): void {
    values.forEach((value, i) => {
      const text = value === null || !this.shown[i] ? "" : short(value, this.digits);
      if (this.values[i].textContent !== text) this.values[i].textContent = text;
    });
  }

  private toggle(index: number): void {
    this.shown[index] = !this.shown[index];
    this.changed();
  }

  private alone(index: number): void {
    const is_alone = this.shown.every((shown, i) => shown === (i === index));
    this.curves.forEach((_, i) => (this.shown[i] = is_alone || i === index));
    this.changed();
  }

  private changed(): void {
    this.buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(this.shown[i])));
    this.on_change();
  }
}

function sample(look: Look): SVGElement {
  const line = svg("line", { x1: 0, y1: 5, x2: 18, y2: 5, "stroke-width": look.width + 0.4, "stroke-dasharray": look.dash.join(" ") });
  const dot = svg("circle", { cx: 9, cy: 5, r: 3 });
  const out = svg("svg", { viewBox: "0 0 18 10", class: "sample", "aria-hidden": "true" });
  if (look.line) out.append(line);
  if (look.markers) out.append(dot);
  const paint = () => {
    line.style.stroke = look.color();
    dot.style.fill = look.color();
  };
  on_theme_change(paint);
  paint();
  return out;
}

function range_of({ y }: Curve): string {
  let low = Infinity;
  let high = -Infinity;
  for (const value of y) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low > high ? "no values" : `from ${short(low)} to ${short(high)}`;
}
