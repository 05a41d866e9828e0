'use strict';
// Synapse's API: an agent with `stopHooks`, functions that run when it has finished its answer.
const { Engine } = require('./index.js');
const { members, fireIn, callFacts } = require('./moments.js');

const toRecord = (call) => ({ tool_name: call.toolName, input: call.input, output: call.output, success: call.success });
const fromRecord = (call) => ({ toolName: call.tool_name, input: call.input, output: call.output, success: call.success ?? true });

function contextFrom(event) {
  return {
    sessionId: event.session_id ?? null,
    cwd: event.cwd ?? process.cwd(),
    messages: event.messages ?? [],
    finalResponse: event.final_response ?? '',
    toolCalls: (event.tool_calls ?? []).map(fromRecord),
    reachedMaxIterations: event.reached_max_iterations ?? false,
  };
}

/** Stop hooks in an engine. The one that was added last runs first; one that fails is reported, and the others run. */
class StopHooks {
  #engine;
  #count = 0;
  #log;
  constructor(engine, stopHooks = [], log = console) {
    this.#engine = engine;
    this.#log = log;
    for (const hook of stopHooks) this.add(hook);
  }
  add(hook) {
    const run = async (event) => {
      try {
        const result = await hook(contextFrom(event));
        if (result?.message?.trim()) this.#log.log(`[StopHook] ${result.message}`);
        return result ? members({ message: result.message, data: result.data }) : undefined;
      } catch (error) {
        this.#log.error(`Stop hook execution failed: ${error}`);
        throw error;
      }
    };
    // The document knows no time limit for stop hooks.
    return this.#engine.on('TurnEnd', run, { name: `stop-hook-${++this.#count}`, timeoutMs: 0, lastInFirst: true });
  }
  /** Fires TurnEnd. Do not call it if the user interrupted the turn. */
  run(context, signal) {
    return this.#engine.fire(
      members({
        event: 'TurnEnd',
        session_id: context.sessionId ?? undefined,
        cwd: context.cwd,
        messages: context.messages,
        final_response: context.finalResponse,
        tool_calls: context.toolCalls.map(toRecord),
        reached_max_iterations: context.reachedMaxIterations,
      }),
      { signal },
    );
  }
}

/** An agent as the document has it: a provider, tools, and hooks. Hooks of files guard its tools, too. */
class AgentRunner {
  constructor(options) {
    this.options = { maxIterations: 50, tools: [], cwd: process.cwd(), sessionId: null, ...options };
    this.engine = options.engine ?? Engine.openSync({ workDir: this.options.cwd });
    this.stopHooks = new StopHooks(this.engine, options.stopHooks ?? []);
    this.messages = [];
  }

  async run(userMessage, signal) {
    const { provider, systemPrompt, tools, maxIterations, cwd, sessionId } = this.options;
    const toolCalls = [];
    let finalResponse = '';
    let reachedMaxIterations = true;
    this.messages.push({ role: 'user', content: userMessage });
    for (let step = 0; step < maxIterations; ++step) {
      if (signal?.aborted) return finalResponse;
      const reply = await provider.generate({ systemPrompt, messages: this.messages, tools, signal });
      this.messages.push({ role: 'assistant', content: reply.content, toolCalls: reply.toolCalls });
      finalResponse = reply.content ?? '';
      if (!reply.toolCalls?.length) {
        reachedMaxIterations = false;
        break;
      }
      for (const call of reply.toolCalls) {
        const record = await this.#runTool(call, signal);
        toolCalls.push(record);
        this.messages.push({ role: 'tool', toolCallId: call.id, content: record.output });
      }
    }
    if (!signal?.aborted) {
      await this.stopHooks.run({ sessionId, cwd, messages: this.messages, finalResponse, toolCalls, reachedMaxIterations });
    }
    return finalResponse;
  }

  async #runTool(call, signal) {
    const session = { sessionId: this.options.sessionId ?? undefined, projectDir: this.options.cwd };
    const tool = this.options.tools.find((candidate) => candidate.name === call.name);
    const before = await fireIn(this.engine, session, 'PreToolUse', callFacts(call), signal);
    const input = before.inputFor(call.input);
    const record = (output, success) => ({ toolName: call.name, input, output, success });
    if (before.verdict === 'deny' || before.verdict === 'ask') return record(before.reason ?? 'A hook refused this.', false);
    if (!tool) return record(`There is no tool named ${call.name}.`, false);
    try {
      const output = await tool.execute(input);
      const after = await fireIn(this.engine, session, 'PostToolUse', { ...callFacts({ ...call, input }), tool_output: output }, signal);
      return record(after.rewrite?.output ?? output, true);
    } catch (error) {
      await fireIn(this.engine, session, 'PostToolUseFailure', { ...callFacts({ ...call, input }), error: String(error) }, signal);
      return record(String(error), false);
    }
  }

  close() {
    return this.engine.close();
  }
}

module.exports = { AgentRunner, StopHooks };
