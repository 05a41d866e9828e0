#pragma once

#include <chrono>
#include <expected>
#include <string>
#include <vector>

#include "dialect/dialect.h"
#include "discover/formats/settings_file.h"
#include "discover/problems.h"

namespace grapnel {

/// Reads the matcher groups of one event: `{matcher, hooks: [{type, command, …}]}`, or hooks that stand alone:
/// `{event, matcher, command, …}`.
class GroupReader {
 public:
  GroupReader(const Dialect& dialect, Scope scope, const EventRow& row, Problems& problems)
      : dialect_(dialect), scope_(scope), row_(row), problems_(problems) {}

  /// Appends the group's good hooks.
  void read(const Json& group, std::vector<ParsedHook>& out);
  /// Appends a hook that stands alone, with a matcher of its own.
  void read_alone(const Json& entry, std::vector<ParsedHook>& out);

 private:
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

/// A timeout in the dialect's unit; numbers in strings count. The error is the end of a sentence: "must be …".
std::expected<std::chrono::milliseconds, std::string> read_duration(const Json& value, std::chrono::milliseconds unit,
                                                                    std::chrono::milliseconds most);

/// What a word for failing means, or nothing; and all such words, for people.
std::optional<OnFailure> read_failure_word(const Dialect& dialect, std::string_view word);
std::string failure_words_text(const Dialect& dialect);

}  // namespace grapnel
