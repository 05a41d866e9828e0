// Puts the programs themselves in the place of the script `bin/grapnel`: a hook then starts in a millisecond instead of the
// thirty that Node.js takes. All of them are put there, because they look for each other in their own directory. If anything
// fails, the script stays and works.
"use strict";
const fs = require("node:fs");
const path = require("node:path");

const bin = path.join(__dirname, "bin");
const put = [];
try {
  const found = require.resolve(`@grapnel/${process.platform}-${process.arch}/package.json`);
  const native = path.join(path.dirname(found), "bin");
  // `grapnel` last: it must not be there without the others.
  const names = fs.readdirSync(native).sort((a, b) => (a === "grapnel") - (b === "grapnel"));
  for (const name of names) {
    const fresh = path.join(bin, `${name}.new`);
    fs.rmSync(fresh, { force: true });
    fs.linkSync(path.join(native, name), fresh);
    fs.renameSync(fresh, path.join(bin, name));
    put.push(name);
  }
} catch {
  // No such package, or another file system: a link is not possible there, and a copy of 40 MB is not worth it.
  for (const name of put) if (name !== "grapnel") fs.rmSync(path.join(bin, name), { force: true });
  for (const name of fs.readdirSync(bin)) if (name.endsWith(".new")) fs.rmSync(path.join(bin, name), { force: true });
}
