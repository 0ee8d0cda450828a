// Pages made up for tests: a planar arm of sticks, a SCARA with shapes, a report of sections, a long run, and one whose
// every text tries to become markup.

import { f32, f64, u32 } from "./encode.mjs";

const range = (n) => Array.from({ length: n }, (_, i) => i);
const about_z = (angle) => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];
const tilted = (angle) => [Math.cos(angle / 2), ...[2 / 27, 1 / 27, Math.sqrt(724) / 27].map((axis) => axis * Math.sin(angle / 2))];
const pulse = (t, at, width) => Math.exp(-(((t - at) / width) ** 2));

/// Two links of 1 m and 0.8 m that draw a circle, as sticks.
export function planar_arm({ rows = 1001, duration = 10 } = {}) {
  const t = range(rows).map((i) => (duration * i) / (rows - 1));
  const angles = t.map((s) => two_link_angles(1, 0.8, 0.9 + 0.3 * Math.cos(s), 0.5 + 0.3 * Math.sin(s)));
  const elbow = ([a]) => [Math.cos(a), Math.sin(a), 0];
  const tool = ([a, b]) => [Math.cos(a) + 0.8 * Math.cos(a + b), Math.sin(a) + 0.8 * Math.sin(a + b), 0];
  const drift = (s) => 1e-3 * Math.exp(-s) * Math.sin(40 * s);
  const force = (s) => [20 * Math.cos(2 * s) + 6, 14 * Math.sin(s), 0];
  return {
    format: 1,
    title: "Two-link arm on a circle",
    version: "trammel 0.4.0",
    file: "examples/05-two-link-circle.yaml",
    scenario: scenario_text,
    command: "trammel run examples/05-two-link-circle.yaml --out results/two-link",
    verdict: {
      good: true,
      text: "The constraints hold to 3.1e-15 m over 10 s; the motors stay within their limits.",
      facts: [
        { label: "Worst violation", value: "3.1e-15 m (tool path)" },
        { label: "Peak torque", value: "18.4 N m of 25 N m (shoulder)" },
        { label: "Energy balance", value: "closes to 2.2e-12 J" },
        { label: "Rank", value: "2 of 2 rows" },
        { label: "Nearest to singular", value: "σ = 0.31 at 4.71 s" },
        { label: "Cost", value: "0.084 s, 10 000 steps" },
      ],
      warnings: ["The start was 4.2 mm off the path; it was moved onto it before the run.", "Row 'heading' is nearly redundant (2.0e-6)."],
    },
    scene: {
      planar: true,
      normal: [0, 0, 1],
      up: [0, 0, 1],
      bodies: [
        { name: "upper arm", parent: -1, shapes: [], points: [[1, 0, 0]] },
        { name: "forearm", parent: 0, shapes: [], points: [[0.8, 0, 0]] },
      ],
      poses: f32(angles.flatMap((q) => [0, 0, 0, ...about_z(q[0]), ...elbow(q), ...about_z(q[0] + q[1])])),
      traces: [{
        name: "tool",
        actual: f32(t.flatMap((s, i) => tool(angles[i]).map((p, axis) => p + (axis < 2 ? 12 * drift(s) : 0)))),
        wanted: f32(t.flatMap((s) => [0.9 + 0.3 * Math.cos(s), 0.5 + 0.3 * Math.sin(s), 0])),
      }],
      forces: [
        { name: "tool path", body: "forearm", moment: false, virtual: true, unique: "unique", at: f32(angles.flatMap(tool)), vector: f32(t.flatMap(force)) },
        { name: "elbow pin", body: "upper arm", moment: false, virtual: false, unique: "shared", at: f32(angles.flatMap(elbow)), vector: f32(t.flatMap((s) => [-5, 9 * Math.cos(s), 0])) },
        { name: "heading", body: "forearm", moment: true, virtual: false, unique: "unique", at: f32(angles.flatMap(tool)), vector: f32(t.flatMap((s) => [0, 0, 2 + Math.sin(s)])) },
      ],
    },
    t: f64(t),
    plots: [
      plot("Joint angles", "rad", "", [
        ["shoulder", angles.map((q) => q[0])], ["elbow", angles.map((q) => q[1])],
        ["shoulder, theory", angles.map((q) => q[0]), "theory"], ["elbow, theory", angles.map((q) => q[1]), "theory"],
      ]),
      plot("Joint speeds", "rad/s", "", [["shoulder", slope(t, angles.map((q) => q[0]))], ["elbow", slope(t, angles.map((q) => q[1]))]]),
      { ...plot("Constraint violation", "m", "Zeros lie on the axis.", [
        ["tool path", t.map((s) => (s < 2 ? 0 : 1e-15 * (1 + Math.abs(Math.sin(9 * s)))))],
        ["without drift control", t.map((s) => 1e-14 * Math.exp(2.5 * s) * (1.2 + Math.sin(3 * s)))],
      ]), log: true },
      plot("Constraint forces", "N", "Force that each constraint puts on the robot.", [
        ["tool path", t.map((s) => Math.hypot(...force(s)))], ["elbow pin", t.map((s) => Math.hypot(5, 9 * Math.cos(s)))],
      ]),
      plot("Motor torques", "N m", "", [
        ["shoulder", t.map((s) => 18 * Math.sin(s))], ["elbow", t.map((s) => 7 * Math.cos(2 * s))],
        ["limit", t.map(() => 25), "limit"], ["limit", t.map(() => -25), "limit"],
      ]),
      plot("Energy", "J", "A gap from 4 s to 5 s: not a number.", [
        ["kinetic", t.map((s) => (s > 4 && s < 5 ? NaN : 3 + 2 * Math.sin(2 * s)))], ["potential", t.map((s) => 9 - 2 * Math.sin(2 * s))],
        ["work of the motors", t.map((s) => 1 - Math.cos(s))],
      ]),
      plot("Rank", "", "", [["rank", t.map(() => 2)], ["rows", t.map(() => 2), "limit"]]),
      { ...plot("Nearness to singular", "", "", [["smallest σ", t.map((s) => 0.3 + pulse(s, 4.7, 1) - 0.28 * pulse(s, 7, 0.5))]]), log: true },
      { title: "Tool in the plane", unit: "m", log: false, note: "", x: { label: "x", unit: "m", equal: true }, series: [
        { name: "tool", x: f64(angles.map((q) => tool(q)[0])), y: f32(angles.map((q) => tool(q)[1])), t: f64(t) },
        { name: "wanted", x: f64(t.map((s) => 0.9 + 0.3 * Math.cos(s))), y: f32(t.map((s) => 0.5 + 0.3 * Math.sin(s))), style: "theory" },
      ] },
    ],
    sections: [],
  };
}

