#include "discover/formats/rule_habits.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "base/text.h"
#include "dialect/dialect.h"
#include "discover/formats/yaml_lines.h"
#include "discover/problems.h"

namespace grapnel {

namespace {

namespace fs = std::filesystem;

/// What a habit does here, and what to write instead.
struct Advice {
  std::string what;
  std::string hint;
};
using MaybeAdvice = std::optional<Advice>;

/// One value of a condition.
struct Value {
  std::string_view key;
  std::string_view text;
  const std::string& project;

  bool is_regex() const { return text.size() > 2 && text.starts_with('/') && text.ends_with('/'); }
  bool has_glob() const { return text.find_first_of("*?[{") != std::string_view::npos; }
  std::string quoted() const { return "'" + text::cap(text, 60) + "'"; }
};

/// `a|b` or `a, b` as a YAML list.
std::string as_list(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (const std::string_view part : text::split(text, separator)) {
    const std::string_view name = text::trim(part);
    if (!name.empty())
      parts.push_back(name.find_first_of("*[]{}") == std::string_view::npos ? std::string(name) : in_yaml_quotes(name));
  }
  return "[" + text::join(parts, ", ") + "]";
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// Signs of a regular expression that no glob has.
bool looks_like_regex(std::string_view text) {
  const bool has_anchor = text.starts_with('^') || text.ends_with('$') || text.starts_with("(?");
  const auto has = [&](std::string_view sign) { return text.contains(sign); };
  return has_anchor || has("\\.") || has("\\s") || has("\\b") || has("\\d") || has("\\w") || has(".+") || has("]+");
}

/// The same as a glob, if it is simple enough: `^mcp__.*$` is `mcp__*`.
std::string as_glob(std::string_view regex) {
  std::string out(regex);
  if (out.starts_with('^')) out.erase(0, 1);
  if (out.ends_with('$')) out.pop_back();
  out = replaced(replaced(std::move(out), "\\.", "\x01"), ".*", "*");
  return replaced(std::move(out), "\x01", ".");
}

/// Editors and chat programs put these in place of straight quotes; to YAML they are letters.
MaybeAdvice typographic_quotes(const Value& value) {
  for (const std::string_view quote : {"‘", "’", "“", "”"}) {
    if (!value.text.starts_with(quote)) continue;
    return Advice{"typographic quotes are part of the text in YAML", "use straight quotes: '…'"};
  }
  return std::nullopt;
}

/// `Bash(git push:*)`, as agents write permissions.
MaybeAdvice permission_rule(const Value& value) {
  const size_t open = value.text.find('(');
  if (open == 0 || open == std::string_view::npos || !value.text.ends_with(')')) return std::nullopt;
  const std::string_view name = value.text.substr(0, open);
  const bool is_name =
      std::ranges::all_of(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
  if (!is_name) return std::nullopt;
  std::string_view what = value.text.substr(open + 1, value.text.size() - open - 2);
  if (what.ends_with(":*") || what.ends_with(" *")) what.remove_suffix(2);
  const bool is_shell = text::to_lower(name).contains("bash") || text::to_lower(name).contains("shell");
  return Advice{value.quoted() + " is a permission as agents write it, and matches nothing here",
                is_shell ? "write tool: shell, command: " + std::string(what)
                         : "write tool: " + std::string(name) + ", path: " + in_yaml_quotes(what)};
}

MaybeAdvice several_tools(const Value& value) {
  for (const char separator : {'|', ','}) {
    if (!value.text.contains(separator) || value.text.contains('(') || value.text.contains('{')) continue;
    return Advice{"no tool is called " + value.quoted() + ": names are compared as a whole, and '" + separator +
                      "' is part of this one",
                  "write a list: " + as_list(value.text, separator)};
  }
  return std::nullopt;
}

MaybeAdvice tool_regex(const Value& value) {
  const bool is_regex = looks_like_regex(value.text) || value.text.contains(".*");
  if (!is_regex) return std::nullopt;
  return Advice{value.quoted() + " is not read as a regular expression, and no tool is called that",
                "write " + in_yaml_quotes(as_glob(value.text)) + ", or put a regular expression between slashes"};
}

MaybeAdvice mcp_server(const Value& value) {
  const bool is_server = value.text.starts_with("mcp__") && !value.text.substr(5).contains("__") && !value.has_glob();
  if (!is_server) return std::nullopt;
  return Advice{value.quoted() + " is a server and not a tool",
                "write " + in_yaml_quotes(std::string(value.text) + "__*") + " for all of its tools"};
}

/// Words that people use for a kind of tool.
struct ToolWordRow {
  std::string_view word;
  std::string_view kind;
};
constexpr auto kToolWords = std::to_array<ToolWordRow>({{"terminal", "shell"},
                                                        {"sh", "shell"},
                                                        {"zsh", "shell"},
                                                        {"exec", "shell"},
                                                        {"command", "shell"},
                                                        {"create", "write"},
                                                        {"modify", "edit"},
                                                        {"update", "edit"},
                                                        {"change", "edit"},
                                                        {"remove", "delete"},
                                                        {"rm", "delete"},
                                                        {"http", "fetch"},
                                                        {"web", "[fetch, search]"},
                                                        {"file", "[read, write, edit]"},
                                                        {"files", "[read, write, edit]"},
                                                        {"subagent", "task"},
                                                        {"find", "glob"}});

MaybeAdvice tool_word(const Value& value) {
  const std::string word = text::to_lower(value.text);
  if (word == "any" || word == "all" || word == "everything")
    return Advice{"no tool is called " + value.quoted(), "leave 'tool' out; then the rule is about every tool"};
  const auto row = std::ranges::find(kToolWords, word, &ToolWordRow::word);
  if (row == kToolWords.end()) return std::nullopt;
  return Advice{"no agent is known to have a tool " + value.quoted(), "write tool: " + std::string(row->kind)};
}

/// What a regular expression about a command probably means: its plain words, a star between them, and the options.
std::string words_instead(std::string_view regex) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '*';
  };
  std::vector<std::string> words;
  std::vector<std::string> flags;
  std::string text = replaced(replaced(replaced(std::string(regex), "\\s", " "), "\\b", " "), ".*", " * ");
  std::ranges::replace_if(text, [&](char c) { return !is_plain(c); }, ' ');
  for (const std::string_view word : text::split(text, ' ')) {
    const bool is_star = word == "*" && (words.empty() || words.back() == "*");
    if (!word.empty() && !is_star) (word.starts_with('-') ? flags : words).emplace_back(word);
  }
  while (!words.empty() && words.back() == "*") words.pop_back();
  if (words.empty()) return "write the words that the command starts with";
  const std::string flag = flags.size() == 1 ? flags[0] : "[" + text::join(flags, ", ") + "]";
  return "write command: " + text::join(words, " ") + (flags.empty() ? "" : ", flag: " + flag);
}

/// Whether a `.*` is meant as in a regular expression. In `mkfs.*` it ends a word, so it is a dot and a star.
bool has_regex_star(std::string_view text) {
  for (size_t at = text.find(".*"); at != std::string_view::npos; at = text.find(".*", at + 1)) {
    const bool begins = at == 0 || text[at - 1] == ' ';
    const bool ends = at + 2 == text.size() || text[at + 2] == ' ';
    if (begins || !ends) return true;
  }
  return false;
}

MaybeAdvice command_regex(const Value& value) {
  const bool is_regex = looks_like_regex(value.text) || has_regex_star(value.text);
  if (!is_regex) return std::nullopt;
  return Advice{value.quoted() + " never matches: commands are compared word by word, not with regular expressions",
                words_instead(value.text)};
}

MaybeAdvice command_prefix(const Value& value) {
  // `:*` as a word of its own is a pattern: `git push origin :main` deletes a branch.
  if (!value.text.ends_with(":*") || value.text.ends_with(" :*")) return std::nullopt;
  const std::string words(value.text.substr(0, value.text.size() - 2));
  return Advice{value.quoted() + " never matches: ':' is part of the last word", "write command: " + words};
}

/// `*rm*`: people think of the text of a command, and patterns are about its words.
MaybeAdvice command_star(const Value& value) {
  if (value.text.size() < 2 || value.text[0] != '*' || value.text[1] == ' ' || value.text[1] == '*')
    return std::nullopt;
  const std::string_view first = value.text.substr(1, value.text.find(' ') - 1);
  std::string words(value.text.substr(1));
  while (words.ends_with('*') || words.ends_with(' ')) words.pop_back();
  const std::string name(first.substr(0, first.find('*')));
  return Advice{
      value.quoted() + " is about programs with '" + name + "' in their name, not about the text of a command",
      "write command: " + words + "; it is found in every part of a command line"};
}

MaybeAdvice path_variable(const Value& value) {
  if (!value.text.starts_with('$')) return std::nullopt;
  const size_t slash = value.text.find('/');
  const std::string rest(slash == std::string_view::npos ? "" : value.text.substr(slash));
  const bool is_home = value.text.starts_with("$HOME") || value.text.starts_with("${HOME}");
  return Advice{"variables are not filled in here, so this never matches",
                is_home
                    ? "write " + in_yaml_quotes("~" + rest)
                    : "write " + in_yaml_quotes(rest.empty() ? "**" : rest.substr(1)) + ", relative to the project"};
}

MaybeAdvice path_regex(const Value& value) {
  if (!looks_like_regex(value.text)) return std::nullopt;
  return Advice{value.quoted() + " is not read as a regular expression",
                "put it between slashes: " + in_yaml_quotes("/" + std::string(value.text) + "/")};
}

MaybeAdvice path_of_windows(const Value& value) {
  const bool has_drive =
      value.text.size() > 2 && value.text[1] == ':' && (value.text[2] == '\\' || value.text[2] == '/');
  const size_t slash = value.text.find('\\');
  const bool is_regex = value.text.find_first_of("^$+|") != std::string_view::npos || value.text.contains(".*");
  const bool has_backslash = !is_regex && slash != std::string_view::npos && slash > 0 && !value.text.contains('/') &&
                             slash + 1 < value.text.size() && value.text[slash + 1] != '[';
  if (!has_drive && !has_backslash) return std::nullopt;
  std::string slashed(value.text.substr(has_drive ? 2 : 0));
  std::ranges::replace(slashed, '\\', '/');
  return Advice{"a backslash does not separate directories here, so this never matches",
                "write " + in_yaml_quotes(slashed)};
}

MaybeAdvice path_of_directory(const Value& value) {
  if (value.text.ends_with('/'))
    return Advice{value.quoted() + " matches no file, because it ends with a slash",
                  "write " + in_yaml_quotes(std::string(value.text) + "**") + " for everything in that directory"};
  if (value.has_glob() || value.text.starts_with('/') || value.text.starts_with('~')) return std::nullopt;
  std::error_code none;
  if (!fs::is_directory(fs::path(value.project) / value.text, none)) return std::nullopt;
  return Advice{value.quoted() + " is a directory, and no file has that name",
                "write " + in_yaml_quotes(std::string(value.text) + "/**") + " for everything in it"};
}

MaybeAdvice path_above(const Value& value) {
  if (!value.text.starts_with("../")) return std::nullopt;
  return Advice{"paths are relative to the project and never start with '..', so this never matches",
                "write the full path, or one from your home directory: '~/…'"};
}

/// `/src/**`, as .gitignore has it.
MaybeAdvice path_from_root(const Value& value) {
  if (!value.text.starts_with('/')) return std::nullopt;
  const std::string first(value.text.substr(0, value.text.find('/', 1)));
  std::error_code none;
  const bool is_in_project = first.size() > 1 && first.find_first_of("*?[{") == std::string::npos &&
                             fs::exists(fs::path(value.project) / first.substr(1), none) && !fs::exists(first, none);
  if (!is_in_project) return std::nullopt;
  return Advice{"a path that starts with '/' is one of this machine, and there is no '" + first + "'",
                "write " + in_yaml_quotes(value.text.substr(1)) + ", relative to the project"};
}

MaybeAdvice several_paths(const Value& value) {
  const size_t comma = value.text.find(',');
  if (comma == std::string_view::npos || value.text.contains('{')) return std::nullopt;
  const std::string_view next = text::trim(value.text.substr(comma + 1));
  if (next.empty() || (next[0] != '*' && next[0] != '.' && !next.contains('/'))) return std::nullopt;
  return Advice{value.quoted() + " is one pattern with a comma in it", "write a list: " + as_list(value.text, ',')};
}

/// A regular expression whose second slash is missing. A single word after a slash is a command of the agent.
MaybeAdvice half_regex(const Value& value) {
  const bool is_half = value.text.size() > 1 && value.text.starts_with('/') && !value.text.ends_with('/');
  const bool is_command = value.key == "prompt" && !looks_like_regex(value.text) && !value.text.contains(".*");
  if (!is_half || is_command) return std::nullopt;
  return Advice{value.quoted() + " is not read as a regular expression, because it does not end with a slash",
                "write " + in_yaml_quotes(std::string(value.text) + "/")};
}

MaybeAdvice text_regex(const Value& value) {
  if (!looks_like_regex(value.text) && !value.text.contains(".*")) return std::nullopt;
  return Advice{value.quoted() + " is not read as a regular expression",
                "put it between slashes: " + in_yaml_quotes("/" + std::string(value.text) + "/")};
}

/// A slash at the start is a command of the agent, which is a whole prompt.
MaybeAdvice whole_text(const Value& value) {
  if (value.has_glob() || value.text.starts_with('/')) return std::nullopt;
  return Advice{"this only matches a text that is " + value.quoted() + " and nothing else",
                "write " + in_yaml_quotes("*" + std::string(value.text) + "*") + " to find it anywhere"};
}

/// `mode` is compared with canonical words, whatever the agent calls its modes.
MaybeAdvice mode_word(const Value& value) {
  std::vector<std::string_view> known = {"default", "plan", "auto", "dontAsk"};
  for (const Dialect* dialect : all_dialects()) {
    for (const ValueRow& row : dialect->payload.values) {
      if (row.field != Field::PermissionMode) continue;
      known.push_back(row.canonical);
      if (row.wire != value.text) continue;
      return Advice{"this never matches: " + std::string(dialect->name) + "'s " + value.quoted() + " is called '" +
                        std::string(row.canonical) + "' here",
                    "write mode: " + std::string(row.canonical)};
    }
  }
  if (value.has_glob() || std::ranges::find(known, value.text) != known.end()) return std::nullopt;
  const std::string near = did_you_mean(value.text, known);
  return Advice{"no agent is known to have a mode " + value.quoted(),
                near.empty() ? "most have default, plan, auto-edit and yolo" : near};
}

/// `agent: claude`: rules hold in every program, and subagents are what differs.
MaybeAdvice agent_program(const Value& value) {
  if (find_dialect(value.text) == nullptr) return std::nullopt;
  return Advice{value.quoted() + " is a program, and 'agent' is compared with the names of subagents",
                "leave it out; a rule holds in every program"};
}

/// The habits, by the key of the condition. The first that fits is reported.
struct HabitRow {
  std::string_view key;
  MaybeAdvice (*look)(const Value&);
};
constexpr auto kHabits = std::to_array<HabitRow>({
    {"tool", permission_rule}, {"tool", several_tools},      {"tool", tool_regex},        {"tool", mcp_server},
    {"tool", tool_word},       {"command", permission_rule}, {"command", command_regex},  {"command", command_prefix},
    {"command", command_star}, {"path", path_variable},      {"path", path_of_windows},   {"path", path_regex},
    {"path", path_above},      {"path", path_from_root},     {"path", path_of_directory}, {"path", several_paths},
    {"prompt", half_regex},    {"prompt", text_regex},       {"prompt", whole_text},      {"output", half_regex},
    {"output", text_regex},    {"output", whole_text},       {"input", text_regex},       {"mode", mode_word},
    {"agent", agent_program},
});

/// Looks at every value of an entry that is compared with something.
class HabitSearch {
 public:
  HabitSearch(const std::string& project, std::vector<ConfigProblem>& problems)
      : project_(project), problems_(problems) {}

