/** Grapnel for Node: hooks for AI agents. docs/node.md explains it. */

export type Verdict = 'pass' | 'allow' | 'ask' | 'deny';
export type OnFailure = 'open' | 'ask' | 'closed';

/** The canonical names of events. Other names are those of agents, and need a `dialect`. */
export type EventName =
  | 'SessionStart' | 'SessionEnd' | 'UserPromptSubmit' | 'BeforeModel' | 'BeforeToolSelection' | 'AfterModel'
  | 'PreToolUse' | 'PermissionRequest' | 'PostToolUse' | 'PostToolUseFailure' | 'Stop' | 'TurnEnd' | 'SubagentStart'
  | 'SubagentStop' | 'TaskCompleted' | 'Notification' | 'PreCompact' | 'PostCompact' | 'PostToolBatch'
  | 'UserPromptExpansion' | 'PermissionDenied' | 'StopFailure' | 'Interrupt' | 'TaskCreated' | 'TeammateIdle' | 'Setup'
  | 'InstructionsLoaded' | 'ConfigChange' | 'CwdChanged' | 'DirectoryAdded' | 'FileChanged' | 'WorktreeCreate'
  | 'WorktreeRemove' | 'Elicitation' | 'ElicitationResult' | 'PreModelSwitch' | 'PostModelSwitch' | 'MessageDisplay'
  | 'Other';

/** An event in canonical names. docs/dialects/canonical.md lists which event has which members. */
export interface HookEvent {
  event?: EventName | (string & {});
  session_id?: string;
  cwd?: string;
  project_dir?: string;
  permission_mode?: string;
  tool_name?: string;
  tool_input?: Record<string, any>;
  tool_use_id?: string;
  tool_output?: unknown;
  error?: string;
  prompt?: string;
  final_response?: string;
  stop_reason?: string;
  [member: string]: unknown;
}

/** What a callback answers: the same members as a command of `grapnel.yaml` prints. */
export interface Answer {
  verdict?: Verdict;
  reason?: string;
  /** A text for the model. */
  context?: string;
  /** A text for people. */
  message?: string;
  stop?: boolean;
  stop_reason?: string;
  rewrite?: {
    input?: Record<string, unknown>;
    input_patch?: Record<string, unknown>;
    output?: unknown;
    prompt?: string;
    notification?: string;
    model_request?: unknown;
    model_response?: unknown;
  };
  env?: Record<string, string>;
  tool_choice?: { mode: 'auto' | 'any' | 'none'; names?: string[] };
  /** For the host: it is in `Decision.data`. */
  data?: unknown;
}

export interface AttributedText {
  hook: string;
  text: string;
}

export interface HookFate {
  name: string;
  source: string;
  fate: 'ran' | 'failed' | 'skipped' | 'detached';
  detail: string;
  verdict: Verdict;
  would?: Verdict;
  doubt?: string;
  milliseconds: number;
}

/** What hooks decided: the JSON of `grapnel fire --json` (docs/json.md), and a few questions that hosts ask. */
export declare class Decision {
  readonly verdict: Verdict;
  readonly reason: string | null;
  readonly origin:
    | 'no-hook' | 'hook' | 'fail-open' | 'fail-ask' | 'fail-closed' | 'loop-cap' | 'remembered' | 'person' | 'engine';
  readonly decided_by: string | null;
  readonly context: AttributedText[];
  readonly rewrite: (NonNullable<Answer['rewrite']>) | null;
  readonly stop: boolean;
  readonly stop_reason: string | null;
  readonly messages: AttributedText[];
  readonly tool_choice?: { mode: 'auto' | 'any' | 'none'; names: string[] };
  readonly tail_call?: unknown;
  readonly clear_context?: boolean;
  readonly env?: Record<string, string>;
  readonly degraded?: { effect: string; to: string; why: string }[];
  readonly would?: { verdict: Verdict; reason?: string; decided_by?: string; effects?: unknown };
  readonly person?: unknown;
  readonly event_id: string | null;
  readonly hooks: HookFate[];
  /** At a gate that stays closed: what the model should read next. */
  readonly continuation?: string;
  /** What callbacks returned as `data`. */
  readonly data?: { hook: string; data: unknown }[];

  get denied(): boolean;
  /** All texts for the model, separated by blank lines. */
  get contextText(): string;
  /** The tool input after the hooks' changes. */
  inputFor<T extends Record<string, unknown>>(input: T): T;
}

