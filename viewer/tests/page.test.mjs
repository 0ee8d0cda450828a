// The page in a browser, from file://. TRAMMEL_PAGES=a.html:b.html tests pages that the program has written; without it
// pages are made up here. Pictures are left in build/page, to be looked at.

import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { download, launch, open, scroll_through, scrub } from "./browser.mjs";
import { floats32, floats64, read_page } from "./encode.mjs";
import { expect_at_rest, expect_keyboard_reaches_every_control, given_by, made as made_of, name_of, template_of, test_looks, test_template } from "./every_page.mjs";
import * as synthetic from "./synthetic.mjs";

const template = template_of("page");
const made = (name, data) => made_of(template, name, data);
const planar = await made("planar-arm", synthetic.planar_arm());
const given = given_by("TRAMMEL_PAGES");
const pages = given.length ? given : [
  planar,
  await made("scara", synthetic.scara()),
  await made("sections", synthetic.sections_only()),
  await made("long-run", synthetic.long_run()),
];
let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

for (const path of pages) {
  describe(name_of(path), () => {
    test("opens from disk without an error and without asking the network for anything", async (t) => {
      const opened = await open(browser, path);
      await scroll_through(opened.page);
      await opened.page.waitForTimeout(200);
      const interactive = await expect_at_rest(opened);
      // beside other work one of three may have had to wait
      let least = interactive;
      for (let again = 0; again < 2 && least >= 2000; ++again) {
        const another = await open(browser, path);
        least = Math.min(least, await another.page.evaluate(() => window.trammel.interactive));
        await another.page.close();
      }
      assert.ok(least < 2000, `can be used after ${least.toFixed(0)} ms`);
      const [all, empty] = [(await stat(path)).size, (await stat(template)).size];
      t.diagnostic(`${name_of(path)}: interactive after ${interactive.toFixed(0)} ms; ${(empty / 1e6).toFixed(2)} MB and ${((all - empty) / 1e6).toFixed(2)} MB of data`);
      await opened.page.close();
    });

    test("shows the bodies where the recording has them, at five times", async (t) => {
      const data = await read_page(path);
      if (!data.scene) return t.skip("has no scene");
      const { page } = await open(browser, path);
      const times = floats64(data.t);
      const poses = floats32(data.scene.poses);
      for (const part of [0, 0.21, 0.5, 0.83, 1]) {
        const row = Math.round(part * (times.length - 1));
        await scrub(page, times[row]);
        // the slider's value goes through decimal text
        assert.ok(Math.abs((await page.evaluate(() => window.trammel.time())) - times[row]) < 1e-12);
        for (const [body, { name }] of data.scene.bodies.entries()) {
          const drawn = await page.evaluate((name) => window.trammel.poseOf(name), name);
          const wanted = poses.subarray((row * data.scene.bodies.length + body) * 7).subarray(0, 7);
          assert_same_pose(drawn, wanted, `${name} at ${times[row]} s`);
        }
      }
      await page.close();
    });

    test("shows the whole motion, in windows of any width", async (t) => {
      const data = await read_page(path);
      if (!data.scene) return t.skip("has no scene");
      const { page } = await open(browser, path);
      const poses = floats32(data.scene.poses);
      const places = Array.from({ length: poses.length / 7 }, (_, i) => [...poses.subarray(7 * i, 7 * i + 3)]);
      for (const width of [1440, 1100, 500]) {
        await page.setViewportSize({ width, height: 900 });
        await page.waitForTimeout(200);
        const furthest = await page.evaluate(
          (places) => Math.max(...places.map((place) => Math.max(...window.trammel.onPicture(place).map(Math.abs)))),
          places.filter((_, i) => i % Math.ceil(places.length / 2000) === 0),
        );
        assert.ok(furthest < 1, `${furthest} of the way to the edge, in ${width} px`);
      }
      await page.close();
    });

    test("draws every force from its point, as long as it is large, and says its name, body and size", async (t) => {
      const data = await read_page(path);
      if (!data.scene?.forces.length) return t.skip("has no forces");
      const { page } = await open(browser, path);
      const times = floats64(data.t);
      const { newton, newtonMetre } = await page.evaluate(() => window.trammel.metresPer);
      const entries = page.locator(".layer li", { has: page.locator(".swatch.arrow") });
      let seen = 0;
      for (const part of [0, 0.37, 1]) {
        const row = Math.round(part * (times.length - 1));
        await scrub(page, times[row]);
        const drawn = await page.evaluate(() => window.trammel.arrows());
        assert.equal(drawn.length, data.scene.forces.length);
        for (const [i, force] of data.scene.forces.entries()) {
          const vector = [...floats32(force.vector).subarray(3 * row, 3 * row + 3)];
          const text = await entries.nth(i).textContent();
          assert.ok(text.includes(`${force.name} on ${force.body}`), text);
          assert.equal(text.includes("virtual"), force.virtual || `${force.name}${force.body}`.includes("virtual"));
          assert.match(text, force.moment ? /N·m$/ : /N$/);
          const shown = Number((await entries.nth(i).locator(".value").textContent()).replace("−", "-").split(" ")[0]);
          assert.ok(Math.abs(shown - Math.hypot(...vector)) <= 1e-3 * Math.hypot(...vector), `${shown} is not |${vector}|`);
          if (!drawn[i]) continue;
          const { from, to } = drawn[i];
          const size = Math.hypot(...from, ...to);
          const at = floats32(force.at).subarray(3 * row, 3 * row + 3);
          from.forEach((x, axis) => assert.ok(Math.abs(x - at[axis]) < 1e-6 * (1 + size), `${force.name} starts at ${from}, not at ${at}`));
          const scale = force.moment ? newtonMetre : newton;
          to.forEach((x, axis) => assert.ok(Math.abs(x - from[axis] - scale * vector[axis]) < 1e-5 * (size + Math.hypot(...vector) * scale), `${force.name} ends at ${to}`));
          ++seen;
        }
      }
      t.diagnostic(`${name_of(path)}: ${seen} arrows`);
      await page.close();
    });

    test("every plot's playback line follows", async (t) => {
      const data = await read_page(path);
      if (!data.scene || !data.plots.length) return t.skip("has nothing to play beside plots");
      const { page } = await open(browser, path, { height: 6000 });
      const times = floats64(data.t);
      const duration = times[times.length - 1] - times[0];
      for (const part of [0.1, 0.6, 0.95]) {
        const time = times[0] + part * duration;
        await scrub(page, time);
        const cursors = await page.evaluate(() => window.trammel.cursors());
        data.plots.forEach(({ title, x }, i) => x || assert.ok(Math.abs(cursors[i] - time) < 1e-6 * duration, `${title}: ${cursors[i]} is not ${time}`));
      }
      await page.close();
    });

    test("a dot on every path follows", async (t) => {
      const data = await read_page(path);
      const paths = data.plots.filter(({ x }) => x?.equal);
      if (!paths.length) return t.skip("has no paths");
      const { page } = await open(browser, path, { height: 6000 });
      const times = floats64(data.t);
      const places = () => page.locator(".playdot").evaluateAll((dots) => dots.map((dot) => dot.style.transform));
      const before = await places();
      assert.equal(before.length, paths.flatMap(({ series }) => series).filter(({ t, style }) => t && !style).length);
      await scrub(page, times[0] + 0.37 * (times[times.length - 1] - times[0]));
      (await places()).forEach((place, i) => assert.notEqual(place, before[i]));
      await page.close();
    });

    test("names what is wanted beside what is traced", async (t) => {
      const data = await read_page(path);
      if (!data.scene?.traces.some(({ wanted }) => wanted)) return t.skip("leads no frame");
      const { page } = await open(browser, path);
      assert.ok(await page.locator(".layer li", { hasText: "wanted" }).isVisible());
      await page.close();
    });

    test("a curve that is hidden hides", async (t) => {
      const { page } = await open(browser, path);
      if (!(await page.locator(".card").count())) return t.skip("has no plots");
      const key = page.locator(".card").first().locator(".curve").first();
      await key.click();
      assert.equal(await key.getAttribute("aria-pressed"), "false");
      assert.equal((await page.evaluate(() => window.trammel.curves(0)))[0].shown, false);
      await key.click();
      assert.equal((await page.evaluate(() => window.trammel.curves(0)))[0].shown, true);
      await page.close();
    });

    test("saves a plot as PNG and as CSV", async (t) => {
      const { page } = await open(browser, path);
      if (!(await page.locator(".card").count())) return t.skip("has no plots");
      const card = page.locator(".card").first();
      const png = await download(page, () => card.getByRole("button", { name: "Save as PNG" }).click());
      assert.match(png.name, /\.png$/);
      assert.equal(png.bytes.subarray(1, 4).toString(), "PNG");
      assert.ok((await colors_in(page, png.bytes)) > 8, "the picture is empty");
      const csv = await download(page, () => card.getByRole("button", { name: "Save as CSV" }).click());
      const lines = csv.bytes.toString().trim().split("\r\n");
      assert.ok(lines.length > 2 && lines[1].split(",").every((cell) => cell === "" || Number.isFinite(Number(cell))), lines[1]);
      await page.close();
    });

    test_looks(() => browser, path);
  });
}

