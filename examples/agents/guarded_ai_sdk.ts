// A tool loop of the Vercel AI SDK, guarded by Grapnel: each tool is wrapped once, and the loop stays as it is.
//   node guarded_ai_sdk.js http://127.0.0.1:8080/v1 "Clean up the build directory"
import { execFileSync } from 'node:child_process';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, stepCountIs, tool, type Tool } from 'ai';
import { Engine } from 'grapnel';
import { z } from 'zod';

const [url, prompt] = process.argv.slice(2);
const engine = await Engine.open({ workDir: process.cwd() });

/** The same tool, behind the hooks. What they refuse is an answer for the model, not an exception. */
function guarded<I extends Record<string, unknown>>(name: string, inner: Tool<I, string>): Tool<I, string> {
  return tool({
    ...inner,
    execute: async (input: I, options: Parameters<NonNullable<typeof inner.execute>>[1]) => {
      const facts = { session_id: 'ai-sdk', cwd: process.cwd(), tool_name: name, tool_use_id: options.toolCallId };
      const before = await engine.fire({ event: 'PreToolUse', ...facts, tool_input: input }, { signal: options.abortSignal });
      if (before.verdict === 'deny' || before.verdict === 'ask') return `Refused: ${before.reason}`;
      const changed = before.inputFor(input);
      const output = (await inner.execute!(changed, options)) as string;
      const after = await engine.fire({ event: 'PostToolUse', ...facts, tool_input: changed, tool_output: output });
      return [String(after.rewrite?.output ?? output), after.contextText].filter(Boolean).join('\n');
    },
  } as Tool<I, string>);
}

const model = createOpenAICompatible({ name: 'local', baseURL: url! })('any');
const result = await generateText({
  model,
  prompt: prompt!,
  stopWhen: stepCountIs(10),
  tools: {
    Bash: guarded('Bash', tool({
      description: 'Runs a shell command.',
      inputSchema: z.object({ command: z.string() }),
      execute: async ({ command }) => execFileSync('sh', ['-c', command], { encoding: 'utf8' }),
    })),
  },
});
console.log(result.text);
await engine.close();
