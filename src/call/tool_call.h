#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grapnel/tool.h"

#include "call/doubt.h"
#include "call/effects.h"
#include "call/file_roles.h"
#include "call/path_name.h"
#include "call/reach.h"
#include "call/second_reading.h"
#include "dialect/dialect.h"
#include "shell/parse.h"

namespace grapnel::call {

/// What surrounds an event and is not part of it.
struct CallContext {
  std::string project_dir;  ///< "" when there is none; then the event's directory takes its place
  std::string home;
  /// The variables that commands of the agent see; null when they are not known.
  const Environment* env = nullptr;
  /// Returns the files touched in this turn, or null when that is not known.
  std::function<const std::set<std::string>*()> touched = {};
  /// Returns when the session started, in milliseconds since the epoch, or 0 when that is not known.
  std::function<int64_t()> started = {};
};

/// One file a call names.
struct File {
  std::string said;                          ///< as the call spells it
  bool is_known = true;                      ///< false: only the running shell knows which file it is
  bool is_written = false;                   ///< the call writes it, as far as that can be seen
  bool is_guess = false;                     ///< nobody knows whether the call writes it
  bool is_anywhere = false;                  ///< it may be any file, whatever the call mentions
  std::string base;                          ///< the directory that `said` is relative to
  std::optional<FileNames> names = {};       ///< set by `ToolCall::names_of`
  std::optional<bool> keeps_base_name = {};  ///< set by `ToolCall::keeps_base_name`

  /// The absolute name as written, made without looking at the disk.
  std::string written;
};

/// The files of a call.
struct Files {
  std::vector<File> files;
  bool is_complete = true;  ///< false: the call may name more files than these
  /// Commands whose code may name more files, too. What it mentions tells which (`mention.h`).
  std::vector<const SimpleCommand*> codes;
};

/// An event's tool call, as rules ask about it. Everything is computed when it is first asked for, and only once: a
/// command is parsed only if some rule asks about commands, and the disk is read only for names that did not match as
/// written. Thread: one.
class ToolCall {
 public:
  ToolCall(const Event& event, const CallContext& around) : event_(event), around_(around) {}
  ToolCall(const ToolCall&) = delete;
  ToolCall& operator=(const ToolCall&) = delete;

  const Event& event() const { return event_; }
  const std::string& tool();
  bool is_tool(ToolKind kind);

  /// The shell command that the call would run; nothing for a call that runs none.
  const std::optional<std::string>& command_text();
  /// The simple commands of that text; null for a call that runs none.
  const ParsedCommand* commands();
  /// Whether a tool that is in no table may be of that kind.
  bool may_be_tool(ToolKind kind);
  /// Whether the tool is known to be a shell, and its command is where it should be. For a tool that is in no table, it
  /// is a guess that its `command` is shell code: good enough to deny, not to allow.
  bool is_surely_shell();

  /// The call as it is if a shell reads the texts in its command once more (`second_reading.h`); null if nothing in it
  /// runs code that is not known.
  ToolCall* again();
  /// What the command may mean beyond what it says; null for a call that runs no command.
  const Doubt* doubt();
  /// A file that one of the patterns matches and that the call uses without naming it; null if there is none. `lists`:
  /// among those whose names the command takes from a list (`find … | xargs`, `for f in *`), otherwise among those that
  /// it surely reads (`grep -r`). Sets `by` to the command. Looks at the disk. Limit: 5,000 names; those beyond it are
  /// not found.
  File* find_reached(const std::vector<Matcher>& patterns, bool lists, const SimpleCommand*& by);

  /// Whether the program of this command is the one that it is called like: a builtin of the shell, or a file that PATH
  /// leads to, outside of the project (`program_place.h`). Looks at the disk, once per name.
  bool is_usual_program(const SimpleCommand& command);

  /// The files that the call names: in its input, in a patch, or in its shell command.
  Files& files();
  /// All names of a file. Looks at the disk, once per file.
  const FileNames& names_of(File& file) const;
  /// Whether all names of the file have the written base name. Looks at the disk, once per file.
  static bool keeps_base_name(File& file);
  /// The directories that patterns are relative to.
  const PathRoots& places();
  /// The same with `real_project` filled in. Looks at the disk, once.
  const PathRoots& real_places();

  /// The tool's input with canonical key names.
  const Json& input();
  const std::set<std::string>* touched() const { return around_.touched ? around_.touched() : nullptr; }

 private:
  ToolCall(const ToolCall& first, SecondReading reading);
  const std::string& directory();
  shell::Variables known_variables();
  void add_file(std::string said, const std::string& base, bool is_written, bool is_guess = false);
  void add_patch(std::string_view text, const std::string& base);
  void add_shell_files();
  void add_word(const PathUse& use, const std::vector<std::string>& bases);
  std::vector<std::string> bases_of(const ParsedCommand& parsed);
  void add_search_tool(std::vector<Reach>& out);

  const Event& event_;
  const CallContext& around_;
  std::optional<std::string> tool_;
  std::optional<std::vector<ToolKind>> kinds_;
  std::optional<std::vector<ToolKind>> guesses_;
  bool has_command_text_ = false;
  bool is_odd_ = false;  ///< the command was not where it should be
  std::optional<std::string> command_text_;
  std::optional<ParsedCommand> commands_;
  bool has_again_ = false;
  std::unique_ptr<ToolCall> again_;
  std::optional<Doubt> doubt_;
  std::optional<PathRoots> places_;
  std::optional<std::string> directory_;
  std::optional<Json> input_;
  std::optional<Files> files_;
  std::optional<std::vector<Reach>> reaches_;
  std::list<File> reached_;  ///< matches point to them, so they must not move
  std::map<std::string, bool, std::less<>> usual_programs_;
};

/// The files that a shell would put in place of the pattern now; nothing when there are too many. A pattern without any
/// match stays as it is, as in a shell.
std::optional<std::vector<std::string>> expand_glob(const std::string& pattern, const std::string& base);

}  // namespace grapnel::call
