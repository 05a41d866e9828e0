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

/// Values of a rule file, each with a clear word about what is wrong with it and where.
///
/// A reader asks for what it wants (`text`, `flag`, `patterns`…). A value that is not that is one problem at its place
/// and makes the entry unusable; `failed` says so.
namespace grapnel {

/// How a text in a rule file becomes a pattern.
enum class PatternKind : uint8_t {
  Text,  ///< a glob in which `*` is any text
  Path,  ///< a glob in which `*` stops at `/`
};

/// A key and how its values are meant to look, for `check_keys`.
using KeyList = std::span<const std::string_view>;

/// A key or a word in single quotes, as messages name it.
std::string quoted_key(std::string_view key);

class RuleFields {
 public:
  explicit RuleFields(std::vector<ConfigProblem>& problems) : problems_(problems) {}

  /// Complains about the value, or about the key in front of it.
  void error(const YamlNode& node, std::string message, std::string hint = {});
  void error_at_key(const YamlNode& node, std::string message, std::string hint = {});
  void warn(const YamlNode& node, std::string message, std::string hint = {});

  /// Whether there was an error since `start`.
  bool failed() const { return failed_; }
  void start() { failed_ = false; }

  /// Every key that is not in the list is an error, with the nearest that is. `where` ends the sentence: "in a hook".
  void check_keys(const YamlNode& map, KeyList known, std::string_view where);

  /// A text that is not empty.
  std::string text(const YamlNode& node, std::string_view key);
  /// One such text or a list of them.
  std::vector<std::string> texts(const YamlNode& node, std::string_view key);
  /// The values of those: the node itself, or the elements of the list.
  std::vector<const YamlNode*> elements(const YamlNode& node, std::string_view key);
  bool flag(const YamlNode& node, std::string_view key);
  /// A whole number between two.
  int64_t number(const YamlNode& node, std::string_view key, int64_t least, int64_t most);
  std::chrono::milliseconds duration(const YamlNode& node, std::string_view key);
  /// `4000`, `8k`, `1M`.
  size_t size(const YamlNode& node, std::string_view key);
  /// The place of a word in the list.
  std::optional<size_t> word(const YamlNode& node, std::string_view key, KeyList known);
  /// `NAME: text` pairs.
  std::vector<std::pair<std::string, std::string>> pairs(const YamlNode& node, std::string_view key);

  std::vector<Matcher> patterns(const YamlNode& node, std::string_view key, PatternKind kind);
  /// What stands between two slashes, or nothing when the text is no regular expression.
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
