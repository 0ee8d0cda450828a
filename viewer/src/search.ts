// Where a value lies in an ascending array.

type Ascending = ArrayLike<number>;

/// The last index whose value is ≤ x; 0 if there is none.
export function index_before(values: Ascending, x: number): number {
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (values[middle] <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function index_nearest(values: Ascending, x: number): number {
  const before = index_before(values, x);
  const after = Math.min(before + 1, values.length - 1);
  return x - values[before] <= values[after] - x ? before : after;
}
