// Cameras: perspective for looking around, orthographic for plan, front and side; z is up.

import { Box3, OrthographicCamera, PerspectiveCamera, MOUSE, TOUCH, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Scene } from "../data";

export type View = "plane" | "space" | "top" | "front" | "side";

// z is up for every camera; a view from exactly above has no azimuth, so it leans by a hair
const hair = 1e-5;
const margin = 1.06;
const field_of_view = 32; // degrees, upright

export class Views {
  readonly controls: OrbitControls;
  private readonly perspective = new PerspectiveCamera(field_of_view, 1);
  private readonly orthographic = new OrthographicCamera();
  private aspect = 1;
  /// Whether the camera is where fit() has put it: nobody has moved it since.
  fitted = false;

  constructor(element: HTMLElement, private readonly scene: Scene, private readonly cloud: Vector3[], on_change: () => void) {
    for (const camera of [this.perspective, this.orthographic]) camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.perspective, element);
    this.controls.addEventListener("change", on_change);
    this.controls.addEventListener("start", () => (this.fitted = false));
  }

  get camera(): PerspectiveCamera | OrthographicCamera {
    return this.controls.object as PerspectiveCamera | OrthographicCamera;
  }

  look(view: View): void {
    const flat = view !== "space";
    this.controls.object = flat ? this.orthographic : this.perspective;
    // in a plan one drags the paper; in space one turns the robot
    this.controls.mouseButtons = flat
      ? { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.ROTATE }
      : { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
    this.controls.touches = { ONE: flat ? TOUCH.PAN : TOUCH.ROTATE, TWO: TOUCH.DOLLY_PAN };
    this.fit(this.direction(view));
  }

  /// Shows the whole motion, from where the camera is now unless told otherwise.
  fit(direction = this.camera.position.clone().sub(this.controls.target).normalize()): void {
    const camera = this.camera;
    const center = new Vector3();
    camera.position.copy(direction);
    camera.lookAt(center);
    const turned_back = camera.quaternion.clone().invert();
    const seen = this.cloud.map((point) => point.clone().applyQuaternion(turned_back));
    const box = new Box3().setFromPoints(seen);
    const middle = box.getCenter(new Vector3());
    center.copy(middle).applyQuaternion(camera.quaternion);
    this.controls.target.copy(center);
    // half the height of a picture that shows a point
    const room = 0.03 * box.getSize(new Vector3()).length() + 1e-6; // points are centres of pins and sticks
    const half = ({ x, y }: Vector3) => margin * (Math.max(Math.abs(y - middle.y), Math.abs(x - middle.x) / this.aspect) + room);
    if (camera instanceof OrthographicCamera) {
      camera.zoom = 1;
      camera.userData.half_height = largest(seen.map(half));
      camera.position.copy(center).addScaledVector(direction, 4 * box.getSize(new Vector3()).length());
    } else {
      // every point within the pyramid of sight: |y| ≤ (distance − z) tan(angle / 2), likewise x
      const slope = Math.tan((field_of_view * Math.PI) / 360);
      const distance = largest(seen.map((point) => point.z - middle.z + half(point) / slope));
      camera.position.copy(center).addScaledVector(direction, distance);
    }
    const distance = camera.position.distanceTo(center);
    camera.near = distance / 100;
    camera.far = distance * 20;
    this.resize(this.aspect);
    this.controls.update();
    this.fitted = true;
  }

  resize(aspect: number): void {
    this.aspect = aspect;
    this.perspective.aspect = aspect;
    const half: number = this.orthographic.userData.half_height ?? 1;
    Object.assign(this.orthographic, { left: -half * aspect, right: half * aspect, top: half, bottom: -half });
    this.perspective.updateProjectionMatrix();
    this.orthographic.updateProjectionMatrix();
  }

  zoom(factor: number): void {
    this.fitted = false;
    const camera = this.camera;
    if (camera instanceof OrthographicCamera) camera.zoom *= factor;
    else camera.position.sub(this.controls.target).divideScalar(factor).add(this.controls.target);
    camera.updateProjectionMatrix();
    this.controls.update();
    this.controls.dispatchEvent({ type: "change" });
  }

  /// By angles in radians: to the left about z, and upwards.
  orbit(left: number, up: number): void {
    this.fitted = false;
    const arm = this.camera.position.clone().sub(this.controls.target);
    const radius = arm.length();
    const azimuth = Math.atan2(arm.y, arm.x) - left;
    const height = Math.min(Math.PI / 2 - hair, Math.max(-Math.PI / 2 + hair, Math.asin(arm.z / radius) + up));
    arm.set(Math.cos(height) * Math.cos(azimuth), Math.cos(height) * Math.sin(azimuth), Math.sin(height)).multiplyScalar(radius);
    this.camera.position.copy(this.controls.target).add(arm);
    this.controls.update();
  }

  private direction(view: View): Vector3 {
    switch (view) {
      case "plane": return across(new Vector3(...this.scene.normal));
      case "space": return new Vector3(0.72, -1, 0.58).normalize();
      case "top": return across(new Vector3(0, 0, 1));
      case "front": return new Vector3(0, -1, 0);
      case "side": return new Vector3(1, 0, 0);
    }
  }
}

/// From which side to look along a plane's normal: such that x (or else y) runs to the right, and from above.
export function across(normal: Vector3): Vector3 {
  const n = normal.clone().normalize();
  if (Math.abs(n.z) > 0.999) return new Vector3(0, -hair, 1).normalize();
  const right = new Vector3(0, 0, 1).cross(n);
  const main = Math.abs(right.x) >= Math.abs(right.y) ? right.x : right.y;
  return main >= 0 ? n : n.negate();
}

// Math.max(...) takes its arguments on the stack, which a large cloud overflows
const largest = (values: number[]): number => values.reduce((a, b) => Math.max(a, b), -Infinity);
