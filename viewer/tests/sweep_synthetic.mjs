// Sweeps made up for tests, as trammel/sweep/sweep_page.cpp gives them to the page.

import { f32, f64, u32 } from "./encode.mjs";

const range = (n) => Array.from({ length: n }, (_, i) => i);

/// Numbers of (0, 1) that look drawn by chance, the same in every test.
export function chance(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
}

const number_column = (name, kind, values, more = {}) => ({ name, kind, unit: "", how: "", expression: "", numbers: f64(values), ...more });
function word_column(name, kind, texts, more = {}) {
  const words = [...new Set(texts)];
  return { name, kind, unit: "", how: "", expression: "", codes: u32(texts.map((text) => words.indexOf(text))), words, ...more };
}

/// `columns`: of varied keys and measures, as number_column and word_column make them; `status` and `reason` of each row.
function sweep_of({ title, cases, varied, measures, values, status, reason, bands = [], ...more }) {
  const counts = {};
  for (const one of status) counts[one] = (counts[one] ?? 0) + 1;
  const command = (number) => `trammel run arm.yaml --set case=${number}`;
  const extremes = (of, sign) =>
    range(cases).filter((i) => !Number.isNaN(of[i])).sort((a, b) => sign * (of[a] - of[b]) || a - b).slice(0, 5).map((i) => ({ case: i, value: of[i], command: command(i) }));
  const failures = [...new Set(status)].filter((one) => one !== "finished").map((one) => {
    const failed = range(cases).filter((i) => status[i] === one);
    return { status: one, reason: reason[failed[0]], count: failed.length, cases: failed.slice(0, 10), command: command(failed[0]) };
  });
  return {
    format: 1, title, version: "0.1.0", instructions: "x86-64, glibc 2.36 with fma", file: "sweeps/arm.yaml", scenario_file: "arm.yaml",
    sweep: "trammel: 1\n", scenario: "name: arm\n", set: [], seed: 7, cases, grid_points: 1, draws: cases, rows: cases, complete: true,
    case_numbers: u32(range(cases)),
    columns: [...varied, word_column("status", "status", status), word_column("reason", "reason", reason), ...measures],
    counts, failures,
    measures: Object.entries(values).map(([name, of]) => {
      const numbers = of.filter((x) => !Number.isNaN(x));
      return { name, count: numbers.length, ...(numbers.length ? { mean: numbers.reduce((a, b) => a + b, 0) / numbers.length } : {}), lowest: extremes(of, 1), highest: extremes(of, -1) };
    }),
    recordings: [], bands, ...more,
  };
}

/// Arms of drawn lengths and masses with a choice of drift controls; a few do not reach, one measure is missing now and then.
export function arms(cases = 600) {
  const draw = chance(3);
  const length = range(cases).map(() => 0.2 + 0.3 * draw());
  const mass = range(cases).map(() => Math.exp(draw() - 0.5));
  const drift = range(cases).map(() => ["projection", "velocity", "none"][Math.floor(3 * draw())]);
  const fails = length.map((l, i) => l > 0.48 || i === 17);
  const torque = length.map((l, i) => (fails[i] ? NaN : 9.81 * mass[i] * l * (1 + 0.2 * draw())));
  const error = length.map((_, i) => (fails[i] ? NaN : drift[i] === "none" ? 1e-3 * draw() : 1e-12 * draw()));
  const t = range(101).map((k) => 0.01 * k);
  const wave = (s, part) => Math.sin(6 * s) * (0.5 + part) + part;
  return sweep_of({
    title: "Arms of many lengths", cases,
    varied: [number_column("constants.length", "varied", length, { how: "uniform" }), number_column("bodies.arm.mass", "varied", mass, { how: "lognormal" }), word_column("simulate.drift", "varied", drift, { how: "choice" })],
    measures: [number_column("peak torque", "measure", torque, { unit: "N·m", expression: "max(abs(u.shoulder))" }), number_column("off the path", "measure", error, { unit: "m", expression: "max(path.pen)" })],
    values: { "peak torque": torque, "off the path": error },
    status: fails.map((fail, i) => (i === 17 ? "time limit" : fail ? "unreachable" : "finished")),
    reason: fails.map((fail, i) => (i === 17 ? "it took longer than 10 s" : fail ? `the pen cannot come to ${length[i].toFixed(3)} m` : "")),
    bands: [{ column: "u.shoulder", t: f64(t), min: f32(t.map((s) => wave(s, -1.5))), p5: f32(t.map((s) => wave(s, -0.9))), p25: f32(t.map((s) => wave(s, -0.4))), median: f32(t.map((s) => wave(s, 0))), p75: f32(t.map((s) => wave(s, 0.4))), p95: f32(t.map((s) => wave(s, 0.9))), max: f32(t.map((s) => wave(s, 1.5))), mean: f32(t.map((s) => wave(s, 0.05))) }],
    recordings: [{ case: 3, value: torque[3], file: "recordings/000003/recording.csv", command: "trammel run arm.yaml --set case=3" }],
    set: ["simulate.duration=5 s"],
  });
}

/// A grid of 7 × 5: every value has a cell of its own. A column that is constant, and one without a number.
export function grid() {
  const cases = 35;
  const length = range(cases).map((i) => 0.1 * (1 + Math.floor(i / 5)));
  const gain = range(cases).map((i) => 10 ** (i % 5));
  const effort = range(cases).map((i) => length[i] * Math.log(1 + gain[i]));
  const [same, none] = [range(cases).map(() => 42), range(cases).map(() => NaN)];
  return sweep_of({
    title: "A grid of lengths and gains", cases, grid_points: cases, draws: 1,
    varied: [number_column("constants.length", "varied", length, { how: "grid" }), number_column("constants.gain", "varied", gain, { how: "grid" })],
    measures: [number_column("effort", "measure", effort), number_column("same", "measure", same), number_column("none", "measure", none)],
    values: { effort, same, none }, status: range(cases).map(() => "finished"), reason: range(cases).map(() => ""),
  });
}

const few = (title, status, torque) =>
  sweep_of({
    title, cases: 3,
    varied: [number_column("constants.length", "varied", [0.1, 0.2, 0.3], { how: "list" })],
    measures: [number_column("peak torque", "measure", torque)], values: { "peak torque": torque },
    status: [status, status, status], reason: range(3).map(() => (status === "finished" ? "" : "constraints 'loop' and 'pen' contradict each other")), grid_points: 3, draws: 1,
  });

export const three = () => few("Three cases", "finished", [3, 1, 2]);
export const all_failed = () => few("None finished", "contradictory constraints", [NaN, NaN, NaN]);
export const begun = () => ({ ...three(), title: "Begun", cases: 10, complete: false });

/// Nothing is measured.
export const no_measures = () => {
  const values = range(40).map((i) => (i * 37) % 41);
  return sweep_of({ title: "Nothing measured", cases: 40, varied: [number_column("constants.length", "varied", values, { how: "uniform" })], measures: [], values: {}, status: values.map(() => "finished"), reason: values.map(() => "") });
};

/// A hundred thousand cases, as many as a page shows of them.
export function many(cases = 100_000) {
  const draw = chance(11);
  const varied = range(4).map((k) => number_column(`constants.c${k}`, "varied", range(cases).map(() => draw()), { how: "uniform" }));
  const measures = range(5).map((k) => range(cases).map(() => draw() + draw() + k));
  return sweep_of({
    title: "A hundred thousand cases", cases, varied, measures: measures.map((values, k) => number_column(`m${k}`, "measure", values)),
    values: {}, status: range(cases).map(() => "finished"), reason: range(cases).map(() => ""),
  });
}
