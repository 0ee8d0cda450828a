// The 3-D picture with its controls. Space plays and pauses, arrows step, shift and arrows orbit, + and − zoom.

import type { Clock } from "./clock";
import type { Page, Scene } from "./data";
import { el, file_name, icon_button, save_as, text_button } from "./dom";
import { icons } from "./icons";
import { layers_of } from "./layers";
import { length } from "./number";
import { Stage } from "./scene/stage";
import type { View } from "./scene/views";
import { transport_of } from "./transport";

export interface Player {
  root: HTMLElement;
  stage: Stage;
}

export function player_of(page: Page, scene: Scene, clock: Clock): Player {
  const stage = new Stage(scene, clock);
  const picture = stage.root;
  picture.tabIndex = 0;
  picture.setAttribute("role", "group");
  picture.setAttribute("aria-label", "3-D playback");
  picture.setAttribute("aria-describedby", "player-keys");
  const root = el(
    "section",
    { class: "player panel", "aria-label": "Playback" },
    view_bar(page, scene, stage),
    el("div", { class: "frame" }, picture, el("p", { class: "grid-size" }, `grid ${length(stage.grid_spacing)}`)),
    transport_of(clock),
    ...layers_of(scene, stage, clock),
    el("p", { id: "player-keys", class: "keys" }, "space play · ← → step · shift + arrows orbit · + − zoom · 0 fit"),
  );
  root.addEventListener("keydown", (event) => on_key(event, stage, clock));
  return { root, stage };
}

function view_bar(page: Page, scene: Scene, stage: Stage): HTMLElement {
  const views: [View, string, string][] = [
    ...(scene.planar ? ([["plane", "Plan", "Look straight at the plane of motion"]] as [View, string, string][]) : []),
    ["space", "3-D", "Look from a corner, in perspective"],
    ["top", "Top", "Look down along z"],
    ["front", "Front", "Look along y"],
    ["side", "Side", "Look along −x"],
  ];
  // one of these is the plan itself
  const along = (axis: number) => scene.planar && Math.abs(scene.normal[axis]) > 0.999;
  const distinct = views.filter(([view]) => !((view === "top" && along(2)) || (view === "front" && along(1)) || (view === "side" && along(0))));
  const save = async () => {
    const blob = await stage.picture();
    if (blob) save_as(file_name(`${page.title} view`, "png"), blob);
  };
  return el(
    "div",
    { class: "bar", role: "toolbar", "aria-label": "View" },
    el("div", { class: "choice" }, ...distinct.map(([view, text, name]) => text_button(text, `${text}: ${name}`, () => stage.views.look(view)))),
    el("span", { class: "gap" }),
    icon_button(icons.closer(), "Zoom in", () => stage.views.zoom(1.25)),
    icon_button(icons.farther(), "Zoom out", () => stage.views.zoom(0.8)),
    icon_button(icons.fit(), "Fit the whole motion", () => stage.views.fit()),
    icon_button(icons.camera(), "Save the picture as PNG", save),
  );
}

function on_key(event: KeyboardEvent, stage: Stage, clock: Clock): void {
  const target = event.target as HTMLElement;
  const is_scrubber = target.classList.contains("scrubber");
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.matches("select, input") && !is_scrubber) return;
  if (event.key === " " && target.matches("button")) return; // presses it
  const on_picture = target === stage.root;
  const actions: Record<string, () => void> = {
    " ": () => clock.toggle(),
    ArrowLeft: () => (event.shiftKey && on_picture ? stage.views.orbit(-0.12, 0) : clock.step(-1)),
    ArrowRight: () => (event.shiftKey && on_picture ? stage.views.orbit(0.12, 0) : clock.step(1)),
    ArrowUp: () => (event.shiftKey && on_picture ? stage.views.orbit(0, 0.12) : clock.step(tenth(clock))),
    ArrowDown: () => (event.shiftKey && on_picture ? stage.views.orbit(0, -0.12) : clock.step(-tenth(clock))),
    PageUp: () => clock.step(tenth(clock)),
    PageDown: () => clock.step(-tenth(clock)),
    Home: () => clock.seek(clock.start),
    End: () => clock.seek(clock.end),
    "+": () => stage.views.zoom(1.25),
    "=": () => stage.views.zoom(1.25),
    "-": () => stage.views.zoom(0.8),
    "0": () => stage.views.fit(),
  };
  const action = actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

const tenth = (clock: Clock) => Math.max(1, Math.round(clock.times.length / 10));
