#include "call/guess.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "call/commands.h"
#include "call/effects.h"
#include "call/options.h"
#include "call/wrappers.h"
#include "shell/shell_words.h"

namespace grapnel::call {

namespace {

/// Programs that run none of their words, apart from those that `effects.h` knows: they take text, or have subcommands
/// called like other programs.
constexpr auto kTexty = std::to_array<std::string_view>(
    {"gh",       "glab",   "hub",       "jira",      "notify-send", "logger",    "wall",    "mail",    "mutt",
     "sendmail", "open",   "xdg-open",  "code",      "vim",         "vi",        "nvim",    "nano",    "emacs",
     "svn",      "hg",     "jj",        "fossil",    "bzr",         "gsutil",    "rclone",  "mc",      "s3cmd",
     "az",       "heroku", "fly",       "dvc",       "conda",       "mamba",     "dnf",     "yum",     "pacman",
     "apk",      "snap",   "flatpak",   "rustup",    "bun",         "uv",        "poetry",  "tldr",    "whatis",
     "apropos",  "cheat",  "pytest",    "jest",      "vitest",      "mocha",     "eslint",  "shfmt",   "bats",
     "ruff",     "black",  "mypy",      "tsc",       "shellcheck",  "claude",    "gemini",  "codex",   "grapnel",
     "vault",    "podman", "nerdctl",   "systemctl", "journalctl",  "launchctl", "pgrep",   "pidof",   "killall",
     "dpkg",     "rpm",    "apt-cache", "apt-file",  "ls-files",    "complete",  "compgen", "hash",    "enable",
     "help",     "info",   "rustc",     "cmake",     "ctest",       "ninja",     "bazel",   "gradle",  "mvn",
     "trash",    "llm",    "aider",     "ollama",    "case",        "in",        "select",  "basename"});

bool is_unknown(const SimpleCommand& command) {
  if (command.words.size() < 2 || command.code) return false;
  const Word& name = command.words[0];
  if (name.is_dynamic()) return false;
  const std::string_view program = base_name(name.text);
  return !is_known_program(program) && !is_prefix(program) && !shell::is_shell(program) &&
         !shell::is_shell_word(program) && !is_one_of(program, kTexty);
}

bool starts_pattern(std::string_view program, const std::vector<std::vector<std::string>>& patterns) {
  return std::ranges::any_of(patterns, [&](const std::vector<std::string>& pattern) {
    return !pattern.empty() && pattern[0].find_first_not_of('*') != std::string::npos &&
           text::fits_wild(program, base_name(pattern[0]));
  });
}

/// Whether one of the programs stands somewhere in the text. Most texts need not be read because of this.
bool mentions_program(std::string_view text, const std::vector<std::vector<std::string>>& patterns) {
  return std::ranges::any_of(patterns, [&](const std::vector<std::string>& pattern) {
    return !pattern.empty() && !pattern[0].contains('*') && text.contains(base_name(pattern[0]));
  });
}

}  // namespace

std::vector<SimpleCommand> guesses_of(const SimpleCommand& command,
                                      const std::vector<std::vector<std::string>>& patterns) {
  std::vector<SimpleCommand> out;
  const auto is_mentioned = [&](const Word& word) {
    return mentions_program(word.text, patterns) || starts_pattern(base_name(word.text), patterns);
  };
  // Most commands are done with here.
  const bool may_run =
      command.words.size() > 1 && std::any_of(command.words.begin() + 1, command.words.end(), is_mentioned);
  if (!may_run || !is_unknown(command)) return out;
  for (size_t i = 1; i < command.words.size(); ++i) {
    const Word& word = command.words[i];
    if ((command.words[i - 1].text == "-m" || takes_text(command.words[i - 1].text))) continue;
    const OptionUse use = read_option(nullptr, word.text);
    const std::string_view text = use.value_at == std::string_view::npos
                                      ? std::string_view(word.text)
                                      : std::string_view(word.text).substr(use.value_at);
    if (text.find_first_of(" \t\n") != std::string_view::npos) {
      // The code of other languages is a command of its own already.
      const bool is_code = is_interpreter(base_name(command.words[0].text));
      if (is_code || use.name == "-m" || takes_text(use.name) || !mentions_program(text, patterns)) continue;
      std::ranges::move(commands_of(text).commands, std::back_inserter(out));
    } else if (word.gaps.empty() && starts_pattern(base_name(word.text), patterns)) {
      SimpleCommand rest = command;
      rest.words.erase(rest.words.begin(), rest.words.begin() + static_cast<ptrdiff_t>(i));
      out.push_back(std::move(rest));
    }
  }
  return out;
}

}  // namespace grapnel::call
