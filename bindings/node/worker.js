'use strict';
// A worker: a hook that stays running (docs/workers.md). `judge` gets each event and returns an answer, a promise of one,
// or nothing to let it pass. If it throws, the hook has failed: the worker ends, and Grapnel starts it again.
const readline = require('node:readline');

function serve(judge) {
  readline.createInterface({ input: process.stdin }).on('line', async (line) => {
    const { id, event } = JSON.parse(line);
    const answer = (await judge(event)) ?? {};
    process.stdout.write(JSON.stringify({ ...answer, id }) + '\n');
  });
}

module.exports = { serve };
