// What the page of a sweep computes, against the definitions worked out the long way.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chance } from "./sweep_synthetic.mjs";

const { outputFiles } = await build({
  stdin: {
    contents: ["bins", "pareto", "command", "focus", "table", "headline"].map((name) => `export * from "./${name}";`).join("\n"),
    resolveDir: fileURLToPath(new URL("../src/sweep", import.meta.url)), loader: "ts",
  },
  bundle: true, format: "esm", write: false,
});
const { bin_of, cells_of, exact, histogram_of, is_wide, levels_of, number_of_bins, pareto_front, quantile, quoted, row_of_case, rows_within, verdict_of } =
  await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`);

const numbers = (count, draw) => Float64Array.from({ length: count }, draw);

describe("Pareto front", () => {
  const beats = (x, y, sx, sy, j, i) => sx * x[j] <= sx * x[i] && sy * y[j] <= sy * y[i] && (sx * x[j] < sx * x[i] || sy * y[j] < sy * y[i]);

  test("is what no other point beats, in all four directions, with equal values and gaps", () => {
    const draw = chance(1);
    let points = 0;
    for (let round = 0; round < 300; ++round) {
      const count = Math.floor(40 * draw());
      const value = () => (draw() < 0.1 ? NaN : round % 2 ? Math.floor(6 * draw()) : draw() - 0.5); // many are equal in every other round
      const [x, y] = [numbers(count, value), numbers(count, value)];
      for (const [sx, sy] of [[1, 1], [1, -1], [-1, 1], [-1, -1]]) {
        const there = [...x.keys()].filter((i) => !Number.isNaN(x[i]) && !Number.isNaN(y[i]));
        const wanted = there.filter((i) => !there.some((j) => beats(x, y, sx, sy, j, i)));
        const front = pareto_front(x, y, sx > 0 ? "lowest" : "highest", sy > 0 ? "lowest" : "highest");
        assert.deepEqual([...front].sort((a, b) => a - b), wanted);
        front.forEach((i, k) => assert.ok(k === 0 || sx * x[front[k - 1]] <= sx * x[i], "from the best x on"));
        points += wanted.length;
      }
    }
    assert.ok(points > 1000, `${points} points of fronts were compared`);
  });
});

describe("bins", () => {
  test("count every number once, those on an edge to its right, the last edge inside", () => {
    const draw = chance(2);
    for (let round = 0; round < 200; ++round) {
      const bins = 1 + Math.floor(12 * draw());
      const values = numbers(60, () => (draw() < 0.1 ? NaN : Math.floor(13 * draw())));
      const { counts, left_out } = histogram_of(values, 0, bins, bins); // edges at whole numbers
      const wanted = counts.map((_, bin) => values.filter((x) => (x >= bin && x < bin + 1) || (bin === bins - 1 && x === bins)).length);
      assert.deepEqual(counts, wanted);
      assert.equal(counts.reduce((a, b) => a + b, 0) + left_out, 60);
    }
  });

  test("are one for a constant, and within bounds for anything", () => {
    assert.equal(number_of_bins(Float64Array.of(3, 3, 3)), 1);
    assert.equal(number_of_bins(Float64Array.of(NaN)), 1);
    assert.equal(bin_of(3, 3, 3, 1), 0);
    assert.equal(bin_of(NaN, 0, 1, 5), null);
    const draw = chance(3);
    for (const values of [numbers(5000, draw), numbers(5000, () => 1 / draw() ** 3), Float64Array.of(1, 2)]) {
      const bins = number_of_bins(values);
      assert.ok(bins >= 2 && bins <= 60, `${bins}`);
    }
    // uniform: 2 · ½ · 5000^(−1/3) wide
    assert.ok(Math.abs(number_of_bins(numbers(5000, draw)) - Math.cbrt(5000)) <= 1.5);
  });

  test("quantiles are those between neighbours", () => {
    assert.equal(quantile([10, 20, 30, 40], 0.5), 25);
    assert.equal(quantile([10, 20, 30, 40], 0), 10);
    assert.equal(quantile([10, 20, 30, 40], 1), 40);
    assert.ok(Math.abs(quantile([0, 1, 4], 0.75) - 2.5) < 1e-15);
    assert.equal(quantile([7], 0.3), 7);
  });

  test("cells hold mean, lowest and highest of their rows", () => {
    const draw = chance(4);
    const [x, y] = [numbers(400, draw), numbers(400, draw)];
    const values = numbers(400, () => (draw() < 0.2 ? NaN : draw() - 0.5));
    const cells = cells_of({ places: x, low: 0, high: 1, bins: 5 }, { places: y, low: 0, high: 1, bins: 3 }, values);
    let worst = 0;
    for (let row = 0; row < 3; ++row) for (let column = 0; column < 5; ++column) {
      const inside = [...x.keys()].filter((i) => Math.floor(5 * x[i]) === column && Math.floor(3 * y[i]) === row && !Number.isNaN(values[i]));
      const cell = 5 * row + column;
      assert.equal(cells.count[cell], inside.length);
      assert.equal(cells.lowest[cell], Math.min(...inside.map((i) => values[i])));
      assert.equal(cells.highest[cell], Math.max(...inside.map((i) => values[i])));
      assert.equal(values[cells.lowest_row[cell]], cells.lowest[cell]);
      assert.equal(values[cells.highest_row[cell]], cells.highest[cell]);
      worst = Math.max(worst, Math.abs(cells.mean[cell] - inside.reduce((sum, i) => sum + values[i], 0) / inside.length));
    }
    assert.ok(worst < 1e-14, `${worst}`);
    assert.equal(cells.left_out, values.filter(Number.isNaN).length);
  });

  test("an empty cell has no value", () => {
    const cells = cells_of({ places: Float64Array.of(0), low: 0, high: 1, bins: 2 }, { places: Float64Array.of(0), low: 0, high: 1, bins: 1 }, Float64Array.of(5));
    assert.deepEqual([...cells.count], [1, 0]);
    assert.deepEqual([...cells.mean], [5, NaN]);
    assert.deepEqual([...cells.lowest_row], [0, -1]);
  });
});

describe("the table", () => {
  test("knows levels, spans and cases", () => {
    assert.deepEqual(levels_of(Float64Array.of(3, 1, NaN, 3, 2)), [1, 2, 3]);
    assert.equal(levels_of(Float64Array.from({ length: 100 }, (_, i) => i)), null);
    assert.equal(is_wide(Float64Array.of(1, NaN, 2000)), true);
    assert.equal(is_wide(Float64Array.of(0, 2000)), false);
    const table = { cases: Uint32Array.of(2, 5, 9), columns: [] };
    assert.deepEqual([2, 5, 9, 0, 3, 10].map((number) => row_of_case(table, number)), [0, 1, 2, null, null, null]);
  });

  test("limits hold together, and leave out what is no number", () => {
    const columns = [{ values: Float64Array.of(1, 2, 3, NaN) }, { values: Float64Array.of(0, 1, 0, 0) }];
    const table = { cases: Uint32Array.of(0, 1, 2, 3), columns };
    assert.deepEqual([...rows_within(table, new Map([[0, [2, Infinity]]]))], [0, 1, 1, 0]);
    assert.deepEqual([...rows_within(table, new Map([[0, [1, 3]], [1, [0, 0]]]))], [1, 0, 1, 0]);
  });
});

describe("commands", () => {
  test("numbers stand as fmt writes them", () => {
    // fmt::format("{}", x)
    for (const [x, text] of [[0.1, "0.1"], [300, "300"], [1e-4, "0.0001"], [1.5e-5, "1.5e-05"], [1e16, "1e+16"], [1e15, "1000000000000000"], [-2e-300, "-2e-300"], [0, "0"], [0.22000183393527362, "0.22000183393527362"]]) {
      assert.equal(exact(x), text);
      assert.equal(Number(text), x);
    }
  });

  test("words are quoted as a shell wants them", () => {
    assert.equal(quoted("a.b=1e-05"), "a.b=1e-05");
    assert.equal(quoted("it's"), "'it'\\''s'");
    assert.equal(quoted("bodies.left arm.mass=2"), "'bodies.left arm.mass=2'");
    assert.equal(quoted(""), "''");
  });
});

describe("the headline", () => {
  const page = { rows: 3, cases: 3, complete: true, columns: [], grid_points: 1, draws: 3, seed: 1, instructions: "" };

  test("is good only where all cases have finished", () => {
    const told = (more) => verdict_of({ ...page, ...more }, more.rows ?? 3);
    assert.deepEqual([told({ counts: { finished: 3 } })].map(({ good, text }) => [good, text])[0], [true, "3 cases: all finished."]);
    assert.deepEqual([told({ counts: { finished: 2, unreachable: 1 } })].map(({ good, text }) => [good, text])[0], [false, "3 cases: 2 finished, 1 unreachable."]);
    assert.equal(told({ counts: { finished: 2, "suspicious energy": 1 } }).good, false);
    assert.equal(told({ counts: { crashed: 3 } }).text, "3 cases: none finished, 3 crashed.");
    assert.equal(told({ counts: { finished: 3 }, cases: 10, complete: false }).good, false);
    assert.equal(told({ counts: { finished: 3 }, complete: false }).good, false);
    assert.equal(told({ counts: {}, rows: 0, cases: 10, complete: false }).text, "0 of 10 cases so far.");
  });

  test("tells of rows that are not on the page", () => {
    assert.match(verdict_of({ ...page, counts: { finished: 3 } }, 2).warnings[0], /Charts show 2 of the 3 cases/);
    assert.deepEqual(verdict_of({ ...page, counts: { finished: 3 } }, 3).warnings, []);
  });
});
