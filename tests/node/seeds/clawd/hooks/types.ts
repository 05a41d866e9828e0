// src/hooks/types.ts

export enum HookEvent {
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

export enum HookExitCode {
  SUCCESS = 0,
  NON_BLOCKING_ERROR = 1,
  BLOCKING_ERROR = 2,
  TIMEOUT = 124,
}

export interface HookConfig {
  enabled?: boolean;
  defaultTimeout?: number;
  timeoutBehavior?: 'ignore' | 'deny' | 'ask';
  failureBehavior?: 'ignore' | 'deny' | 'ask';
  maxConcurrentHooks?: number;
  PreToolUse?: HookMatcher[];
  PostToolUse?: HookMatcher[];
  // ... 其他事件
}

export interface HookMatcher {
  name?: string;
  matcher?: MatcherConfig;
  hooks: Hook[];
}

export interface MatcherConfig {
  tools?: string;     // 正则/管道
  paths?: string;     // glob
  commands?: string;  // 正则
}

export interface CommandHook {
  type: 'command';
  command: string;
  timeout?: number;
  statusMessage?: string;
}

// What the document names and leaves out.
export type Hook = CommandHook;
export interface MatchContext { toolName?: string; filePath?: string; command?: string }
