// The way of a page from data to file, as the C++ side does it: see src/data.ts.

import { readFile, writeFile } from "node:fs/promises";

const base64 = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString("base64");
export const f32 = (values) => base64(Float32Array.from(values));
export const f64 = (values) => base64(Float64Array.from(values));
export const u32 = (values) => base64(Uint32Array.from(values));

export function floats32(text) {
  const bytes = Uint8Array.from(Buffer.from(text, "base64"));
  return new Float32Array(bytes.buffer);
}
export function floats64(text) {
  const bytes = Uint8Array.from(Buffer.from(text, "base64"));
  return new Float64Array(bytes.buffer);
}

const opening = '<script type="application/json" id="trammel-data">';

export async function write_page(template, data, path) {
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  const page = (await readFile(template, "utf8")).replace("<!--TRAMMEL-DATA-->", () => `${opening}${json}</script>`);
  await writeFile(path, page);
}

export async function read_page(path) {
  const page = await readFile(path, "utf8");
  const start = page.indexOf(opening) + opening.length;
  return JSON.parse(page.slice(start, page.indexOf("</script>", start)));
}
