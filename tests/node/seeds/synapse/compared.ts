// The document's own AgentRunner and that of the package run the same hooks; each prints what it did.
import { AgentRunner, type StopHook } from 'grapnel/synapse';
import { AgentRunner as DocumentsRunner } from './document.js';

const tables: StopHook[][] = [
  [],
  [() => ({ message: 'first' }), async () => ({ message: 'second', data: { n: 1 } }), () => undefined, async () => {}],
  [() => ({ message: 'below' }), () => { throw new Error('broken'); }, async () => { throw new Error('broken later'); }, () => ({ message: '' })],
  [(context) => ({ message: `${context.sessionId} ${context.finalResponse} ${context.messages.length} ${context.toolCalls.length} ${context.reachedMaxIterations}` })],
];
async function lines(run: () => Promise<string>): Promise<string[]> {
  const said: string[] = [];
  const { log, error } = console;
  console.log = console.error = (line: string) => { said.push(line); };
  try {
    said.push(await run());
  } finally {
    Object.assign(console, { log, error });
  }
  return said;
}
for (const stopHooks of tables) {
  for (const interrupted of [false, true]) {
    const theirs = await lines(() => new DocumentsRunner({ answer: 'Done.', interrupted, stopHooks }).run('Go.'));
    const controller = new AbortController();
    const runner = new AgentRunner({
      provider: { async generate() { if (interrupted) controller.abort(); return { content: 'Done.' }; } }, stopHooks,
    });
    const ours = await lines(() => runner.run('Go.', controller.signal));
    await runner.close();
    console.log(JSON.stringify(ours) === JSON.stringify(theirs) ? 'same' : 'different', ours.length, JSON.stringify(theirs));
  }
}
