// The Pareto front: the points that no other one beats.

export type Direction = "lowest" | "highest"; // what is better

/// Point j beats point i if it is not worse in x nor in y, and better in one of them. Returns the points that none beats, ordered by x from
/// its best value on; points that are equal are all among them. Points without a number in x or y are left out.
export function pareto_front(x: Float64Array, y: Float64Array, better_x: Direction, better_y: Direction): number[] {
  const cost_x = (i: number) => (better_x === "lowest" ? x[i] : -x[i]);
  const cost_y = (i: number) => (better_y === "lowest" ? y[i] : -y[i]);
  const order: number[] = [];
  for (let i = 0; i < x.length; ++i) if (!Number.isNaN(x[i]) && !Number.isNaN(y[i])) order.push(i);
  order.sort((a, b) => cost_x(a) - cost_x(b) || cost_y(a) - cost_y(b) || a - b);

  // of those before it in this order, all are as good in x: it stays if it is better in y than any, or the same point as the last that stays
  const front: number[] = [];
  for (const i of order) {
    const last = front[front.length - 1];
    if (last === undefined || cost_y(i) < cost_y(last) || (x[i] === x[last] && y[i] === y[last])) front.push(i);
  }
  return front;
}
