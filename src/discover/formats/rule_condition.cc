#include "discover/formats/rule_condition.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "dialect/dialect.h"
#include "discover/problems.h"

namespace grapnel {

namespace {

constexpr auto kConditionKeys =
    std::to_array<std::string_view>({"tool", "command", "flag", "effect", "path", "prompt", "output", "input",
                                     "session", "agent", "mode", "changed", "any", "all", "not"});
// In the order of `CommandEffect`.
constexpr auto kEffects = std::to_array<std::string_view>({"readonly", "writes", "network", "destructive"});
/// Conditions are read and evaluated by recursion, so their depth is limited.
constexpr int kMaxNesting = 32;

/// A key that compares a text of the event with patterns. A new one needs a row here, a name in `kConditionKeys` and a
/// case where conditions are evaluated.
struct TextKey {
  std::string_view key;
  TextQuestion::Of of;
};
constexpr auto kTextKeys = std::to_array<TextKey>({{"prompt", TextQuestion::Of::Prompt},
                                                   {"output", TextQuestion::Of::Output},
                                                   {"session", TextQuestion::Of::Session},
                                                   {"agent", TextQuestion::Of::Agent},
                                                   {"mode", TextQuestion::Of::Mode}});

/// The kind with that name, found by walking the enumeration from its first to its last value.
std::optional<ToolKind> kind_called(std::string_view word) {
  for (auto kind = ToolKind::Shell;; kind = static_cast<ToolKind>(static_cast<int>(kind) + 1)) {
    if (to_string(kind) == word) return kind;
    if (kind == ToolKind::Other) return std::nullopt;
  }
}

/// Reads a tree of conditions. Each map becomes an `All` with one part for each key.
class ConditionReader {
 public:
  explicit ConditionReader(RuleFields& fields) : fields_(fields) {}

  /// The condition of one map; `where` is the key in front of it, for messages.
  Condition read(const YamlNode& map, std::string_view where) {
    Condition out;
    out.at = map.value_at;
    if (!map.is_map()) {
      fields_.error(map, "'" + std::string(where) + "' must be a map of conditions",
                    "as in { tool: shell, command: git push }");
      return out;
    }
    if (map.members.empty())
      fields_.error(map, "'" + std::string(where) + "' is empty", "leave it out if the hook should always run");
    fields_.check_keys(map, kConditionKeys, "in '" + std::string(where) + "'");
    if (nesting_ == kMaxNesting) {
      fields_.error(map, "conditions are nested more than 32 deep");
      return out;
    }
    ++nesting_;
    for (const auto& [key, value] : map.members) read_key(key, value, out);
    // `command`, `flag` and `effect` together are one question, so they are read after the other keys.
    read_command(map, out);
    tie_effects(map, out);
    --nesting_;
    return out;
  }

 private:
  /// Adds a question. Its position is that of the key, for warnings such as "this never matches".
  void add(Condition& out, Question question, const YamlNode& node) {
    Condition part;
    part.op = Condition::Op::Ask;
    part.question = std::move(question);
    part.at = node.at;
    out.parts.push_back(std::move(part));
  }

  /// Adds the part for one key. Unknown keys have been reported already.
  void read_key(const std::string& key, const YamlNode& value, Condition& out) {
    const auto text = std::ranges::find(kTextKeys, key, &TextKey::key);
    if (text != kTextKeys.end()) {
      add(out, TextQuestion{text->of, fields_.patterns(value, key, PatternKind::Text)}, value);
    } else if (key == "tool") {
      add(out, read_tools(value), value);
    } else if (key == "path") {
      add(out, PathQuestion{fields_.patterns(value, key, PatternKind::Path)}, value);
    } else if (key == "changed") {
      add(out, ChangedQuestion{fields_.patterns(value, key, PatternKind::Path)}, value);
    } else if (key == "input") {
      read_input(value, out);
    } else if (key == "any" || key == "all") {
      read_group(key, value, out);
    } else if (key == "not") {
      Condition part = read(value, key);
      Condition negated;
      negated.op = Condition::Op::Not;
      negated.at = value.at;
      negated.parts.push_back(std::move(part));
      out.parts.push_back(std::move(negated));
    }
  }

  /// `any` and `all`: a list of maps, each of which is a condition.
  void read_group(const std::string& key, const YamlNode& value, Condition& out) {
    if (value.kind != YamlNode::Kind::List || value.members.empty()) {
      return fields_.error(value, "'" + key + "' must be a list of conditions",
                           "as in " + key + ": [{ tool: write }, { tool: edit }]");
    }
    Condition group;
    group.op = key == "any" ? Condition::Op::Any : Condition::Op::All;
    group.at = value.at;
    for (const auto& [none, element] : value.members) group.parts.push_back(read(element, key));
    out.parts.push_back(std::move(group));
  }

  /// A word is the kind of a tool or, if no kind is called so, a pattern for names.
  ToolQuestion read_tools(const YamlNode& node) {
    ToolQuestion out;
    for (const YamlNode* element : fields_.elements(node, "tool")) {
      const auto kind = element->is_text() ? kind_called(element->text) : std::nullopt;
      if (element->kind == YamlNode::Kind::List) {
        fields_.error(*element, "'tool' is a list inside a list", "write one list, as in [write, edit]");
      } else if (kind) {
        out.kinds.push_back(*kind);
      } else {
        std::ranges::move(fields_.patterns(*element, "tool", PatternKind::Text), std::back_inserter(out.names));
        warn_of_unknown(*element);
      }
    }
    return out;
  }