describe("the page", () => {
  test_template(() => browser, template, 900_000);

  test("text that looks like markup stays text, in every field", async () => {
    for (const data of [synthetic.planar_arm(), synthetic.sections_only()]) {
      const path = await made("hostile", synthetic.hostile(data));
      const { page, problems, requests } = await open(browser, path);
      await scroll_through(page);
      await page.locator(".card").first().locator(".curve").first().click();
      await page.waitForTimeout(200);
      const found = await page.evaluate(() => ({
        injected: window.injected,
        images: document.images.length,
        scripts: document.scripts.length,
        handlers: document.querySelectorAll("[onerror]").length,
        title: document.querySelector("h1").textContent,
      }));
      assert.deepEqual({ ...found, title: "" }, { injected: undefined, images: 0, scripts: 2, handlers: 0, title: "" });
      assert.ok(found.title.includes("<img src=x onerror="), "the title is shown as it was written");
      assert.deepEqual(problems, []);
      assert.equal(requests.length, 1);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth));
      await page.close();
    }
  });

  test("an arrow under the pointer says whose force it is, and forces that are not unique are explained", async () => {
    const { page } = await open(browser, planar);
    const heard = await page.evaluate(() => {
      const canvas = document.querySelector(".picture canvas");
      const label = document.querySelector(".under");
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const out = new Set();
      for (let y = 2; y < height; y += 4) {
        for (let x = 2; x < width; x += 4) {
          canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: left + x, clientY: top + y, bubbles: true }));
          if (!label.hidden) out.add(label.textContent);
        }
      }
      return [...out].sort();
    });
    assert.deepEqual(heard, ["elbow pin on upper arm: 10.30 N", "heading on forearm: 2 N·m", "tool path on forearm: 26 N"]);
    assert.ok(await page.locator(".layer .meaning", { hasText: "the least is shown" }).isVisible());
    assert.ok(await page.locator(".layer .meaning", { hasText: "no part of the robot gives it" }).isVisible());
    await page.close();
  });

  test("a hidden curve leaves no pixel of its colour", async () => {
    const { page } = await open(browser, planar);
    const card = page.locator(".card").nth(1);
    const pixels = () => card.locator("canvas").evaluate((canvas) => {
      const wanted = getComputedStyle(document.documentElement).getPropertyValue("--curve-0").match(/[0-9a-f]{2}/g).map((c) => parseInt(c, 16));
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      let count = 0;
      for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 128 && wanted.every((c, k) => Math.abs(data[i + k] - c) < 6)) ++count;
      return count;
    });
    assert.ok((await pixels()) > 100);
    await card.locator(".curve").first().click();
    await page.waitForTimeout(100);
    assert.equal(await pixels(), 0);
    await page.close();
  });

  test("dragging zooms all plots over time, double-click shows all again", async () => {
    const { page } = await open(browser, planar, { height: 1600 });
    const ticks = () => page.evaluate(() => window.trammel.ranges());
    const whole = await ticks();
    const box = await page.locator(".card").first().locator(".u-over").boundingBox();
    await page.mouse.move(box.x + box.width * 0.25, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 50, { steps: 4 });
    await page.mouse.up();
    await page.waitForTimeout(100);
    const zoomed = await ticks();
    assert.ok(Math.abs(zoomed[0][0] - 2.5) < 0.1 && Math.abs(zoomed[0][1] - 5) < 0.1, `${zoomed[0]}`);
    for (const range of zoomed.filter((range, i) => range && i < 8)) assert.deepEqual(range, zoomed[0]);
    await page.mouse.dblclick(box.x + box.width * 0.5, box.y + 50);
    await page.waitForTimeout(100);
    assert.deepEqual(await ticks(), whole);
    await page.close();
  });

  test("a click on a plot takes playback there, hovering reads values", async () => {
    const { page } = await open(browser, planar);
    const box = await page.locator(".card").nth(1).locator(".u-over").boundingBox();
    await page.mouse.click(box.x + box.width * 0.5, box.y + 40);
    assert.ok(Math.abs((await page.evaluate(() => window.trammel.time())) - 5) < 0.05);
    await page.mouse.move(box.x + box.width * 0.75, box.y + 40);
    const elbow = await page.locator(".card").first().locator(".legend .value").nth(1).textContent();
    const data = await read_page(planar);
    const wanted = floats32(data.plots[0].series[1].y)[750];
    assert.ok(Math.abs(Number(elbow) - wanted) < 0.02, `${elbow} is not ${wanted}`);
    await page.close();
  });

  test("space plays and pauses, arrows step", async () => {
    const { page } = await open(browser, planar);
    const time = () => page.evaluate(() => window.trammel.time());
    await page.locator(".picture").focus();
    await page.keyboard.press("ArrowRight");
    assert.ok(Math.abs((await time()) - 0.01) < 1e-12);
    await page.keyboard.press("Space");
    await page.waitForFunction(() => window.trammel.time() > 0.05);
    await page.keyboard.press("Space");
    const stopped = await time();
    await page.waitForTimeout(200);
    assert.equal(await time(), stopped);
    await page.keyboard.press("Home");
    assert.equal(await time(), 0);
    await page.close();
  });

  test("the keyboard reaches every control", async () => {
    const { page } = await open(browser, planar);
    await expect_keyboard_reaches_every_control(page);
    await page.close();
  });

  test("the theme switch turns light into dark", async () => {
    const { page } = await open(browser, planar);
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await page.getByRole("button", { name: "Switch between dark and light" }).click();
    assert.notEqual(await background(), light);
    await page.close();
  });

  test("works without WebGL, but for the picture", async () => {
    const { page } = await open(browser, planar, {
      before: () => {
        const original = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
          return kind.startsWith("webgl") ? null : original.call(this, kind, ...rest);
        };
      },
    });
    await scrub(page, 5);
    assert.equal((await page.evaluate(() => window.trammel.poseOf("forearm"))).length, 7);
    assert.ok((await page.evaluate(() => window.trammel.cursors()))[0] > 4.9);
    assert.match(await page.locator(".picture").textContent(), /WebGL/);
    await page.close();
  });
});

// positions to 1e-6 m; rotations to 1e-6, q and −q being the same
function assert_same_pose(drawn, wanted, what) {
  const sign = Math.sign(drawn[3] * wanted[3] + drawn[4] * wanted[4] + drawn[5] * wanted[5] + drawn[6] * wanted[6]);
  wanted.forEach((value, i) => assert.ok(Math.abs(drawn[i] - (i < 3 ? 1 : sign) * value) < 1e-6, `${what}: ${drawn} is not ${wanted}`));
}

// in the lower half, which only the chart fills
function colors_in(page, png) {
  return page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const head = Math.round(image.height / 2);
    return new Set(new Uint32Array(context.getImageData(0, head, image.width, image.height - head).data.buffer)).size;
  }, png.toString("base64"));
}
