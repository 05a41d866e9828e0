#include "convert/convert_matcher.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "convert/pattern_text.h"
#include "dialect/matcher_names.h"
#include "discover/formats/if_rule.h"
#include "model/field_names.h"

namespace grapnel {

namespace {

using Kind = PatternText::Kind;
using Patterns = std::vector<PatternText>;

std::string in_quotes(std::string_view text) {
  return "'" + text::cap(text, 100) + "'";
}

bool are_names(const Patterns& patterns) {
  return std::ranges::all_of(patterns, [](const PatternText& p) { return p.kind == Kind::Name; });
}

/// Several source names may become the same target name.
void add_once(Patterns& to, PatternText pattern) {
  if (std::ranges::find(to, pattern) == to.end()) to.push_back(std::move(pattern));
}

/// The conditions are first collected per field, as patterns with translated names. Then conditions on fields that the
/// target cannot match are dropped. The rest is written in the simplest form that says the same: one string if only the
/// event's own field has a condition, otherwise an object with one member per field.
class MatcherWriter {
 public:
  explicit MatcherWriter(const MatcherRoute& route) : route_(route) {}

  ConvertedMatcher write(const std::vector<Clause>& clauses) {
    for (const Clause& clause : clauses) {
      if (applies(clause.subject)) add(clause);
    }
    drop_unsayable();
    if (!conditions_.empty() && !write_string()) write_object();
    if (out_.any_of.empty()) out_.any_of.emplace_back();
    return std::move(out_);
  }

 private:
  void lose(std::string sentence) { out_.losses.push_back(std::move(sentence)); }
  std::string target() const { return std::string(route_.to.name); }

  /// A condition on the tool does not apply to events that have no tool.
  bool applies(Field field) const {
    const bool is_about_tools = field == Field::ToolName || field == Field::ToolInput || field == Field::ToolPath ||
                                field == Field::ToolCommand;
    const EventKind kind = route_.event.kind;
    const bool is_of_tool = kind == EventKind::PreToolUse || kind == EventKind::PermissionRequest ||
                            kind == EventKind::PostToolUse || kind == EventKind::PostToolUseFailure;
    return !is_about_tools || is_of_tool;
  }

  /// Two conditions on the same field can be merged if both are lists of names: the names that are in both remain.
  /// Otherwise the second one is lost.
  void add(const Clause& clause) {
    Patterns patterns = translated(clause);
    if (patterns.empty()) return;
    const auto known = conditions_.find(clause.subject);
    if (known == conditions_.end()) {
      conditions_.emplace(clause.subject, std::move(patterns));
      return;
    }
    Patterns both;
    std::ranges::copy_if(known->second, std::back_inserter(both), [&](const PatternText& pattern) {
      return std::ranges::find(patterns, pattern) != patterns.end();
    });
    if (are_names(patterns) && are_names(known->second) && !both.empty()) {
      known->second = std::move(both);
    } else {
      lose_condition(clause.subject, patterns);
    }
  }

  /// Reports a condition that is left out.
  void lose_condition(Field field, const Patterns& patterns) {
    std::vector<std::string> texts;
    for (const PatternText& pattern : patterns) texts.push_back(pattern.text);
    lose(target() + " cannot express the condition on " + std::string(kFieldNames[static_cast<size_t>(field)]) + " " +
         in_quotes(text::join(texts, "|")) + ", so the hook runs more often");
  }

  /// Whether the reader added this name itself because a pattern matches an alias of it. The target's reader does the
  /// same, so the name need not be written.
  bool is_implied(const Matcher& matcher, const Clause& clause) const {
    if (clause.subject != Field::ToolName || matcher.syntax() != MatchSyntax::Exact) return false;
    return std::ranges::any_of(route_.from.tools.aliases, [&](const ToolAlias& row) {
      return row.tool == matcher.pattern() && std::ranges::any_of(clause.any_of, [&](const Matcher& other) {
               return other.syntax() != MatchSyntax::Exact && other.matches(row.alias);
             });
    });
  }

  /// The patterns of a condition in the target's names. Empty if the condition matches everything.
  Patterns translated(const Clause& clause) {
    Patterns out;
    for (const Matcher& matcher : clause.any_of) {
      if (matcher.matches_everything()) return {};
      if (is_implied(matcher, clause)) continue;
      for (PatternText& pattern : pattern_texts(matcher)) translate(std::move(pattern), clause.subject, out);
    }
    return out;
  }

