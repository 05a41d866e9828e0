// A model that reads from a script, for agents that need a server: Anthropic's messages, OpenAI's responses and chat
// completions, on loopback. Which step is next is told by how many turns of the model a request already holds, so
// retries, background requests and extra calls do not put it out of step.
//
// A step is {"say": "text"} or {"call": "shell" | "write" | "read" | "agent", ...its input}; a subagent has a `prompt` and a
// `script` of its own. A shell's `directory` is where the command
// runs, for agents whose shell does not remember `cd`.
import { appendFileSync } from "node:fs";
import { createServer } from "node:http";

const last = { say: "Nothing is left to do." };

// How agents call their tools: [name, what the step's input becomes].
const shells = [
  ["Bash", (s) => ({ command: s.command, description: "a step of the script" })],
  ["run_shell_command", (s) => ({ command: s.command, description: "a step of the script", is_background: false,
    dir_path: s.directory, directory: s.directory })],
  ["exec_command", (s) => ({ cmd: s.command, workdir: s.directory })],
  ["shell_command", (s) => ({ command: s.command, workdir: s.directory })],
  ["shell", (s) => ({ command: ["bash", "-lc", s.command], workdir: s.directory })],
];
const writers = [
  ["Write", (s) => ({ file_path: s.path, content: s.content })],
  ["write_file", (s) => ({ file_path: s.path, content: s.content })],
];

const readers = [
  ["Read", (s) => ({ file_path: s.path })],
  ["read_file", (s) => ({ file_path: s.path, absolute_path: s.path })],
  // Codex has no tool to read a file.
  ...shells.map(([name, input]) => [name, (s) => input({ command: `cat ${s.path}` })]),
];
const subagents = [
  ["Agent", (s) => ({ description: "a part of the work", prompt: s.prompt, subagent_type: "general-purpose" })],
  ["Task", (s) => ({ description: "a part of the work", prompt: s.prompt, subagent_type: "general-purpose" })],
];
const tables = { shell: shells, write: writers, read: readers, agent: subagents };

// The script of the conversation: that of a subagent if it begins with the prompt of a step that starts one.
function scriptOf(steps, beginning) {
  const text = JSON.stringify(beginning);
  const own = steps.find((step) => step.call === "agent" && text.includes(step.prompt));
  return own ? own.script : steps;
}

function patch(step) {
  const lines = step.content.replace(/\n$/, "").split("\n").map((line) => "+" + line);
  return ["*** Begin Patch", "*** Add File: " + step.path, ...lines, "*** End Patch", ""].join("\n");
}

// The call in the words of the tools that the request offers.
function toolCall(step, offered) {
  for (const [name, input] of tables[step.call]) if (offered.has(name)) return { name, input: input(step) };
  if (offered.has("apply_patch")) return { name: "apply_patch", input: { input: patch(step) }, text: patch(step) };
  throw new Error(`no tool for ${step.call} among ${[...offered].join(", ")}`);
}

// The step of that turn. A request without a tool for commands is for something else: a title, a summary.
function stepAt(steps, turn, offered) {
  return shells.some(([name]) => offered.has(name)) ? steps[turn] ?? last : { say: "ok" };
}

// Whether the message is from the script: some agents put words into the model's mouth.
const isSaid = (steps, message) => steps.some((step) => step.say && JSON.stringify(message.content).includes(step.say));

const sse = (events) => events.map(([type, data]) => (type ? `event: ${type}\n` : "") + `data: ${data}\n\n`).join("");

function anthropic(body, allSteps) {
  const steps = scriptOf(allSteps, body.messages[0]);
  const isCall = (m) => Array.isArray(m.content) && m.content.some((block) => block.type === "tool_use");
  const turn = body.messages.filter((m) => m.role === "assistant" && (isCall(m) || isSaid(steps, m))).length;
  const offered = new Set((body.tools ?? []).map((t) => t.name));
  const step = stepAt(steps, turn, offered);
  const call = step.call && toolCall(step, offered);
  const block = call ? { type: "tool_use", id: `toolu_${turn}`, name: call.name, input: {} } : { type: "text", text: "" };
  const delta = call
    ? { type: "input_json_delta", partial_json: JSON.stringify(call.input) }
    : { type: "text_delta", text: step.say };
  const stop = { stop_reason: call ? "tool_use" : "end_turn", stop_sequence: null };
  const usage = { input_tokens: 10, output_tokens: 10 };
  const message = { id: `msg_${turn}`, type: "message", role: "assistant", model: body.model, content: [] };
  if (!body.stream) {
    const content = [call ? { ...block, input: call.input } : { type: "text", text: step.say }];
    return { step, type: "application/json", text: JSON.stringify({ ...message, content, ...stop, usage }) };
  }
  const events = [
    { type: "message_start", message: { ...message, stop_reason: null, stop_sequence: null, usage } },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: stop, usage: { output_tokens: 10 } },
    { type: "message_stop" },
  ];
  return { step, type: "text/event-stream", text: sse(events.map((e) => [e.type, JSON.stringify(e)])) };
}

