// All plots of the page, and which of them move together.

import type { Clock } from "../clock";
import type { Plot } from "../data";
import { Card } from "./card";
import { Link } from "./link";
import { sheet_of, type Sheet } from "./sheet";

const look_ahead = "400px"; // charts are made this far before they come into sight

export class Plots {
  readonly cards: Card[] = [];
  private readonly links = new Map<string, Link>();
  private readonly sight: IntersectionObserver;

  constructor(private readonly clock: Clock) {
    this.sight = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        this.cards.find((card) => card.root === target)?.set_in_sight(isIntersecting);
      }
    }, { rootMargin: look_ahead });
    addEventListener("beforeprint", () => this.cards.forEach((card) => card.make()));
  }

  /// Plots over the recording's time move together all over the page; others over time within their part of it.
  card_of(plot: Plot, part: string): HTMLElement {
    const sheet = sheet_of(plot, this.clock.times, part === "recording");
    const card = new Card(sheet, this.link_for(sheet, part), this.clock);
    this.cards.push(card);
    this.sight.observe(card.root);
    return card.root;
  }

  private link_for(sheet: Sheet, part: string): Link {
    const played = sheet.curves.some(({ t }) => t);
    const key = !sheet.x.time ? `plot ${this.cards.length}` : played ? "recording" : part;
    if (!this.links.has(key)) this.links.set(key, new Link(key));
    return this.links.get(key)!;
  }
}
