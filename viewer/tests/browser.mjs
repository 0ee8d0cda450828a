// Chromium, and a page in it that keeps note of everything that goes wrong.

import { chromium } from "playwright-core";

const executable = process.env.CHROMIUM ?? "/usr/bin/chromium";

export const launch = () =>
  chromium.launch({ executablePath: executable, args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });

/// Opens a file as a reader would, waits until it can be used.
export async function open(browser, path, { width = 1440, height = 900, scheme = "light", before = null } = {}) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme, acceptDownloads: true });
  const problems = [];
  const requests = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error.stack)));
  page.on("request", (request) => requests.push(request.url()));
  if (before) await page.addInitScript(before);
  await page.goto(`file://${path}`);
  await page.waitForFunction(() => window.trammel !== undefined);
  return { page, problems, requests };
}

/// So that every chart is made; and back to the top.
export async function scroll_through(page) {
  await page.evaluate(async () => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight / 2) {
      scrollTo(0, y);
      await frame();
    }
    scrollTo(0, 0);
    await frame();
  });
}

/// Moves playback by its slider.
export async function scrub(page, time) {
  await page.locator(".scrubber").evaluate((slider, value) => {
    slider.value = String(value);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }, time);
}

export async function download(page, action) {
  const [file] = await Promise.all([page.waitForEvent("download"), action()]);
  const parts = [];
  for await (const part of await file.createReadStream()) parts.push(part);
  return { name: file.suggestedFilename(), bytes: Buffer.concat(parts) };
}
