#include "bridge/opencode_plugin.h"

#include "grapnel/json.h"

namespace grapnel {

namespace {

// The plug-in is one text with two constants in front (PROGRAM and BLOCKS). `kMark` identifies the file in every
// version, so it must not change.

constexpr std::string_view kMark = "// Written by `grapnel install opencode`";
constexpr std::string_view kPluginHead =
    R"js(, and removed by `grapnel uninstall opencode`.
// It reports OpenCode's events to Grapnel and does what Grapnel answers.
import { spawn } from "node:child_process";

)js";

constexpr std::string_view kBody = R"js(
// For each session: its agent, its parent session, and the context and variables from its start.
const agents = new Map();
const parents = new Map();
const contexts = new Map();
const variables = new Map();
const refused = new Map(); // sessions that were prompted again at their end, and the prompt

function run(payload) {
  return new Promise((resolve) => {
    const child = spawn(PROGRAM, ["fire", "--bridge", "--as", "opencode"], { stdio: ["pipe", "pipe", "pipe"] });
    let out = "";
    let err = "";
    child.stdout.on("data", (chunk) => (out += chunk));
    child.stderr.on("data", (chunk) => (err += chunk));
    child.on("error", (error) => resolve({ gone: true, err: `${PROGRAM}: ${error.message}` }));
    child.on("close", (status) => resolve({ status, out, err }));
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(payload));
  });
}

function read(ended) {
  if (ended.status === 2) return { deny: true, reason: ended.err.trim() };
  if (ended.status !== 0) return undefined;
  if (ended.out.trim() === "") return {};
  try {
    return JSON.parse(ended.out);
  } catch {
    return undefined;
  }
}

function replace(target, source) {
  for (const key of Object.keys(target)) if (!(key in source)) delete target[key];
  Object.assign(target, source);
}

export const Grapnel = async ({ client, directory, worktree }) => {
  const say = async (message, variant) => {
    try {
      await client.tui.showToast({ body: { message, variant } });
    } catch {
      console.error(message); // there is no terminal for a toast
    }
  };

  const ask = async (hook, sessionID, rest) => {
    const payload = { hook, sessionID, directory, worktree, ...rest };
    if (agents.has(sessionID)) payload.agent = agents.get(sessionID);
    if (parents.has(sessionID)) payload.parentID = parents.get(sessionID);
    const ended = await run(payload);
    const answer = read(ended);
    if (answer === undefined) {
      const problem = `grapnel: no hook decided: ${(ended.err || "its answer cannot be read").trim()}`;
      await say(problem, "error");
      if (BLOCKS && ended.gone && hook === "tool.execute.before") throw new Error(problem);
      return {};
    }
    if (answer.message) await say(answer.message, "info");
    if (answer.stop) {
      await client.session.abort({ path: { id: sessionID } }).catch(() => {});
      throw new Error(answer.stopReason || answer.reason || "a hook stopped the session");
    }
    return answer;
  };

  const started = async (info) => {
    if (info.parentID) parents.set(info.id, info.parentID);
    const answer = await ask("session.created", info.id, {});
    if (answer.context) contexts.set(info.id, answer.context);
    if (answer.env) variables.set(info.id, answer.env);
  };

  const idle = async (id) => {
    if (parents.has(id)) return; // a subagent: its result goes to its parent
    const answer = await ask("session.idle", id, { stop_hook_active: refused.has(id) });
    if (!answer.deny) return void refused.delete(id);
    const text = answer.reason || "a hook wants more to be done";
    refused.set(id, text);
    await client.session.promptAsync({ path: { id }, body: { parts: [{ type: "text", text }] } });
  };

  const ended = async (id) => {
    await ask("session.deleted", id, {});
    for (const known of [agents, parents, contexts, variables, refused]) known.delete(id);
  };

  return {
    event: async ({ event }) => {
      const of = event.properties ?? {};
      try {
        if (event.type === "session.created") await started(of.info);
        if (event.type === "session.deleted") await ended(of.info.id);
        if (event.type === "session.idle") await idle(of.sessionID);
        if (event.type === "session.compacted") await ask("session.compacted", of.sessionID, {});
      } catch (error) {
        await say(`grapnel: ${error.message}`, "error"); // OpenCode does not wait for this function
      }
    },

    "chat.message": async (input, output) => {
      if (input.agent) agents.set(input.sessionID, input.agent);
      const texts = output.parts.filter((part) => part.type === "text" && !part.synthetic);
      const prompt = texts.map((part) => part.text).join("\n");
      if (texts.length === 0 || prompt === refused.get(input.sessionID)) return; // no text, or our own prompt
      refused.delete(input.sessionID);
      const answer = await ask("chat.message", input.sessionID, { prompt });
      if (answer.deny) throw new Error(answer.reason || "a hook blocked this prompt");
      if (answer.prompt !== undefined) texts.forEach((part, i) => (part.text = i === 0 ? answer.prompt : ""));
      if (answer.context) texts[0].text += `\n\n${answer.context}`;
    },

    "tool.execute.before": async (input, output) => {
      const { tool, sessionID, callID } = input;
      const answer = await ask("tool.execute.before", sessionID, { tool, callID, args: output.args ?? {} });
      if (answer.deny) throw new Error(answer.reason || "a hook blocked this call");
      if (answer.args) replace(output.args, answer.args); // in place, because OpenCode ignores a new object
    },

    "tool.execute.after": async (input, output) => {
      const { tool, sessionID, callID, args } = input;
      const result = { title: output.title, output: output.output };
      const answer = await ask("tool.execute.after", sessionID, { tool, callID, args: args ?? {}, result });
      if (answer.output !== undefined) output.output = answer.output;
      for (const text of [answer.deny ? answer.reason : "", answer.context]) if (text) output.output += `\n\n${text}`;
    },

    "experimental.chat.system.transform": async (input, output) => {
      if (contexts.has(input.sessionID)) output.system.push(contexts.get(input.sessionID));
    },

    "experimental.session.compacting": async (input, output) => {
      const answer = await ask("experimental.session.compacting", input.sessionID, {});
      if (answer.context) output.context.push(answer.context);
    },

    "shell.env": async (input, output) => {
      Object.assign(output.env, variables.get(input.sessionID));
    },
  };
};
)js";

}  // namespace

/// The program's path is written as a JSON string, which is also a JavaScript string.
std::string opencode_plugin(const PluginOptions& options) {
  return std::string(kMark) + std::string(kPluginHead) + "const PROGRAM = " + Json::string(options.program).dump() +
         ";\nconst BLOCKS = " + (options.blocks_when_missing ? "true" : "false") + ";\n" + std::string(kBody);
}

bool is_opencode_plugin(std::string_view text) {
  return text.starts_with(kMark);
}

}  // namespace grapnel
