'use strict';
// The tool call of an agent, from the question to the result. The APIs of other agents (clawd.js, blade.js, synapse.js)
// are thin layers over these functions. The same steps in C++ are in src/engine/hook_service.cc.
const { toolAccess } = require('./index.js');

const members = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

/** Fires an event with the facts of the session. */
function fireIn(engine, session, event, facts, signal) {
  return engine.fire(
    members({ event, session_id: session.sessionId, permission_mode: session.permissionMode, project_dir: session.projectDir,
      cwd: session.projectDir, ...facts }),
    { signal },
  );
}

const callFacts = (call) => ({ tool_name: call.name, tool_input: call.input ?? {}, tool_use_id: call.id });

/** Asks the host's `canUseTool` first, then PermissionRequest hooks. The answer `ask` means that a person must decide. */
async function requestPermission(engine, session, call, canUseTool, signal) {
  let message;
  if (canUseTool) {
    try {
      const options = { toolKind: toolAccess(call.name), toolUseId: call.id, abortSignal: signal };
      const own = await canUseTool(call.name, call.input, options);
      if (own?.behavior === 'allow' || own?.behavior === 'deny') return own;
      message = own?.message;
    } catch (error) {
      message = `the permission callback threw: ${error?.message ?? error}`;
    }
  }
  const decision = await fireIn(engine, session, 'PermissionRequest', callFacts(call), signal);
  if (decision.verdict === 'pass') return members({ behavior: 'ask', message });
  return members({ behavior: decision.verdict, message: decision.reason ?? undefined });
}

module.exports = { members, fireIn, callFacts, requestPermission };
