// The world's axes as the camera sees them, in the corner of the picture.

import { type Camera, Vector3 } from "three";
import { svg } from "../dom";

const reach = 20; // px

export class Gizmo {
  readonly root = svg("svg", { viewBox: "-30 -30 60 60", class: "gizmo", "aria-hidden": "true" });
  private readonly axes = ["x", "y", "z"].map((name) => {
    const line = svg("line", { x1: 0, y1: 0, class: `axis-${name}` });
    const label = svg("text", { class: `axis-${name}` }, name);
    this.root.append(line, label);
    return { line, label };
  });

  show(camera: Camera): void {
    const right = new Vector3().setFromMatrixColumn(camera.matrixWorld, 0);
    const up = new Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
    this.axes.forEach(({ line, label }, i) => {
      const x = right.getComponent(i) * reach;
      const y = -up.getComponent(i) * reach;
      const length = Math.hypot(x, y);
      set(line, { x2: x, y2: y });
      const out = length > 1 ? (length + 6) / length : 0;
      set(label, { x: x * out, y: y * out });
      label.style.display = length < 0.2 * reach ? "none" : "";
    });
  }
}

function set(element: Element, attributes: Record<string, number>): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value.toFixed(2));
}
