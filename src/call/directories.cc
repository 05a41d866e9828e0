#include <algorithm>
#include <string>
#include <vector>

#include "call/file_roles.h"
#include "call/file_table.h"
#include "call/links.h"
#include "call/options.h"
#include "call/words.h"
#include "shell/word_scan.h"

// Where commands work: the directories that they go to.

namespace grapnel::call {

namespace {

using shell::drop_front;
using shell::literal_word;
using shell::unknown_word;

/// The targets of `cd` and `pushd`; `CDPATH` in front of it or before it gives further ones.
void add_cd(const SimpleCommand& command, const std::vector<std::string>& cdpath, std::vector<Word>& out) {
  Word target = command.words[0].text == "cd" ? literal_word("~") : unknown_word();
  for (size_t i = 1; i < command.words.size(); ++i) {
    const Word& word = command.words[i];
    const bool is_known = !word.is_dynamic() && !word.has_glob && word.text != "-";
    if (word.text.size() < 2 || word.text[0] != '-') target = is_known ? word : unknown_word();
  }
  if (command.words[0].text == "popd") target = unknown_word();
  out.push_back(target);
  if (!target.gaps.empty() || target.text.starts_with('/') || target.text.starts_with('.')) return;
  for (const std::string& base : cdpath) out.push_back(literal_word(base + "/" + target.text));
}

/// `find x -execdir cmd` runs it in `x`, in the directory that contains `x`, and in those below.
void add_find_directories(const SimpleCommand& command, std::vector<Word>& out) {
  const auto is_there = [](const Word& word) { return word.text == "-execdir" || word.text == "-okdir"; };
  if (std::ranges::none_of(command.words, is_there)) return;
  for (size_t i = 1; i < command.words.size() && !is_option(command.words[i].text); ++i) {
    const Word& from = command.words[i];
    out.push_back(from);
    if (!from.is_dynamic() && from.text != ".") out.push_back(literal_word(from.text + "/.."));
  }
}

void add_cdpath(const Word& value, std::vector<std::string>& out) {
  for (size_t at = 0; at <= value.text.size();) {
    const size_t end = std::min(value.text.find(':', at), value.text.size());
    if (end > at) out.push_back(value.text.substr(at, end - at));
    at = end + 1;
  }
}

}  // namespace

std::vector<Word> directories_of(const ParsedCommand& parsed) {
  std::vector<Word> out;
  std::vector<std::string> cdpath;
  Links links;
  for (const SimpleCommand& command : parsed.commands) {
    for (const Assignment& assignment : command.assignments) {
      if (assignment.name == "CDPATH") add_cdpath(assignment.value, cdpath);
    }
    if (command.words.empty()) continue;
    const std::string_view program = base_name(command.words[0].text);
    for (const Word& word : command.words) {
      if (word.text.starts_with("CDPATH=")) add_cdpath(drop_front(word, 7), cdpath);
    }
    if (program == "cd" || program == "pushd" || program == "popd") add_cd(command, cdpath, out);
    if (command.words.size() > 1) {
      const Word* const link = program == "cd" ? links.find(command.words.back().text) : nullptr;
      if (link != nullptr) out.push_back(*link);
      links.note(command);
    }
    if (program == "find" || program == "gfind") add_find_directories(command, out);
    const std::string_view names = directory_options(program);
    if (names.empty()) continue;
    const OptionRow* const options = find_options(program);
    for (size_t i = 1; i < command.words.size(); ++i) {
      const OptionUse use = read_option(options, command.words[i].text);
      if (use.name.empty() || !has_name(names, use.name)) continue;
      if (use.takes_next && i + 1 < command.words.size()) out.push_back(command.words[i + 1]);
      if (use.value_at != std::string_view::npos) out.push_back(drop_front(command.words[i], use.value_at));
    }
  }
  return out;
}

}  // namespace grapnel::call
