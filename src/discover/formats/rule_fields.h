#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "discover/formats/yaml_node.h"
#include "match/matcher.h"
#include "model/registry.h"

/// Reads the values of a rule file and reports what is wrong with them, and where.
///
/// A reader asks for the kind of value that it wants (`text`, `flag`, `patterns`…). A value of another kind is reported
/// at its position and makes the entry unusable; `failed` tells the caller. The function still returns some value, so
/// that reading can go on and find further mistakes.
namespace grapnel {

/// How a text in a rule file becomes a pattern.
enum class PatternKind : uint8_t {
  Text,  ///< a glob in which `*` is any text
  Path,  ///< a glob in which `*` stops at `/`
};

/// A list of keys or words that are accepted in one place.
using KeyList = std::span<const std::string_view>;

/// A map in a rule file, such as `when`, and the keys that its reader accepts. An entry of `hooks` is called `hook`.
struct RuleMap {
  std::string_view name;
  KeyList keys;
};

/// A key or a word in single quotes, for messages.
std::string quoted_key(std::string_view key);

class RuleFields {
 public:
  explicit RuleFields(std::vector<ConfigProblem>& problems) : problems_(problems) {}

  /// Reports a problem at the value, or at the key in front of it. Errors make `failed` true; warnings do not.
  void error(const YamlNode& node, std::string message, std::string hint = {});
  void error_at_key(const YamlNode& node, std::string message, std::string hint = {});
  void warn(const YamlNode& node, std::string message, std::string hint = {});

  /// Whether there was an error since the last `start`, which is called for each entry.
  bool failed() const { return failed_; }
  void start() { failed_ = false; }

  /// Reports every key that is not in the list, with the nearest known key as a hint. `where` ends the sentence: "in a
  /// hook".
  void check_keys(const YamlNode& map, KeyList known, std::string_view where);

  /// A text that is not empty.
  std::string text(const YamlNode& node, std::string_view key);
  /// One text or a list of texts, none of them empty.
  std::vector<std::string> texts(const YamlNode& node, std::string_view key);
  /// The nodes of a value that may be a list: the node itself, or the elements of the list.
  std::vector<const YamlNode*> elements(const YamlNode& node, std::string_view key);
  bool flag(const YamlNode& node, std::string_view key);
  /// A whole number from `least` to `most`.
  int64_t number(const YamlNode& node, std::string_view key, int64_t least, int64_t most);
  std::chrono::milliseconds duration(const YamlNode& node, std::string_view key);
  /// `4000`, `8k`, `1M`.
  size_t size(const YamlNode& node, std::string_view key);
  /// The position of a word in the list.
  std::optional<size_t> word(const YamlNode& node, std::string_view key, KeyList known);
  /// `NAME: text` pairs.
  std::vector<std::pair<std::string, std::string>> pairs(const YamlNode& node, std::string_view key);

  std::vector<Matcher> patterns(const YamlNode& node, std::string_view key, PatternKind kind);
  /// The text between two slashes, or nothing when the value is not a regular expression.
  std::optional<std::string> regex_of(const YamlNode& node);

 private:
  std::optional<Matcher> pattern(const YamlNode& node, PatternKind kind);
  std::optional<Matcher> compile(const YamlNode& node, std::string_view text, MatchSyntax syntax);

  std::vector<ConfigProblem>& problems_;
  bool failed_ = false;
};

/// `'a', 'b' or 'c'`.
std::string quoted_list(KeyList words);

}  // namespace grapnel