/// A SCARA that climbs a helix: boxes, cylinders, a sphere, a mesh; a sliding last joint.
export function scara({ rows = 801, duration = 20 } = {}) {
  const t = range(rows).map((i) => (duration * i) / (rows - 1));
  const path = (s) => [0.05 * Math.sin(1.26 * s), 0.35 + 0.05 * Math.cos(1.26 * s), 0.05 + 0.008 * s];
  const angles = t.map((s) => two_link_angles(0.25, 0.2, path(s)[0], path(s)[1]));
  const elbow = ([a]) => [0.25 * Math.cos(a), 0.25 * Math.sin(a), 0.3];
  const still = [1, 0, 0, 0];
  const quarter = [Math.SQRT1_2, 0, Math.SQRT1_2, 0]; // z to x
  const poses = t.flatMap((s, i) => {
    const [a, b] = angles[i];
    const [x, y, z] = path(s);
    return [0, 0, 0, ...still, 0, 0, 0.3, ...about_z(a), ...elbow(angles[i]), ...about_z(a + b), x, y, z, ...tilted(0.3 * s)];
  });
  const data = planar_arm({ rows, duration });
  return {
    ...data,
    title: "SCARA on a helix",
    file: "examples/01-scara-helix.yaml",
    command: "trammel run examples/01-scara-helix.yaml",
    verdict: { ...data.verdict, good: false, text: "The run stopped at 20 s of 30 s: the elbow locked, so that no motion keeps the tool on its path.", warnings: [] },
    scene: {
      planar: false,
      normal: [0, 0, 1],
      up: [0, 0, 1],
      bodies: [
        { name: "base", parent: -1, points: [[0, 0, 0.3]], shapes: [
          { kind: "cylinder", radius: 0.045, length: 0.26, p: [0, 0, 0.13], q: still, color: null },
          { kind: "box", size: [0.16, 0.16, 0.02], p: [0, 0, 0.01], q: still, color: [0.25, 0.28, 0.32, 1] }] },
        { name: "arm", parent: 0, points: [[0.25, 0, 0]], shapes: [
          { kind: "box", size: [0.25, 0.06, 0.045], p: [0.125, 0, 0], q: still, color: [0.9, 0.55, 0.15, 1] },
          { kind: "cylinder", radius: 0.04, length: 0.06, p: [0, 0, 0], q: still, color: null }] },
        { name: "forearm", parent: 1, points: [[0.2, 0, 0]], shapes: [
          { kind: "cylinder", radius: 0.022, length: 0.2, p: [0.1, 0, 0], q: quarter, color: [0.9, 0.55, 0.15, 1] },
          { kind: "sphere", radius: 0.034, p: [0, 0, 0], q: still, color: null }] },
        { name: "quill", parent: 2, points: [], shapes: [
          { kind: "cylinder", radius: 0.012, length: 0.3, p: [0, 0, 0.17], q: still, color: [0.75, 0.78, 0.82, 1] },
          { kind: "mesh", ...cone(0.02, 0.04), p: [0, 0, 0], q: still, color: [0.2, 0.45, 0.7, 1] }] },
      ],
      poses: f32(poses),
      traces: [{ name: "tool", actual: f32(t.flatMap(path)), wanted: f32(t.flatMap((s) => path(s).map((p, i) => p + (i === 2 ? 0.004 : 0)))) }],
      forces: [{ name: "tool path", body: "quill", moment: false, virtual: false, unique: "unique", at: f32(t.flatMap(path)), vector: f32(t.flatMap((s) => [3 * Math.cos(1.26 * s), 2, 6 + Math.sin(3 * s)])) }],
    },
  };
}

