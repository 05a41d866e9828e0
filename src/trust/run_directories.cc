#include "trust/run_directories.h"

#include <algorithm>
#include <array>

#include "call/commands.h"
#include "call/hook_command.h"

namespace grapnel {

namespace {

/// Programs that run a directory if one is named. Digits and dots behind the name are a version: `python3.12`.
constexpr auto kDirectoryRunners = std::to_array<std::string_view>(
    {"python", "pypy", "node", "nodejs", "bun", "deno", "tsx", "ts-node", "nodemon", "electron", "run-parts"});
/// Behind these the program is something else: code, or a module that is searched for.
constexpr auto kOtherPrograms =
    std::to_array<std::string_view>({"-c", "-m", "-e", "-p", "--eval", "--print", "-pe", "eval", "test", "install"});

bool runs_directories(std::string_view program) {
  const std::string_view base = call::base_name(program);
  const size_t version = base.find_last_not_of("0123456789.");
  const std::string_view name = base.substr(0, version == std::string_view::npos ? 0 : version + 1);
  return std::ranges::find(kDirectoryRunners, name) != kDirectoryRunners.end();
}

void add_run(const std::vector<std::string>& words, std::vector<DirectoryRun>& out) {
  if (words.empty() || !runs_directories(words.front())) return;
  DirectoryRun run{std::string(call::base_name(words.front())), {}};
  for (size_t i = 1; i < words.size(); ++i) {
    if (std::ranges::find(kOtherPrograms, words[i]) != kOtherPrograms.end()) break;
    if (!words[i].starts_with('-')) run.words.push_back(words[i]);
  }
  if (!run.words.empty()) out.push_back(std::move(run));
}

}  // namespace

std::vector<DirectoryRun> directory_runs(const HookSpec& hook) {
  std::vector<DirectoryRun> out;
  const CommandHandler* handler = hook.program();
  if (handler == nullptr) return out;
  if (handler->args) {
    std::vector<std::string> words{handler->command};
    std::ranges::copy(*handler->args, std::back_inserter(words));
    add_run(words, out);
    return out;
  }
  const call::ParsedCommand parsed = call::commands_of(handler->command);
  for (const call::SimpleCommand& one : parsed.commands) {
    std::vector<std::string> words;
    for (const call::Word& word : one.words) words.push_back(word.text);
    add_run(words, out);
  }
  if (!parsed.is_unclear) return out;
  // The parser does not understand the command, so every word might be a program.
  std::vector<std::string> words;
  for (const call::CommandWord& word : call::words_of_command(handler->command)) words.push_back(word.text);
  for (size_t i = 0; i < words.size(); ++i) add_run({words.begin() + static_cast<std::ptrdiff_t>(i), words.end()}, out);
  return out;
}

}  // namespace grapnel
