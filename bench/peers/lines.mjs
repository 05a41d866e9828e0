// Shared by the drivers that run in Node: they answer lines as scenario_host does.
import readline from 'node:readline';

/// Standard output is for answers. Console output of libraries is dropped, as their own front ends do.
export const print = process.stdout.write.bind(process.stdout);
for (const level of ['log', 'info', 'debug', 'warn', 'error']) console[level] = () => {};

/// Makes the heap large if the environment asks for that.
export const ballast = new Array(Number(process.env.BENCH_BALLAST_MB ?? 0)).fill().map(() => Buffer.alloc(1 << 20, 1));

/// The same text that the C++ side uses: source code, with its escapes.
export function sourceText(bytes) {
  const line = `  if (name == "x\\n") return '\\t' + name;\n`;
  return line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
}

async function nanosecondsOf(work, batch) {
  const start = process.hrtime.bigint();
  for (let i = 0; i < batch; i++) await work();
  return Number(process.hrtime.bigint() - start) / batch;
}

/// `scenarios` maps a name to {batch, prepare}; `others` maps a first word to a function of the rest.
export async function answerLines(scenarios, others = {}) {
  const ready = {};
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const [name, ...words] = line.split(' ');
    if (others[name]) {
      print(`${await others[name](...words)}\n`);
      continue;
    }
    const scenario = scenarios[name.split('/')[0]];
    if (!scenario) {
      print('unknown\n');
      continue;
    }
    const work = (ready[name] ??= await scenario.prepare());
    const samples = [];
    for (let i = 0; i < Number(words[0]); i++) samples.push(await nanosecondsOf(work, scenario.batch ?? 1));
    print(`${samples.join(' ')}\n`);
  }
}

/// Runs that many loops at once until the time is up, and returns how many iterations they made per second.
export async function rateOf(work, atOnce, milliseconds) {
  const start = performance.now();
  let done = 0;
  await Promise.all(Array.from({ length: atOnce }, async () => {
    while (performance.now() - start < milliseconds) {
      await work();
      done++;
    }
  }));
  return (done * 1000) / (performance.now() - start);
}