/// What `reproduce` and `compare` make: no scene, tables, figures with their own x.
export function sections_only() {
  const t = range(400).map((i) => i / 40);
  const steps = range(7).map((i) => 10 ** (-1 - i / 2));
  const figure = (title, phase) => ({
    title, unit: "rad", log: false, note: "Our curve lies on the paper's to the width of the line.",
    series: [
      { name: "ours", x: f64(t), y: f32(t.map((s) => Math.sin(s + phase))) },
      { name: "paper, read off", x: f64(range(12).map((i) => i * 0.8)), y: f32(range(12).map((i) => Math.sin(i * 0.8 + phase))), style: "points" },
    ],
  });
  return {
    format: 1, title: "Reproduce: the parallel robot", version: "trammel 0.4.0", file: "", scenario: "", command: "trammel reproduce parallel",
    verdict: { good: true, text: "11 of 12 stated numbers are met; one is a misprint in the paper.", facts: [{ label: "Figures", value: "8" }, { label: "Errata", value: "1" }], warnings: [] },
    scene: null, t: f64([]), plots: [],
    sections: [
      { title: "Figure 4: joint angles", text: "The robot starts on its path.\n\nThe paper's Fig. 4 shows three angles; so do we.", table: null, plots: [figure("Figure 4a", 0), figure("Figure 4b", 1), figure("Figure 4c", 2)] },
      { title: "Stated numbers", text: "", plots: [], table: {
        columns: ["Quantity", "Paper", "Ours", "Difference", "Remark"],
        rows: [["Peak torque of motor 1", "12.4", "12.41", "0.08 %", ""], ["Greatest error in x", "3.0e-4", "2.97e-4", "1 %", "read off the figure"], ["Mass of link 2", "0.8", "0.8", "0", "the text says kg, the table says g: a misprint"]] } },
      { title: "Drift controls", text: "Worst violation against the step.", table: {
        columns: ["Control", "Worst |φ|", "Steps", "Cost"],
        rows: [["projection", "6.2e-15", "10 000", "1.09"], ["Baumgarte", "1.1e-7", "10 000", "1.00"], ["none", "4.0e-2", "10 000", "1.00"]] },
        plots: [{ title: "Violation against step", unit: "m", log: true, note: "", x: { label: "step", unit: "s", log: true }, series: [
          { name: "RK4", x: f64([...steps].reverse()), y: f32([...steps].reverse().map((h) => h ** 4)) },
          { name: "Euler", x: f64([...steps].reverse()), y: f32([...steps].reverse().map((h) => h)) },
          { name: "projection", x: f64([...steps].reverse()), y: f32(steps.map(() => 0)) }] }] },
    ],
  };
}

