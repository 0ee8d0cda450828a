// What else the picture shows: traced paths and constraint forces, each with its colour, and the arrows' scale.

import type { Clock } from "./clock";
import type { Scene } from "./data";
import { checkbox, el } from "./dom";
import { short } from "./number";
import { force_color } from "./scene/forces";
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
    const metres_per_newton = stage.forces.metres_per_newton * stage.forces.exaggeration;
    meaning.textContent = `${short(0.1 / metres_per_newton, 2)} N per 10 cm`;
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
    const box = checkbox(force.name, true, (on) => {
      stage.forces.set_visible(index, on);
      stage.show_time();
    });
    box.prepend(swatch("arrow", () => force_color(index)));
    return el("li", {}, box, values[index]);
  });
  const show_values = () => stage.forces.sizes(clock.time).forEach((size, i) => (values[i].textContent = `${short(size, 4)} N`));
  clock.on_change(show_values);
  show_values();
  return el("div", { class: "layer" }, el("div", { class: "layer-head" }, toggle, scale, meaning), el("ul", {}, ...entries));
}

function swatch(kind: string, color: () => string): HTMLElement {
  const out = el("span", { class: `swatch ${kind}` });
  const paint = () => (out.style.color = color());
  on_theme_change(paint);
  paint();
  return out;
}