/** `code` is the kind of failure; the message is for people. */
export declare class GrapnelError extends Error {
  readonly code:
    | 'bad input' | 'bad config' | 'invalid pattern' | 'limit exceeded' | 'not found' | 'refused' | 'unavailable'
    | 'cancelled' | 'system' | 'closed' | 'internal';
}

/** A settings file, or a settings object of the host, in the format of any agent. Both need no trust. */
export type HookConfig = { dialect?: string } & ({ path: string; object?: never } | { object: object; path?: never });

export interface EngineOptions {
  /** The project whose hook files apply, exactly this directory. */
  projectDir?: string;
  projectParts?: string[];
  /** The directory that the agent works in: the project around it is found as the command finds it. */
  workDir?: string;
  /** Hooks that the host adds to those from files. */
  configs?: HookConfig[];
  /** The environment of hooks; that of this process if it is missing. */
  env?: Record<string, string>;
  /** Where the state of sessions is kept; in memory if it is missing. */
  sessionDir?: string;
  /** Whether the administrator's, the user's and the project's hook files are read (true). */
  useHookFiles?: boolean;
  /** How often files are checked for changes (250); -1 for never. */
  reloadIntervalMs?: number;
  /** Whether events are recorded for `grapnel why` (false), or the directory for the records. */
  journal?: boolean | string;
  recordUnmatched?: boolean;
  selfProtection?: boolean;
  filterSecrets?: boolean;
  places?: {
    managedRoot?: string;
    trustStore?: string;
    switches?: string;
    longTexts?: string;
    weakenings?: string;
    cacheDir?: string;
  };
  limits?: {
    maxOutput?: number;
    maxContext?: number;
    maxFile?: number;
    gateBlocks?: number;
    judgeDepth?: number;
    termGraceMs?: number;
    drainGraceMs?: number;
  };
}

export interface FireOptions {
  /** The agent whose words the event uses; Grapnel's own if it is missing. */
  dialect?: string;
  /** The name of the event, if the event does not name it itself. */
  name?: EventName | (string & {});
}

export interface CallbackOptions {
  /** Unique among the callbacks of the engine; made up if it is missing. */
  name?: string;
  /** Names of tools separated by `|`, or a regular expression. */
  tools?: string;
  /** After this time the callback has failed (60,000); 0 for never. */
  timeoutMs?: number;
  /** Hooks with a higher priority run first (100). */
  priority?: number;
  /** What happens to the event if the callback throws or is late: it passes (`open`), a person is asked, it is denied. */
  onFailure?: OnFailure;
  /** Whether it runs before callbacks of the same priority that were registered earlier. */
  lastInFirst?: boolean;
  /** The agent in whose words it reads events and answers. */
  dialect?: string;
}

export type Callback = (
  event: HookEvent, signal: AbortSignal,
) => Answer | null | undefined | void | Promise<Answer | null | undefined | void>;

export interface SourcePos {
  file: string | null;
  line?: number;
  column?: number;
}

export interface HookInfo {
  name: string;
  events: string[];
  dialect: string;
  scope: string;
  source: SourcePos;
  matcher: string | null;
  handler?: string;
  command: string | null;
  enabled: boolean;
  trusted: boolean;
  [member: string]: unknown;
}

export interface ConfigProblem {
  severity: 'error' | 'warning';
  message: string;
  at: SourcePos;
  hint?: string;
}

export interface HookExplanation {
  name: string;
  runs: boolean;
  stage?: number;
  reason?: string;
  detail?: string;
  doubt?: string;
  hook: HookInfo;
}

export declare class Engine {
  private constructor(handle: number);
  static open(options?: EngineOptions): Promise<Engine>;
  static openSync(options?: EngineOptions): Engine;
  static get version(): string;

  fire(event: HookEvent | string, options?: FireOptions & { signal?: AbortSignal }): Promise<Decision>;
  /** Blocks. Not for engines with callbacks. */
  fireSync(event: HookEvent | string, options?: FireOptions): Decision;
  on(events: EventName | (string & {}) | (EventName | (string & {}))[], callback: Callback, options?: CallbackOptions): () => boolean;
  off(name: string): boolean;
  explain(event: HookEvent | string, options?: FireOptions): HookExplanation[];
  hooks(): HookInfo[];
  problems(): ConfigProblem[];
  reload(): void;
  setEnabled(enabled: boolean, name?: string): void;
  get enabled(): boolean;
  journal(on: boolean | string): void;
  close(): Promise<void>;
}

export declare function toolAccess(tool: string, dialect?: string): 'readonly' | 'write' | 'execute' | 'mcp';