/// Sixty seconds, every millisecond of the first twenty.
export const long_run = () => ({ ...planar_arm({ rows: 20001, duration: 20 }), title: "Twenty seconds at 1 kHz" });

/// Every text of a page, replaced by one that would run if it became markup; but for numbers and words with a meaning, by their keys.
export function hostile(data, others = []) {
  const attack = '</script><script>window.injected = 1</script><img src=x onerror="window.injected = 2"><!-- <script> "\'`${1}&lt;';
  const numbers = new Set(["poses", "actual", "wanted", "at", "vector", "unique", "t", "y", "x", "vertices", "triangles", "kind", "style", ...others]);
  const visit = (value, key) => {
    if (typeof value === "string") return numbers.has(key) ? value : `${attack} ${value}`;
    if (Array.isArray(value)) return value.map((item) => visit(item, key));
    if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, visit(v, k)]));
    return value;
  };
  return visit(data, "");
}

function plot(title, unit, note, curves) {
  return { title, unit, log: false, note, series: curves.map(([name, y, style]) => ({ name, y: f32(y), ...(style ? { style } : {}) })) };
}

function two_link_angles(l1, l2, x, y) {
  const elbow = Math.acos((x * x + y * y - l1 * l1 - l2 * l2) / (2 * l1 * l2));
  return [Math.atan2(y, x) - Math.atan2(l2 * Math.sin(elbow), l1 + l2 * Math.cos(elbow)), elbow];
}

function slope(t, y) {
  return y.map((_, i) => (i === 0 ? NaN : (y[i] - y[i - 1]) / (t[i] - t[i - 1])));
}

function cone(radius, height) {
  const sides = 24;
  const rim = range(sides).flatMap((i) => [radius * Math.cos((2 * Math.PI * i) / sides), radius * Math.sin((2 * Math.PI * i) / sides), height]);
  const flat = range(sides).flatMap((i) => [0, 2 + ((i + 1) % sides), 2 + i, 1, 2 + i, 2 + ((i + 1) % sides)]);
  return { vertices: f32([0, 0, 0, 0, 0, height, ...rim]), triangles: u32(flat) };
}

const scenario_text = `name: Two-link arm on a circle
robot: ../robots/two-link.urdf
constraints:
  - {name: tool path, point: tool, x: 0.9 + 0.3*cos(t), y: 0.5 + 0.3*sin(t)}
simulate: {duration: 10 s, integrator: rk4, step: 1 ms}
record: {every: 10 ms}
`;
