// What tests may read: the page's state, nothing that changes it.

import { Vector3 } from "three";
import type { Clock } from "./clock";
import type { Plots } from "./plots/plots";
import type { Stage } from "./scene/stage";

declare global {
  interface Window {
    trammel?: Hook;
  }
}

export interface Hook {
  interactive: number; // ms from the start of loading until the page could be used
  time(): number; // s, shown by playback
  poseOf(body: string): number[] | null; // as drawn: x y z qw qx qy qz
  onPicture(point: number[]): number[]; // right and up, from the middle to the edges: -1 … 1 is seen
  arrows(): ({ from: number[]; to: number[] } | null)[]; // of the forces, as drawn; null where none is seen
  metresPer: { newton: number; newtonMetre: number };
  cursors(): (number | null)[]; // s, where the playback line of every plot stands; null if it has none
  ranges(): ([number, number] | null)[]; // what part of its x every plot shows; null if it is not made yet
  curves(plot: number): { name: string; shown: boolean }[];
}

export function expose(clock: Clock, stage: Stage | null, plots: Plots): void {
  // two frames later the first picture has been drawn and the page answers
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      window.trammel = Object.freeze({
        interactive: performance.now(),
        time: () => clock.time,
        poseOf: (body: string) => stage?.robot.pose_of(body) ?? null,
        onPicture: ([x, y, z]: number[]) => {
          const seen = new Vector3(x, y, z).project(stage!.views.camera);
          return [seen.x, seen.y];
        },
        arrows: () => stage?.forces.drawn() ?? [],
        metresPer: { newton: stage?.forces.metres_per_newton ?? 1, newtonMetre: stage?.forces.metres_per_newton_metre ?? 1 },
        cursors: () => plots.cards.map((card) => card.cursor()),
        ranges: () => plots.cards.map((card) => card.range()),
        curves: (plot: number) => plots.cards[plot].curves(),
      });
    }),
  );
}