function responses(body, steps) {
  const turn = body.input.filter((i) => /_call$/.test(i.type ?? "") || (i.role === "assistant" && isSaid(steps, i))).length;
  const offered = new Set((body.tools ?? []).map((t) => t.name ?? t.type));
  const step = stepAt(steps, turn, offered);
  const call = step.call && toolCall(step, offered);
  const freeform = call && body.tools.some((t) => t.name === call.name && t.type === "custom");
  let item = { type: "message", role: "assistant", id: `msg_${turn}`, content: [{ type: "output_text", text: step.say }] };
  if (call && freeform) item = { type: "custom_tool_call", call_id: `call_${turn}`, name: call.name, input: call.text };
  if (call && !freeform) {
    item = { type: "function_call", call_id: `call_${turn}`, name: call.name, arguments: JSON.stringify(call.input) };
  }
  const usage = { input_tokens: 10, input_tokens_details: null, output_tokens: 10, output_tokens_details: null, total_tokens: 20 };
  const events = [
    { type: "response.created", response: { id: `resp_${turn}` } },
    { type: "response.output_item.done", item },
    { type: "response.completed", response: { id: `resp_${turn}`, usage } },
  ];
  return { step, type: "text/event-stream", text: sse(events.map((e) => [e.type, JSON.stringify(e)])) };
}

function chat(body, steps) {
  const turn = body.messages.filter((m) => m.role === "assistant" && (m.tool_calls || isSaid(steps, m))).length;
  const offered = new Set((body.tools ?? []).map((t) => t.function.name));
  const step = stepAt(steps, turn, offered);
  const call = step.call && toolCall(step, offered);
  const reply = call
    ? { role: "assistant", content: null, tool_calls: [{ index: 0, id: `call_${turn}`, type: "function", function: { name: call.name, arguments: JSON.stringify(call.input) } }] }
    : { role: "assistant", content: step.say };
  const finish_reason = call ? "tool_calls" : "stop";
  const head = { id: `chat_${turn}`, created: 1, model: body.model };
  const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
  if (!body.stream) {
    const choices = [{ index: 0, message: reply, finish_reason }];
    return { step, type: "application/json", text: JSON.stringify({ ...head, object: "chat.completion", choices, usage }) };
  }
  const chunk = (delta, end) => JSON.stringify({ ...head, object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: end }], ...(end ? { usage } : {}) });
  return { step, type: "text/event-stream", text: sse([["", chunk(reply, null)], ["", chunk({}, finish_reason)], ["", "[DONE]"]]) };
}

/// The same steps as lines of Gemini's `--fake-responses`, one for each time it asks.
export function fakeResponses(steps) {
  const part = (step) => {
    const call = step.call && toolCall(step, new Set(["run_shell_command", "write_file", "read_file"]));
    return call ? { functionCall: { name: call.name, args: call.input } } : { text: step.say };
  };
  const line = (step) => {
    const candidates = [{ content: { role: "model", parts: [part(step)] }, finishReason: "STOP", index: 0 }];
    return { method: "generateContentStream", response: [{ candidates, usageMetadata: { totalTokenCount: 20 } }] };
  };
  return steps.map((step) => JSON.stringify(line(step)) + "\n").join("");
}

const formats = [
  [/\/messages$/, anthropic],
  [/\/responses$/, responses],
  [/\/chat\/completions$/, chat],
];

/// The wall clock in nanoseconds, with more digits than Date has.
const now = () => (performance.timeOrigin + performance.now()) * 1e6;

/// Serves the steps that `play` was given last and appends every request as a line {path, body} to `requestsFile`.
/// `turns` has, for each of them, the step that was the answer, and when the request and the answer were complete.
export async function serveModel(requestsFile) {
  let steps = [];
  const turns = [];
  const server = createServer(async (request, reply) => {
    let text = "";
    for await (const part of request) text += part;
    const asked = now();
    const path = new URL(request.url, "http://localhost").pathname;
    const format = formats.find(([pattern]) => pattern.test(path));
    if (request.method !== "POST" || !format) return reply.writeHead(404, { "content-type": "application/json" }).end("{}");
    const body = JSON.parse(text);
    appendFileSync(requestsFile, JSON.stringify({ path, body }) + "\n");
    const answer = format[1](body, steps);
    reply.writeHead(200, { "content-type": answer.type }).end(answer.text);
    turns.push({ step: answer.step, asked, answered: now() });
  });
  // A connection is never closed under an agent that is slow.
  server.keepAliveTimeout = 0;
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const play = (script) => {
    steps = script;
  };
  return { port: server.address().port, play, turns, close: () => server.close() };
}
