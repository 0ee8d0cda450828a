// What the page is given: the contract with the program that writes it (trammel/report).
//
// The JSON stands in <script type="application/json" id="trammel-data">, every "<" in it written as \u003c.
// SI units unless a plot names its own. NaN is a gap. Text is shown as text, never as markup.

export type F32 = string; // base64 of little-endian 32-bit floats
export type F64 = string; // base64 of little-endian 64-bit floats
export type U32 = string; // base64 of little-endian 32-bit unsigned integers
export type Vec3 = [number, number, number];
export type Quaternion = [number, number, number, number]; // w x y z

export interface Page {
  format: 1;
  title: string;
  version: string;
  file: string; // the scenario's path; may be empty
  scenario: string; // its text; may be empty
  command: string; // how to make this page again; may be empty
  verdict: Verdict;
  scene: Scene | null;
  t: F64; // s, ascending, one for each row of the recording; may be empty
  plots: Plot[];
  sections: Section[];
}

export interface Verdict {
  good: boolean;
  text: string;
  facts: { label: string; value: string }[];
  warnings: string[];
}

export interface Scene {
  planar: boolean;
  normal: Vec3; // of the plane of motion, if planar
  up: Vec3;
  bodies: Body[];
  poses: F32; // rows × bodies × 7: x y z qw qx qy qz, in the world
  traces: Trace[];
  forces: Force[];
}

export interface Body {
  name: string;
  parent: number; // index into bodies; -1 is the world
  shapes: Shape[];
  points: Vec3[]; // where joints and frames sit on it, in its own frame; sticks lead there if it has no shapes
}

export type Shape = (Box | Cylinder | Sphere | Mesh) & {
  p: Vec3; // in the body's frame
  q: Quaternion;
  color: [number, number, number, number] | null; // red green blue alpha, 0..1, sRGB
};
export interface Box { kind: "box"; size: Vec3 } // whole edges
export interface Cylinder { kind: "cylinder"; radius: number; length: number } // along z, centred
export interface Sphere { kind: "sphere"; radius: number }
export interface Mesh { kind: "mesh"; vertices: F32; triangles: U32 } // 3 numbers a vertex, 3 indices a triangle

export interface Trace {
  name: string;
  actual: F32; // rows × 3, m, in the world
  wanted: F32 | null; // likewise
}

export interface Force {
  name: string; // of the constraint
  body: string; // on which it acts
  moment: boolean; // about the point it starts at, else a force
  virtual: boolean; // of a control constraint that holds as if by itself: no part of the robot gives it
  unique: "unique" | "undecided" | "shared"; // shared: other constraints or joints could take a part of it, and the least is shown
  at: F32; // rows × 3, m, in the world
  vector: F32; // rows × 3, N, or N·m of a moment, in the world; NaN where it is singular, so that no arrow is drawn
}

export interface Plot {
  title: string;
  unit: string; // of y; may be empty
  log: boolean; // shows log |y|; zeros lie on the axis
  note: string; // one or two sentences below; may be empty
  x?: XAxis | null; // what lies along x if it is not time in seconds
  series: Series[];
  fills?: [number, number, number][]; // between which two series is filled, and how strongly, 0..1
}

export interface XAxis {
  label: string;
  unit: string; // may be empty
  log?: boolean;
  equal?: boolean; // a path: x need not ascend, and one metre is as long along x as along y
}

export interface Series {
  name: string;
  y: F32; // as long as the page's t, or as its own x
  x?: F64 | null; // of a plot over time: the recording's time, where the plot is one of the page's
  t?: F64 | null; // s, when playback is at each point, where x is not the time
  style?: "theory" | "limit" | "points" | "edge" | null; // dashes over the curve; a bound; markers without a line; the edge of what is filled
  hidden?: boolean; // until the reader wants it
}

export interface Section {
  title: string;
  text: string; // paragraphs are separated by an empty line
  table: Table | null;
  plots: Plot[];
}

export interface Table {
  columns: string[];
  rows: string[][];
}