  /// Commands, paths and prompts are the same in all agents. Names are translated. In a regex, only the alternatives
  /// that are plain words can be translated; a pattern with others is kept and reported.
  void translate(PatternText pattern, Field field, Patterns& out) {
    const bool is_regex = pattern.kind == Kind::Search || pattern.kind == Kind::Whole;
    const bool is_free_text =
        field == Field::ToolCommand || field == Field::ToolPath || field == Field::ToolInput || field == Field::Prompt;
    if (is_free_text || &route_.from == &route_.to) return add_once(out, std::move(pattern));
    if (pattern.kind == Kind::Name) {
      for (std::string& name : names_of(pattern.text, field)) add_once(out, {Kind::Name, std::move(name)});
    } else if (is_regex) {
      bool is_known = true;
      pattern.text = translate_regex(pattern.text, field, is_known);
      if (!is_known) report_kept(pattern.text);
      add_once(out, std::move(pattern));
    } else {
      report_kept(pattern.text);
      add_once(out, std::move(pattern));
    }
  }

  void report_kept(const std::string& pattern) {
    lose("the pattern " + in_quotes(pattern) + " is kept as it is; " + target() + " may use other names");
  }

  /// All of the target's names for one name. A name without a translation is kept.
  std::vector<std::string> names_of(const std::string& name, Field field) {
    auto names = names_in(route_.from, field, name, route_.to);
    if (!names.empty()) return names;
    lose("the tool " + in_quotes(name) + " keeps its name, because no name for it in " + target() + " is known");
    return {name};
  }

  /// Translates the alternatives of a regex that are names. Groups around the whole expression are kept. `is_known`
  /// becomes false if a part could not be translated.
  std::string translate_regex(std::string_view regex, Field field, bool& is_known) {
    for (const auto& [open, close] : {std::pair{"^(?:", ")$"}, {"^(", ")$"}, {"(?:", ")"}, {"(", ")"}}) {
      const auto inner = peel(regex, open, close);
      if (inner && !inner->starts_with('?')) return open + translate_regex(*inner, field, is_known) + close;
    }
    const auto parts = split_alternatives(regex);
    if (parts.size() == 1) return translate_word(regex, field, is_known);
    std::vector<std::string> out;
    for (const std::string_view part : parts) {
      std::string one = translate_regex(part, field, is_known);
      if (std::ranges::find(out, one) == out.end()) out.push_back(std::move(one));
    }
    return text::join(out, "|");
  }

  /// Translates a single word with optional anchors. Several names need a group if there is an anchor.
  std::string translate_word(std::string_view regex, Field field, bool& is_known) {
    const std::string_view open = regex.starts_with('^') ? "^" : "";
    const std::string_view close = regex.ends_with('$') ? "$" : "";
    const std::string_view word =
        regex.substr(open.size(), regex.size() - std::min(regex.size(), open.size() + close.size()));
    auto names = is_plain_word(word) ? names_in(route_.from, field, word, route_.to) : std::vector<std::string>{};
    if (names.empty()) {
      is_known = false;
      return std::string(regex);
    }
    for (std::string& name : names) name = escape_regex(name);
    const bool is_single = names.size() == 1;
    const bool needs_group = !is_single && !(open.empty() && close.empty());
    const std::string all = text::join(names, "|");
    return std::string(open) + (needs_group ? "(?:" + all + ")" : all) + std::string(close);
  }

  /// Whether a matcher may be a string. In some dialects it is always an object.
  bool takes_strings() const {
    const bool has_own = !route_.to.key_of(HookKey::Matcher).empty() && route_.to.entries.matcher_members.empty();
    return has_own || !route_.to.key_of(GroupKey::Matcher).empty();
  }

  bool has_member(Field field) const {
    const auto& members = route_.to.entries.matcher_members;
    return std::ranges::find(members, field, &MatcherMember::subject) != members.end();
  }

  /// Drops conditions on fields that the event's matchers cannot check.
  void drop_unsayable() {
    std::erase_if(conditions_, [&](const auto& condition) {
      const bool is_sayable =
          has_member(condition.first) || (takes_strings() && route_.event.matching.match_on == condition.first);
      if (!is_sayable) lose_condition(condition.first, condition.second);
      return !is_sayable;
    });
  }

