// The same in Node: nanoseconds per event, for one that nobody wants (blocking), for one that is awaited, and for one with a
// callback.   node per_event.mjs PACKAGE
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';
const folder = resolve(process.argv[2]);
const main = createRequire(import.meta.url).resolve(folder);
const { Engine } = await import(pathToFileURL(main));
const payload = '{"tool_name": "Bash", "tool_input": {"command": "git status"}}';
const options = { name: 'PreToolUse' };

async function measure(events, round) {
  let best = Infinity;
  for (let i = 0; i < 5; ++i) {
    const start = process.hrtime.bigint();
    await round(events);
    best = Math.min(best, Number(process.hrtime.bigint() - start) / events);
  }
  return Math.round(best);
}

const engine = await Engine.open({ useHookFiles: false });
const blocking = await measure(20_000, (n) => { for (let i = 0; i < n; ++i) engine.fireSync(payload, options); });
const awaiting = async (n) => { for (let i = 0; i < n; ++i) await engine.fire(payload, options); };
const awaited = await measure(5_000, awaiting);
engine.on('PreToolUse', () => undefined);
console.log(blocking, awaited, await measure(5_000, awaiting));
await engine.close();
