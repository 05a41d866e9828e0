'use strict';
// Blade's API: `createSession({hooks, canUseTool})`. The session has one function for each moment of an agent's work.
const { randomUUID } = require('node:crypto');
const { Engine } = require('./index.js');
const { members, fireIn, callFacts, requestPermission } = require('./moments.js');

const gate = (decision) => members({ blocked: decision.denied, reason: decision.reason ?? undefined,
  additionalContext: decision.contextText || undefined });

class Session {
  #canUseTool;
  #askPerson;
  #facts;
  constructor(engine, options) {
    this.engine = engine;
    this.sessionId = options.sessionId ?? randomUUID();
    this.#canUseTool = options.canUseTool;
    this.#askPerson = options.askPerson;
    this.#facts = { sessionId: this.sessionId, projectDir: options.projectDir ?? process.cwd(), permissionMode: options.permissionMode ?? 'default' };
  }

  #fire(event, facts, signal) {
    return fireIn(this.engine, this.#facts, event, members(facts), signal);
  }

  async start(source = 'startup') {
    const decision = await this.#fire('SessionStart', { source, is_resume: source === 'resume' });
    return members({ env: decision.env, additionalContext: decision.contextText || undefined });
  }
  async submitPrompt(prompt, { images = 0, signal } = {}) {
    const decision = await this.#fire('UserPromptSubmit', { prompt, has_images: images > 0, image_count: images }, signal);
    return { ...gate(decision), prompt: decision.rewrite?.prompt ?? prompt };
  }

  /** May this call run, and with which input? The order is: PreToolUse hooks, `canUseTool`, PermissionRequest hooks, a person. */
  async permit(name, input, { toolUseId = randomUUID(), signal } = {}) {
    const before = await this.#fire('PreToolUse', callFacts({ name, input, id: toolUseId }), signal);
    const call = { name, input: before.inputFor(input), id: toolUseId };
    const result = (behavior, message) => members({ behavior, message: message ?? undefined, input: call.input, toolUseId,
      additionalContext: before.contextText || undefined });
    if (before.denied) return result('deny', before.reason);
    const permission = before.verdict === 'ask'
      ? { behavior: 'ask', message: before.reason ?? undefined }
      : await requestPermission(this.engine, this.#facts, call, this.#canUseTool, signal);
    // A hook that allows spares the person, but not `canUseTool`, which may deny.
    if (permission.behavior === 'ask' && before.verdict === 'allow') return result('allow');
    if (permission.behavior !== 'ask') return result(permission.behavior, permission.message);
    if (!this.#askPerson) return result('ask', permission.message);
    return result((await this.#askPerson(call.name, call.input, permission.message)) ? 'allow' : 'deny', permission.message);
  }

  /** The whole call: `execute` runs only if it may, and what it returns is what the hooks left of it. */
  async runTool(name, input, execute, options = {}) {
    const permission = await this.permit(name, input, options);
    if (permission.behavior !== 'allow') return { ran: false, ...permission };
    const call = { name, input: permission.input, id: permission.toolUseId };
    let output;
    try {
      output = await execute(permission.input);
    } catch (error) {
      const after = await this.#fire('PostToolUseFailure', { ...callFacts(call), error: String(error?.message ?? error),
        error_type: error?.name, is_interrupt: options.signal?.aborted ?? false, is_timeout: error?.name === 'TimeoutError' });
      return members({ ran: true, error, additionalContext: after.contextText || undefined });
    }
    const after = await this.#fire('PostToolUse', { ...callFacts(call), tool_output: output }, options.signal);
    return members({ ran: true, output: after.rewrite?.output ?? output, feedback: after.denied ? after.reason : undefined,
      additionalContext: [permission.additionalContext, after.contextText].filter(Boolean).join('\n\n') || undefined });
  }

  /** The agent wants to stop. If it is blocked, it goes on working, and the model reads the reason. */
  async stop(stopReason = 'end_turn', finalResponse) {
    return gate(await this.#fire('Stop', { stop_reason: stopReason, final_response: finalResponse }));
  }
  async subagentStart(agentType, taskDescription) {
    return gate(await this.#fire('SubagentStart', { agent_type: agentType, task_description: taskDescription }));
  }
  async subagentStop(agentType, { success = true, resultSummary, error, taskDescription } = {}) {
    return gate(await this.#fire('SubagentStop', { agent_type: agentType, success, result_summary: resultSummary, error, task_description: taskDescription }));
  }
  async completeTask(taskId, taskDescription, { success = true, resultSummary } = {}) {
    return gate(await this.#fire('TaskCompleted', { task_id: taskId, task_description: taskDescription, success, result_summary: resultSummary }));
  }
  async notify(notificationType, message, title) {
    const decision = await this.#fire('Notification', { notification_type: notificationType, message, title });
    return { suppressed: decision.denied, message: decision.rewrite?.notification ?? message };
  }
  async compact(trigger, messagesBefore, tokensBefore) {
    return gate(await this.#fire('PreCompact', { trigger, messages_before: messagesBefore, tokens_before: tokensBefore }));
  }
  async close(reason = 'other', totals = {}) {
    await this.#fire('SessionEnd', { reason, total_turns: totals.turns, total_tokens: totals.tokens });
    await this.engine.close();
  }
}

/** Opens a session with hooks given as an object in Blade's form, and with those of hook files unless they are switched off. */
async function createSession(options = {}) {
  const projectDir = options.projectDir ?? process.cwd();
  const engine = await Engine.open({
    workDir: projectDir,
    ...options.engine,
    configs: [...(options.engine?.configs ?? []), ...(options.hooks ? [{ dialect: 'blade', object: { hooks: options.hooks } }] : [])],
  });
  const mistakes = engine.problems().filter((problem) => problem.severity === 'error' && !problem.at.file);
  if (mistakes.length) {
    await engine.close();
    throw new Error(`createSession: the hooks have a mistake: ${mistakes[0].message}`);
  }
  return new Session(engine, { ...options, projectDir });
}

module.exports = { createSession, Session };
