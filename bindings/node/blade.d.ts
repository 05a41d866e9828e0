import type { Engine, EngineOptions } from './index.js';

export type HandlerConfig =
  | { type: 'command'; command: string; timeout?: number; statusMessage?: string }
  | { type: 'prompt'; prompt: string; model?: string; timeout?: number }
  | { type: 'agent'; prompt: string; timeout?: number };

export interface MatcherGroup {
  matcher?: string;
  hooks: HandlerConfig[];
}

export type HookEventName =
  | 'SessionStart' | 'UserPromptSubmit' | 'PreToolUse' | 'PermissionRequest' | 'PostToolUse' | 'PostToolUseFailure'
  | 'Notification' | 'SubagentStart' | 'SubagentStop' | 'Stop' | 'TaskCompleted' | 'Compaction' | 'SessionEnd';

export type HooksConfig = {
  enabled?: boolean;
  /** Seconds. */
  defaultTimeout?: number;
  timeoutBehavior?: 'ignore' | 'deny' | 'ask';
  failureBehavior?: 'ignore' | 'deny' | 'ask';
  maxConcurrentHooks?: number;
} & { [event in HookEventName]?: MatcherGroup[] };

export interface CanUseToolOptions {
  toolKind: 'readonly' | 'write' | 'execute' | 'mcp';
  toolUseId: string;
  abortSignal?: AbortSignal;
}
export interface CanUseToolResult {
  behavior: 'allow' | 'deny' | 'ask';
  message?: string;
}
export type CanUseTool = (
  toolName: string, input: Record<string, any>, options: CanUseToolOptions,
) => CanUseToolResult | Promise<CanUseToolResult>;

export interface SessionOptions {
  hooks?: HooksConfig;
  /** Is asked about every tool call, before PermissionRequest hooks. */
  canUseTool?: CanUseTool;
  /** Asks a person; without it the answer stays `ask`. */
  askPerson?: (toolName: string, input: Record<string, any>, why?: string) => boolean | Promise<boolean>;
  projectDir?: string;
  sessionId?: string;
  permissionMode?: string;
  /** Further options of the engine. */
  engine?: EngineOptions;
}

export interface GateResult {
  blocked: boolean;
  reason?: string;
  additionalContext?: string;
}
export interface Permission {
  behavior: 'allow' | 'deny' | 'ask';
  message?: string;
  input: Record<string, any>;
  toolUseId: string;
  additionalContext?: string;
}
export type ToolResult<T> =
  | ({ ran: false } & Permission)
  | { ran: true; output?: T; error?: unknown; feedback?: string; additionalContext?: string };

export declare class Session {
  private constructor();
  readonly engine: Engine;
  readonly sessionId: string;
  start(source?: 'startup' | 'resume' | 'clear' | 'compact'): Promise<{ env?: Record<string, string>; additionalContext?: string }>;
  submitPrompt(prompt: string, options?: { images?: number; signal?: AbortSignal }): Promise<GateResult & { prompt: string }>;
  permit(name: string, input: Record<string, any>, options?: { toolUseId?: string; signal?: AbortSignal }): Promise<Permission>;
  runTool<T>(
    name: string, input: Record<string, any>, execute: (input: Record<string, any>) => T | Promise<T>,
    options?: { toolUseId?: string; signal?: AbortSignal },
  ): Promise<ToolResult<T>>;
  stop(stopReason?: string, finalResponse?: string): Promise<GateResult>;
  subagentStart(agentType: string, taskDescription?: string): Promise<GateResult>;
  subagentStop(
    agentType: string,
    facts?: { success?: boolean; resultSummary?: string; error?: string; taskDescription?: string },
  ): Promise<GateResult>;
  completeTask(
    taskId: string, taskDescription: string, facts?: { success?: boolean; resultSummary?: string },
  ): Promise<GateResult>;
  notify(notificationType: string, message: string, title?: string): Promise<{ suppressed: boolean; message: string }>;
  compact(trigger: 'manual' | 'auto', messagesBefore: number, tokensBefore: number): Promise<GateResult>;
  close(reason?: string, totals?: { turns?: number; tokens?: number }): Promise<void>;
}

export declare function createSession(options?: SessionOptions): Promise<Session>;
