#!/usr/bin/env node
// `grapnel` of the npm package until `postinstall.cjs` puts the program itself here; where npm runs no install scripts, this
// stays. It passes on words, input, output, signals and the exit status: 2 means "blocked" to an agent.
"use strict";
const { spawnSync } = require("node:child_process");
const { constants } = require("node:os");
const { dirname, join } = require("node:path");

const name = `@grapnel/${process.platform}-${process.arch}`;
let program;
try {
  program = join(dirname(require.resolve(`${name}/package.json`)), "bin", "grapnel");
} catch {
  console.error(`grapnel: the package ${name} is not installed.`);
  console.error(
    ["@grapnel/linux-x64", "@grapnel/linux-arm64"].includes(name)
      ? "Install grapnel again, with optional dependencies: npm install grapnel --include=optional"
      : "There are programs for Linux on x64 and arm64 only; on other machines, build grapnel from its sources.",
  );
  process.exit(3);
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {}); // the program decides what they mean
const ended = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (ended.error) {
  console.error(`grapnel: cannot start ${program}: ${ended.error.message}`);
  process.exit(3);
}
process.exit(ended.signal ? 128 + constants.signals[ended.signal] : ended.status);
