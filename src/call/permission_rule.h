#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/error.h"
#include "grapnel/tool.h"

#include "call/command_pattern.h"
#include "match/glob.h"

/// `Tool` or `Tool(pattern)`.
///
///   Tool     a name of any agent (`Bash` and `run_shell_command` are one), a glob over names (`mcp__github__*`), or
///   `*`.
///            `mcp__github` stands for all tools of that MCP server.
///            A rule about editing holds for every tool that changes files, one about reading for searching too.
///   pattern  over shell commands as `command_pattern.h` has it; else a glob over the path, in which `*` crosses `/`
///            and a directory stands for all that is in it. `/x` and `~/x` are absolute, `x` is relative.
///
/// A rule is asked in one of two ways, and in doubt says what is safe: `may_hold` for rules that deny or ask (a command
/// among others, an unknown one, a relative path at any depth, a path by either name, a call with nothing to compare),
/// `surely_holds` for rules that allow (all commands of the line, the path from the workspace's root).
namespace grapnel::call {

/// A tool call as rules see it.
struct JudgedCall {
  std::string name;  ///< canonical
  ToolKind kind = ToolKind::Other;
  std::string subject = {};   ///< the command or the path, relative when inside the workspace; "" when there is neither
  std::string absolute = {};  ///< the path, links followed; "" when there is none
  std::string spelled = {};   ///< the same, links not followed
  std::string native = {};    ///< what the session's agent calls the tool; rules may name it so, too

  /// The commands of `subject`, which is one. They are worked out when they are first asked for. Thread: one.
  const ParsedCommand& commands() const;
  mutable std::optional<ParsedCommand> parsed = {};
};

/// A rule's text taken apart.
struct RuleText {
  std::string_view tool;
  std::string_view pattern;  ///< "" when there is none, or one that fits everything: `*`, `:*`
  bool is_closed = true;     ///< the parenthesis that opens the pattern is closed at the end
};
RuleText split_rule(std::string_view text);

class PermissionRule {
 public:
  /// Fails: BadConfig.
  static Result<PermissionRule> parse(std::string_view text, std::string_view home);

  bool may_hold(const JudgedCall& call) const;
  bool surely_holds(const JudgedCall& call) const;
  const std::string& text() const { return text_; }

 private:
  struct Tools {
    std::string name;               ///< canonical
    ToolKind kind = ToolKind::Mcp;  ///< `Mcp` when no agent's table has the name
    std::optional<match::Glob> names;
  };
  struct Subject {
    CommandPattern command;
    std::vector<match::Glob> from_root;     ///< over relative paths, or absolute ones
    std::vector<match::Glob> at_any_depth;  ///< over absolute paths
    bool is_absolute = false;
  };

  bool concerns(const JudgedCall& call) const;
  static Result<Tools> read_tools(std::string_view name);
  static Result<Subject> read_pattern(std::string_view pattern, std::string_view home);

  std::string text_;
  Tools tools_;
  std::optional<Subject> subject_;  ///< nothing: any
};

}  // namespace grapnel::call
