// A worker in ten lines. `judge` gets each event and returns an answer (or a promise of one), or nothing to let it pass.
const lines = require("node:readline").createInterface({ input: process.stdin });

exports.serve = (judge) =>
  lines.on("line", async (line) => {
    const { id, event } = JSON.parse(line);
    const answer = (await judge(event)) || {};
    process.stdout.write(JSON.stringify({ ...answer, id }) + "\n");
  });
