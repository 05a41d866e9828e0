#pragma once

#include <chrono>
#include <expected>
#include <string>
#include <vector>

#include "dialect/dialect.h"
#include "discover/formats/settings_file.h"
#include "discover/problems.h"

namespace grapnel {

/// Reads the hooks of one event in a settings file. Two forms exist, and the dialect's tables say which it uses:
///
///   group   {matcher, hooks: [{type, command, …}, …]}    several hooks share a matcher
///   alone   {event, matcher, command, …}                 each hook has its own
///
/// A hook with a mistake is reported in `problems` and left out; the others are still read. The keys, their meanings
/// and the syntax of matchers come from `Dialect::entries` and from the event's row.
class GroupReader {
 public:
  GroupReader(const Dialect& dialect, Scope scope, const EventRow& row, Problems& problems)
      : dialect_(dialect), scope_(scope), row_(row), problems_(problems) {}

  /// Appends the hooks of a group that have no mistakes.
  void read(const Json& group, std::vector<ParsedHook>& out);
  /// Appends a hook that is not in a group and has a matcher of its own.
  void read_alone(const Json& entry, std::vector<ParsedHook>& out);

 private:
  /// What the hooks of a group share.
  struct GroupFacts {
    std::string name;
    bool sequential = false;
    std::vector<Clause> clauses;
    Json matcher;
    Json hooks;
  };
  std::optional<GroupFacts> read_facts(const Json& group);
  bool read_matcher(const Json& matcher, std::vector<Clause>& clauses);
  bool matches_empty(const Json& matcher);
  bool add_tools(const Json& patterns, const MatcherMember& member, std::vector<Clause>& clauses);
  bool add_clause(const Json& pattern, Field subject, MatchSyntax syntax, std::vector<Clause>& clauses);
  bool add_pattern(const Json& pattern, MatchSyntax syntax, Clause& clause);
  void read_hook(const Json& entry, const GroupFacts& facts, std::vector<ParsedHook>& out);
  bool read_key(const HookKeyRow& row, const Json& value, ParsedHook& hook, std::string& type);
  bool read_env(const Json& value, CommandHandler& handler);
  bool read_args(const Json& value, CommandHandler& handler);
  bool read_async(const Json& value, ParsedHook& hook);
  bool read_on_failure(const Json& value, ParsedHook& hook);
  bool read_condition(const Json& value, ParsedHook& hook);
  bool check_type(const Json& entry, const std::string& type, ParsedHook& hook);
  bool take_question(const Json& entry, const HandlerTypeRow& type, ParsedHook& hook);
  bool has_problem_in(const Json& entry, HookKey key) const;

  const Dialect& dialect_;
  Scope scope_;
  const EventRow& row_;
  Problems& problems_;
};

/// A timeout in the dialect's unit; a string that contains a number is accepted, too. The error is the end of a
/// sentence: "must be …".
std::expected<std::chrono::milliseconds, std::string> read_duration(const Json& value, std::chrono::milliseconds unit,
                                                                    std::chrono::milliseconds most);

/// The meaning of a word for `on_failure`, or nothing; and a list of all these words for messages: `"open" or
/// "closed"`.
std::optional<OnFailure> read_failure_word(const Dialect& dialect, std::string_view word);
std::string failure_words_text(const Dialect& dialect);

}  // namespace grapnel