  void look_at(const YamlNode& when) {
    for (const auto& [key, value] : when.members) {
      if (key == "any" || key == "all") {
        for (const auto& [none, part] : value.members) look_at(part);
      } else if (key == "not") {
        look_at(value);
      } else if (key == "input") {
        for (const auto& [pointer, pattern] : value.members) look_at_input(pointer, pattern);
      } else {
        look_at_values(key == "changed" ? "path" : key, value);
      }
    }
  }

  /// A text that the model should read, from a file that is not there.
  void look_at_inject(const YamlNode& inject) {
    const YamlNode* file = inject.find("file");
    if (file == nullptr || !file->is_text() || file->text.starts_with('~')) return;
    std::error_code none;
    if (fs::exists(fs::path(project_) / file->text, none)) return;
    warn(file->value_at,
         {"the file '" + file->text + "' does not exist", "correct the path; it starts at the project"});
  }

  void look_at_values(std::string_view key, const YamlNode& value) {
    if (value.kind == YamlNode::Kind::List) {
      for (const auto& [none, element] : value.members) look_at_values(key, element);
    } else if (value.is_text()) {
      look_at_text(key, value);
    }
  }

 private:
  void look_at_text(std::string_view key, const YamlNode& node) {
    const Value value{key, node.text, project_};
    MaybeAdvice advice = typographic_quotes(value);
    for (const HabitRow& row : kHabits) {
      if (!advice && row.key == key && !value.is_regex()) advice = row.look(value);
    }
    if (advice) warn(node.value_at, *advice);
  }

