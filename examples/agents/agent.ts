// An agent of sixty lines with hooks. agent.py and agent.cc beside it are the same. The model speaks OpenAI's chat format:
//   node agent.js http://127.0.0.1:8080/v1 "Clean up the build directory"
import { execFileSync } from 'node:child_process';
import { Engine } from 'grapnel';

type Message = { role: string; content?: string | null; tool_calls?: ToolCall[]; tool_call_id?: string };
type ToolCall = { id: string; type: 'function'; function: { name: string; arguments: string } };

const [url, prompt] = process.argv.slice(2);
const session = { session_id: String(process.pid), cwd: process.cwd() };
const tools = [{ type: 'function', function: { name: 'Bash', description: 'Runs a shell command.',
  parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] } } }];

// Hooks of files apply from here on, those of the project once they are trusted. A function is a hook, too.
const engine = await Engine.open({ workDir: process.cwd() });
for (const problem of engine.problems()) console.error(`${problem.at.file}: ${problem.message}`);
engine.on('PreToolUse', (event) => {
  if (/push .*--force/.test(event.tool_input?.command)) return { verdict: 'deny', reason: 'Force pushes need a human.' };
}, { name: 'no-force-push', tools: 'Bash', onFailure: 'closed' });

async function ask(messages: Message[]): Promise<Message> {
  const reply = await fetch(`${url}/chat/completions`, { method: 'POST', headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'any', messages, tools }) });
  return ((await reply.json()) as { choices: { message: Message }[] }).choices[0]!.message;
}

async function runTool(call: ToolCall): Promise<string> {
  const facts = { ...session, tool_name: call.function.name, tool_use_id: call.id };
  const before = await engine.fire({ event: 'PreToolUse', ...facts, tool_input: JSON.parse(call.function.arguments) });
  if (before.denied) return `Refused: ${before.reason}`;
  if (before.verdict === 'ask') return `Refused: a person would have to decide: ${before.reason}`;
  const input = before.inputFor(JSON.parse(call.function.arguments)) as { command: string };
  try {
    const output = execFileSync('sh', ['-c', input.command], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    const after = await engine.fire({ event: 'PostToolUse', ...facts, tool_input: input, tool_output: output });
    return [String(after.rewrite?.output ?? output), before.contextText, after.contextText].filter(Boolean).join('\n');
  } catch (error) {
    await engine.fire({ event: 'PostToolUseFailure', ...facts, tool_input: input, error: String(error) });
    return String(error);
  }
}

const submitted = await engine.fire({ event: 'UserPromptSubmit', ...session, prompt });
const messages: Message[] = [{ role: 'user', content: submitted.rewrite?.prompt ?? prompt }];
for (let step = 0; step < 20 && !submitted.denied; ++step) {
  const reply = await ask(messages);
  messages.push(reply);
  for (const call of reply.tool_calls ?? []) {
    messages.push({ role: 'tool', tool_call_id: call.id, content: await runTool(call) });
  }
  if (reply.tool_calls?.length) continue;
  const stop = await engine.fire({ event: 'Stop', ...session, final_response: reply.content ?? '' });
  if (!stop.denied) break;
  messages.push({ role: 'user', content: stop.reason });   // a hook wants the agent to go on
}
console.log(submitted.denied ? submitted.reason : messages.at(-1)?.content);
await engine.close();
