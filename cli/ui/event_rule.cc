#include "cli/ui/event_rule.h"

#include <algorithm>

#include "grapnel/tool.h"

#include "base/text.h"
#include "call/tool_call.h"
#include "cli/journal/journal_verbs.h"
#include "cli/verbs/new_rule.h"
#include "shell/parse.h"

namespace grapnel::cli {

namespace {

constexpr size_t kMaxName = 40;

/// `no-git-push`: letters, digits and single hyphens.
std::string name_from(const std::string& text) {
  std::string out = "no";
  for (const char c : text::to_lower(text)) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (!is_plain && !out.ends_with('-')) out += '-';
    if (is_plain) out += out == "no" ? std::string("-") + c : std::string(1, c);
    if (out.size() >= kMaxName) break;
  }
  while (out.ends_with('-')) out.pop_back();
  return out == "no" ? "my-rule" : out;
}

/// Whether a word is the name of something that is done (`push`), not of what it is done to.
bool is_subcommand(const std::string& word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; }) &&
         !word.starts_with('-');
}

/// The program with its subcommand, and its flags.
void add_command(NewRule& rule, const std::string& text) {
  const shell::ParsedCommand parsed = shell::parse(text);
  const auto first = std::ranges::find_if(parsed.commands, [](const auto& command) { return !command.words.empty(); });
  if (first == parsed.commands.end()) return;
  std::string words(shell::base_name(first->words.front().text));
  if (first->words.size() > 1 && is_subcommand(first->words[1].text)) words += " " + first->words[1].text;
  rule.when.emplace_back("command", words);
  for (const shell::Word& word : first->words) {
    const bool is_flag = word.text.size() > 1 && word.text.starts_with('-') && !word.is_dynamic();
    if (is_flag) rule.when.emplace_back("flag", word.text.substr(0, word.text.find('=')));
  }
  rule.name = name_from(words);
}

/// The file as rules name it: below the project by its relative name, elsewhere by its whole path.
void add_path(NewRule& rule, std::string path, const std::string& project) {
  if (!project.empty() && path.starts_with(project + "/")) path = path.substr(project.size() + 1);
  rule.when.emplace_back("path", path);
  rule.name = name_from(path);
}

}  // namespace

std::string rule_for_event(const Json& record) {
  const std::string tool = text_of(record, "tool");
  const std::string subject = text_of(record, "subject");
  NewRule rule{.name = "my-rule",
               .description = "",
               .events = {text_of(record, "event")},
               .when = {},
               .action = "deny",
               .value = "Say here what to do instead."};
  if (!tool.empty()) {
    const ToolKind kind = tool_kind(tool, text_of(record, "dialect"));
    const bool has_name = kind == ToolKind::Mcp || kind == ToolKind::Other;
    rule.when.emplace_back("tool", has_name ? tool : std::string(to_string(kind)));
    if (kind == ToolKind::Shell && !subject.empty()) {
      add_command(rule, subject);
    } else if (!has_name && !subject.empty() && access_of(kind) != ToolAccess::Execute) {
      add_path(rule, subject, text_of(record, "project"));
    }
  }
  return "version: 1\nhooks:\n" + rule_text(rule);
}

}  // namespace grapnel::cli
