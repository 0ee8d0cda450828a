// Where a path goes along itself again: dashes drawn a second time would fill the gaps of the first.

export class Retrace {
  private readonly seen = new Set<string>();
  private last = "";

  constructor(private readonly cell: number) {} // points nearer than this are in one place

  /// Of points in order: whether this one is where the path has been before, and not just now.
  again(...point: number[]): boolean {
    const key = point.map((x) => Math.round(x / this.cell)).join();
    if (key !== this.last && this.seen.has(key)) return true;
    this.seen.add(key);
    this.last = key;
    return false;
  }
}
