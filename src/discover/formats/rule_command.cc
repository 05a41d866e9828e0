#include "discover/formats/rule_command.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/line_diff.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "dialect/dialect.h"
#include "discover/problems.h"
#include "shell/fast_path.h"
#include "shell/shell_words.h"

// How placeholders work: `{path}` in a command becomes `${GRAPNEL_PATH}`, a reference to a variable that the child
// finds in its environment. The value itself, which may come from a model, is never pasted into the text of a command,
// so it cannot break out of its place. The names of the placeholders are those of the variables in the table of the
// rule dialect.
//
// `{files}` is different: it stands for any number of arguments. In a list it is an argument of its own, which is
// replaced when the hook starts. In the text of a shell it becomes `"$@"`, and the files are the shell's own arguments.
//
// `{here}` is different: it stands for the directory of the rule file, which is known when the file is read. Rules use
// it to name scripts that lie beside them, wherever the file is: in a project, at home or in a pack.
namespace grapnel {

namespace {

/// Names that people try, and what they mean by them.
struct OtherNameRow {
  std::string_view name;
  std::string_view hint;
};
constexpr auto kOtherNames = std::to_array<OtherNameRow>({
    {"file", "write {path}"},
    {"filename", "write {path}"},
    {"file_path", "write {path}"},
    {"filepath", "write {path}"},
    {"tool_name", "write {tool}"},
    {"session_id", "write {session}"},
    {"pwd", "write {cwd}"},
    {"dir", "write {cwd}"},
    {"root", "write {project}"},
    {"project_dir", "write {project}"},
    {"command", "read it from standard input: jq -r .tool_input.command"},
    {"prompt", "read it from standard input: jq -r .prompt"},
    {"input", "the event is on standard input, as JSON"},
});

constexpr std::string_view kPrefix = "GRAPNEL_";
constexpr std::string_view kHere = "here";
/// Stands in a command for the directory until it is known whether a shell will read the command.
constexpr std::string_view kHereMark = "${GRAPNEL_HERE}";

/// `path`, `tool` and so on: the variables in lower case, without their prefix.
std::vector<std::string> placeholder_names() {
  std::vector<std::string> out;
  for (const VariableRow& row : kGrapnelDialect.process.variables)
    out.push_back(text::to_lower(row.name.substr(kPrefix.size())));
  out.emplace_back(kHere);
  return out;
}

/// Whether the text in braces could be meant as a placeholder. JSON and brace expansions contain other characters.
bool is_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

/// A text whose placeholders are replaced, in two versions.
struct Filled {
  std::string text;   ///< with references to variables, for the shell
  std::string plain;  ///< with a letter in their place, to see whether the rest is plain words
  bool has_any = false;
  bool has_files = false;  ///< `{files}` is among them; in `text` it is left as it is
};

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n';
}

/// Replaces the placeholders of a text. An unknown name in braces stays as it is; a warning follows only if it
/// resembles a known one, since braces have many uses.
Filled fill(const YamlNode& node, const std::string& text, RuleFields& fields) {
  const std::vector<std::string> names = placeholder_names();
  Filled out;
  for (size_t at = 0; at < text.size();) {
    const size_t close = text[at] == '{' ? text.find('}', at) : std::string::npos;
    const std::string name = close == std::string::npos ? "" : text.substr(at + 1, close - at - 1);
    const bool is_shells = at > 0 && text[at - 1] == '$';  // `${path}` is a variable of the shell, not a placeholder
    const bool is_known = !is_shells && std::ranges::find(names, name) != names.end();
    if (!is_shells && std::string_view(text).substr(at).starts_with(kFilesMark)) {
      const size_t end = at + kFilesMark.size();
      const bool is_word = (at == 0 || is_blank(text[at - 1])) && (end == text.size() || is_blank(text[end]) ||
                                                                   std::string_view(";|&)<>").contains(text[end]));
      if (!is_word) {
        fields.error(node, "'{files}' stands for several arguments, so it must be a word of its own",
                     "write it between blanks and without quotes");
      }
      out.text += kFilesMark;
      out.plain += 'x';
      out.has_any = out.has_files = true;
      at = end;
      continue;
    }
    if (!is_known && !is_shells && is_name(name) && hint_for_placeholder(name).empty()) {
      std::vector<std::string_view> known(names.begin(), names.end());
      known.emplace_back("files");
      const std::string hint = did_you_mean(name, known);
      if (!hint.empty()) fields.warn(node, "'{" + name + "}' is not a placeholder and stays as it is", hint);
    }
    if (!is_known) {
      out.text += text[at];
      out.plain += text[at++];
      continue;
    }
    std::string variable(kPrefix);
    for (const char c : name) variable += static_cast<char>(c - 'a' + 'A');
    out.text += "${" + variable + "}";
    out.plain += 'x';
    out.has_any = true;
    at = close + 1;
  }
  return out;
}

/// The text with the directory of the rule file in place of its mark.
std::string put_here(std::string text, const std::string& directory) {
  for (size_t at = 0; (at = text.find(kHereMark, at)) != std::string::npos; at += directory.size())
    text.replace(at, kHereMark.size(), directory);
  return text;
}

/// The absolute directory of the file that the node comes from.
std::string rule_directory(const YamlNode& node) {
  std::error_code error;
  return std::filesystem::absolute(node.at.file, error).lexically_normal().parent_path();
}

bool has_nul(const std::string& text) {
  return text.contains('\0');
}

/// The words of a text that consists of plain words and placeholders; empty for text that needs a shell.
std::vector<std::string> words_of(const Filled& filled) {
  const auto plain = shell::split_plain(filled.plain);
  if (!plain || plain->words.empty()) return {};
  if (shell::needs_own_shell(plain->words.front().text)) return {};
  std::vector<std::string> words;
  std::string spaced = filled.text;
  std::ranges::replace(spaced, '\t', ' ');
  for (const std::string_view word : text::split(spaced, ' ')) {
    if (!word.empty()) words.emplace_back(word);
  }
  return words;
}

/// A command that is started without a shell: the first word is the program.
CommandHandler vector_of(std::vector<std::string> words, const YamlNode& node) {
  for (std::string& word : words) word = put_here(std::move(word), rule_directory(node));
  CommandHandler out;
  out.command = std::move(words.front());
  words.erase(words.begin());
  out.args = std::move(words);
  return out;
}

/// A list of arguments never goes through a shell, so its elements may contain anything but NULs.
CommandHandler read_list(const YamlNode& node, std::string_view key, RuleFields& fields) {
  std::vector<std::string> words;
  bool takes_files = false;
  for (const auto& [none, element] : node.members) {
    if (!element.is_text() || has_nul(element.text)) {
      fields.error(element, "'" + std::string(key) + "' must be a text or a list of texts");
    } else {
      const Filled filled = fill(element, element.text, fields);
      takes_files |= filled.has_files;
      words.push_back(filled.text);
    }
  }
  if (words.empty() || words.front().empty()) {
    fields.error(node, "'" + std::string(key) + "' does not name a program");
    return {};
  }
  CommandHandler out = vector_of(std::move(words), node);
  out.takes_files = takes_files;
  return out;
}

/// The text for a shell whose arguments are the files.
std::string shell_text(std::string text) {
  return text::replace_each(text, kFilesMark, "\"$@\"");
}

}  // namespace

std::string_view hint_for_placeholder(std::string_view name) {
  const auto row = std::ranges::find(kOtherNames, name, &OtherNameRow::name);
  return row == kOtherNames.end() ? std::string_view{} : row->hint;
}

CommandHandler read_command(const YamlNode& node, std::string_view key, RuleFields& fields) {
  if (node.kind == YamlNode::Kind::List) return read_list(node, key, fields);
  const std::string text(text::trim(fields.text(node, key)));
  if (has_nul(text)) fields.error(node, "'" + std::string(key) + "' holds a NUL character");
  const Filled filled = fill(node, text, fields);
  CommandHandler out;
  out.command = filled.text;
  if (!filled.has_any) return out;  // whether this needs a shell is decided when the hook starts
  std::vector<std::string> words = words_of(filled);
  if (words.empty()) {
    out.command = put_here(shell_text(std::move(out.command)), shell_word(rule_directory(node)));
  } else {
    out = vector_of(std::move(words), node);
  }
  out.takes_files = filled.has_files;
  return out;
}

}  // namespace grapnel
