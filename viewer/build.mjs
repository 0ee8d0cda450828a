// Makes dist/page.html and dist/sweep.html, the pages of a run and of a sweep, and dist/page.cpp and dist/sweep.cpp, which carry them into the
// program: template, style and bundled code in one file that needs no network. The program that writes a report replaces the marker
// <!--TRAMMEL-DATA--> by the data (see src/data.ts and src/sweep/data.ts).
//
// A page's security policy allows its very script and its very style, by their hashes, and nothing else: whatever
// text a scenario carries, no other script runs and nothing is fetched.

import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const marker = "<!--TRAMMEL-DATA-->";

// The page as a C++ string, for the program to carry. Bytes that are not plain characters are written in octal.
function asSource(text, functionName) {
  const bytes = Buffer.from(text);
  const lines = [];
  for (let at = 0; at < bytes.length; at += 2000) {
    let line = "";
    for (const byte of bytes.subarray(at, at + 2000)) {
      const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c && byte !== 0x3f;
      line += plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`;
    }
    lines.push(`    "${line}"`);
  }
  return (
    '#include "trammel/report/page_template.h"\n\n' +
    "// Made by viewer/build.mjs.\n\n" +
    "namespace trammel {\n\n" +
    `std::string_view ${functionName}() {\n  static constexpr char text[] =\n${lines.join("\n")};\n` +
    "  return {text, sizeof(text) - 1};\n}\n\n}  // namespace trammel\n"
  );
}

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

async function bundle(entry) {
  const bundled = await build({
    entryPoints: [here(entry)],
    bundle: true,
    minify: !process.argv.includes("--readable"),
    format: "iife",
    target: "es2020",
    charset: "utf8",
    legalComments: "none",
    outdir: here("dist"),
    write: false,
    metafile: true,
  });
  const output = (ending) => bundled.outputFiles.find((file) => file.path.endsWith(ending)).text.trim();
  const script = output(".js").replace(/<\/(script)/gi, "<\\/$1");
  const style = output(".css");
  if (/<!--|<script/i.test(script)) throw new Error("the bundle holds text that would end or nest its script element");
  if (/<\/style/i.test(style)) throw new Error("the style holds text that would end its element");
  return { script, style, inputs: Object.values(bundled.metafile.outputs)[0].inputs };
}

function tellSizes(inputs) {
  const largest = Object.entries(inputs).sort((a, b) => b[1].bytesInOutput - a[1].bytesInOutput).slice(0, 15);
  for (const [path, { bytesInOutput }] of largest) console.log(`${(bytesInOutput / 1000).toFixed(1).padStart(8)} kB  ${path}`);
}

async function make(name, entry, functionName) {
  const { script, style, inputs } = await bundle(entry);
  const policy =
    `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data: blob:; ` +
    "base-uri 'none'; form-action 'none'";
  const parts = { "{{policy}}": policy, "{{style}}": style, "{{script}}": script };
  const template = await readFile(here("src/page.html"), "utf8");
  const page = template.replace(/\{\{\w+\}\}/g, (part) => parts[part]);
  if (page.split(marker).length !== 2) throw new Error(`the page must hold ${marker} exactly once`);

  await writeFile(here(`dist/${name}.html`), page);
  await writeFile(here(`dist/${name}.cpp`), asSource(page, functionName));
  console.log(`viewer/dist/${name}.html  ${(Buffer.byteLength(page) / 1000).toFixed(0)} kB`);
  if (process.argv.includes("--sizes")) tellSizes(inputs);
}

await mkdir(here("dist"), { recursive: true });
await make("sweep", "src/sweep/main.ts", "sweep_page_template");
await make("page", "src/main.ts", "page_template"); // last: tools/viewer goes by its time
