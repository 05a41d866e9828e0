#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grapnel/tool.h"

#include "call/effects.h"
#include "call/path_name.h"
#include "dialect/dialect.h"
#include "shell/parse.h"

namespace grapnel::call {

/// What is around an event.
struct CallContext {
  std::string project_dir;  ///< "" when there is none: then the event's directory
  std::string home;
  /// The files touched in this turn; null when that cannot be known.
  std::function<const std::set<std::string>*()> touched = {};
};

/// One file a call names.
struct File {
  std::string said;         ///< as the call spells it
  bool is_known = true;     ///< otherwise only the running shell knows which it is
  bool is_written = false;  ///< as far as can be told
  std::string base;         ///< what `said` is relative to
  std::optional<FileNames> names = {};
  std::optional<bool> keeps_base_name = {};  ///< once looked at

  /// The absolute name as written; looks at nothing.
  std::string written;
};

struct Files {
  std::vector<File> files;
  bool is_complete = true;  ///< otherwise there may be more
};

/// An event as questions see it. Everything is worked out when it is first asked for, and once: a command is parsed
/// only for a rule that looks at commands, the disk is looked at only for names that did not match as they are written.
/// Thread: one.
class ToolCall {
 public:
  ToolCall(const Event& event, const CallContext& around) : event_(event), around_(around) {}
  ToolCall(const ToolCall&) = delete;
  ToolCall& operator=(const ToolCall&) = delete;

  const Event& event() const { return event_; }
  const std::string& tool();
  bool is_tool(ToolKind kind);

  /// The shell command the call would run; nothing for a call that runs none.
  const std::optional<std::string>& command_text();
  /// Its commands; null for a call that runs none.
  const ParsedCommand* commands();
  /// What a tool that no table knows would do with its command is a guess.
  bool is_surely_shell() { return is_tool(ToolKind::Shell); }

  Files& files();
  /// All the names of a file; looks at the disk, once.
  const FileNames& names_of(File& file) const;
  /// Whether all of these end as the one that was written; looks at the disk, once.
  static bool keeps_base_name(File& file);
  const PathRoots& places();
  /// With where the project really is; looks at the disk.
  const PathRoots& real_places();

  /// The input in canonical words.
  const Json& input();
  const std::set<std::string>* touched() const { return around_.touched ? around_.touched() : nullptr; }

 private:
  const std::string& directory();
  void add_file(std::string said, const std::string& base, bool is_written);
  void add_patch(std::string_view text, const std::string& base);
  void add_shell_files();
  void add_word(const PathUse& use, const std::vector<std::string>& bases);
  std::vector<std::string> bases_of(const ParsedCommand& parsed);

  const Event& event_;
  const CallContext& around_;
  std::optional<std::string> tool_;
  std::optional<std::vector<ToolKind>> kinds_;
  bool has_command_text_ = false;
  std::optional<std::string> command_text_;
  std::optional<ParsedCommand> commands_;
  std::optional<PathRoots> places_;
  std::optional<std::string> directory_;
  std::optional<Json> input_;
  std::optional<Files> files_;
};

}  // namespace grapnel::call
