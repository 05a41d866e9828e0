'use strict';
// Finds the compiled part: beside this file in a tree that was built, or in the package of the platform.
const fs = require('node:fs');
const path = require('node:path');

const here = path.join(__dirname, 'native', 'grapnel.node');
const platform = `@grapnel/${process.platform}-${process.arch}`;

function find() {
  if (fs.existsSync(here)) return here;
  try {
    return require.resolve(`${platform}/lib/grapnel.node`);
  } catch {
    throw new Error(
      `grapnel: there is no compiled library for ${process.platform}-${process.arch}: the package ${platform} is not installed. ` +
        'npm installs it as an optional dependency; if you install with --omit=optional, add it by hand.',
    );
  }
}

module.exports = require(find());
