#include "discover/formats/rule_habits.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "discover/formats/frontmatter.h"
#include "discover/formats/rule_entry.h"
#include "discover/formats/rule_uses.h"

/// What `grapnel check` says about rules that are written as other tools want them, and what it is silent about.
namespace grapnel {
namespace {

struct HabitCase {
  const char* lines;  ///< of an entry, beside its name
  const char* want;   ///< the warnings, or ""
};

/// A project with a directory `src`.
std::string project() {
  const std::string out = ::testing::TempDir() + "habits";
  std::filesystem::create_directories(out + "/src");
  return out;
}

std::string warnings_of(const std::string& lines) {
  const auto document = read_yaml_fields("name: a\n" + lines + "\n", "r.yaml");
  if (!document) return "no YAML: " + document.error().message;
  std::vector<ConfigProblem> errors;
  RuleFields fields(errors);
  const auto hook = read_rule_entry(document->root, fields);
  std::vector<ConfigProblem> problems;
  check_habits(document->root, project(), problems);
  if (hook) check_uses(*hook, document->root, problems);
  std::string out;
  for (const ConfigProblem& problem : problems)
    out += (out.empty() ? "" : "\n") + problem.message + " (" + problem.hint + ")";
  return out;
}

constexpr HabitCase kHabits[] = {
    {"when: {tool: Write|Edit}",
     "no tool is called 'Write|Edit': names are compared as a whole, and '|' is part of this one (write a list: "
     "[Write, "
     "Edit])"},
    {"when: {tool: 'read, mcp__a__*'}",
     "no tool is called 'read, mcp__a__*': names are compared as a whole, and ',' is part of this one (write a list: "
     "[read, 'mcp__a__*'])"},
    {"when: {tool: 'mcp__.*'}",
     "'mcp__.*' is not read as a regular expression, and no tool is called that (write 'mcp__*', or put a regular "
     "expression between slashes)"},
    {"when: {tool: ^Bash$}",
     "'^Bash$' is not read as a regular expression, and no tool is called that (write 'Bash', or put a regular "
     "expression between slashes)"},
    {"when: {tool: 'Bash(git push:*)'}",
     "'Bash(git push:*)' is a permission as agents write it, and matches nothing here (write tool: shell, command: git "
     "push)"},
    {"when: {tool: Read(.env)}",
     "'Read(.env)' is a permission as agents write it, and matches nothing here (write tool: Read, path: '.env')"},
    {"when: {tool: mcp__github}",
     "'mcp__github' is a server and not a tool (write 'mcp__github__*' for all of its tools)"},
    {"when: {tool: any}", "no tool is called 'any' (leave 'tool' out; then the rule is about every tool)"},
    {"when: {tool: terminal}", "no agent is known to have a tool 'terminal' (write tool: shell)"},
    {"when: {command: 'rm.*-rf'}",
     "'rm.*-rf' never matches: commands are compared word by word, not with regular expressions (write command: rm, "
     "flag: -rf)"},
    {"when: {command: '^git\\s+push.*main'}",
     "'^git\\s+push.*main' never matches: commands are compared word by word, not with regular expressions (write "
     "command: git push * main)"},
    {"when: {command: 'rm:*'}", "'rm:*' never matches: ':' is part of the last word (write command: rm)"},
    {"when: {command: '*rm*'}",
     "'*rm*' is about programs with 'rm' in their name, not about the text of a command (write command: rm; it is "
     "found "
     "in every part of a command line)"},
    {"when: {any: [{command: ls}, {not: {command: '*rm -rf*'}}]}",
     "'*rm -rf*' is about programs with 'rm' in their name, not about the text of a command (write command: rm -rf; it "
     "is found in every part of a command line)"},
    {"when: {path: migrations/}",
     "'migrations/' matches no file, because it ends with a slash (write 'migrations/**' for everything in that "
     "directory)"},
    {"when: {path: src}", "'src' is a directory, and no file has that name (write 'src/**' for everything in it)"},
    {"when: {path: /src/**}",
     "a path that starts with '/' is one of this machine, and there is no '/src' (write 'src/**', relative to the "
     "project)"},
    {"when: {path: 'a\\b\\*.py'}",
     "a backslash does not separate directories here, so this never matches (write 'a/b/*.py')"},
    {"when: {path: 'C:\\a\\b'}",
     "a backslash does not separate directories here, so this never matches (write '/a/b')"},
    {"when: {path: '$HOME/.ssh/**'}", "variables are not filled in here, so this never matches (write '~/.ssh/**')"},
    {"when: {path: '.*\\.env$'}",
     "'.*\\.env$' is not read as a regular expression (put it between slashes: '/.*\\.env$/')"},
    {"when: {path: '../other/**'}",
     "paths are relative to the project and never start with '..', so this never matches (write the full path, or one "
     "from your home directory: '~/…')"},
    {"when: {changed: '*.ts, *.tsx'}",
     "'*.ts, *.tsx' is one pattern with a comma in it (write a list: ['*.ts', '*.tsx'])"},
    {"when: {path: ‘**/.env’}", "typographic quotes are part of the text in YAML (use straight quotes: '…')"},
    {"when: {prompt: password}",
     "this only matches a text that is 'password' and nothing else (write '*password*' to find it anywhere)"},
    {"when: {prompt: '/password.*'}",
     "'/password.*' is not read as a regular expression, because it does not end with a slash (write '/password.*/')"},
    {"when: {output: /secret}",
     "'/secret' is not read as a regular expression, because it does not end with a slash (write '/secret/')"},
    {"when: {mode: bypassPermissions}",
     "this never matches: claude's 'bypassPermissions' is called 'yolo' here (write mode: yolo)"},
    {"when: {mode: yolo1}", "no agent is known to have a mode 'yolo1' (did you mean 'yolo'?)"},
    {"when: {mode: no-questions}",
     "no agent is known to have a mode 'no-questions' (most have default, plan, auto-edit and yolo)"},
    {"when: {agent: claude}",
     "'claude' is a program, and 'agent' is compared with the names of subagents (leave it out; a rule holds in every "
     "program)"},
    {"on: SessionStart\ninject: {file: RULES.md}",
     "the file 'RULES.md' does not exist (correct the path; it starts at the project)"},
    {"when: {prompt: '(?i)password'}",
     "'(?i)password' is not read as a regular expression (put it between slashes: '/(?i)password/')"},
    {"when: {input: {tool_input.command: 'x*'}}", "'input' takes JSON pointers into the tool's input (write /command)"},
    {"when: {input: {/tool_input/command: 'x*'}}",
     "'input' takes JSON pointers into the tool's input (write /command)"},
    {"on: Stop\nrun: x\ntimeout: 30000",
     "'timeout: 30000' is 500 minutes: a number without a unit is seconds (write 30000ms, or the seconds as in 30s)"},
    {"on: Stop\nrun: x {path}",
     "'{path}' is empty here: Stop is not about a file (remove it, or put the rule on PostToolUse)"},
    {"on: PostToolUse\nrun: [x, '{file}']", "'{file}' is not a placeholder and stays as it is (write {path})"},
    {"on: PostToolUse\nrun: x '{{path}}'", "'{{path}}' has one brace too many on each side (write {path})"},
    {"on: PostToolUse\nrun: x ${path}", "'$path' is a variable of the shell, and nothing sets it (write {path})"},
    {"on: PostToolUse\nrun: x $FILE", "'$FILE' is a variable of the shell, and nothing sets it (write {path})"},
    {"on: Stop\nrun: x\nasync: true\non_failure: closed",
     "an async hook refuses nothing, so 'on_failure' has no effect (remove 'async' if the hook should be able to "
     "refuse)"},
    {"on: PreToolUse\nwhen: {command: sudo}\ndeny: x\nonce: true",
     "this rule answers deny once in a session; the next call like that passes (remove 'once', or write inject: … if "
     "you want to remind the model)"},
    {"on: PreToolUse\ndeny: x\ntimeout: 5s", "'timeout' has no effect: this rule runs nothing (remove it)"},
};

TEST(RuleHabits, AreToldWithWhatToWriteInstead) {
  for (const HabitCase& c : kHabits) EXPECT_EQ(warnings_of(c.lines), c.want) << c.lines;
}

/// Values that look like a habit and are right.
constexpr const char* kFine[] = {
    "when: {tool: [write, Edit, 'mcp__*', mcp__a__b, /^Bash$/, '{Read,Write}', exec_command, Shell]}",
    "when: {command: [git push, git * push, git push --force, 'git push*', '* rm', npm run build:prod, ./deploy.sh, "
    "g++]}",
    "when: {path: ['**/.env*', '*.{ts,tsx}', ./src/**, ~/.ssh/**, /etc/**, '.*', 'a.*', 'src/a,b.txt', '/\\.env$/', "
    "'a\\[b]']}",
    "when: {prompt: ['*password*', /clear, '/(?i)x/'], output: '*x*', mode: plan, agent: reviewer, session: resume}",
    "when: {input: {/timeout: '600000', timeout: '9*', /a/b: x}}",
    "on: Stop\nrun: x\ntimeout: 600",
    "on: Stop\nrun: x {project} {cwd}\nwhen: {changed: 'src/**'}",
    "on: [Stop, PostToolUse]\nrun: x {path}",
    "on: PostToolUse\nrun: for file in a b; do x \"$file\"; done",
    "on: PostToolUse\nrun: path=$(jq -r .x); x $path",
    "on: PostToolUse\nrun: awk '{print}' {path}",
    "on: PostToolUse\nrun: x $PATH $HOME $filename_of",
    "on: PostToolUse\nrun: x $FILE\nenv: {FILE: a}",
    "on: Stop\nrun: x\nasync: true",
    "when: {mode: [yolo, auto-edit, default, 'accept*']}",
    "on: SessionStart\ninject: {file: ~/rules.md}",
    "on: SessionStart\ninject: {file: src}",
    "on: Stop\ndeny: Did you run the tests?\nonce: true",
    "on: Stop\nrun: x\nonce: true",
};

TEST(RuleHabits, AreNotSeenWhereTheyAreNone) {
  for (const char* lines : kFine) EXPECT_EQ(warnings_of(lines), "") << lines;
}

}  // namespace
}  // namespace grapnel