  /// Warns about a tool name that resembles a known one. A name that resembles none is probably a tool of the host or
  /// of an MCP server.
  void warn_of_unknown(const YamlNode& tool) {
    if (tool.text.find_first_of("*?[]{}/") != std::string::npos) return;
    const std::vector<std::string_view> known = tool_words();
    if (std::ranges::find(known, tool.text) != known.end()) return;
    const std::string hint = did_you_mean(tool.text, known);
    if (!hint.empty()) fields_.warn(tool, "no agent is known to have a tool '" + tool.text + "'", hint);
  }

  /// One question for each pointer; all of them must be met.
  void read_input(const YamlNode& node, Condition& out) {
    if (!node.is_map() || node.members.empty()) {
      return fields_.error(node, "'input' must be a map of JSON pointers and patterns",
                           "as in { /command: '*--force*' }");
    }
    for (const auto& [key, value] : node.members) {
      const std::string pointer = key.starts_with('/') ? key : "/" + key;
      add(out, InputQuestion{pointer, fields_.patterns(value, key, PatternKind::Text)}, value);
    }
  }

  /// Combines the keys about commands: in one map they describe the same simple command, so that `{command: git push,
  /// flag: --force}` does not match `git push; rm --force x`.
  void read_command(const YamlNode& map, Condition& out) {
    const YamlNode* command = map.find("command");
    const YamlNode* flag = map.find("flag");
    const YamlNode* effect = map.find("effect");
    CommandQuestion question;
    if (command != nullptr) question.words = read_words(*command);
    if (flag != nullptr) question.flags = read_flags(*flag);
    if (effect != nullptr) question.effects = read_effects(*effect);
    const YamlNode* first = command != nullptr ? command : flag != nullptr ? flag : effect;
    if (first != nullptr) add(out, std::move(question), *first);
  }

  /// `{path: /etc/**, effect: writes}` is about files that are written: reading one and writing another is no match.
  void tie_effects(const YamlNode& map, Condition& out) {
    if (map.find("effect") == nullptr) return;
    const auto* const command = std::get_if<CommandQuestion>(&out.parts.back().question);
    for (Condition& part : out.parts) {
      auto* const path = part.op == Condition::Op::Ask ? std::get_if<PathQuestion>(&part.question) : nullptr;
      if (path != nullptr && command != nullptr) path->effects = command->effects;
    }
  }

  /// Each command as its leading words. Shell syntax is refused, since a pipeline can never equal a list of words.
  std::vector<std::vector<std::string>> read_words(const YamlNode& node) {
    std::vector<std::vector<std::string>> out;
    for (const YamlNode* element : fields_.elements(node, "command")) {
      const std::string text = fields_.text(*element, "command");
      if (fields_.regex_of(*element)) {
        fields_.error(*element, "commands are compared word by word, not with regular expressions",
                      "write input: { /command: " + text + " } to match the whole text");
      } else if (text.find_first_of("'\"`$|;&<>") != std::string::npos) {
        fields_.error(*element, "'" + text + "' is shell syntax; a command is a list of plain words",
                      text.contains('|') && !text.contains(" | ")
                          ? "write several commands as a list: [rm, mv]"
                          : "write each command of a pipeline or list separately");
      }
      std::vector<std::string> words;
      std::string spaced = text;
      std::ranges::replace_if(spaced, [](char c) { return c == '\t' || c == '\n'; }, ' ');
      for (const std::string_view word : text::split(spaced, ' ')) {
        if (!word.empty()) words.emplace_back(word);
      }
      out.push_back(std::move(words));
    }
    return out;
  }

  /// Flags are compared by name, so a value such as `--depth=1` is refused.
  std::vector<std::string> read_flags(const YamlNode& node) {
    std::vector<std::string> out;
    for (const YamlNode* element : fields_.elements(node, "flag")) {
      const std::string flag = fields_.text(*element, "flag");
      const bool is_flag =
          flag.size() > 1 && flag.starts_with('-') && flag.find_first_of(" \t='\"") == std::string::npos;
      if (!flag.empty() && !is_flag) {
        fields_.error(*element, "'" + flag + "' is not a flag",
                      "write it with its dashes and without a value: --force, -f");
      }
      out.push_back(flag);
    }
    return out;
  }

  std::vector<CommandEffect> read_effects(const YamlNode& node) {
    std::vector<CommandEffect> out;
    for (const YamlNode* element : fields_.elements(node, "effect")) {
      if (const auto index = fields_.word(*element, "effect", kEffects)) {
        out.push_back(static_cast<CommandEffect>(*index));
      }
    }
    return out;
  }

  RuleFields& fields_;
  int nesting_ = 0;
};

}  // namespace

Condition read_condition(const YamlNode& when, RuleFields& fields) {
  return ConditionReader(fields).read(when, "when");
}

KeyList condition_keys() {
  return kConditionKeys;
}

KeyList effect_words() {
  return kEffects;
}

std::vector<std::string_view> tool_words() {
  std::vector<std::string_view> out;
  const auto add = [&](std::string_view word) {
    if (std::ranges::find(out, word) == out.end()) out.push_back(word);
  };
  for (auto kind = ToolKind::Shell; kind <= ToolKind::Other; kind = static_cast<ToolKind>(static_cast<int>(kind) + 1)) {
    add(to_string(kind));
  }
  for (const Dialect* dialect : all_dialects()) {
    for (const ToolRow& row : dialect->tools.rows) add(row.name);
    for (const ToolAlias& row : dialect->tools.aliases) add(row.alias);
  }
  return out;
}

}  // namespace grapnel
