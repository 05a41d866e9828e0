#include <algorithm>
#include <array>
#include <cctype>

#include "call/options.h"
#include "call/wrappers.h"
#include "shell/word_scan.h"

// Variables whose value is run: by a shell (PROMPT_COMMAND), or by programs that start a pager, an editor or a helper.

namespace grapnel::call {

namespace {

using shell::drop_front;

/// The value is a command line.
constexpr auto kCommands = std::to_array<std::string_view>({"GIT_EXTERNAL_DIFF",
                                                            "GIT_SSH_COMMAND",
                                                            "GIT_SSH",
                                                            "GIT_EDITOR",
                                                            "GIT_SEQUENCE_EDITOR",
                                                            "GIT_PAGER",
                                                            "GIT_ASKPASS",
                                                            "GIT_PROXY_COMMAND",
                                                            "SSH_ASKPASS",
                                                            "SUDO_ASKPASS",
                                                            "SUDO_EDITOR",
                                                            "EDITOR",
                                                            "VISUAL",
                                                            "FCEDIT",
                                                            "PAGER",
                                                            "MANPAGER",
                                                            "BAT_PAGER",
                                                            "DELTA_PAGER",
                                                            "PSQL_PAGER",
                                                            "PSQL_EDITOR",
                                                            "SYSTEMD_PAGER",
                                                            "SYSTEMD_EDITOR",
                                                            "GH_PAGER",
                                                            "GH_EDITOR",
                                                            "KUBE_EDITOR",
                                                            "BROWSER",
                                                            "LESSOPEN",
                                                            "LESSCLOSE",
                                                            "PROMPT_COMMAND",
                                                            "PS0",
                                                            "PS1",
                                                            "PS2",
                                                            "PS4",
                                                            "RSYNC_RSH",
                                                            "CVS_RSH",
                                                            "SVN_SSH",
                                                            "SVN_EDITOR",
                                                            "HGEDITOR",
                                                            "FZF_DEFAULT_COMMAND",
                                                            "FZF_CTRL_T_COMMAND",
                                                            "MAKESHELL",
                                                            "RUSTC_WRAPPER",
                                                            "RUSTC",
                                                            "CC",
                                                            "CXX",
                                                            "TAR_RSH",
                                                            "RSH",
                                                            "COMSPEC",
                                                            "TERMINAL",
                                                            "WATCHMAN"});
/// The value is a file that a shell reads first, often made on the spot: `BASH_ENV=<(echo rm x)`.
constexpr auto kStartFiles =
    std::to_array<std::string_view>({"BASH_ENV", "ENV", "ZDOTDIR", "PYTHONSTARTUP", "PERL5DB"});

/// Every `NAME=value` of the command: in front of it, or as operands of `export` and its like.
std::vector<Assignment> all_assignments(const SimpleCommand& command) {
  std::vector<Assignment> out = command.assignments;
  constexpr auto kDeclaring =
      std::to_array<std::string_view>({"export", "declare", "typeset", "local", "readonly", "setenv"});
  if (command.words.empty() || !is_one_of(base_name(command.words[0].text), kDeclaring)) return out;
  for (size_t i = 1; i < command.words.size(); ++i) {
    const Word& word = command.words[i];
    const size_t equals = word.text.find('=');
    if (equals != std::string::npos) out.push_back({word.text.substr(0, equals), drop_front(word, equals + 1)});
  }
  return out;
}

/// `GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='push --force'`: settings, numbered.
void unwrap_git_variables(const std::vector<Assignment>& all, std::vector<Inner>& found) {
  constexpr std::string_view kKey = "GIT_CONFIG_KEY_";
  for (const Assignment& key : all) {
    if (!key.name.starts_with(kKey)) continue;
    const std::string value = "GIT_CONFIG_VALUE_" + key.name.substr(kKey.size());
    const auto found_value = std::ranges::find(all, value, &Assignment::name);
    if (found_value == all.end() || key.value.is_dynamic()) {
      add_unknown(key.name, found);
    } else {
      unwrap_git_setting(key.value.text, found_value->value, found);
    }
  }
}

}  // namespace

void unwrap_start_files(const SimpleCommand& command, const Feed& feed, std::vector<Inner>& found) {
  if (feed.written == nullptr || feed.written->empty()) return;
  for (const std::string_view name : kStartFiles) {
    const auto noted = feed.written->find("start " + std::string(name));
    const auto here = std::ranges::find(command.assignments, name, &Assignment::name);
    const Word file = here != command.assignments.end() ? here->value
                      : noted == feed.written->end()    ? Word{}
                                                        : shell::literal_word(noted->second);
    if (file.text.empty()) continue;
    if (const std::string* text = written_to(feed, file))
      found.push_back({.wrapper = std::string(name), .script = *text});
    else if (is_written_unseen(feed, file))
      add_unknown(std::string(name), found);
  }
}

void unwrap_variables(const SimpleCommand& command, const Feed& feed, std::vector<Inner>& found) {
  if (command.assignments.empty() && command.words.empty()) return;
  const std::vector<Assignment> all = all_assignments(command);
  for (const Assignment& assignment : all) {
    const std::string& text = assignment.value.text;
    const bool is_command = is_one_of(assignment.name, kCommands);
    if (is_command && !text.empty()) {
      // LESSOPEN starts with a `|`.
      const size_t from = std::min(text.find_first_not_of("|-"), text.size());
      add_script({drop_front(assignment.value, from)}, assignment.name, found);
    } else if (assignment.name.starts_with("BASH_FUNC_")) {
      found.push_back({.wrapper = assignment.name, .script = "f" + text});
    } else if (!is_command && (text.contains("$(") || text.contains('`')) && assignment.value.gaps.empty()) {
      // Quoted code: `x='a[$(rm y)]'; ((x))` and `${x@P}` run it later.
      found.push_back({.wrapper = assignment.name, .script = ": " + text});
    }
    const bool is_start_file = is_one_of(assignment.name, kStartFiles);
    if (is_start_file && assignment.value.is_dynamic()) add_unknown(assignment.name, found);
    if (is_start_file && feed.written != nullptr) (*feed.written)["start " + assignment.name] = text;
    // `'alias.x=push --force'`, quoted and separated by spaces.
    if (assignment.name == "GIT_CONFIG_PARAMETERS") {
      std::string plain = text;
      std::erase(plain, '\'');
      const size_t equals = plain.find('=');
      if (equals != std::string::npos) {
        unwrap_git_setting(plain.substr(0, equals), shell::literal_word(plain.substr(equals + 1)), found);
      }
    }
  }
  unwrap_git_variables(all, found);
  // Set for all commands that follow.
  const bool stays = command.words.empty() || all.size() > command.assignments.size();
  if (stays && feed.written != nullptr && std::ranges::any_of(all, drops_hooks)) {
    (*feed.written)["git core.hookspath"] = "";
  }
}

}  // namespace grapnel::call
