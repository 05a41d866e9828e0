#include "discover/formats/hook_fields.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <expected>

#include "base/text.h"
#include "discover/find/overrides.h"
#include "discover/formats/hook_name.h"
#include "discover/formats/rule_entry.h"
#include "discover/formats/sandbox_entry.h"
#include "discover/problems.h"

namespace grapnel {

namespace {

constexpr size_t kMaxDescription = 1024;

/// A number, and whether it had to be moved into its range.
struct RangedNumber {
  int value = 0;
  bool is_moved = false;
};

/// The limits of a number, and its unit for people.
struct Range {
  int64_t least;
  int64_t most;
  std::string_view unit;

  std::string text() const { return std::to_string(least) + " to " + std::to_string(most) + std::string(unit); }
};
constexpr Range kPriorities{0, 1000, ""};

Range timeouts_of(const Dialect& dialect) {
  return {dialect.timeouts.min.count(), dialect.timeouts.max.count(), " ms"};
}

/// A whole number; digits may be grouped with `_`, as in YAML. A number outside of the range becomes the nearest one in
/// it: a guard with a mistake in its timing is better than no guard. The error is the end of a sentence: "must be …".
std::expected<RangedNumber, std::string> read_number(const YamlNode& node, const Range& range) {
  std::string digits;
  for (const char c : text::trim(node.text)) {
    if (c != '_') digits += c;
  }
  if (digits.starts_with('+')) digits.erase(0, 1);
  int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool is_whole = node.is_text() && !digits.empty() && end == digits.data() + digits.size();
  if (!is_whole || error == std::errc::invalid_argument) return std::unexpected("must be an integer");
  // Of a number that is too long for any integer only the sign counts.
  if (error == std::errc::result_out_of_range) number = digits.starts_with('-') ? range.least - 1 : range.most + 1;
  const int64_t nearest = std::clamp(number, range.least, range.most);
  return RangedNumber{static_cast<int>(nearest), nearest != number};
}

/// The words that YAML parsers take for a truth value. Our tree has scalars as text, so quoted words count as well.
std::optional<bool> read_flag(const YamlNode& node) {
  const std::string word = text::to_lower(text::trim(node.text));
  if (!node.is_text()) return std::nullopt;
  if (word == "true" || word == "yes" || word == "on" || word == "1") return true;
  if (word == "false" || word == "no" || word == "off" || word == "0") return false;
  return std::nullopt;
}

std::string join_sorted(std::vector<std::string> names) {
  std::ranges::sort(names);
  return text::join(names, ", ");
}

/// The top-level fields. Keys that are pointers, such as `/metadata/on_error`, are inside another field.
std::vector<std::string_view> known_fields(const Dialect& dialect) {
  std::vector<std::string_view> out;
  for (const HookKeyRow& row : dialect.entries.hook_keys) {
    if (!row.key.starts_with('/')) out.push_back(row.key);
  }
  return out;
}

/// Every name of every event, for hints.
std::vector<std::string_view> spellings(const Dialect& dialect) {
  std::vector<std::string_view> out;
  for (const EventRow& row : dialect.events) {
    out.push_back(row.wire_name);
    out.insert(out.end(), row.aliases.begin(), row.aliases.end());
  }
  std::ranges::sort(out);
  return out;
}

/// Reads the fields of one hook. It reads all of them even after an error, so that authors see every mistake at once.
class FieldReader {
 public:
  FieldReader(const YamlNode& root, const FieldRules& rules, std::vector<ConfigProblem>& problems)
      : root_(root), rules_(rules), problems_(problems) {}

  std::optional<HookFields> read() {
    check_keys();
    read_name();
    read_description();
    read_trigger();
    if (const YamlNode* matcher = root_.find("matcher")) read_matcher(*matcher);
    read_timing();
    read_metadata();
    if (has_error_) return std::nullopt;
    return std::move(out_);
  }

 private:
  void error(const YamlNode& where, std::string message, std::string hint = {}) {
    has_error_ = true;
    problems_.push_back({ConfigProblem::Severity::Error, std::move(message), where.at, std::move(hint)});
  }

  void warn(const YamlNode& where, std::string message, std::string hint = {}) {
    problems_.push_back({ConfigProblem::Severity::Warning, std::move(message), where.at, std::move(hint)});
  }

  /// All unknown fields are one error. The hint suggests the nearest known field for the first of them, or lists what
  /// is allowed.
  void check_keys() {
    const auto known = known_fields(rules_.dialect);
    std::vector<std::string> unknown;
    const YamlNode* first = nullptr;
    for (const auto& [key, value] : root_.members) {
      if (std::ranges::find(known, key) != known.end()) continue;
      unknown.push_back(key);
      if (first == nullptr) first = &value;
    }
    if (first == nullptr) return;
    std::string hint = did_you_mean(unknown.front(), known);
    if (hint.empty()) hint = "allowed: " + join_sorted({known.begin(), known.end()});
    error(*first, "Unexpected fields in frontmatter: " + join_sorted(unknown), hint);
  }

