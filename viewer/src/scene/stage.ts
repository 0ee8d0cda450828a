// The picture: robot, ground, paths and forces under lights, drawn again only when something has changed.

import { Box3, DirectionalLight, HemisphereLight, Raycaster, Scene as World, Vector2, Vector3, WebGLRenderer } from "three";
import type { Clock } from "../clock";
import type { Scene } from "../data";
import { f32 } from "../decode";
import { el } from "../dom";
import { css_color, on_theme_change } from "../theme";
import { cloud_of } from "./cloud";
import { Forces, label_of, sized } from "./forces";
import { Gizmo } from "./gizmo";
import { draw_grid } from "./grid";
import { Poses } from "./poses";
import { Robot } from "./robot";
import { Traces } from "./traces";
import { across, Views } from "./views";

export class Stage {
  readonly root = el("div", { class: "picture" });
  readonly robot: Robot;
  readonly traces: Traces;
  readonly forces: Forces;
  readonly views: Views;
  readonly grid_spacing: number; // m

  private readonly world = new World();
  private readonly headlight = new DirectionalLight(0xffffff, 1.7);
  private readonly gizmo = new Gizmo();
  private renderer: WebGLRenderer | null = null;
  private readonly under = el("p", { class: "under", hidden: true }); // whose arrow is under the pointer
  private waiting = false; // for the next frame

  constructor(private readonly scene: Scene, private readonly clock: Clock) {
    const poses = new Poses(clock.times, f32(scene.poses), scene.bodies.length);
    const cloud = cloud_of(scene, poses);
    const box = new Box3().setFromPoints(cloud);
    const size = Math.max(box.getSize(new Vector3()).length() * 0.7, 1e-6);
    this.robot = new Robot(scene, poses, size);
    this.traces = new Traces(scene.traces, clock.times, size);
    this.forces = new Forces(scene.forces, clock.times, size);
    const grid = draw_grid(...this.ground(box, size), size);
    this.grid_spacing = grid.spacing;
    this.world.add(grid.root, this.robot.root, this.traces.root, this.forces.root);
    this.world.add(new HemisphereLight(0xffffff, 0x8a8f98, 1.9), this.headlight);

    this.start_renderer();
    const canvas = this.renderer?.domElement ?? el("p", { class: "empty" }, "This browser offers no WebGL, which the 3-D picture needs. The plots below work without it.");
    this.root.append(canvas, this.gizmo.root, this.under);
    this.views = new Views(this.root, scene, [...cloud, ...this.forces.tips()], () => this.redraw());
    this.views.look(scene.planar ? "plane" : "space");

    this.root.addEventListener("pointermove", (event) => this.point_at(event.offsetX, event.offsetY, event.target === canvas));
    this.root.addEventListener("pointerleave", () => (this.under.hidden = true));
    new ResizeObserver(() => this.resize()).observe(this.root);
    clock.on_change(() => this.show_time());
    on_theme_change(() => this.redraw());
    this.show_time();
  }

  /// Before the next frame.
  redraw(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  /// As PNG, on the page's background.
  picture(): Promise<Blob | null> {
    this.draw();
    if (!this.renderer) return Promise.resolve(null);
    const source = this.renderer.domElement;
    const canvas = el("canvas", { width: source.width, height: source.height });
    const context = canvas.getContext("2d")!;
    context.fillStyle = css_color("--sheet");
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(source, 0, 0); // in the same task as draw(), while the buffer is kept
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  }

  show_time(): void {
    this.robot.show(this.clock.time);
    this.traces.show(this.clock.time);
    this.forces.show(this.clock.time);
    this.redraw();
  }

  private point_at(x: number, y: number, on_picture: boolean): void {
    const { clientWidth: width, clientHeight: height } = this.root;
    const ray = new Raycaster();
    ray.setFromCamera(new Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.views.camera);
    const index = on_picture ? this.forces.under(ray) : null;
    this.under.hidden = index === null;
    if (index === null) return;
    const force = this.scene.forces[index];
    this.under.textContent = `${label_of(force)}: ${sized(force, this.forces.sizes(this.clock.time)[index])}`;
    // beside the pointer, and within the picture
    this.under.style.left = `${Math.max(0, Math.min(x + 12, width - this.under.offsetWidth - 4))}px`;
    this.under.style.top = `${Math.min(y + 14, height - this.under.offsetHeight - 4)}px`;
  }

  private draw(): void {
    const camera = this.views.camera;
    camera.updateMatrixWorld();
    // over the watcher's left shoulder
    this.headlight.position.set(-0.4, 0.7, 1).applyQuaternion(camera.quaternion);
    this.renderer?.render(this.world, camera);
    this.gizmo.show(camera);
  }

  private start_renderer(): void {
    try {
      this.renderer = new WebGLRenderer({ antialias: true, alpha: true });
    } catch {
      return;
    }
    this.renderer.debug.checkShaderErrors = false; // asking would make the page wait for the compiler
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.domElement.setAttribute("role", "img");
    this.renderer.domElement.setAttribute("aria-label", `3-D view of ${this.scene.bodies.length} bodies`);
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.root;
    if (!width || !height) return;
    this.renderer?.setSize(width, height);
    this.views.resize(width / height);
    if (this.views.fitted) this.views.fit(); // in a picture of another shape
    this.draw();
  }

  // a planar robot's ground lies in its plane, a little behind it; else at z = 0, or lower if the robot reaches lower
  private ground(box: Box3, size: number): [Vector3, Vector3] {
    const center = box.getCenter(new Vector3());
    if (this.scene.planar) {
      const normal = new Vector3(...this.scene.normal).normalize();
      return [center.addScaledVector(across(normal), -0.04 * size), normal];
    }
    center.z = Math.min(0, box.min.z);
    return [center, new Vector3(0, 0, 1)];
  }
}
