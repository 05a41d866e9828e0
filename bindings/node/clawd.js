'use strict';
// ClawdCode's API: `HookManager`, and `HookService`, one function for each moment.
const { Engine } = require('./index.js');
const { members, fireIn, callFacts } = require('./moments.js');

const HookEvent = Object.freeze({
  PreToolUse: 'PreToolUse', PostToolUse: 'PostToolUse', PostToolUseFailure: 'PostToolUseFailure',
  PermissionRequest: 'PermissionRequest', UserPromptSubmit: 'UserPromptSubmit', SessionStart: 'SessionStart',
  SessionEnd: 'SessionEnd', Stop: 'Stop', SubagentStop: 'SubagentStop', Notification: 'Notification', Compaction: 'Compaction',
});
const HookExitCode = Object.freeze({ SUCCESS: 0, NON_BLOCKING_ERROR: 1, BLOCKING_ERROR: 2, TIMEOUT: 124 });

const textOf = (decision) => decision.contextText || undefined;
const defined = members;

class HookManager {
  static #instance = null;
  static getInstance() {
    return (HookManager.#instance ??= new HookManager());
  }
  /** Closes the shared manager; the next `getInstance` makes another. */
  static async resetInstance() {
    const manager = HookManager.#instance;
    HookManager.#instance = null;
    await manager?.close();
  }

  #engine = null;
  #config = {};
  #options = {};

  /** Hooks in the form of settings.json, and options of the engine. Without this, the hook files of the project count. */
  configure(config = {}, options = {}) {
    const old = this.#engine;
    this.#config = config;
    this.#options = options;
    this.#engine = null;
    return old?.close();
  }
  get engine() {
    return (this.#engine ??= Engine.openSync({
      ...(this.#options.projectDir === undefined && this.#options.workDir === undefined ? { workDir: process.cwd() } : {}),
      ...this.#options,
      configs: [...(this.#options.configs ?? []),
        ...(Object.keys(this.#config).length ? [{ dialect: 'clawd', object: { hooks: this.#config } }] : [])],
    }));
  }
  isEnabled() {
    return this.#config.enabled !== false && this.engine.enabled;
  }
  getConfig() {
    return this.#config;
  }
  /** How many hooks each event has. */
  getHookCounts() {
    const counts = Object.fromEntries(Object.keys(HookEvent).map((event) => [event, 0]));
    for (const hook of this.engine.hooks()) {
      for (const event of hook.events) counts[event === 'PreCompact' ? 'Compaction' : event] = (counts[event === 'PreCompact' ? 'Compaction' : event] ?? 0) + 1;
    }
    return counts;
  }

  async executePreToolHooks(toolName, toolUseId, toolInput, context = {}) {
    if (!this.isEnabled()) return { decision: 'allow' };
    const decision = await this.#fire('PreToolUse', context, callFacts({ name: toolName, id: toolUseId, input: toolInput }));
    const reason = decision.reason ?? undefined;
    if (decision.verdict === 'deny' || decision.verdict === 'ask') return defined({ decision: decision.verdict, reason });
    // As in the document: `allow` says that no hook objects. Whether a person is asked is not decided here.
    return defined({ decision: 'allow', reason, additionalContext: textOf(decision),
      modifiedInput: decision.rewrite ? decision.inputFor(toolInput) : undefined });
  }
  async executePostToolHooks(toolName, toolUseId, toolInput, toolResult, context = {}) {
    if (!this.isEnabled()) return {};
    const decision = await this.#fire('PostToolUse', context,
      { ...callFacts({ name: toolName, id: toolUseId, input: toolInput }), tool_output: toolResult });
    return defined({ additionalContext: [decision.contextText, decision.denied ? decision.reason : ''].filter(Boolean).join('\n\n') || undefined,
      modifiedOutput: decision.rewrite?.output });
  }
  async executePostToolFailureHooks(toolName, toolUseId, toolInput, error, context = {}) {
    if (!this.isEnabled()) return {};
    const decision = await this.#fire('PostToolUseFailure', context,
      { ...callFacts({ name: toolName, id: toolUseId, input: toolInput }), error });
    return defined({ additionalContext: textOf(decision) });
  }
  async executePermissionHooks(toolName, toolInput, context = {}) {
    if (!this.isEnabled()) return { decision: 'ask' };
    const decision = await this.#fire('PermissionRequest', context, callFacts({ name: toolName, input: toolInput }));
    const words = { allow: 'approve', deny: 'deny', ask: 'ask', pass: 'ask' };
    return defined({ decision: words[decision.verdict], reason: decision.reason ?? undefined });
  }
  async executeUserPromptSubmitHooks(prompt, context = {}) {
    if (!this.isEnabled()) return {};
    const decision = await this.#fire('UserPromptSubmit', context, { prompt });
    return defined({ blocked: decision.denied || undefined, reason: decision.reason ?? undefined, contextInjection: textOf(decision) });
  }
  async executeStopHooks(stopReason, context = {}) {
    if (!this.isEnabled()) return { shouldContinue: false };
    const decision = await this.#fire('Stop', context, { stop_reason: stopReason });
    return defined({ shouldContinue: decision.denied, reason: decision.reason ?? undefined });
  }
  async executeCompactionHooks(preTokens, messageCount, context = {}) {
    if (!this.isEnabled()) return { prevented: false };
    const decision = await this.#fire('PreCompact', context, { tokens_before: preTokens, messages_before: messageCount, trigger: 'auto' });
    return defined({ prevented: decision.denied, reason: decision.reason ?? undefined });
  }
  async executeSessionHooks(event, context = {}) {
    if (!this.isEnabled()) return {};
    const decision = await this.#fire(event, context, event === 'SessionStart' ? { source: 'startup' } : { reason: 'exit' });
    return defined({ additionalContext: textOf(decision) });
  }

  #fire(event, context, facts) {
    return fireIn(this.engine, context, event, defined(facts), context.signal);
  }
  async close() {
    await this.#engine?.close();
    this.#engine = null;
  }
}

const getHookManager = () => HookManager.getInstance();

// ---- HookService: what the rest of an agent calls.

const session = (sessionId, projectDir, permissionMode) => defined({ sessionId, projectDir, permissionMode });

function isHooksAvailable() {
  return getHookManager().isEnabled();
}
async function onSessionStart(sessionId, projectDir) {
  await getHookManager().executeSessionHooks('SessionStart', session(sessionId, projectDir));
}
async function onSessionEnd(sessionId, projectDir) {
  await getHookManager().executeSessionHooks('SessionEnd', session(sessionId, projectDir));
}
async function onUserPromptSubmit(promptContent, sessionId, projectDir) {
  return (await getHookManager().executeUserPromptSubmitHooks(promptContent, session(sessionId, projectDir))).contextInjection;
}
async function onStop(stopReason, sessionId, projectDir) {
  return (await getHookManager().executeStopHooks(stopReason, session(sessionId, projectDir))).shouldContinue;
}
async function onCompaction(preTokens, messageCount, sessionId, projectDir) {
  return (await getHookManager().executeCompactionHooks(preTokens, messageCount, session(sessionId, projectDir))).prevented;
}
function onPreToolUse(toolName, toolUseId, toolInput, sessionId, projectDir, permissionMode) {
  return getHookManager().executePreToolHooks(toolName, toolUseId, toolInput, session(sessionId, projectDir, permissionMode));
}
function onPostToolUse(toolName, toolUseId, toolInput, toolResult, sessionId, projectDir, permissionMode) {
  return getHookManager().executePostToolHooks(toolName, toolUseId, toolInput, toolResult, session(sessionId, projectDir, permissionMode));
}
async function onPostToolUseFailure(toolName, toolUseId, toolInput, errorMessage, sessionId, projectDir, permissionMode) {
  await getHookManager().executePostToolFailureHooks(toolName, toolUseId, toolInput, errorMessage, session(sessionId, projectDir, permissionMode));
}
async function onPermissionRequest(toolName, toolInput, sessionId, projectDir) {
  return (await getHookManager().executePermissionHooks(toolName, toolInput, session(sessionId, projectDir))).decision;
}

module.exports = {
  HookEvent, HookExitCode, HookManager, getHookManager, isHooksAvailable, onSessionStart, onSessionEnd, onUserPromptSubmit,
  onStop, onCompaction, onPreToolUse, onPostToolUse, onPostToolUseFailure, onPermissionRequest,
};
