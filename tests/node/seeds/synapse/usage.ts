// The usage example of the Synapse document, as it stands; `provider`, `systemPrompt` and `tools` are the reader's own.
import { AgentRunner, type Provider, type StopHookContext } from 'grapnel/synapse';

const systemPrompt = 'You are helpful.';
let turn = 0;
const provider: Provider = {
  async generate() {
    return [{ toolCalls: [{ id: 'call-1', name: 'Add', input: { a: 1, b: 2 } }] }, { content: 'It is 3.' }][turn++] ?? {};
  },
};
const tools = [{ name: 'Add', execute: ({ a, b }: { a: number; b: number }) => a + b }];

const runner = new AgentRunner({
  provider,
  systemPrompt,
  tools,
  stopHooks: [
    // 先注册的后执行
    (ctx) => ({ message: 'Hook 1: First registered, last executed' }),
    (ctx) => ({ message: 'Hook 2: Second registered, second executed' }),
    (ctx) => ({ message: 'Hook 3: Last registered, first executed' }),
  ]
})
console.log(await runner.run('What is 1 + 2?'));
await runner.close();

// The rest of the document: what a hook gets, hooks that fail, hooks that return nothing, and interrupts.
turn = 0;
let seen: StopHookContext | undefined;
const careful = new AgentRunner({
  provider, tools, sessionId: 's-1', cwd: process.cwd(),
  stopHooks: [
    async (context) => { seen = context; },
    () => { throw new Error('broken'); },
    async () => ({ message: ' ', data: { n: 1 } }),
  ],
});
await careful.run('Again.');
console.log(JSON.stringify({ ...seen, cwd: seen?.cwd === process.cwd(), messages: seen?.messages.length }));
await careful.run('Interrupted.', AbortSignal.abort());
await careful.close();
