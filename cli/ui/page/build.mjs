// Bundles the page and writes it into a source file: node build.mjs NODE_MODULES OUT_DIR
// OUT_DIR/page_files.cc has every file twice, as it is and compressed; OUT_DIR/page/ has the same files to look at.
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const source = dirname(fileURLToPath(import.meta.url));
const [modules, out] = process.argv.slice(2).map((path) => resolve(path));
const { build } = createRequire(join(modules, "x"))("esbuild");

// The names of files are hashes that depend on how inputs lie to each other. Seen through these links, that is the same
// wherever the tree and the packages are, and so are the bytes.
const work = join(out, "page-inputs");
rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });
symlinkSync(source, join(work, "page"));
symlinkSync(modules, join(work, "node_modules"));

const bundled = await build({
  absWorkingDir: work,
  preserveSymlinks: true,
  entryPoints: { page: "page/main.js", style: "page/style/all.css" },
  outdir: join(work, "assets"),
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "none",
  loader: { ".svg": "file" },
  write: false,
  metafile: true,
  logLevel: "warning",
});

const asset = (start, end) => {
  const file = bundled.outputFiles.find(({ path }) => basename(path).startsWith(start) && path.endsWith(end));
  return `/assets/${basename(file.path)}`;
};
const index = readFileSync(join(source, "index.html"), "utf8")
  .replace("{{style}}", asset("style-", ".css"))
  .replace("{{page}}", asset("page-", ".js"));

const types = { html: "text/html; charset=utf-8", js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8", svg: "image/svg+xml" };
const files = [
  { path: "/index.html", bytes: Buffer.from(index) },
  ...bundled.outputFiles.map((file) => ({ path: `/assets/${basename(file.path)}`, bytes: Buffer.from(file.contents) })),
].sort((a, b) => (a.path < b.path ? -1 : 1));

// Octal escapes: a hexadecimal one would go on into a digit that follows.
const literal = (bytes) => {
  let text = "";
  for (const byte of bytes) {
    const plain = byte >= 32 && byte < 127 && byte !== 34 && byte !== 92 && byte !== 63;
    text += plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, "0")}`;
  }
  return `std::string_view("${text}", ${bytes.length})`;
};
const row = ({ path, bytes }) => {
  const type = types[path.split(".").pop()];
  return `    {${[path, type].map((text) => JSON.stringify(text)).join(", ")},\n     ${literal(bytes)},\n     ${literal(gzipSync(bytes, { level: 9 }))}},\n`;
};

rmSync(join(out, "page"), { recursive: true, force: true });
mkdirSync(join(out, "page/assets"), { recursive: true });
for (const { path, bytes } of files) writeFileSync(join(out, "page", path), bytes);
writeFileSync(
  join(out, "page_files.cc"),
  `// Written by cli/ui/page/build.mjs.
#include "cli/ui/page_files.h"

namespace grapnel::cli {

namespace {

constexpr EmbeddedFile kPageFiles[] = {
${files.map(row).join("")}};

}  // namespace

std::span<const EmbeddedFile> page_files() {
  return kPageFiles;
}

}  // namespace grapnel::cli
`,
);
