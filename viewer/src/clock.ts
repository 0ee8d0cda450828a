// The time that is shown, and who wants to know when it changes.

import { index_before, index_nearest } from "./search";

export class Clock {
  time: number; // s
  playing = false;
  looping = true;
  speed: number; // seconds of motion in one second of watching

  private listeners: (() => void)[] = [];
  private last_frame = 0; // ms

  constructor(readonly times: Float64Array) {
    this.time = this.start;
    // short motions would be over before they are seen
    this.speed = this.duration >= 2 || this.duration === 0 ? 1 : this.duration >= 0.8 ? 0.25 : 0.1;
  }

  get start(): number { return this.times.length ? this.times[0] : 0; }
  get end(): number { return this.times.length ? this.times[this.times.length - 1] : 0; }
  get duration(): number { return this.end - this.start; }
  get row(): number { return index_nearest(this.times, this.time); }

  on_change(listener: () => void): void {
    this.listeners.push(listener);
  }

  seek(time: number): void {
    this.time = Math.min(this.end, Math.max(this.start, time));
    this.tell();
  }

  /// To another row of the recording.
  step(rows: number): void {
    this.pause();
    const row = index_before(this.times, this.time) + rows;
    this.seek(this.times[Math.min(this.times.length - 1, Math.max(0, row))]);
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  play(): void {
    if (this.playing || this.duration === 0) return;
    if (this.time >= this.end) this.time = this.start;
    this.playing = true;
    this.last_frame = performance.now();
    requestAnimationFrame(this.advance);
    this.tell();
  }

  pause(): void {
    this.playing = false;
    this.tell();
  }

  private advance = (now: number): void => {
    if (!this.playing) return;
    const elapsed = Math.max(0, now - this.last_frame) / 1000;
    this.last_frame = now;
    this.time += Math.min(elapsed, 0.25) * this.speed; // a hidden tab does not skip ahead
    if (this.time >= this.end) {
      this.time = this.looping ? this.start : this.end;
      this.playing = this.looping;
    }
    this.tell();
    if (this.playing) requestAnimationFrame(this.advance);
  };

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
