// What holds for every kind of page that the program writes: of a run, of a sweep.

import assert from "node:assert/strict";
import { mkdir, stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { open, scroll_through } from "./browser.mjs";
import { serious_findings, sticking_out } from "./checks.mjs";
import { write_page } from "./encode.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/// Pictures are left there, to be looked at.
export const artefacts = here("../../build/page");
await mkdir(artefacts, { recursive: true });

export const template_of = (name) => here(`../dist/${name}.html`);

/// A page of made up data: its file.
export async function made(template, name, data) {
  const path = `${artefacts}/${name}.html`;
  await write_page(template, data, path);
  return path;
}

/// The pages that a variable of the environment names, a.html:b.html.
export const given_by = (variable) => (process.env[variable] ?? "").split(":").filter(Boolean).map((path) => resolve(path));

/// Pages are often all called report.html, each in a folder with a name.
export const name_of = (path) => (basename(path) === "report.html" ? basename(dirname(path)) : basename(path, ".html"));

const shot = (page, name) => page.screenshot({ path: `${artefacts}/${name}.png`, fullPage: true });

/// Of the page that has been opened and scrolled through: nothing went wrong, nothing was asked of the network. Returns when it could be used, ms.
export async function expect_at_rest({ page, problems, requests }) {
  assert.deepEqual(problems, []);
  assert.deepEqual(requests.filter((url) => !/^(file|data|blob):/.test(url)), []);
  return page.evaluate(() => window.trammel.interactive);
}

/// Both schemes and three widths. `before_axe` brings up what is not there at first.
export function test_looks(browser, path, before_axe = () => {}) {
  for (const scheme of ["light", "dark"]) {
    test(`axe finds nothing serious, ${scheme}`, async () => {
      const { page } = await open(browser(), path, { scheme });
      await scroll_through(page);
      await before_axe(page);
      const findings = await serious_findings(page);
      await page.keyboard.press("Escape");
      await shot(page, `${name_of(path)}-1440-${scheme}`);
      assert.deepEqual(findings, []);
      await page.close();
    });
  }
  for (const [width, height] of [[400, 800], [3840, 2160]]) {
    test(`fits a window ${width} px wide`, async () => {
      const { page } = await open(browser(), path, { width, height });
      await scroll_through(page);
      const sizes = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      await shot(page, `${name_of(path)}-${width}`);
      assert.ok(sizes[0] <= sizes[1], `${sizes[0]} px wide in a window of ${sizes[1]} px`);
      assert.deepEqual(await sticking_out(page), []);
      await page.close();
    });
  }
}

export function test_template(browser, template, most_bytes) {
  test("is small", async (t) => {
    const { size } = await stat(template);
    t.diagnostic(`template ${(size / 1000).toFixed(0)} kB`);
    assert.ok(size < most_bytes);
  });

  test("the empty template says that it is empty", async () => {
    const page = await browser().newPage();
    await page.goto(`file://${template}`);
    assert.match(await page.locator("[role=alert]").textContent(), /holds no data/);
    await page.close();
  });
}

/// Tab by tab.
export async function expect_keyboard_reaches_every_control(page) {
  await page.evaluate(() => {
    window.reached = new Set();
    addEventListener("focusin", (event) => window.reached.add(event.target));
    document.activeElement.blur();
  });
  const controls = "button, input, select, a[href], summary, [tabindex='0']";
  const total = await page.locator(controls).count();
  for (let i = 0; i < total + 2; ++i) await page.keyboard.press("Tab");
  const missed = await page.evaluate((controls) =>
    [...document.querySelectorAll(controls)].filter((e) => !window.reached.has(e) && e.checkVisibility()).map((e) => e.outerHTML.slice(0, 120)), controls);
  assert.deepEqual(missed, []);
}
