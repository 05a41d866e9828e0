import type { Decision, Engine } from './index.js';

export type Message = { role: string; content?: unknown; [member: string]: unknown };

export interface ToolCallRecord {
  toolName: string;
  input: unknown;
  output: unknown;
  success: boolean;
}

export interface StopHookContext {
  sessionId: string | null;
  cwd: string;
  messages: readonly Message[];
  finalResponse: string;
  toolCalls: ToolCallRecord[];
  reachedMaxIterations: boolean;
}

export interface HookResult {
  message?: string;
  data?: Record<string, unknown>;
}

export type StopHook = (context: StopHookContext) => HookResult | Promise<HookResult> | void | Promise<void>;

export interface Provider {
  generate(request: {
    systemPrompt?: string;
    messages: Message[];
    tools: Tool[];
    signal?: AbortSignal;
  }): Promise<{ content?: string; toolCalls?: { id?: string; name: string; input: Record<string, any> }[] }>;
}

export interface Tool {
  name: string;
  description?: string;
  execute(input: any): unknown;
}

export interface AgentRunnerOptions {
  provider: Provider;
  systemPrompt?: string;
  tools?: Tool[];
  maxIterations?: number;
  sessionId?: string | null;
  cwd?: string;
  /** An engine of the host's own; without one the runner opens an engine for `cwd`. */
  engine?: Engine;
  /** The hook that was registered last runs first. */
  stopHooks?: StopHook[];
}

export declare class AgentRunner {
  constructor(options: AgentRunnerOptions);
  readonly engine: Engine;
  readonly messages: Message[];
  run(userMessage: string, signal?: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

export declare class StopHooks {
  constructor(engine: Engine, stopHooks?: StopHook[], log?: Pick<Console, 'log' | 'error'>);
  add(hook: StopHook): () => boolean;
  run(context: StopHookContext, signal?: AbortSignal): Promise<Decision>;
}
