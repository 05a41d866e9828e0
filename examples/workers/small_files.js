#!/usr/bin/env node
// Denies writing a very large file, to keep generated bulk out of the repository.
const { serve } = require("./kit.js");

const LIMIT = 200_000;

serve((event) => {
  const size = Buffer.byteLength(event.tool_input?.content ?? "");
  if (size > LIMIT) {
    return { verdict: "deny", reason: `${size} bytes are too many for one file; write it with a script.` };
  }
});
