#include <algorithm>

#include "base/text.h"
#include "cli/command.h"
#include "cli/display_width.h"

namespace grapnel::cli {

namespace {

/// Help texts fit into 80 columns. A left column that is wider than 28 gets its own line, with the text below it.
constexpr size_t kWidth = 80;
constexpr size_t kMaxLeft = 28;

std::string wrap(std::string_view text, size_t indent) {
  return wrap_words(text, indent, kWidth);
}

/// One line of a list: an option or a verb on the left, its help on the right.
struct Entry {
  std::string left;
  std::string_view help;
};

/// The entries in two columns. The left column is as wide as its widest entry, up to the limit.
std::string entries_text(const std::vector<Entry>& entries) {
  size_t left = 0;
  for (const Entry& entry : entries) left = std::max(left, std::min(entry.left.size(), kMaxLeft));
  std::string out;
  for (const Entry& entry : entries) {
    out += "  " + entry.left;
    const size_t used = entry.left.size() > left ? 0 : entry.left.size();
    if (used == 0) out += "\n  ";
    out += std::string(left - used + 2, ' ') + wrap(entry.help, left + 4) + "\n";
  }
  return out;
}

/// `-c, --config FILE`; options without a short name are indented so that the long names line up.
std::string left_of(const OptionRow& row) {
  std::string out = row.short_name.empty() ? "    " : std::string(row.short_name) + ", ";
  out += row.name;
  return row.value.empty() ? out : out + " " + std::string(row.value);
}

/// `grapnel VERB [OPTION]... EVENT [FILE...]`.
std::string usage_of(const Command& command) {
  std::string out = "grapnel " + std::string(command.name) + " [OPTION]...";
  for (const ArgumentRow& row : command.arguments) {
    const std::string name = std::string(row.name) + (row.repeats ? "..." : "");
    out += row.required ? " " + name : " [" + name + "]";
  }
  return out;
}

}  // namespace

std::string help_text(const Command& command, const Console& console) {
  const auto heading = [&](std::string_view text) { return console.styled(Style::Bold, text) + "\n"; };
  std::vector<Entry> arguments;
  for (const ArgumentRow& row : command.arguments) arguments.push_back({std::string(row.name), row.help});
  std::vector<Entry> options;
  for (const OptionRow& row : command.options) options.push_back({left_of(row), row.help});
  // --help is in no table, because every verb has it.
  options.push_back({"-h, --help", "show this text"});

  std::string out = heading("Usage: " + usage_of(command)) + "\n" + wrap(command.about, 0) + "\n\n";
  if (!arguments.empty()) out += heading("Arguments:") + entries_text(arguments) + "\n";
  out += heading("Options:") + entries_text(options) + "\n";
  return out + heading("Examples:") + std::string(command.examples);
}

std::string overview_text(std::span<const Command* const> commands, const Console& console) {
  const auto heading = [&](std::string_view text) { return console.styled(Style::Bold, text) + "\n"; };
  std::vector<Entry> verbs;
  for (const Command* command : commands) verbs.push_back({std::string(command->name), command->summary});
  std::string out = heading("Usage: grapnel VERB [OPTION]... [ARGUMENT]...") + "\n";
  out += wrap(
      "Runs the hooks that people attach to AI agents: to watch, allow, deny, ask, rewrite or add context. It reads "
      "the hook files of several agents and answers each of them in its own words.",
      0);
  out += "\n\n" + heading("Verbs:") + entries_text(verbs) + "\n";
  out += "`grapnel VERB --help` tells more about a verb; `grapnel --version` prints the version.\n";
  return out + "Exit status: 0 fine, 1 the answer is no, 2 usage or input error, 3 internal error.\n";
}

}  // namespace grapnel::cli
