// Play, pause, step, scrub, speed.

import type { Clock } from "./clock";
import { el, icon_button } from "./dom";
import { icons } from "./icons";
import { seconds } from "./number";

const speeds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

export function transport_of(clock: Clock): HTMLElement {
  const play = icon_button(icons.play(), "Play", () => clock.toggle());
  play.classList.add("main");
  const loop = icon_button(icons.loop(), "Repeat", () => {
    clock.looping = !clock.looping;
    loop.setAttribute("aria-pressed", String(clock.looping));
  });
  loop.setAttribute("aria-pressed", String(clock.looping));

  const scrubber = el("input", {
    type: "range", class: "scrubber", "aria-label": "Time in seconds", min: clock.start, max: clock.end, step: "any", value: clock.time,
  });
  scrubber.addEventListener("input", () => {
    const time = Number(scrubber.value); // before anything shows the old time again
    clock.pause();
    clock.seek(time);
  });

  const speed = el("select", { "aria-label": "Speed", title: "Speed" });
  for (const value of speeds) speed.append(el("option", { value, selected: value === clock.speed }, `${value}×`));
  speed.addEventListener("change", () => (clock.speed = Number(speed.value)));

  const now = el("output", { class: "now", "aria-live": "off" });
  const total = el("span", { class: "total" }, ` / ${seconds(clock.end, clock.duration)} s`);
  now.style.minWidth = `${seconds(clock.end, clock.duration).length}ch`;

  let was_playing: boolean | null = null;
  const show = () => {
    now.textContent = seconds(clock.time, clock.duration);
    scrubber.value = String(clock.time);
    scrubber.setAttribute("aria-valuetext", `${now.textContent} s`);
    const part = clock.duration > 0 ? (clock.time - clock.start) / clock.duration : 0;
    scrubber.style.setProperty("--part", `${(100 * part).toFixed(2)}%`);
    if (clock.playing === was_playing) return;
    was_playing = clock.playing;
    const name = clock.playing ? "Pause" : "Play";
    play.replaceChildren(clock.playing ? icons.pause() : icons.play());
    play.setAttribute("aria-label", name);
    play.title = name;
  };
  clock.on_change(show);
  show();

  return el(
    "div",
    { class: "transport", role: "group", "aria-label": "Time" },
    play,
    icon_button(icons.start(), "To the start", () => clock.seek(clock.start)),
    icon_button(icons.back(), "One row back", () => clock.step(-1)),
    icon_button(icons.forward(), "One row forward", () => clock.step(1)),
    loop,
    scrubber,
    el("span", { class: "time" }, now, total),
    speed,
  );
}