  void look_at_input(std::string_view pointer, const YamlNode& pattern) {
    look_at_values("input", pattern);
    const bool is_path = pointer.starts_with('$') || pointer.starts_with("/tool_input/") ||
                         (pointer.contains('.') && !pointer.contains('/'));
    if (!is_path) return;
    std::string plain(pointer);
    std::ranges::replace(plain, '.', '/');
    for (const std::string_view front : {"$", "/", "tool_input/"}) {
      if (plain.starts_with(front)) plain.erase(0, front.size());
    }
    warn(pattern.at, {"'input' takes JSON pointers into the tool's input", "write /" + plain});
  }

  void warn(const SourcePos& at, const Advice& advice) {
    problems_.push_back({ConfigProblem::Severity::Warning, advice.what, at, advice.hint});
  }

  const std::string& project_;
  std::vector<ConfigProblem>& problems_;
};

}  // namespace

void check_habits(const YamlNode& entry, const std::string& project, std::vector<ConfigProblem>& problems) {
  HabitSearch search(project, problems);
  if (const YamlNode* when = entry.find("when")) search.look_at(*when);
  if (const YamlNode* inject = entry.find("inject")) search.look_at_inject(*inject);
  if (const YamlNode* files = entry.find("unless_unchanged")) search.look_at_values("path", *files);
}

}  // namespace grapnel
