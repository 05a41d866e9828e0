#include "discover/formats/rule_fields.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.h"
#include "discover/find/overrides.h"
#include "discover/problems.h"

namespace grapnel {

namespace {

constexpr size_t kMaxFieldMessage = 400;
constexpr std::chrono::hours kMaxDuration{24};
constexpr size_t kMaxPatterns = 1000;

/// Whether the text looks like a regular expression with flags, `/x/i`. Paths look similar, so it must also contain a
/// character that is special in regular expressions.
bool has_flags(std::string_view text) {
  const size_t slash = text.rfind('/');
  if (!text.starts_with('/') || slash < 2 || slash + 1 == text.size()) return false;
  const std::string_view flags = text.substr(slash + 1);
  return flags.size() <= 2 && flags.find_first_not_of("gimsuy") == std::string_view::npos &&
         text.substr(1, slash - 1).find_first_of("\\^$|()[]+?*") != std::string_view::npos;
}

/// Takes a number from the front of the text; the rest, such as a unit, remains.
std::optional<int64_t> take_number(std::string_view& text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

/// Keys that people expect from other tools, and keys that belong somewhere else. A row counts where `key` is known.
struct OtherKeyRow {
  std::string_view word;
  std::string_view key;
  std::string_view hint;
};
constexpr auto kOtherKeys = std::to_array<OtherKeyRow>({
    {"event", "on", "write on: PreToolUse"},
    {"events", "on", "write on: PreToolUse"},
    {"trigger", "on", "write on: PreToolUse"},
    {"matcher", "when", "write when: { tool: … }"},
    {"if", "when", "write when: { … }"},
    {"match", "when", "write when: { … }"},
    {"condition", "when", "write when: { … }"},
    {"conditions", "when", "write when: { … }"},
    {"cmd", "run", "write run: …"},
    {"script", "run", "write run: …"},
    {"exec", "run", "write run: …"},
    {"action", "run", "write the action as the key: deny: …, ask: …, run: …"},
    {"then", "run", "write the action as the key: deny: …, ask: …, run: …"},
    {"type", "run", "write the action as the key: deny: …, ask: …, run: …"},
    {"block", "deny", "write deny: …"},
    {"reason", "deny", "write it as the value of the verdict: deny: …"},
    {"message", "deny", "write it as the value of the verdict: deny: …"},
    {"disabled", "enabled", "write enabled: false"},
    {"file", "path", "write path: …"},
    {"file_path", "path", "write path: …"},
    {"glob", "path", "write path: …"},
    {"cmd", "command", "write command: …"},
    {"args", "flag", "write flag: … for options"},
    {"or", "any", "write any: [{ … }, { … }]"},
    {"and", "all", "write all: [{ … }, { … }]"},
    {"unless", "not", "write not: { … }"},
    {"except", "not", "write not: { … }"},
    {"rules", "hooks", "write hooks: and a list"},
});
/// Questions of `when` that are no keys of a hook.
constexpr auto kOnlyInWhen =
    std::to_array<std::string_view>({"tool", "command", "flag", "effect", "path", "output", "input", "session", "mode",
                                     "changed", "any", "all", "not"});
/// Keys of a hook that are no questions, and so probably indented too far.
constexpr auto kOnlyInHook = std::to_array<std::string_view>({"name", "on", "deny", "ask", "allow", "run", "timeout"});

bool has_word(KeyList words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

/// What was meant by an unknown key, or "".
std::string other_key(std::string_view key, KeyList known) {
  const size_t colon = key.find(':');
  if (colon != std::string_view::npos && has_word(known, key.substr(0, colon)))
    return "put a space after the colon: " + std::string(key.substr(0, colon)) + ": " +
           std::string(key.substr(colon + 1));
  if (has_word(known, "when") && has_word(kOnlyInWhen, key))
    return "put it in 'when': when: { " + std::string(key) + ": … }";
  if (has_word(known, "tool") && has_word(kOnlyInHook, key))
    return "'" + std::string(key) + "' is a key of the hook: indent it like 'when'";
  const auto row = std::ranges::find_if(
      kOtherKeys, [&](const OtherKeyRow& r) { return r.word == text::to_lower(key) && has_word(known, r.key); });
  return row == kOtherKeys.end() ? "" : std::string(row->hint);
}

}  // namespace

std::string quoted_key(std::string_view key) {
  return "'" + std::string(key) + "'";
}

std::string quoted_list(KeyList words) {
  std::string out;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " or " : ", ";
    out += quoted_key(words[i]);
  }
  return out;
}

/// The message is cut, because it may quote a value of any length.
void RuleFields::error(const YamlNode& node, std::string message, std::string hint) {
  failed_ = true;
  // The parser finds an empty value where the next thing starts, which may be a line further down.
  const bool is_empty = node.kind == YamlNode::Kind::Empty;
  if (is_empty && hint.empty()) hint = "write a value; a text that starts with '#' needs quotes";
  problems_.push_back({ConfigProblem::Severity::Error, text::cap(message, kMaxFieldMessage),
                       is_empty ? node.at : node.value_at, text::cap(hint, kMaxFieldMessage)});
}

/// For mistakes that concern the key itself, as when it is unknown or must not be here.
void RuleFields::error_at_key(const YamlNode& node, std::string message, std::string hint) {
  error(node, std::move(message), std::move(hint));
  problems_.back().at = node.at;
}

void RuleFields::warn(const YamlNode& node, std::string message, std::string hint) {
  problems_.push_back({ConfigProblem::Severity::Warning, text::cap(message, kMaxFieldMessage), node.value_at,
                       text::cap(hint, kMaxFieldMessage)});
}

void RuleFields::check_keys(const YamlNode& map, KeyList known, std::string_view where) {
  for (const auto& [key, value] : map.members) {
    if (std::ranges::find(known, key) != known.end()) continue;
    std::string hint = other_key(key, known);
    if (hint.empty()) hint = did_you_mean(key, {known.begin(), known.end()});
    if (hint.empty()) hint = "use " + quoted_list(known);
    error_at_key(value, "unknown key '" + key + "' " + std::string(where), hint);
  }
}

std::string RuleFields::text(const YamlNode& node, std::string_view key) {
  const bool is_text = node.is_text() && !text::trim(node.text).empty();
  if (!is_text) {
    const bool is_nested = node.is_map() || node.kind == YamlNode::Kind::List;
    error(node, quoted_key(key) + " must be a text",
          is_nested ? "write one text, in quotes if it starts with [ or {" : "");
  }
  return is_text ? node.text : "";
}

std::vector<const YamlNode*> RuleFields::elements(const YamlNode& node, std::string_view key) {
  // A single value is treated as a list of one.
  if (node.kind != YamlNode::Kind::List) return {&node};
  std::vector<const YamlNode*> out;
  for (const auto& [none, element] : node.members) out.push_back(&element);
  if (out.empty()) error(node, quoted_key(key) + " is an empty list");
  // Reported, but returned all the same: the entry is dropped anyway.
  if (out.size() > kMaxPatterns) error(node, quoted_key(key) + " has more than 1000 elements");
  return out;
}

/// As `text` for each element, but with a message that mentions the list.
std::vector<std::string> RuleFields::texts(const YamlNode& node, std::string_view key) {
  std::vector<std::string> out;
  for (const YamlNode* element : elements(node, key)) {
    const bool is_text = element->is_text() && !text::trim(element->text).empty();
    if (!is_text) error(*element, quoted_key(key) + " must be a text or a list of texts");
    if (is_text) out.push_back(element->text);
  }
  return out;
}

/// The words that YAML 1.1 has for truth values, except for the single letters.
bool RuleFields::flag(const YamlNode& node, std::string_view key) {
  const std::string word = text::to_lower(node.text);
  const bool is_true = word == "true" || word == "yes" || word == "on";
  const bool is_false = word == "false" || word == "no" || word == "off";
  if (!node.is_text() || (!is_true && !is_false)) error(node, quoted_key(key) + " must be true or false");
  return is_true;
}

/// After a mistake the smallest valid number is returned, so that callers can convert it without a check.
int64_t RuleFields::number(const YamlNode& node, std::string_view key, int64_t least, int64_t most) {
  std::string_view rest = node.text;
  const auto number = node.is_text() ? take_number(rest) : std::nullopt;
  const bool is_fine = number && rest.empty() && *number >= least && *number <= most;
  if (!is_fine) {
    error(node,
          quoted_key(key) + " must be a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  return is_fine ? *number : least;
}

std::chrono::milliseconds RuleFields::duration(const YamlNode& node, std::string_view key) {
  const auto duration = node.is_text() ? parse_duration(node.text) : std::nullopt;
  if (!duration || *duration > kMaxDuration) {
    error(node, quoted_key(key) + " must be a duration of at most 24 hours", "write 500ms, 30s, 2m or 1h");
    return std::chrono::milliseconds{1};
  }
  return *duration;
}

/// Units are powers of 1024. The number is checked before it is multiplied, so nothing can overflow.
size_t RuleFields::size(const YamlNode& node, std::string_view key) {
  constexpr int64_t kKilo = 1024;
  constexpr int64_t kMost = 16 * kKilo * kKilo;
  std::string_view unit = node.text;
  const auto number = node.is_text() ? take_number(unit) : std::nullopt;
  const bool is_sane = number && *number > 0 && *number <= kMost;
  const std::string word = text::to_lower(text::trim(unit));
  int64_t bytes = 0;
  if (is_sane && (word.empty() || word == "b")) bytes = *number;
  if (is_sane && (word == "k" || word == "kb")) bytes = *number * kKilo;
  if (is_sane && (word == "m" || word == "mb")) bytes = *number * kKilo * kKilo;
  if (bytes <= 0 || bytes > kMost)
    error(node, quoted_key(key) + " must be a size of at most 16M", "write 4000, 8k or 1M");
  return static_cast<size_t>(bytes);
}

/// Callers whose list has the order of an enumeration convert the position to its value.
std::optional<size_t> RuleFields::word(const YamlNode& node, std::string_view key, KeyList known) {
  const auto found = node.is_text() ? std::ranges::find(known, node.text) : known.end();
  if (found != known.end()) return static_cast<size_t>(found - known.begin());
  error(node, quoted_key(key) + " must be " + quoted_list(known),
        did_you_mean(node.text, {known.begin(), known.end()}));
  return std::nullopt;
}

std::vector<std::pair<std::string, std::string>> RuleFields::pairs(const YamlNode& node, std::string_view key) {
  std::vector<std::pair<std::string, std::string>> out;
  if (!node.is_map()) error(node, quoted_key(key) + " must be a map of names and texts", "as in { NAME: text }");
  if (!node.is_map()) return out;
  for (const auto& [name, value] : node.members) {
    if (value.is_text()) {
      out.emplace_back(name, value.text);
    } else {
      error(value, quoted_key(name) + " in " + quoted_key(key) + " must be a text");
    }
  }
  return out;
}

/// At least one character must be between the slashes.
std::optional<std::string> RuleFields::regex_of(const YamlNode& node) {
  const std::string_view text = node.text;
  if (text.size() < 3 || !text.starts_with('/') || !text.ends_with('/')) return std::nullopt;
  return std::string(text.substr(1, text.size() - 2));
}

/// The compiled pattern, or nothing with the error noted.
std::optional<Matcher> RuleFields::compile(const YamlNode& node, std::string_view text, MatchSyntax syntax) {
  auto matcher = Matcher::compile(text, syntax);
  if (matcher) return std::move(*matcher);
  const std::string_view what = syntax == MatchSyntax::StrictRegex ? "regular expression" : "pattern";
  error(node, "'" + node.text + "' is not a valid " + std::string(what) + ": " + matcher.error().message,
        "close every bracket, and put a backslash before one that stands for itself, as in \\(");
  return std::nullopt;
}

/// Decides whether a text is a regular expression (between slashes) or a glob. Three traps of this syntax are caught
/// here: `\b` in double quotes, a directory such as `/etc/` that looks like a regular expression, and flags behind one.
std::optional<Matcher> RuleFields::pattern(const YamlNode& node, PatternKind kind) {
  if (node.text.contains('\b')) {
    error(node, "'\\b' in double quotes means a backspace in YAML", "put the pattern in single quotes");
    return std::nullopt;
  }
  if (const auto regex = regex_of(node)) {
    // `/etc/` in a list of paths: a directory, as far as its author is concerned.
    const bool is_plain = regex->find_first_of("\\^$|()[]+?*.") == std::string::npos;
    if (kind == PatternKind::Path && is_plain) {
      warn(node, "'" + node.text + "' is read as a regular expression, because it is between slashes",
           "write '/" + *regex + "/**' to match everything in that directory");
    }
    return compile(node, *regex, MatchSyntax::StrictRegex);
  }
  if (kind != PatternKind::Path && has_flags(node.text)) {
    error(node, "flags after a regular expression are not supported", "write /(?i)…/ to ignore case");
    return std::nullopt;
  }
  return compile(node, node.text, kind == PatternKind::Text ? MatchSyntax::GlobBash : MatchSyntax::GlobPath);
}

std::vector<Matcher> RuleFields::patterns(const YamlNode& node, std::string_view key, PatternKind kind) {
  std::vector<Matcher> out;
  for (const YamlNode* element : elements(node, key)) {
    if (!element->is_text() || element->text.empty()) {
      error(*element, quoted_key(key) + " must be a pattern or a list of patterns");
    } else if (auto matcher = pattern(*element, kind)) {
      out.push_back(std::move(*matcher));
    }
  }
  return out;
}

}  // namespace grapnel