  /// A field that must exist; null, with the error reported, when it does not.
  const YamlNode* required(std::string_view key) {
    const YamlNode* node = root_.find(key);
    if (node == nullptr) error(root_, "Missing required field in frontmatter: " + std::string(key));
    return node;
  }

  /// The name must equal that of the directory. This is an error for a hook that the user named by path, and a warning
  /// for one that was found in a root, where the hook can still run under its own name.
  void read_name() {
    const YamlNode* node = required("name");
    if (node == nullptr) return;
    out_.name = node->is_text() ? normalise_name(node->text) : "";
    if (out_.name.empty()) return error(*node, "field 'name' must be a non-empty string");
    for (std::string& mistake : name_mistakes(out_.name)) error(*node, std::move(mistake));
    if (normalise_name(rules_.directory) == out_.name) return;
    std::string message = "directory name '" + rules_.directory + "' must match hook name '" + out_.name + "'";
    if (rules_.must_be_so_named) return error(*node, std::move(message));
    warn(*node, std::move(message), "it runs as '" + out_.name + "'");
  }

  void read_description() {
    const YamlNode* node = required("description");
    if (node == nullptr) return;
    out_.description = node->is_text() ? text::trim(node->text) : "";
    if (out_.description.empty()) return error(*node, "field 'description' must be a non-empty string");
    const size_t length = count_characters(out_.description);
    if (length <= kMaxDescription) return;
    error(*node, "description exceeds 1024 character limit (" + std::to_string(length) + " chars)");
  }

  /// What this format calls an event that was named as another agent does, or "".
  std::string name_here(std::string_view name) const {
    for (const EventKind kind : events_called(name)) {
      const EventRow* row = rules_.dialect.find_event(kind);
      if (row == nullptr) continue;
      const bool has_new_name = rules_.dialect.entries.aliases_are_current && !row->aliases.empty();
      return "it is called '" + std::string(has_new_name ? row->aliases.front() : row->wire_name) + "' here";
    }
    return "";
  }

  /// The event. The first edition of the format has other names for events than the current one; both work, and the old
  /// ones get a warning.
  void read_trigger() {
    const YamlNode* node = required("trigger");
    if (node == nullptr) return;
    if (!node->is_text()) return error(*node, "field 'trigger' must be a string");
    out_.trigger = node->text;
    out_.event = rules_.dialect.find_event(node->text);
    if (out_.event == nullptr) {
      const auto known = spellings(rules_.dialect);
      std::string hint = name_here(node->text);
      if (hint.empty()) hint = did_you_mean(node->text, known);
      if (hint.empty()) hint = "one of: " + join_sorted({known.begin(), known.end()});
      return error(*node, "Invalid trigger '" + node->text + "'", hint);
    }
    const bool is_first_edition = rules_.dialect.entries.aliases_are_current && out_.trigger == out_.event->wire_name &&
                                  !out_.event->aliases.empty();
    if (is_first_edition) {
      warn(*node, "'" + out_.trigger + "' is the old name of this trigger; it still works",
           "the current name is '" + std::string(out_.event->aliases.front()) + "'");
    }
  }

  /// Each member of the matcher becomes a clause. At events other than tool calls a matcher has nothing to be compared
  /// with, so it is dropped with a warning.
  void read_matcher(const YamlNode& matcher) {
    if (!matcher.is_map()) return error(matcher, "field 'matcher' must be an object with 'tool' or 'pattern'");
    const auto& known = rules_.dialect.entries.matcher_members;
    std::vector<std::string> unknown;
    for (const auto& [key, value] : matcher.members) {
      if (std::ranges::find(known, key, &MatcherMember::key) == known.end()) unknown.push_back(key);
    }
    if (!unknown.empty()) error(matcher, "Unexpected fields in matcher: " + join_sorted(unknown));
    for (const MatcherMember& member : known) {
      if (const YamlNode* node = matcher.find(member.key)) read_pattern(member, *node);
    }
    const bool applies = out_.event == nullptr || out_.event->matching.match_on == Field::ToolName;
    if (applies || matcher.members.empty()) return;
    warn(matcher, "a matcher only works on tool events and has no effect here");
    out_.clauses.clear();
  }

