#include "rule/lookup.h"

#include <algorithm>
#include <iterator>

#include "dialect/dialect.h"
#include "dialect/tools.h"
#include "rule/answer.h"

namespace grapnel::rule {

namespace {

/// Whether the pattern may be about tools of MCP servers in their canonical spelling, of which agents have others.
bool may_name_server_tool(const Matcher& matcher) {
  constexpr std::string_view kPrefix = "mcp__";
  if (const auto names = matcher.exact_names()) {
    return std::ranges::any_of(*names, [&](const std::string& name) { return name.starts_with(kPrefix); });
  }
  const std::string_view pattern = matcher.pattern();
  const char first = pattern.empty() ? kPrefix.front() : pattern.front();
  const bool is_letter = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
  return !is_letter || first == kPrefix.front();
}

/// All names, in the words of any agent, that the tools of this question can have. It may contain too many names, but
/// must not miss one. Empty if there are names without end, as for MCP tools.
std::vector<Matcher> names_to_look_for(const ToolQuestion& question, bool is_about_files) {
  const auto is_open = [](ToolKind kind) { return kind == ToolKind::Mcp || kind == ToolKind::Other; };
  if (std::ranges::any_of(question.kinds, is_open)) return {};
  if (std::ranges::any_of(question.names, may_name_server_tool)) return {};
  std::vector<ToolKind> kinds = question.kinds;
  if (is_about_files && counts_searches(question)) kinds.insert(kinds.end(), {ToolKind::Grep, ToolKind::Glob});
  std::vector<Matcher> names = question.names;
  const auto is_named = [&](std::string_view name) {
    return std::ranges::any_of(question.names, [&](const Matcher& matcher) { return matcher.matches(name); });
  };
  // First collect the kinds: a rule that names the tool of one agent means the same tool of all others.
  for (const Dialect* dialect : all_dialects()) {
    for (const ToolRow& row : dialect->tools.rows) {
      if (is_named(row.name)) kinds.push_back(tool_kind(row.name, dialect->name));
    }
    for (const ToolAlias& alias : dialect->tools.aliases) {
      const ToolKind kind = tool_kind(alias.alias, kCanonicalDialect.name);
      if (is_named(alias.alias) || std::ranges::find(kinds, kind) != kinds.end()) {
        names.push_back(*Matcher::compile(alias.tool, MatchSyntax::Exact));
      }
    }
  }
  // Then add the names of these kinds in every dialect. The kinds have to be complete before this.
  for (const Dialect* dialect : all_dialects()) {
    for (const ToolRow& row : dialect->tools.rows) {
      const ToolKind kind = tool_kind(row.name, dialect->name);
      if (std::ranges::find(kinds, kind) != kinds.end())
        names.push_back(*Matcher::compile(row.name, MatchSyntax::Exact));
    }
  }
  return names;
}

/// Whether any part of the condition is about files.
bool has_path(const Condition& condition) {
  if (condition.op == Condition::Op::Ask) return std::holds_alternative<PathQuestion>(condition.question);
  return std::ranges::any_of(condition.parts, has_path);
}

/// A tool question that has to be answered with yes for the condition to hold; null if there is none. Only `all` makes
/// its parts necessary; `any` and `not` do not.
const ToolQuestion* required_tool(const Condition& condition) {
  if (condition.op == Condition::Op::Ask) return std::get_if<ToolQuestion>(&condition.question);
  if (condition.op != Condition::Op::All) return nullptr;
  for (const Condition& part : condition.parts) {
    if (const ToolQuestion* found = required_tool(part)) return found;
  }
  return nullptr;
}

/// A pattern that fits every name.
Matcher anything() {
  static const Matcher matcher = *Matcher::compile("", MatchSyntax::ExactOrAny);
  return matcher;
}

}  // namespace

const Clause* clause_on(const HookSpec& hook, Field subject) {
  const auto found = std::ranges::find(hook.clauses, subject, &Clause::subject);
  return found == hook.clauses.end() ? nullptr : &*found;
}

std::vector<Matcher> patterns_on(const HookSpec& hook, Field subject) {
  // A matcher in the settings decides alone. Without one, the condition of a rule may still name its tools.
  if (const Clause* clause = clause_on(hook, subject)) return clause->any_of;
  const ToolQuestion* tool = subject == Field::ToolName && hook.when ? required_tool(*hook.when) : nullptr;
  std::vector<Matcher> names =
      tool == nullptr ? std::vector<Matcher>{} : names_to_look_for(*tool, has_path(*hook.when));
  return names.empty() ? std::vector{anything()} : names;
}

std::optional<std::vector<std::string>> names_on(const HookSpec& hook, Field subject) {
  std::vector<std::string> names;
  for (const Matcher& pattern : patterns_on(hook, subject)) {
    auto own = pattern.exact_names();
    if (!own) return std::nullopt;
    std::ranges::move(*own, std::back_inserter(names));
  }
  return names;
}

}  // namespace grapnel::rule
