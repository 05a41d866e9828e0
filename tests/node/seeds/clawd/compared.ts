// The document's types and declarations beside those of the package, and its Matcher beside the engine. It prints a line for
// each difference, and how much it has compared.
import { Engine } from 'grapnel';
import * as service from 'grapnel/clawd';
import { mutual } from '../same.js';
import { Matcher } from './hooks/Matcher.js';
import * as document from './hooks/types.js';

let compared = 0;
function compare(what: string, ours: unknown, theirs: unknown) {
  ++compared;
  if (JSON.stringify(ours) !== JSON.stringify(theirs)) console.log(`${what}: ${JSON.stringify(ours)}, in the document ${JSON.stringify(theirs)}`);
}

// src/hooks/types.ts. Enums of two declarations are two types, so their values are compared; numbers stand in both directions.
compare('HookEvent', service.HookEvent, document.HookEvent);
for (const name of ['SUCCESS', 'NON_BLOCKING_ERROR', 'BLOCKING_ERROR', 'TIMEOUT'] as const) {
  compare(`HookExitCode.${name}`, service.HookExitCode[name], document.HookExitCode[name]);
}
mutual<document.HookMatcher, service.HookMatcher>();
mutual<document.MatcherConfig, service.MatcherConfig>();
mutual<document.CommandHook, service.CommandHook>();
mutual<Required<Pick<document.HookConfig, keyof document.HookConfig>>, Required<Pick<service.HookConfig, keyof document.HookConfig>>>();

// src/hooks/HookService.ts and the signature in src/hooks/HookManager.ts: a function of the package stands wherever one that is
// declared so is wanted.
type PreToolHookResult = { decision: 'allow' | 'deny' | 'ask'; reason?: string; modifiedInput?: Record<string, unknown> };
type PostToolHookResult = { additionalContext?: string; modifiedOutput?: unknown };
interface Declared {
  isHooksAvailable(): boolean;
  onSessionStart(sessionId: string, projectDir?: string): Promise<void>;
  onSessionEnd(sessionId: string, projectDir?: string): Promise<void>;
  onUserPromptSubmit(promptContent: string, sessionId: string, projectDir?: string): Promise<string | undefined>;
  onStop(stopReason: string | undefined, sessionId: string): Promise<boolean>;
  onCompaction(preTokens: number, messageCount: number, sessionId: string): Promise<boolean>;
  onPreToolUse(
    toolName: string, toolUseId: string, toolInput: Record<string, unknown>, sessionId: string, projectDir?: string, permissionMode?: string
  ): Promise<PreToolHookResult>;
  onPostToolUse(
    toolName: string, toolUseId: string, toolInput: Record<string, unknown>, toolResult: { success: boolean; llmContent?: string },
    sessionId: string, projectDir?: string, permissionMode?: string
  ): Promise<PostToolHookResult>;
  onPostToolUseFailure(
    toolName: string, toolUseId: string, toolInput: Record<string, unknown>, errorMessage: string, sessionId: string,
    projectDir?: string, permissionMode?: string
  ): Promise<void>;
  onPermissionRequest(toolName: string, toolInput: Record<string, unknown>, sessionId: string): Promise<'approve' | 'deny' | 'ask'>;
}
const declared: Declared = service;
for (const [name, value] of Object.entries(declared)) if (name.startsWith('on')) compare(name, typeof value, 'function');
const manager: {
  executePreToolHooks(
    toolName: string, toolUseId: string, toolInput: Record<string, unknown>, context: service.HookContext
  ): Promise<PreToolHookResult>;
} = service.HookManager.getInstance();
compare('executePreToolHooks', typeof manager.executePreToolHooks, 'function');

// src/hooks/Matcher.ts
const matcher = new Matcher();
const configs: (document.MatcherConfig | undefined)[] = [
  undefined, {},
  ...['Write', 'Read|Write|Edit', ' Read | Write ', 'Wr.*', '.*', 'rite', 'mcp__.*', 'W[', 'Bash\\(.*\\)'].map((tools) => ({ tools })),
  ...['*.ts', 'src/*.ts', 'src/**/*.ts', '**', '*.{ts,js}', '!*.ts', 'a.ts', 'src/**'].map((paths) => ({ paths })),
  { tools: 'Write', paths: '*.ts' }, { tools: 'Edit', paths: '*.ts' }, { tools: 'Write', paths: '*.py' },
];
const calls = ['Write', 'Edit', 'mcp__a__b'].flatMap((toolName) =>
  ['a.ts', 'src/a.ts', 'src/deep/b.ts', 'a.js', 'readme'].map((filePath) => ({ toolName, filePath })));
for (const config of configs) {
  const group = { ...(config ? { matcher: config } : {}), hooks: [{ type: 'command', command: 'true' }] };
  const engine = await Engine.open({ useHookFiles: false, configs: [{ dialect: 'clawd', object: { hooks: { PreToolUse: [group] } } }] });
  for (const call of calls) {
    const [hook] = engine.explain({ event: 'PreToolUse', tool_name: call.toolName, tool_input: { file_path: call.filePath } });
    compare(`${JSON.stringify(config)} for ${call.toolName} ${call.filePath}`, hook?.runs, matcher.matches(config, call));
  }
  await engine.close();
}
console.log(`${compared} compared`);
