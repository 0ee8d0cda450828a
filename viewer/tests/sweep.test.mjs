// The page of a sweep in a browser, from file://. TRAMMEL_SWEEPS=a/report.html tests pages that the program has written, each beside its
// table.csv and sweep.json; without it pages are made up here. Pictures are left in build/page.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { after, before, describe, test } from "node:test";
import { download, launch, open, scroll_through } from "./browser.mjs";
import { floats64, read_page } from "./encode.mjs";
import { expect_at_rest, expect_keyboard_reaches_every_control, given_by, made as made_of, name_of, template_of, test_looks, test_template } from "./every_page.mjs";
import * as sweeps from "./sweep_synthetic.mjs";
import { hostile } from "./synthetic.mjs";

const template = template_of("sweep");
const made = (name, data) => made_of(template, `sweep-${name}`, data);
const given = given_by("TRAMMEL_SWEEPS");
const names = ["arms", "grid", "three", "all_failed", "begun", "no_measures"];
const pages = given.length ? given : await Promise.all(names.map((name) => made(name, sweeps[name]())));
const arms = await made("arms", sweeps.arms());

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const column_of = (data, name) => floats64(data.columns.find((column) => column.name === name).numbers);
const hook = (page, what) => page.evaluate((what) => window.trammel[what](), what);
const picked = (page) => page.locator(".picked");

for (const path of pages) {
  describe(name_of(path), () => {
    test("opens from disk without an error and without asking the network for anything", async (t) => {
      const opened = await open(browser, path);
      const { page } = opened;
      await scroll_through(page);
      await page.waitForTimeout(100);
      const interactive = await expect_at_rest(opened);
      const data = await read_page(path);
      const all_finished = data.complete && data.counts.finished === data.cases;
      assert.equal(await page.locator(".summary.good").count(), all_finished ? 1 : 0);
      t.diagnostic(`${name_of(path)}: interactive after ${interactive.toFixed(0)} ms`);
      await page.close();
    });

    // with a case picked, where tables name any
    test_looks(() => browser, path, (page) => page.locator("button.case").first().click({ timeout: 1000 }).catch(() => {}));
  });
}

for (const path of given) {
  describe(`${name_of(path)}, beside its files`, () => {
    test("holds the rows of table.csv, to the last bit", async (t) => {
      const data = await read_page(path);
      const [head, ...rows] = rows_of(await readFile(`${dirname(path)}/table.csv`, "utf8"));
      assert.deepEqual(head, ["case", ...data.columns.map(({ name }) => name)]);
      assert.equal(rows.length, data.rows);
      let compared = 0;
      data.columns.forEach((column, k) => {
        const values = column.numbers ? floats64(column.numbers) : new Uint32Array(Uint8Array.from(Buffer.from(column.codes, "base64")).buffer);
        rows.forEach((row, i) => {
          const wanted = row[k + 1];
          if (column.words) assert.equal(column.words[values[i]], wanted);
          else assert.ok(wanted === "" ? Number.isNaN(values[i]) : values[i] === Number(wanted), `${values[i]} is not ${wanted}`);
          ++compared;
        });
      });
      t.diagnostic(`${compared} entries compared`);
    });

    test("gives the commands that sweep.json gives", async () => {
      const index = JSON.parse(await readFile(`${dirname(path)}/sweep.json`, "utf8"));
      const { page } = await open(browser, path);
      const shown = [...index.measures.flatMap(({ lowest, highest }) => [...lowest.slice(0, 1), ...highest.slice(0, 1)]), ...index.failures.map(({ cases, command }) => ({ case: cases[0], command }))];
      assert.ok(shown.length > 2);
      for (const { case: number, command } of shown) {
        await page.locator("button.case", { hasText: new RegExp(`^(case )?${number}$`) }).first().click();
        assert.equal(await picked(page).locator("h2").textContent(), `Case ${number}`);
        assert.equal(await picked(page).locator("code").textContent(), command);
      }
      await page.close();
    });
  });
}

