// The snippets of the ClawdCode document: the hook stages of its pipeline, its Stop hook and its `/hooks` command.
import {
  HookEvent, HookExitCode, HookManager, getHookManager, isHooksAvailable, onCompaction, onPermissionRequest, onPostToolUse,
  onPostToolUseFailure, onPreToolUse, onSessionEnd, onSessionStart, onStop, onUserPromptSubmit, type HookConfig,
} from 'grapnel/clawd';

const say = (json: object) => `echo '${JSON.stringify(json)}'`;
const config: HookConfig = {
  enabled: true,
  defaultTimeout: 60,
  PreToolUse: [
    { name: 'no-rm', matcher: { tools: 'Bash', commands: 'rm .*' }, hooks: [{ type: 'command', command: say({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no rm' } }) }] },
    { name: 'add-flag', matcher: { tools: 'Write' }, hooks: [{ type: 'command', command: say({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: { safe: true } } }) }] },
  ],
  PostToolUse: [{ hooks: [{ type: 'command', command: 'echo linted' }] }],
  UserPromptSubmit: [{ hooks: [{ type: 'command', command: 'echo the branch is main' }] }],
  PermissionRequest: [{ matcher: { tools: 'Read' }, hooks: [{ type: 'command', command: say({ decision: 'approve' }) }] }],
  // The document's example, which keeps the agent working while TODO.md has open items.
  Stop: [{
    name: 'ensure-todos-complete',
    hooks: [{
      type: 'command',
      command: "if grep -q '\\[ \\]' TODO.md 2>/dev/null; then echo '{\"continue\":true,\"reason\":\"Incomplete TODOs found\"}'; fi",
    }],
  }],
};
const projectDir = process.argv[2]!;
getHookManager().configure(config, { useHookFiles: false, projectDir });
console.log(isHooksAvailable(), HookEvent.PreToolUse, HookExitCode.BLOCKING_ERROR);

// HookStage.process of the document.
interface ToolExecution {
  params: Record<string, unknown>;
  aborted?: string;
  _internal: { tool?: { name: string }; hookToolUseId?: string; needsConfirmation?: boolean };
  context: { sessionId?: string; workspaceRoot?: string; messageId?: string; permissionMode?: string };
}
let made = 0;
async function process_(execution: ToolExecution): Promise<ToolExecution> {
  const tool = execution._internal.tool;
  if (!tool) return execution;
  const toolUseId = execution.context.messageId || `tool_${++made}`;
  execution._internal.hookToolUseId = toolUseId;
  const result = await onPreToolUse(
    tool.name,
    toolUseId,
    execution.params as Record<string, unknown>,
    execution.context.sessionId || 'unknown',
    execution.context.workspaceRoot || process.cwd(),
    execution.context.permissionMode
  );
  if (result.decision === 'deny') {
    execution.aborted = result.reason || 'Hook blocked execution';
    return execution;
  }
  if (result.decision === 'ask') {
    execution._internal.needsConfirmation = true;
    return execution;
  }
  if (result.modifiedInput) {
    execution.params = { ...execution.params, ...result.modifiedInput };
  }
  return execution;
}
const context = { sessionId: 's', workspaceRoot: projectDir };
console.log((await process_({ params: { command: 'rm a' }, _internal: { tool: { name: 'Bash' } }, context })).aborted);
console.log(JSON.stringify((await process_({ params: { file_path: 'a' }, _internal: { tool: { name: 'Write' } }, context })).params));
console.log((await process_({ params: { command: 'ls' }, _internal: { tool: { name: 'Bash' } }, context })).aborted);

// PostHookStage.process of the document.
const result = { success: true, llmContent: 'text' };
const hookResult = await onPostToolUse('Write', 'tool_2', { file_path: 'a' }, result, 's', projectDir);
if (hookResult.additionalContext) {
  result.llmContent += `\n\n[Hook Context]\n${hookResult.additionalContext}`;
}
console.log(JSON.stringify(result.llmContent));
await onPostToolUseFailure('Write', 'tool_2', { file_path: 'a' }, 'disk full', 's', projectDir);

console.log(await onUserPromptSubmit('hello', 's', projectDir));
console.log(await onPermissionRequest('Read', { file_path: 'a' }, 's'), await onPermissionRequest('Bash', {}, 's'));
console.log(await onCompaction(90000, 42, 's'));
await onSessionStart('s', projectDir);

// Agent.executeLoop of the document: with open items in TODO.md, and without.
const { writeFileSync } = await import('node:fs');
writeFileSync(`${projectDir}/TODO.md`, '- [ ] one\n');
const shouldContinue = await onStop(
  'end_turn',
  context.sessionId || 'unknown',
  projectDir
);
writeFileSync(`${projectDir}/TODO.md`, '- [x] one\n');
console.log(shouldContinue, await onStop('end_turn', 's', projectDir));
await onSessionEnd('s', projectDir);

// The `/hooks` command.
const manager = HookManager.getInstance();
console.log(manager.getHookCounts()['PreToolUse'], Object.keys(manager.getConfig()).length);
await manager.configure({ ...config, enabled: false }, { useHookFiles: false, projectDir });
console.log(JSON.stringify(await manager.executePreToolHooks('Bash', 't', { command: 'rm a' }, {})));
await HookManager.resetInstance();