  /// Writes a string if there is only one condition, on the field that the event's matchers are compared with. If the
  /// syntax has no alternatives, one string for each pattern is written. Returns false if that cannot be done.
  bool write_string() {
    const auto& [field, patterns] = *conditions_.begin();
    const EventRow& event = route_.event;
    if (!takes_strings() || conditions_.size() != 1 || event.matching.match_on != field) return false;
    if (const auto text = write_patterns(patterns, event.matching.match_syntax)) {
      out_.any_of.push_back(Json::string(*text));
      return true;
    }
    std::vector<Json> apart;
    for (const PatternText& pattern : patterns) {
      if (const auto text = write_patterns({pattern}, event.matching.match_syntax))
        apart.push_back(Json::string(*text));
    }
    if (apart.size() != patterns.size()) return false;
    out_.any_of = std::move(apart);
    return true;
  }

  /// Writes an object with a member for each field. What no member can express is lost.
  void write_object() {
    std::vector<std::pair<std::string, Json>> members;
    fold_argument(members);
    for (const auto& [field, patterns] : conditions_) {
      const auto member = std::ranges::find(route_.to.entries.matcher_members, field, &MatcherMember::subject);
      Json value = member == route_.to.entries.matcher_members.end() ? Json() : member_value(patterns, *member);
      if (value) {
        members.emplace_back(member->key, std::move(value));
      } else {
        lose_condition(field, patterns);
      }
    }
    if (members.size() == 1 && !conditions_.empty() && takes_strings() && rewrite_as_string(members.front().first))
      return;
    if (!members.empty()) out_.any_of.push_back(Json::object(members));
  }

  /// Some dialects write a glob over a tool's argument behind the tool, as in `Write(src/**)`.
  void fold_argument(std::vector<std::pair<std::string, Json>>& members) {
    const auto member = std::ranges::find(route_.to.entries.matcher_members, true, &MatcherMember::takes_argument);
    const auto tools = conditions_.find(Field::ToolName);
    if (member == route_.to.entries.matcher_members.end() || tools == conditions_.end()) return;
    const auto names = write_patterns(tools->second, member->syntax);
    for (const Field field : {Field::ToolPath, Field::ToolCommand}) {
      const auto found = conditions_.find(field);
      if (!names || found == conditions_.end() || found->second.size() != 1) continue;
      const PatternText& glob = found->second.front();
      const std::string text = *names + "(" + glob.text + ")";
      const auto split = split_tool_pattern(text, route_.to);
      if (glob.syntax != MatchSyntax::GlobBash || !split || split->subject != field) continue;
      members.emplace_back(member->key, Json::string(text));
      conditions_.erase(found);
      conditions_.erase(tools);
      return;
    }
  }

  /// If only the event's own field is left, the string form is shorter.
  bool rewrite_as_string(const std::string& key) {
    const auto member = std::ranges::find(route_.to.entries.matcher_members, key, &MatcherMember::key);
    if (member->subject != route_.event.matching.match_on) return false;
    std::erase_if(conditions_, [&](const auto& condition) { return condition.first != member->subject; });
    return write_string();
  }

  /// The patterns as the value of one member: a string or, if the syntax has no alternatives, a list. Missing if
  /// neither can say the same.
  Json member_value(const Patterns& patterns, const MatcherMember& member) const {
    if (const auto text = write_patterns(patterns, member.syntax)) return Json::string(*text);
    if (!takes_strings()) return {};
    std::vector<Json> list;
    for (const PatternText& pattern : patterns) {
      const auto parts =
          pattern.kind == Kind::Search ? split_alternatives(pattern.text) : std::vector<std::string_view>{pattern.text};
      for (const std::string_view part : parts) {
        const auto text = write_patterns({{pattern.kind, std::string(part), pattern.syntax}}, member.syntax);
        if (!text) return {};
        list.push_back(Json::string(*text));
      }
    }
    return Json::array(list);
  }

  const MatcherRoute& route_;
  std::map<Field, Patterns> conditions_;
  ConvertedMatcher out_;
};

}  // namespace

ConvertedMatcher convert_matcher(const std::vector<Clause>& clauses, const MatcherRoute& route) {
  return MatcherWriter(route).write(clauses);
}

}  // namespace grapnel
