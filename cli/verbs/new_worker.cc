#include "cli/verbs/new_worker.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "discover/formats/rule_entry.h"

namespace grapnel::cli {

namespace {

struct Language {
  std::string_view name;
  std::string_view program;  ///< that runs it
  std::string_view suffix;
  std::string_view text;  ///< `@NAME@` stands for the hook's name
};

// What people change comes first. The kit is in the same file, because trust covers the files that a command names, and
// not what these import.
constexpr auto kWorkerLanguages = std::to_array<Language>({
    {"python", "python3", ".py", R"(#!/usr/bin/env python3
"""The worker of the hook @NAME@: it is started once and answers many events."""
import json
import sys


def judge(event):
    """Called for each event. Returns an answer, or nothing to let it pass."""
    command = event.get("tool_input", {}).get("command", "")
    if "git push --force" in command:
        return {"verdict": "deny", "reason": "Force pushes need a human."}


for line in sys.stdin:
    request = json.loads(line)
    answer = judge(request["event"]) or {}
    print(json.dumps({**answer, "id": request["id"]}), flush=True)
)"},
    {"node", "node", ".mjs", R"(#!/usr/bin/env node
// The worker of the hook @NAME@: it is started once and answers many events.
import { createInterface } from "node:readline";

/** Called for each event. Returns an answer, or a promise of one, or nothing to let it pass. */
function judge(event) {
  const command = event.tool_input?.command ?? "";
  if (command.includes("git push --force")) return { verdict: "deny", reason: "Force pushes need a human." };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, event } = JSON.parse(line);
  const answer = (await judge(event)) ?? {};
  process.stdout.write(JSON.stringify({ ...answer, id }) + "\n");
}
)"},
    {"sh", "sh", ".sh", R"(#!/bin/sh
# The worker of the hook @NAME@: it is started once and answers many events.

# Called with each event, as JSON on one line. Sets `answer`, or leaves it to let the event pass.
judge() {
  case $1 in
    *'git push --force'*) answer='{"verdict": "deny", "reason": "Force pushes need a human."}' ;;
  esac
}

while IFS= read -r line; do
  id=${line#*'"id"'}
  id=${id#*'"'}
  id=${id%%'"'*}
  answer=
  judge "$line"
  if [ "$answer" ]; then
    printf '{"id": "%s", %s\n' "$id" "${answer#?}"
  else
    printf '{"id": "%s"}\n' "$id"
  fi
done
)"},
});

constexpr std::string_view kWorkerTest = R"(version: 1
cases:
  - name: force pushes are refused
    event: @EVENT@
    input: {tool_name: Bash, tool_input: {command: git push --force}}
    expect:
      verdict: deny
      hooks: {@NAME@: ran}

  - name: other commands are not
    event: @EVENT@
    input: {tool_name: Bash, tool_input: {command: git status}}
    expect:
      verdict: pass
)";

std::string filled(std::string_view text, std::string_view mark, std::string_view value) {
  std::string out(text);
  for (size_t at = out.find(mark); at != std::string::npos; at = out.find(mark, at + value.size())) {
    out.replace(at, mark.size(), value);
  }
  return out;
}

/// Whether the two commands of the test meet the conditions of the rule, before the command runs.
bool is_about_commands(const NewRule& rule) {
  const auto is_shell = [](const auto& condition) { return condition.first == "tool" && condition.second == "shell"; };
  return events_called(rule.events.front()) == std::vector{EventKind::PreToolUse} && rule.events.size() == 1 &&
         std::ranges::all_of(rule.when, is_shell);
}

}  // namespace

Result<NewWorker> new_worker(const NewRule& rule, const std::string& language) {
  const auto found = std::ranges::find(kWorkerLanguages, language, &Language::name);
  if (found == kWorkerLanguages.end()) return fail(Errc::BadInput, "--worker takes python, node or sh");
  const std::string stem = "workers/" + rule.name;
  const std::string program = stem + std::string(found->suffix);
  NewWorker out{.command = std::string(found->program) + " {here}/" + program, .files = {}};
  out.files.push_back({program, filled(found->text, "@NAME@", rule.name), true});
  if (is_about_commands(rule)) {
    const std::string test = filled(kWorkerTest, "@EVENT@", rule.events.front());
    out.files.push_back({stem + ".hooktest.yaml", filled(test, "@NAME@", rule.name)});
  }
  return out;
}

}  // namespace grapnel::cli
