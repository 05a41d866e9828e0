#include <algorithm>
#include <array>

#include "base/row_index.h"
#include "call/options.h"
#include "call/words.h"
#include "call/wrappers.h"
#include "shell/word_scan.h"

// What a text writes to files, and what it runs of that: scripts, copies of programs, git's hooks.

namespace grapnel::call {

namespace {

using shell::drop_front;
using shell::literal_word;

/// The programs that `note_written` knows something about.
constexpr auto kNoted = std::to_array<std::string_view>(
    {"tee",    "sponge", "dd",    "hash",     "cp",     "ln",      "install",    "mv",    "rsync",    "scp",
     "cat",    "head",   "tail",  "tac",      "pv",     "which",   "command",    "type",  "whereis",  "rm",
     "unlink", "rmdir",  "shred", "truncate", "trash",  "chmod",   "pre-commit", "husky", "lefthook", "overcommit",
     "cd",     "sed",    "find",  "gfind",    "rename", "prename", "mount",      "tar"});
constexpr RowIndex kNotedIndex(kNoted);

/// `dd if=/bin/rm of=x`, `cat /bin/rm > x`, `cp $(which rm) x`: another name for a program.
void note_copied_program(std::string_view name, const SimpleCommand& command, const Feed& feed) {
  constexpr auto kCopying = std::to_array<std::string_view>({"cp", "ln", "install", "mv", "rsync", "scp", "tee"});
  constexpr auto kPrinting = std::to_array<std::string_view>({"cat", "head", "tail", "dd", "tac", "pv", "tee"});
  std::string to;
  std::vector<Word> from(command.words.begin() + 1, command.words.end());
  for (Word& word : from) {
    if (name == "dd" && word.text.starts_with("of=")) to = word.text.substr(3);
    if (name == "dd" && word.text.starts_with("if=")) word = drop_front(word, 3);
  }
  if (is_one_of(name, kCopying) && !from.empty()) to = from.back().text;
  for (const Redirection& redirection : command.redirections) {
    if (redirection.op == "<") from.push_back(redirection.target);
    if (redirection.op.contains('>') && is_one_of(name, kPrinting)) to = redirection.target.text;
  }
  // Where a program is said to be is where the one that is copied is.
  const bool finds = name == "which" || name == "command" || name == "type" || name == "whereis";
  if (finds && !from.empty()) {
    for (auto& [file, text] : *feed.written) {
      if (file.starts_with("ln ") && text.empty()) text = from.back().text;
    }
    feed.written->insert_or_assign("ln $", from.back().text);
  }
  if (to.empty()) return;
  for (const Word& word : from) {
    const bool is_found = !word.gaps.empty() && word.text.empty();
    if (!is_found && !word.text.contains("bin/")) continue;
    const auto known = feed.written->find("ln $");
    const std::string found = known == feed.written->end() ? "" : known->second;
    feed.written->insert_or_assign("ln " + std::string(base_name(to)), is_found ? found : word.text);
  }
}

/// Whether the project's git hooks do not run any more once the command is done.
bool drops_git_hooks(std::string_view name, const SimpleCommand& command, const Feed& feed) {
  constexpr auto kChanging = std::to_array<std::string_view>(
      {"rm", "mv", "unlink", "rmdir", "shred", "truncate", "trash", "ln", "sed", "rename", "prename", "mount"});
  constexpr auto kCopying = std::to_array<std::string_view>({"cp", "install", "tee"});
  constexpr auto kManagers = std::to_array<std::string_view>({"pre-commit", "husky", "lefthook", "overcommit"});
  const auto has = [&](std::string_view part) {
    return std::ranges::any_of(command.words, [&](const Word& word) { return word.text.contains(part); });
  };
  if (is_one_of(name, kManagers)) return has("uninstall");
  const bool is_there = has(".git/hooks") || has(".husky") || has(".pre-commit-config") || has("lefthook.y");
  if (name == "cd" && is_there) (*feed.written)["cd hooks"] = "";
  // A name such as `pre-commit.sample` is none of a hook.
  if ((!is_there && !feed.written->contains("cd hooks")) || has(".sample")) return false;
  if (name == "chmod") return !has("+x") && !has("+rx") && !has("7");
  if (name == "tar") return has("--remove-files");
  if (name == "find" || name == "gfind") return has("chmod") || has("rm") || has("mv");
  return is_one_of(name, kChanging) || (is_one_of(name, kCopying) && (has("/true") || has("/dev/null")));
}

}  // namespace

const std::string* written_to(const Feed& feed, const Word& file) {
  if (feed.written == nullptr || file.is_dynamic()) return nullptr;
  const auto found = feed.written->find(base_name(file.text));
  return found == feed.written->end() ? nullptr : &found->second;
}

bool is_written_unseen(const Feed& feed, const Word& file) {
  return feed.written != nullptr && feed.written->contains("? " + std::string(base_name(file.text)));
}

void add_written(const std::string& text, const SimpleCommand& command, std::vector<Inner>& found) {
  const std::string wrapper(base_name(command.words[0].text));
  const std::string_view line = std::string_view(text).substr(0, text.find('\n'));
  const bool names_shell = line.contains("sh");
  if (line.starts_with("#!") && !names_shell) return add_unread(wrapper, command, nullptr, {true, text}, found);
  found.push_back({.wrapper = wrapper, .script = text});
}

/// Only a file that the same text wrote is looked into.
void unwrap_files(std::string_view name, const SimpleCommand& command, const Feed& feed, std::vector<Inner>& found) {
  constexpr auto kReading = std::to_array<std::string_view>({"at", "batch", "crontab", "newgrp", "su", "script"});
  if (is_one_of(name, kReading) && feed.is_there) add_feed(std::string(name), feed, found);
  // `make -f <(…)`
  constexpr auto kFileRunners =
      std::to_array<std::string_view>({"make", "gmake", "ninja", "cmake", "just", "rake", "ant", "expect", "tclsh"});
  for (size_t i = 1; is_one_of(name, kFileRunners) && i < command.words.size(); ++i) {
    const std::string& before = command.words[i - 1].text;
    const bool is_file = before == "-f" || before == "-P" || before == "--file" || before == "--makefile" || i == 1;
    if (is_file && command.words[i].text.empty() && command.words[i].is_dynamic())
      add_unknown(std::string(name), found);
  }
  if (feed.written == nullptr || feed.written->empty()) return;
  if (const auto link = feed.written->find("ln " + std::string(name)); link != feed.written->end()) {
    Inner inner{.wrapper = std::string(name), .command = command};
    inner.command.words[0] = link->second.empty() ? shell::unknown_word() : literal_word(link->second);
    found.push_back(std::move(inner));
  }
  if (const std::string* text = written_to(feed, command.words[0])) return add_written(*text, command, found);
  if (command.words[0].text.contains('/') && is_written_unseen(feed, command.words[0])) {
    return add_unknown(std::string(name), found);
  }
  constexpr auto kRunning = std::to_array<std::string_view>(
      {"at", "batch", "crontab", "make", "gmake", "ninja", "samu", "xargs", "run-parts", "just", "expect", "entr"});
  constexpr auto kPackaged = std::to_array<std::string_view>({"npm", "yarn", "pnpm", "bun", "npx"});
  if (!is_one_of(name, kRunning) && !is_one_of(name, kPackaged)) return;
  for (const auto& [file, text] : *feed.written) {
    const bool is_named =
        std::ranges::any_of(command.words, [&](const Word& word) { return word.text.ends_with(file); });
    const bool is_package = is_one_of(name, kPackaged) && file == "package.json";
    if (is_package) add_unread(std::string(name), command, nullptr, {true, text}, found);
    const bool is_usual = (name == "make" || name == "gmake") && (file == "Makefile" || file == "makefile");
    if (!is_one_of(name, kPackaged) && (is_named || is_usual || name == "run-parts")) add_written(text, command, found);
  }
}

bool empties_git_hook(const SimpleCommand& command) {
  const auto is_hook = [](const Redirection& redirection) {
    return redirection.op.contains('>') && !redirection.op.contains(">>") &&
           redirection.target.text.contains(".git/hooks/");
  };
  if (command.redirections.empty() || std::ranges::none_of(command.redirections, is_hook)) return false;
  constexpr auto kSilent = std::to_array<std::string_view>({":", "true"});
  if (command.words.empty() || is_one_of(command.words[0].text, kSilent)) return true;
  return std::ranges::any_of(command.words, [](const Word& word) { return word.text == "exit 0"; });
}

void note_written(std::string_view name, const SimpleCommand& command, const Feed& feed) {
  if (feed.written == nullptr || !kNotedIndex.contains(name)) return;
  const std::vector<Word> operands = operands_of(command.words, find_options(name));
  const auto note = [&](std::string_view file, const std::string& text) {
    feed.written->insert_or_assign(std::string(base_name(file)), text);
  };
  for (const Word& word : operands) {
    if (feed.text && (name == "tee" || name == "sponge")) note(word.text, *feed.text);
    if (feed.text && name == "dd" && word.text.starts_with("of=")) note(word.text.substr(3), *feed.text);
  }
  if (drops_git_hooks(name, command, feed)) (*feed.written)["git core.hookspath"] = "";
  // `hash -p /bin/rm ls`: from now on `ls` is rm.
  if (name == "hash" && command.words.size() > 3 && command.words[1].text == "-p") {
    feed.written->insert_or_assign("ln " + command.words[3].text, command.words[2].text);
  }
  note_copied_program(name, command, feed);
  const bool copies = name == "cp" || name == "mv" || name == "ln" || name == "install";
  if (!copies || operands.size() != 2) return;
  if (const std::string* text = written_to(feed, operands[0])) note(operands[1].text, std::string(*text));
  // Another name for a program.
  if (operands[0].text.contains('/')) {
    feed.written->insert_or_assign("ln " + std::string(base_name(operands[1].text)), operands[0].text);
  }
  if (feed.text && operands[0].text == "/dev/stdin") note(operands[1].text, *feed.text);
}

}  // namespace grapnel::call
