import type { Engine, EngineOptions } from './index.js';

export declare enum HookEvent {
  PreToolUse = 'PreToolUse',
  PostToolUse = 'PostToolUse',
  PostToolUseFailure = 'PostToolUseFailure',
  PermissionRequest = 'PermissionRequest',
  UserPromptSubmit = 'UserPromptSubmit',
  SessionStart = 'SessionStart',
  SessionEnd = 'SessionEnd',
  Stop = 'Stop',
  SubagentStop = 'SubagentStop',
  Notification = 'Notification',
  Compaction = 'Compaction',
}

export declare enum HookExitCode {
  SUCCESS = 0,
  NON_BLOCKING_ERROR = 1,
  BLOCKING_ERROR = 2,
  TIMEOUT = 124,
}

export interface CommandHook {
  type: 'command';
  command: string;
  timeout?: number;
  statusMessage?: string;
}
export type Hook = CommandHook;

export interface MatcherConfig {
  tools?: string;
  paths?: string;
  commands?: string;
}

export interface HookMatcher {
  name?: string;
  matcher?: MatcherConfig;
  hooks: Hook[];
}

export type HookConfig = {
  enabled?: boolean;
  defaultTimeout?: number;
  timeoutBehavior?: 'ignore' | 'deny' | 'ask';
  failureBehavior?: 'ignore' | 'deny' | 'ask';
  maxConcurrentHooks?: number;
} & { [event in keyof typeof HookEvent]?: HookMatcher[] };

export interface HookContext {
  sessionId?: string;
  projectDir?: string;
  permissionMode?: string;
  signal?: AbortSignal;
}

export interface PreToolHookResult {
  /** `allow`: no hook objects. Whether a person is asked is not decided here. */
  decision: 'allow' | 'deny' | 'ask';
  reason?: string;
  modifiedInput?: Record<string, unknown>;
  additionalContext?: string;
}

export interface PostToolHookResult {
  additionalContext?: string;
  modifiedOutput?: unknown;
}

export declare class HookManager {
  static getInstance(): HookManager;
  static resetInstance(): Promise<void>;
  readonly engine: Engine;
  configure(config?: HookConfig, options?: EngineOptions): Promise<void> | undefined;
  isEnabled(): boolean;
  getConfig(): HookConfig;
  getHookCounts(): Record<string, number>;
  executePreToolHooks(
    toolName: string, toolUseId: string, toolInput: Record<string, unknown>, context?: HookContext,
  ): Promise<PreToolHookResult>;
  executePostToolHooks(
    toolName: string, toolUseId: string, toolInput: Record<string, unknown>, toolResult: unknown, context?: HookContext,
  ): Promise<PostToolHookResult>;
  executePostToolFailureHooks(
    toolName: string, toolUseId: string, toolInput: Record<string, unknown>, error: string, context?: HookContext,
  ): Promise<{ additionalContext?: string }>;
  executePermissionHooks(
    toolName: string, toolInput: Record<string, unknown>, context?: HookContext,
  ): Promise<{ decision: 'approve' | 'deny' | 'ask'; reason?: string }>;
  executeUserPromptSubmitHooks(
    prompt: string, context?: HookContext,
  ): Promise<{ blocked?: boolean; reason?: string; contextInjection?: string }>;
  executeStopHooks(
    stopReason: string | undefined, context?: HookContext,
  ): Promise<{ shouldContinue: boolean; reason?: string }>;
  executeCompactionHooks(
    preTokens: number, messageCount: number, context?: HookContext,
  ): Promise<{ prevented: boolean; reason?: string }>;
  executeSessionHooks(event: 'SessionStart' | 'SessionEnd', context?: HookContext): Promise<{ additionalContext?: string }>;
  close(): Promise<void>;
}

export declare function getHookManager(): HookManager;
export declare function isHooksAvailable(): boolean;
export declare function onSessionStart(sessionId: string, projectDir?: string): Promise<void>;
export declare function onSessionEnd(sessionId: string, projectDir?: string): Promise<void>;
export declare function onUserPromptSubmit(
  promptContent: string, sessionId: string, projectDir?: string,
): Promise<string | undefined>;
export declare function onStop(stopReason: string | undefined, sessionId: string, projectDir?: string): Promise<boolean>;
export declare function onCompaction(
  preTokens: number, messageCount: number, sessionId: string, projectDir?: string,
): Promise<boolean>;
export declare function onPreToolUse(
  toolName: string, toolUseId: string, toolInput: Record<string, unknown>, sessionId: string, projectDir?: string,
  permissionMode?: string,
): Promise<PreToolHookResult>;
export declare function onPostToolUse(
  toolName: string, toolUseId: string, toolInput: Record<string, unknown>,
  toolResult: { success: boolean; llmContent?: string }, sessionId: string, projectDir?: string, permissionMode?: string,
): Promise<PostToolHookResult>;
export declare function onPostToolUseFailure(
  toolName: string, toolUseId: string, toolInput: Record<string, unknown>, errorMessage: string, sessionId: string,
  projectDir?: string, permissionMode?: string,
): Promise<void>;
export declare function onPermissionRequest(
  toolName: string, toolInput: Record<string, unknown>, sessionId: string, projectDir?: string,
): Promise<'approve' | 'deny' | 'ask'>;
