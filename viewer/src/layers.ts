// What else the picture shows: traced paths and constraint forces, each with its colour, and the arrows' scale.

import type { Clock } from "./clock";
import type { Force, Scene } from "./data";
import { checkbox, el } from "./dom";
import { length, short } from "./number";
import { force_color, label_of, sized, virtual_opacity } from "./scene/forces";
import type { Stage } from "./scene/stage";
import { trace_color } from "./scene/traces";
import { on_theme_change } from "./theme";

const decades = 1.5; // the slider goes this far up and down

export function layers_of(scene: Scene, stage: Stage, clock: Clock): HTMLElement[] {
  return [
    ...(scene.traces.length ? [paths(scene, stage)] : []),
    ...(scene.forces.length ? [forces(scene, stage, clock)] : []),
  ];
}

function paths(scene: Scene, stage: Stage): HTMLElement {
  const toggle = checkbox("Paths", true, (on) => {
    stage.traces.root.visible = on;
    stage.redraw();
  });
  const entries = scene.traces.map((trace, index) => el("li", {}, swatch("line", () => trace_color(index)), trace.name));
  if (scene.traces.some((trace) => trace.wanted)) entries.push(el("li", {}, el("span", { class: "swatch dashed" }), "wanted"));
  return el("div", { class: "layer inline" }, toggle, el("ul", {}, ...entries));
}

function forces(scene: Scene, stage: Stage, clock: Clock): HTMLElement {
  const toggle = checkbox("Forces", true, (on) => {
    stage.forces.root.visible = on;
    stage.redraw();
  });
  const scale = el("input", { type: "range", min: -decades, max: decades, step: 0.05, value: 0, "aria-label": "Length of the force arrows" });
  const meaning = el("output", { class: "meaning" });
  const show_scale = () => {
    const { metres_per_newton, metres_per_newton_metre, exaggeration } = stage.forces;
    const per_grid = (metres: number, unit: string) => `${short(stage.grid_spacing / (metres * exaggeration), 3)} ${unit}`;
    const scales = [
      ...(scene.forces.some(({ moment }) => !moment) ? [per_grid(metres_per_newton, "N")] : []),
      ...(scene.forces.some(({ moment }) => moment) ? [per_grid(metres_per_newton_metre, "N·m")] : []),
    ];
    meaning.textContent = `${scales.join(", ")} per ${length(stage.grid_spacing)}`;
    scale.setAttribute("aria-valuetext", meaning.textContent);
  };
  scale.addEventListener("input", () => {
    stage.forces.exaggeration = 10 ** Number(scale.value);
    stage.show_time();
    show_scale();
  });
  show_scale();

  const values = scene.forces.map(() => el("span", { class: "value" }));
  const entries = scene.forces.map((force, index) => {
    const box = checkbox(label_of(force), true, (on) => {
      stage.forces.set_visible(index, on);
      stage.show_time();
    });
    const arrow = swatch(force.moment ? "arrow double" : "arrow", () => force_color(index));
    if (force.virtual) arrow.style.opacity = String(virtual_opacity);
    box.prepend(arrow);
    return el("li", {}, box, ...marks_of(force).map((mark) => el("span", { class: "mark" }, mark)), values[index]);
  });
  const show_values = () => stage.forces.sizes(clock.time).forEach((size, i) => (values[i].textContent = sized(scene.forces[i], size)));
  clock.on_change(show_values);
  show_values();
  const meanings = Object.entries(meaning_of_marks).filter(([mark]) => scene.forces.some((force) => marks_of(force).includes(mark)));
  return el(
    "div",
    { class: "layer" },
    el("div", { class: "layer-head" }, toggle, scale, meaning),
    el("ul", {}, ...entries),
    ...meanings.map(([mark, text]) => el("p", { class: "meaning" }, el("span", { class: "mark" }, mark), ` ${text}`)),
  );
}

const meaning_of_marks: Record<string, string> = {
  virtual: "no part of the robot gives it: it holds a control constraint",
  shared: "other constraints or joints could take a part of it; the least is shown",
  undecided: "rows that nearly follow from others; rounding decides how they share it",
};

function marks_of({ virtual, unique }: Force): string[] {
  return [...(virtual ? ["virtual"] : []), ...(unique === "unique" ? [] : [unique])];
}

function swatch(kind: string, color: () => string): HTMLElement {
  const out = el("span", { class: `swatch ${kind}` });
  const paint = () => (out.style.color = color());
  on_theme_change(paint);
  paint();
  return out;
}
