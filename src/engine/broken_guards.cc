#include "engine/broken_guards.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "call/tool_call.h"
#include "decide/combine.h"

namespace grapnel {

namespace {

/// Programs that do nothing but print, and what they print goes where the redirection says.
constexpr auto kPrinters = std::to_array<std::string_view>({"cat", "echo", "printf", "tee", "true", ":"});

bool only_prints(const call::SimpleCommand& command) {
  if (command.is_open || command.is_remote || !command.assignments.empty() || !command.wrappers.empty()) return false;
  if (command.words.empty()) return true;  // `> file`
  return !command.words[0].is_dynamic() && std::ranges::find(kPrinters, command.words[0].text) != kPrinters.end();
}

/// Whether the tool does nothing but read or write the files that its call names.
bool is_plain(call::ToolCall& call) {
  if (call.is_tool(ToolKind::Shell)) {
    const call::ParsedCommand* parsed = call.commands();
    return parsed != nullptr && !parsed->is_unclear && std::ranges::all_of(parsed->commands, only_prints);
  }
  return call.is_tool(ToolKind::Read) || call.is_tool(ToolKind::Write) || call.is_tool(ToolKind::Edit);
}

/// Whether the call only reads or writes the broken file. If the file is a link, or has hard links, that would change
/// another file, too.
bool is_repair(call::ToolCall& call, const std::string& path) {
  if (!is_plain(call)) return false;
  call::Files& files = call.files();
  if (!files.is_complete || files.files.empty()) return false;
  std::error_code error;
  const auto own = call::find_names(path, "/", "");
  if (own.is_linked || std::filesystem::is_symlink(path, error)) return false;
  const auto is_own = [&](const std::string& name) { return std::ranges::find(own.names, name) != own.names.end(); };
  return std::ranges::all_of(files.files, [&](call::File& file) {
    return file.is_known && std::ranges::all_of(call.names_of(file).names, is_own);
  });
}

bool is_missing(const BrokenFile& file) {
  return file.state == BrokenFile::State::Unreadable && file.good_from.empty() && file.was_trusted;
}

}  // namespace

const BrokenFile* missing_guard(const Snapshot& snapshot, const Event& event, const LineContext& context) {
  if (snapshot.registry.broken.empty() || event.kind() != EventKind::PreToolUse) return nullptr;
  if (snapshot.on_broken_config == OnFailure::Open) return nullptr;
  const call::CallContext around{.project_dir = context.options.project_dir, .home = context.home};
  call::ToolCall call(event, around);
  const auto found = std::ranges::find_if(snapshot.registry.broken, [&](const BrokenFile& file) {
    return is_missing(file) && !is_repair(call, file.at.file);
  });
  return found == snapshot.registry.broken.end() ? nullptr : &*found;
}

/// The engine's own hook, as self-protection is one: it appears in the list of hooks as one that failed.
void stand_in_for_guard(EventRun& run) {
  const BrokenFile* file = missing_guard(run.snapshot, run.event, run.context);
  if (file == nullptr) return;
  const bool is_closed = run.snapshot.on_broken_config == OnFailure::Closed;
  const std::string name(kBrokenConfigName);
  const std::string place = file->at.line == 0 ? file->at.file : file->at.file + ":" + std::to_string(file->at.line);
  Effects effects{.verdict = is_closed ? Verdict::Deny : Verdict::Ask};
  effects.reasons.push_back({name, place + " is broken (" + file->why +
                                       "), so none of its guards runs; `grapnel check` " + "shows the mistake"});
  run.progress.fates.push_back(
      {name, place, HookFate::Kind::Failed, file->why, effects.verdict, std::chrono::microseconds{0}});
  combine_into(run.progress.effects, std::move(effects));
}

}  // namespace grapnel