  void read_pattern(const MatcherMember& member, const YamlNode& node) {
    const std::string field = "matcher." + std::string(member.key);
    if (node.kind == YamlNode::Kind::Empty) return;
    if (!node.is_text()) return error(node, "field '" + field + "' must be a string");
    const std::string pattern = without_backspaces(field, node);
    auto matcher = Matcher::compile(pattern, member.syntax);
    if (!matcher) return error(node, "Invalid regex in " + field + ": " + matcher.error().message);
    // An empty pattern matches everything and needs no clause.
    if (!pattern.empty()) out_.clauses.push_back({member.subject, {std::move(*matcher)}, member.whole_too});
  }

  /// In double quotes YAML turns `\b` into a backspace, but the author of a pattern means a word boundary. So it is
  /// turned back, with a warning.
  std::string without_backspaces(const std::string& field, const YamlNode& node) {
    std::string out;
    for (const char c : node.text) out += c == '\b' ? "\\b" : std::string(1, c);
    if (out != node.text) {
      warn(node, "'\\b' in double quotes means a backspace in YAML; in " + field + " it is read as a word boundary",
           "put the pattern in single quotes");
    }
    return out;
  }

  /// How the hook runs. After an error the values do not matter, since the hook is dropped.
  void read_timing() {
    if (const YamlNode* node = root_.find("timeout")) {
      const auto timeout = read_ranged("timeout", *node, timeouts_of(rules_.dialect));
      if (timeout) out_.timeout = std::chrono::milliseconds(*timeout);
    }
    for (const auto& [key, value] : root_.members) {
      // The format knows both spellings.
      if (key != "async" && key != "async_") continue;
      out_.async = read_flag(value);
      if (!out_.async) error(value, "field 'async' must be true or false");
    }
    if (const YamlNode* node = root_.find("priority")) {
      out_.priority = read_ranged("priority", *node, kPriorities).value_or(out_.priority);
    }
  }

  /// Reports a number that is outside of its range or no number at all.
  std::optional<int> read_ranged(std::string_view field, const YamlNode& node, const Range& range) {
    const auto number = read_number(node, range);
    const std::string name = "field '" + std::string(field) + "' ";
    if (!number) {
      const auto duration = range.unit == " ms" ? parse_duration(node.text) : std::nullopt;
      error(node, name + number.error(),
            duration ? "write the milliseconds: " + std::to_string(duration->count()) : "");
      return std::nullopt;
    }
    if (number->is_moved) {
      warn(node, name + "is outside of its range, " + range.text(), "it is read as " + std::to_string(number->value));
    }
    return number->value;
  }

  /// Metadata is free-form, so a mistake in it never drops the hook, except one in `sandbox`: without it the hook could
  /// do more than its author wants. Only texts are kept.
  void read_metadata() {
    const YamlNode* node = root_.find("metadata");
    if (node == nullptr || node->kind == YamlNode::Kind::Empty) return;
    if (!node->is_map()) return warn(*node, "field 'metadata' is not an object and is ignored");
    for (const auto& [key, value] : node->members) {
      if (value.is_text()) out_.metadata.emplace_back(key, value.text);
    }
    if (const YamlNode* sandbox = node->find("sandbox")) {
      RuleFields fields(problems_);
      out_.sandbox = read_sandbox(*sandbox, fields);
      has_error_ |= !out_.sandbox;
    }
  }

  const YamlNode& root_;
  const FieldRules& rules_;
  std::vector<ConfigProblem>& problems_;
  HookFields out_;
  bool has_error_ = false;
};

}  // namespace

std::string_view HookFields::metadata_of(std::string_view key) const {
  const auto found = std::ranges::find(metadata, key, &std::pair<std::string, std::string>::first);
  return found == metadata.end() ? std::string_view{} : std::string_view(found->second);
}

std::optional<HookFields> read_hook_fields(const YamlNode& root, const FieldRules& rules,
                                           std::vector<ConfigProblem>& problems) {
  return FieldReader(root, rules, problems).read();
}

/// The defaults of `hooks.toml` are checked by the same rules as the fields of a hook, so that a wrong default is
/// reported once, at its own place, and not for every hook.
bool check_default(const std::string& key, YamlNode& value, const Dialect& dialect,
                   std::vector<ConfigProblem>& problems) {
  const Range range = timeouts_of(dialect);
  const auto timeout = read_number(value, range);
  if (key == "timeout" && timeout && timeout->is_moved) {
    value.text = std::to_string(timeout->value);
    problems.push_back({ConfigProblem::Severity::Warning, "default 'timeout' is outside of its range, " + range.text(),
                        value.at, "it is read as " + value.text});
  }
  const bool is_fine = key == "timeout" ? timeout.has_value() : read_flag(value).has_value();
  if (is_fine) return true;
  const std::string why = key == "timeout" ? timeout.error() : "must be true or false";
  problems.push_back({ConfigProblem::Severity::Error, "default '" + key + "' " + why, value.at, ""});
  return false;
}

}  // namespace grapnel
