// Small pictures for buttons, 16 × 16.

import { svg } from "./dom";

const stroke = (d: string) => () =>
  svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true", class: "stroke" }, svg("path", { d }));
const fill = (d: string) => () =>
  svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true", class: "fill" }, svg("path", { d }));

export const icons = {
  play: fill("M4 2.5v11l9-5.5z"),
  pause: fill("M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z"),
  start: fill("M3 2.5h2v11H3zM13 2.5v11L5.5 8z"),
  back: fill("M10.5 3v10L4 8zM11 3h1.5v10H11z"),
  forward: fill("M5.5 3v10L12 8zM3.5 3H5v10H3.5z"),
  loop: stroke("M3 8a5 5 0 0 1 8.7-3.4M13 8a5 5 0 0 1-8.7 3.4M12 1.8v3H9M4 14.2v-3h3"),
  fit: stroke("M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10"),
  closer: stroke("M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9M10.3 10.3l3.4 3.4M5 7h4M7 5v4"),
  farther: stroke("M7 2.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9M10.3 10.3l3.4 3.4M5 7h4"),
  camera: stroke("M1.8 4.8h3l1.2-2h4l1.2 2h3v8.4H1.8zM8 6.3a2.5 2.5 0 1 0 0 5a2.5 2.5 0 1 0 0-5"),
  reset: stroke("M3 8a5 5 0 1 0 1.6-3.7M2.6 2.6v3h3"),
  expand: stroke("M9.5 2.5h4v4M6.5 13.5h-4v-4M13.5 2.5L9 7M2.5 13.5L7 9"),
  theme: stroke("M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11M8 2.5v11M8 5h4.6M8 8h5.5M8 11h4.6"),
  good: stroke("M2.8 8.5l3.4 3.4l7-7.4"),
  bad: stroke("M3.5 3.5l9 9M12.5 3.5l-9 9"),
  warning: stroke("M8 2L1.5 13.5h13zM8 6.3v3.4M8 11.6v.4"),
};
