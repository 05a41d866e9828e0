// The parts of the ClawdCode document at work together, in the project that is the current directory: its hook stages, its loop
// with the Stop hook of its settings, its `/hooks` command and its examples.
import { readFileSync, writeFileSync } from 'node:fs';
import { executeLoop } from './agent/Agent.js';
import type { ToolExecution, ToolResult } from './given.js';
import {
  HookManager, getHookManager, isHooksAvailable, onSessionEnd, onSessionStart, type HookConfig,
} from './hooks/index.js';
import { hooksCommand } from './slash-commands/builtinCommands.js';
import { HookStage } from './tools/execution/stages/HookStage.js';
import { PostHookStage } from './tools/execution/stages/PostHookStage.js';
import { after, before, compact, permit, submit } from './ui/components/ClawdInterface.js';

const settings: HookConfig = JSON.parse(readFileSync(process.argv[2]!, 'utf8')).hooks;
const say = (json: object) => `echo '${JSON.stringify(json)}'`;
const specific = (hookEventName: string, more: object) => say({ hookSpecificOutput: { hookEventName, ...more } });
const command = (text: string) => [{ type: 'command' as const, command: text }];
const config: HookConfig = {
  enabled: true,
  defaultTimeout: 60,
  PreToolUse: [
    { name: 'count', hooks: command('echo >>runs') },
    { name: 'no-rm', matcher: { tools: 'Bash', commands: 'rm .*' }, hooks: command(specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'no rm' })) },
    { name: 'sure', matcher: { tools: 'Bash', commands: 'mv .*' }, hooks: command(specific('PreToolUse', { permissionDecision: 'ask' })) },
    { name: 'add-flag', matcher: { tools: 'Write' }, hooks: command(specific('PreToolUse', { permissionDecision: 'allow', updatedInput: { safe: true } })) },
  ],
  PostToolUse: [
    { matcher: { tools: 'Write' }, hooks: command('echo linted') },
    { matcher: { tools: 'Read' }, hooks: command(specific('PostToolUse', { updatedOutput: 'masked' })) },
  ],
  PostToolUseFailure: [{ hooks: command('cat >failed') }],
  UserPromptSubmit: [{ hooks: command('echo the branch is main') }],
  PermissionRequest: [{ matcher: { tools: 'Read' }, hooks: command(say({ decision: 'approve' })) }],
  Compaction: [{ hooks: command(`grep -q '"message_count":2' && ${say({ decision: 'block', reason: 'too few' })} || true`) }],
  SessionStart: [{ hooks: command('echo started >>session') }],
  SessionEnd: [{ hooks: command('echo ended >>session') }],
  ...settings,
};
const projectDir = process.cwd();
getHookManager().configure(config, { useHookFiles: false, projectDir });
console.log(isHooksAvailable());
await onSessionStart('s', projectDir);

function execution(tool: string, params: Record<string, unknown>, result?: ToolResult): ToolExecution & { aborted?: string } {
  return {
    params, context: { sessionId: 's', workspaceRoot: projectDir }, _internal: { tool: { name: tool } },
    abort(reason) { this.aborted = reason; }, getResult: () => result,
  };
}
for (const [tool, params] of [['Bash', { command: 'rm a' }], ['Bash', { command: 'mv a b' }], ['Write', { file_path: 'a' }], ['Bash', { command: 'ls' }]] as const) {
  const call = execution(tool, params);
  await new HookStage().process(call);
  console.log(tool, call.aborted, call._internal.needsConfirmation, call._internal.hookToolUseId, JSON.stringify(call.params));
}
for (const [tool, result] of [
  ['Write', { success: true, llmContent: 'text' }], ['Read', { success: true, llmContent: 'secret' }],
  ['Bash', { success: false, llmContent: '', error: { message: 'disk full' } }],
] as const) {
  const call = execution(tool, { file_path: 'a' }, { ...result });
  await new PostHookStage().process(call);
  console.log(tool, JSON.stringify(call.getResult()!.llmContent));
}
console.log(JSON.parse(readFileSync('failed', 'utf8')).error);

// The usage examples.
console.log(await submit('hello', 's'));
console.log(JSON.stringify(await before({ name: 'Write' }, 'tool_9', { file_path: 'b' }, 's', projectDir)));
console.log(JSON.stringify(await after({ name: 'Write' }, 'tool_9', { file_path: 'b' }, { success: true }, 's')));
console.log(await permit('Read', { params: { file_path: 'a' } }, 's', projectDir), await permit('Bash', { params: {} }, 's', projectDir));
console.log(await compact(90000, [1, 2], 's'), await compact(90000, [1, 2, 3], 's'));

// The loop: with an open item in TODO.md it goes on once.
writeFileSync('TODO.md', '- [ ] one\n');
console.log(JSON.stringify(await executeLoop(
  [{ content: '', toolCalls: [{}] }, { content: 'half' }, { content: 'all' }, { content: 'never' }], { sessionId: 's' },
  () => writeFileSync('TODO.md', '- [x] one\n'))));

// The `/hooks` command, and HookManager: the hooks of a call run once, however often it is asked about.
const counts = await hooksCommand.handler('status') as Record<string, number>;
console.log(counts['PreToolUse'], counts['Stop'], counts['Compaction'], counts['Notification']);
console.log(Object.keys(await hooksCommand.handler('list') as object).length, await hooksCommand.handler('else'));
const manager = HookManager.getInstance();
writeFileSync('runs', '');
for (const input of ['rm a', 'rm a']) {
  console.log(JSON.stringify(await manager.executePreToolHooks('Bash', 'call-1', { command: input }, { sessionId: 's', projectDir })));
}
console.log(readFileSync('runs', 'utf8').length);
await onSessionEnd('s', projectDir);
console.log(readFileSync('session', 'utf8').trim().split('\n').join(' '));
await manager.configure({ ...config, enabled: false }, { useHookFiles: false, projectDir });
console.log(isHooksAvailable(), JSON.stringify(await manager.executePreToolHooks('Bash', 't', { command: 'rm a' }, {})));
await HookManager.resetInstance();
