#include "schema/rule_members.h"

#include <array>

#include "schema/rule_shapes.h"

// Texts are for people who point at a key and want to go on writing. They say what the value may be, and leave the rest
// to docs/rules.md.
namespace grapnel {

namespace {

using namespace schema;

Json mode() {
  return one_of_words({"enforce", "observe"});
}

Json unsure() {
  return one_of_words({"ask", "deny", "pass"});
}

Json unsure_unattended() {
  return one_of_words({"deny", "pass"});
}

Json async() {
  return any_of({flag(), one_of_words({"fleet"})});
}

Json variables() {
  return map_with_any_key(text());
}

constexpr auto kMembers = std::to_array<MemberRow>({
    {"file", "version",
     [] { return Json::object({{"enum", Json::array({Json::number(int64_t{1}), Json::string("1")})}}); },
     "The version of this format. It is 1.", "version: 1"},
    {"file", "mode", mode,
     "observe: the rules of this file are checked and recorded, but stop nothing. A rule with a mode of its own is "
     "excepted.",
     "mode: observe"},
    {"file", "unsure", unsure,
     "What the rules of this file that deny or ask do if it cannot be told whether they apply: ask (the default), deny "
     "or pass. A rule with a word of its own is excepted.",
     "unsure: ask"},
    {"file", "unsure_unattended", unsure_unattended, "The same where nobody can be asked: deny (the default) or pass.",
     "unsure_unattended: deny"},
    {"file", "async", [] { return one_of_words({"fleet"}); },
     "fleet: hooks of this file with 'async: true' are run by workers of the fleet, if they can.", "async: fleet"},
    {"file", "hooks", [] { return any_of({type("null"), list_of(reference("hook"))}); },
     "The rules, each starting with a dash. A rule with a mistake is left out; the others still run.", ""},

    {"hook", "name", text,
     "The rule's name, by which it is listed, switched off and recorded: lower-case letters, digits and hyphens.",
     "name: no-force-push"},
    {"hook", "description", text, "What the rule is for, in a sentence. It is shown in lists.", ""},
    {"hook", "on", events,
     "The event, or a list of events: a canonical name such as PreToolUse, or the name that any agent has for it.",
     "on: PreToolUse"},
    {"hook", "when", [] { return reference("when"); },
     "Conditions, all of which must be true. Without 'when' the rule applies to every such event.",
     "when: { tool: shell, command: git push, flag: [--force, -f] }"},
    {"hook", "priority", [] { return number(0, 1000); },
     "0 to 1000, by default 100. Rules with a higher priority run first.", "priority: 900"},
    {"hook", "timeout", duration,
     "How long the command, worker or request may take, with its unit; the default is 60s. A number without a unit is "
     "seconds.",
     "timeout: 30s"},
    {"hook", "async", async,
     "true: the agent does not wait for the hook, so the hook cannot decide anything. fleet: in the policy of a fleet, "
     "a worker somewhere else runs it; elsewhere it is the same as true.",
     "async: true"},
    {"hook", "detach", flag, "true: like async, and the hook goes on running when the agent has ended.",
     "detach: true"},
    {"hook", "on_failure", [] { return or_map(policy(), "on_failure"); },
     "What happens if the hook crashes, hangs or prints something unreadable: open (the action goes on), ask (a person "
     "decides) or closed (it is denied).",
     "on_failure: closed"},
    {"hook", "max_blocks", [] { return number(1, 100); },
     "How often the hook may refuse at a gate (Stop, SubagentStop, TaskCompleted, PreCompact) in one turn.",
     "max_blocks: 3"},
    {"hook", "once", flag, "true: the hook runs once in a session.", "once: true"},
    {"hook", "unless_unchanged", texts,
     "Files: the hook is skipped as long as they are the same as when it last passed.", "unless_unchanged: 'src/**'"},
    {"hook", "debounce", [] { return any_of({one_of_words({"turn"}), duration()}); },
     "The run hook collects events and runs once for all of them: at the end of the turn, or when none came for a "
     "time. "
     "{files} in its command stands for all files that were touched.",
     "debounce: turn"},
    {"hook", "warm", flag,
     "true: while `grapnel serve` runs, the next process of the command is started before its event and waits for its "
     "input. The program must read the event before it looks at anything that may change.",
     "warm: true"},
    {"hook", "enabled", flag, "false: the hook is switched off.", "enabled: false"},
    {"hook", "mode", mode,
     "observe: the rule is checked and recorded, but its answer has no effect. `grapnel log --would` shows what it "
     "would have done. The default is enforce.",
     "mode: observe"},
    {"hook", "unsure", unsure,
     "What the rule does if it cannot be told whether it applies, because only the running shell knows: ask a person "
     "(the default), deny or pass. The reason names the doubt.",
     "unsure: deny"},
    {"hook", "unsure_unattended", unsure_unattended, "The same where nobody can be asked: deny (the default) or pass.",
     "unsure_unattended: pass"},
    {"hook", "answers", texts,
     "Names of hooks. If they ask about a call that this rule allows, the rule is the answer, and nobody is asked. "
     "Only "
     "in your own file and the administrator's.",
     "answers: ask-before-publish"},
    {"hook", "env", variables, "Variables for the environment of the command.", "env: { CI: '1' }"},
    {"hook", "cwd", text, "The directory in which the command runs.", "cwd: frontend"},
    {"hook", "sandbox", [] { return sandbox(); },
     "What the command and everything that it starts may do: contain (the default: nothing of it is left after its "
     "deadline), guard (no network, writes only to a private $TMPDIR, reads of the project and the system), off, or a "
     "map.",
     "sandbox: guard"},
    {"hook", "deny", text,
     "The call is refused. The text is the reason, which the model reads: say what to do instead.",
     "deny: Force pushes need a human."},
    {"hook", "ask", text, "A person decides about the call. The text is the question.", "ask: Publish this?"},
    {"hook", "allow", text,
     "The call needs no approval. It holds only if every command and path of the call matches, and a deny wins.",
     "allow: true"},
    {"hook", "rewrite", [] { return reference("rewrite"); },
     "Changes the call before it runs, or its result before the model sees it.",
     "rewrite: { input: { /timeout: '60000' } }"},
    {"hook", "inject", [] { return or_map(text(), "inject"); },
     "Adds context for the model: a text, or a map with text, file or command.", "inject: Use pnpm in this project."},
    {"hook", "notify", text, "Shows a message to the person.", "notify: The agent waits for you."},
    {"hook", "run", texts,
     "Runs a command, given as a text or as a list of arguments. It reads the event from standard input; exit status 2 "
     "denies, with standard error as the reason. {path}, {tool}, {event}, {session}, {cwd} and {project} are filled "
     "in.",
     "run: black -q {path}"},
    {"hook", "worker", [] { return or_map(texts(), "worker"); },
     "Runs a command that stays alive and answers one line of JSON with another.", "worker: python3 hooks/guard.py"},
    {"hook", "http", [] { return or_map(url(), "http"); }, "Sends the event to a URL in a POST request.",
     "http: https://policy.example.com/hooks"},
    {"hook", "prompt", [] { return or_map(text(), "prompt"); },
     "Asks a model to judge. $ARGUMENTS stands for the event.", "prompt: \"Does this delete data? $ARGUMENTS\""},
    {"hook", "agent", [] { return or_map(text(), "agent"); }, "Asks a sub-agent, which may read files, to judge.", ""},

    {"when", "tool", tools,
     "The tool: a kind (shell, read, write, edit, delete, glob, grep, fetch, search, task, todo, mcp, other) or any "
     "agent's name for it. Several tools are a list.",
     "tool: [write, edit]"},
    {"when", "command", texts,
     "The words a shell command starts with: 'git push' matches every such command, however it is spelled; * stands "
     "for any words. Options belong in 'flag'.",
     "command: git push"},
    {"when", "flag", texts, "Options of the command, however they are spelled or bundled; one of them is enough.",
     "flag: [--force, -f]"},
    {"when", "effect", effects, "What the command does: readonly, writes, network or destructive.",
     "effect: destructive"},
    {"when", "path", texts,
     "Files in arguments, redirections and patches, relative to the project. * stops at a slash and ** does not; a "
     "pattern without a slash is compared with the file's name.",
     "path: '**/.env*'"},
    {"when", "prompt", texts, "What the person wrote; * stands for any text, /…/ is a regular expression.",
     "prompt: '*password*'"},
    {"when", "output", texts, "What the tool returned; * stands for any text, /…/ is a regular expression.",
     "output: '/AKIA[0-9A-Z]{16}/'"},
    {"when", "input", [] { return map_with_any_key(texts()); }, "Values of the tool's input, by JSON pointer.",
     "input: { /timeout: '9*' }"},
    {"when", "session", texts, "The session's id, or how it started.", ""},
    {"when", "agent", texts, "The id, type or name of the agent or sub-agent.", "agent: reviewer"},
    {"when", "mode", texts, "The agent's permission mode.", "mode: plan"},
    {"when", "changed", texts, "Files that were touched in this turn.", "changed: 'src/**'"},
    {"when", "any", conditions, "A list of conditions, one of which must be true.",
     "any: [{ tool: write }, { command: tee }]"},
    {"when", "all", conditions, "A list of conditions, all of which must be true.", ""},
    {"when", "not", [] { return reference("when"); }, "A condition that must be false.", "not: { path: 'docs/**' }"},

    {"on_failure", "timeout", policy, "When the hook takes too long: open, ask or closed.", ""},
    {"on_failure", "crash", policy, "When the hook cannot be started or fails: open, ask or closed.", ""},
    {"on_failure", "output", policy, "When what the hook prints cannot be read: open, ask or closed.", ""},

    {"sandbox", "network", flag, "false: no sockets.", "network: false"},
    {"sandbox", "read", places,
     "Files and directories that may be read and executed, and nothing else: paths, project, system, home. Programs "
     "need system.",
     "read: [project, system]"},
    {"sandbox", "write", places,
     "Files and directories that may be written, and nothing else: paths, project, home, $TMPDIR (a directory of its "
     "own, which is removed afterwards).",
     "write: [$TMPDIR, build]"},
    {"sandbox", "memory", [] { return with_pattern("^[0-9]+ *([kKmMgG]?[bB]?)$"); },
     "How much each process may allocate.", "memory: 512M"},
    {"sandbox", "cpu", duration, "How much processor time each process may use.", "cpu: 10s"},
    {"sandbox", "processes", [] { return number(1, 100000); },
     "How many processes it may run at the same time. More are its end.", "processes: 64"},
    {"sandbox", "leftovers", [] { return one_of_words({"tell", "kill", "keep"}); },
     "What happens to processes that are left when the hook ends by itself: tell (they stay, and you hear of them "
     "once), kill or keep.",
     "leftovers: kill"},
    {"sandbox", "required", flag,
     "false: on a machine that cannot enforce the sandbox, the hook runs with less. By default it does not run there.",
     "required: false"},

    {"rewrite", "input", variables, "New values in the tool's input, by JSON pointer.", "input: { /timeout: '60000' }"},
    {"rewrite", "command", text, "The words that replace those that 'command' in 'when' has matched.",
     "command: pnpm add"},
    {"rewrite", "output", [] { return reference("output"); }, "Changes to the tool's output.",
     "output: { max_lines: 200 }"},

    {"output", "max_lines", [] { return number(1, 1000000); }, "How many lines are kept.", "max_lines: 200"},
    {"output", "drop_lines", texts, "Patterns of lines that are left out.", "drop_lines: 'npm WARN*'"},
    {"output", "mask", [] { return any_of({texts(), variables()}); },
     "Regular expressions whose matches are replaced by ***, or a map with what replaces them.", "mask: ['/sk-\\w+/']"},

    {"inject", "text", text, "The text to add.", ""},
    {"inject", "file", text, "The file whose content is added.", "file: docs/conventions.md"},
    {"inject", "command", texts, "The command whose output is added.", "command: git status --short"},
    {"inject", "once", [] { return one_of_words({"session", "compaction"}); },
     "Adds it once in a session, or again after each compaction.", "once: session"},
    {"inject", "budget", size, "The most that is added; the rest is cut.", "budget: 8k"},

    {"worker", "command", texts, "The command that is started and stays alive.", "command: python3 hooks/guard.py"},
    {"worker", "idle", duration, "The worker ends after this time without an event.", "idle: 5m"},
    {"worker", "max_events", [] { return number(1, 1000000000); }, "The worker is started anew after so many events.",
     "max_events: 10000"},

    {"http", "url", url, "Where the event is sent.", "url: https://policy.example.com/hooks"},
    {"http", "headers", variables,
     "Headers of the request. $NAME is filled in from the environment if 'allowed_env' names it.",
     "headers: { Authorization: Bearer $POLICY_TOKEN }"},
    {"http", "allowed_env", texts, "Variables that headers may use.", "allowed_env: [POLICY_TOKEN]"},
    {"http", "allowed_hosts", texts, "Hosts that are allowed at any address.", "allowed_hosts: [policy.internal]"},
    {"http", "loopback_addresses", flag, "true: servers on this machine are allowed.", ""},
    {"http", "private_addresses", flag, "true: servers in private networks are allowed.", ""},
    {"http", "retries", [] { return number(0, 10); }, "How often a failed request is sent again.", "retries: 2"},
    {"http", "max_reply", size, "The longest reply that is read.", "max_reply: 64k"},

    {"prompt", "prompt", text, "The question. $ARGUMENTS stands for the event.", ""},
    {"prompt", "model", text, "The model that judges.", ""},
    {"agent", "prompt", text, "The task. $ARGUMENTS stands for the event.", ""},
    {"agent", "model", text, "The model of the sub-agent.", ""},
    {"agent", "max_turns", [] { return number(1, 100); }, "How many steps the sub-agent may take.", "max_turns: 10"},
});

}  // namespace

std::span<const MemberRow> rule_members() {
  return kMembers;
}

}  // namespace grapnel