describe("the page of a sweep", () => {
  test_template(() => browser, template, 200_000);

  test("a click on a point picks its case: its row and its command", async () => {
    const data = await read_page(arms);
    const { page } = await open(browser, arms, { height: 1400 });
    const [lengths, masses, torques] = ["constants.length", "bodies.arm.mass", "peak torque"].map((name) => column_of(data, name));
    const alone = data.measures[0].highest[0].case; // no other one is near
    const { left, top } = await page.evaluate((number) => window.trammel.place(number), alone);
    await page.mouse.move(left + 1, top + 1);
    assert.match(await page.locator(".tip").first().textContent(), new RegExp(`case ${alone}`));
    await page.mouse.click(left + 1, top + 1);
    assert.equal(await hook(page, "picked"), alone);
    const text = await picked(page).textContent();
    assert.ok(text.includes(`Case ${alone}`) && text.includes(torques[alone].toPrecision(6)), text);
    const command = await picked(page).locator("code").textContent();
    assert.ok(command.startsWith("trammel run arm.yaml --set 'simulate.duration=5 s' --set "), command);
    assert.equal(Number(command.match(/constants\.length=(\S+)/)[1]), lengths[alone]);
    assert.equal(Number(command.match(/bodies\.arm\.mass=(\S+)/)[1]), masses[alone]);
    await picked(page).getByRole("button", { name: /^Copy/ }).click();
    await page.waitForFunction(() => document.querySelector(".picked .command button").textContent === "Copied");
    await page.keyboard.press("Escape");
    assert.ok(await picked(page).isHidden());
    await page.close();
  });

  test("the Pareto front is that of the directions chosen, and its cases are listed", async () => {
    const data = await read_page(arms);
    const { page } = await open(browser, arms);
    const card = page.getByRole("article", { name: "Cases in a plane" });
    const { x, y } = await hook(page, "scatter");
    const [xs, ys] = [column_of(data, x), column_of(data, y)];
    const there = [...xs.keys()].filter((i) => !Number.isNaN(xs[i] + ys[i]));
    for (const [way_x, way_y] of [["highest", "lowest"], ["lowest", "lowest"], ["highest", "highest"]]) {
      await card.getByLabel("better x").selectOption(way_x);
      await card.getByLabel("better y").selectOption(way_y);
      const cost = (i) => [way_x === "lowest" ? xs[i] : -xs[i], way_y === "lowest" ? ys[i] : -ys[i]];
      const wanted = there.filter((i) => !there.some((j) => cost(j)[0] <= cost(i)[0] && cost(j)[1] <= cost(i)[1] && (cost(j)[0] < cost(i)[0] || cost(j)[1] < cost(i)[1])));
      const { front } = await hook(page, "scatter");
      assert.deepEqual([...front].sort((a, b) => a - b), wanted);
      assert.deepEqual((await card.locator("tbody .case").allTextContents()).map(Number), front);
    }
    await card.getByRole("checkbox", { name: "Pareto front" }).uncheck();
    assert.deepEqual((await hook(page, "scatter")).front, []);
    await page.close();
  });

  test("the histogram counts every case of any column", async () => {
    const data = await read_page(arms);
    const { page } = await open(browser, arms);
    const card = page.getByRole("article", { name: "Histogram" });
    const choice = card.locator("select").first();
    await choice.selectOption({ label: "simulate.drift" });
    const drift = data.columns.find(({ name }) => name === "simulate.drift");
    const codes = new Uint32Array(Uint8Array.from(Buffer.from(drift.codes, "base64")).buffer);
    assert.deepEqual(await hook(page, "histogram"), drift.words.map((_, code) => codes.filter((one) => one === code).length));
    await choice.selectOption({ label: "peak torque [N·m]" });
    const total = async () => (await hook(page, "histogram")).reduce((a, b) => a + b, 0);
    assert.equal(await total(), column_of(data, "peak torque").filter((x) => !Number.isNaN(x)).length);
    await card.getByLabel("log x").check();
    assert.equal(await total(), column_of(data, "peak torque").filter((x) => x > 0).length);
    assert.match(await card.locator(".note").textContent(), /cases have no peak torque/);
    await page.close();
  });

  test("the heat map of a grid has a cell for each of its points", async () => {
    const path = await made("grid", sweeps.grid());
    const data = await read_page(path);
    const { page } = await open(browser, path);
    const { count, shown } = await hook(page, "heat");
    assert.equal(count.length, 35);
    assert.ok(count.every((n) => n === 1));
    assert.deepEqual([...shown].sort(), [...column_of(data, "effort")].sort());
    await page.close();
  });

  test("limits from the keyboard and by dragging leave the cases between them", async () => {
    const data = await read_page(arms);
    const { page } = await open(browser, arms, { height: 2200 });
    const lengths = column_of(data, "constants.length");
    await page.getByLabel("constants.length from").focus();
    await page.keyboard.type("0.3");
    await page.keyboard.press("Tab");
    await page.keyboard.type("0.4");
    await page.keyboard.press("Tab");
    const inside = lengths.filter((x) => x >= 0.3 && x <= 0.4).length;
    assert.equal(await hook(page, "within"), inside);
    await page.getByLabel("simulate.drift").last().selectOption({ label: "none" });
    assert.ok((await hook(page, "within")) < inside);
    await page.getByRole("button", { name: "No limits: all cases" }).click();
    assert.equal(await hook(page, "within"), 600);

    const box = await page.locator(".parallel canvas").boundingBox();
    const first = box.x + 60; // the axis of the first column
    const [top, bottom] = [box.y + 46, box.y + box.height - 14];
    await page.mouse.move(first, top + 0.25 * (bottom - top));
    await page.mouse.down();
    await page.mouse.move(first, top + 0.75 * (bottom - top), { steps: 3 });
    await page.mouse.up();
    const [low, high] = [Math.min(...lengths), Math.max(...lengths)];
    const wanted = lengths.filter((x) => x >= low + 0.25 * (high - low) && x <= low + 0.75 * (high - low)).length;
    assert.ok(Math.abs((await hook(page, "within")) - wanted) <= 6, `${await hook(page, "within")} is not ${wanted}`); // a pixel is 1/280 of the axis
    await page.mouse.click(first, top + 0.5 * (bottom - top));
    assert.equal(await hook(page, "within"), 600);
    await page.close();
  });

  test("arrows go through the cases along x", async () => {
    const data = await read_page(arms);
    const { page } = await open(browser, arms);
    const { x, y } = await hook(page, "scatter");
    const [xs, ys] = [column_of(data, x), column_of(data, y)];
    const order = [...xs.keys()].filter((i) => !Number.isNaN(xs[i] + ys[i])).sort((a, b) => xs[a] - xs[b]);
    await page.getByRole("group", { name: /^Scatter plot/ }).focus();
    for (const [key, wanted] of [["Home", order[0]], ["ArrowRight", order[1]], ["ArrowRight", order[2]], ["ArrowLeft", order[1]], ["End", order[order.length - 1]]]) {
      await page.keyboard.press(key);
      assert.equal(await hook(page, "picked"), wanted, key);
    }
    await page.close();
  });

  test("the keyboard reaches every control", async () => {
    const { page } = await open(browser, await made("three", sweeps.three()));
    await page.locator("button.case").first().click();
    await expect_keyboard_reaches_every_control(page);
    await page.close();
  });

  test("bands have their percentiles, and charts are saved as PNG", async () => {
    const { page } = await open(browser, arms, { height: 3000 });
    assert.deepEqual((await page.evaluate(() => window.trammel.curves(0))).map(({ name }) => name), ["median", "mean", "25 %", "75 %", "5 %", "95 %", "least", "greatest"]);
    for (const title of ["Cases in a plane", "Histogram", "Heat map", "Parallel coordinates", "u.shoulder"]) {
      const png = await download(page, () => page.getByRole("article", { name: title }).getByRole("button", { name: "Save as PNG" }).click());
      assert.equal(png.bytes.subarray(1, 4).toString(), "PNG");
      assert.ok(png.bytes.length > 5000, `${title}: ${png.bytes.length} bytes`);
    }
    await page.close();
  });

  test("text that looks like markup stays text, in every field", async () => {
    const numbers = ["numbers", "codes", "case_numbers", "how", "min", "p5", "p25", "median", "p75", "p95", "max", "mean"];
    const path = await made("hostile", hostile(sweeps.arms(60), numbers));
    const { page, problems, requests } = await open(browser, path);
    await scroll_through(page);
    await page.locator("button.case").first().click();
    const found = await page.evaluate(() => ({ injected: window.injected, images: document.images.length, scripts: document.scripts.length, handlers: document.querySelectorAll("[onerror]").length }));
    assert.deepEqual(found, { injected: undefined, images: 0, scripts: 2, handlers: 0 });
    assert.ok((await picked(page).textContent()).includes("<img src=x onerror="));
    assert.deepEqual(problems, []);
    assert.equal(requests.length, 1);
    await page.close();
  });

  test("a hundred thousand cases stay usable", async (t) => {
    if (given.length) return t.skip("not among the quick ones");
    const path = await made("many", sweeps.many());
    const { page, problems } = await open(browser, path);
    const interactive = await page.evaluate(() => window.trammel.interactive);
    const started = Date.now();
    await page.getByLabel("c1 from").first().fill("0.5");
    await page.keyboard.press("Tab");
    assert.ok((await hook(page, "within")) < 60_000);
    t.diagnostic(`interactive after ${interactive.toFixed(0)} ms, a limit after ${Date.now() - started} ms`);
    assert.deepEqual(problems, []);
    assert.ok(interactive < 20_000);
    await page.close();
  });
});

// RFC 4180, without line breaks in entries
function rows_of(csv) {
  return csv.trimEnd().split("\n").map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(([, quoted, plain]) => (quoted === undefined ? plain : quoted.replaceAll('""', '"'))));
}
