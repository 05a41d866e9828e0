#include <algorithm>
#include <array>
#include <span>

#include "base/row_index.h"
#include "base/text.h"
#include "call/options.h"
#include "call/words.h"
#include "call/wrappers.h"
#include "shell/word_scan.h"

// What git runs: its own commands by other names (`git-push`, `git send-pack`, aliases, a `+` in front of a refspec),
// and programs that its settings and options name.

namespace grapnel::call {

namespace {

using shell::drop_front;
using shell::literal_word;

/// Settings whose value is never run. With any other one, git may run the value: aliases, pagers, editors, helpers.
bool is_harmless_setting(std::string_view key) {
  constexpr auto kHarmless = std::to_array<std::string_view>({"user.",
                                                              "color.",
                                                              "core.quot",
                                                              "core.autocrlf",
                                                              "core.longpaths",
                                                              "core.abbrev",
                                                              "core.eol",
                                                              "core.filem",
                                                              "core.bare",
                                                              "core.ignorec",
                                                              "core.compress",
                                                              "core.excludes",
                                                              "core.attr",
                                                              "core.logall",
                                                              "core.white",
                                                              "core.precompose",
                                                              "core.hookspath",
                                                              "core.worktree",
                                                              "advice.",
                                                              "init.",
                                                              "log.",
                                                              "commit.gpg",
                                                              "commit.verb",
                                                              "commit.temp",
                                                              "tag.gpg",
                                                              "tag.sort",
                                                              "safe.",
                                                              "push.",
                                                              "pull.",
                                                              "merge.conf",
                                                              "merge.ff",
                                                              "merge.renam",
                                                              "merge.stat",
                                                              "gc.",
                                                              "http.",
                                                              "protocol.",
                                                              "fetch.",
                                                              "rebase.",
                                                              "submodule.recurse",
                                                              "diff.rename",
                                                              "diff.algo",
                                                              "diff.color",
                                                              "diff.mnem",
                                                              "diff.noprefix",
                                                              "diff.context",
                                                              "diff.submodule",
                                                              "status.",
                                                              "branch.",
                                                              "lfs.url",
                                                              "column.",
                                                              "help.",
                                                              "index.",
                                                              "feature.",
                                                              "pack.",
                                                              "receive.",
                                                              "transfer.",
                                                              "rerere.",
                                                              "stash.",
                                                              "versionsort.",
                                                              "worktree.",
                                                              "credential.username",
                                                              "remote.pushdefault"});
  std::string lower(key);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::any_of(kHarmless, [&](std::string_view p) { return lower.starts_with(p); });
}

/// Options of git's subcommands whose value is a command.
constexpr auto kCommandOptions = std::to_array<std::string_view>(
    {"--exec", "--upload-pack", "--receive-pack", "--tree-filter", "--index-filter", "--msg-filter", "--env-filter",
     "--commit-filter", "--parent-filter", "--tag-name-filter", "--open-files-in-pager", "--extcmd", "--to-cmd",
     "--cc-cmd", "--sendmail-cmd", "--smtp-server", "--editor"});

constexpr RowIndex kCommandIndex(kCommandOptions);

/// Subcommands of git's inner workings, and those that they are the inner workings of.
struct PlumbingRow {
  std::string_view name;
  std::string_view means;
  std::string_view flag = "";  ///< what it does without being told to
};
constexpr auto kPlumbing = std::to_array<PlumbingRow>({
    {"send-pack", "push"},
    {"http-push", "push"},
    {"commit-tree", "commit", "--no-verify"},
    {"fast-import", "commit", "--no-verify"},
});

/// Programs that hand their words to git, and how many of them they take themselves: `vcsh NAME push`.
struct GitNameRow {
  std::string_view name;
  size_t operands = 0;
};
constexpr auto kGitNames = std::to_array<GitNameRow>({{"hub"},
                                                      {"lab"},
                                                      {"yadm"},
                                                      {"git.exe"},
                                                      {"legit"},
                                                      {"dulwich"},
                                                      {"sl"},
                                                      {"vcsh", 1},
                                                      {"chezmoi", 1},
                                                      {"etckeeper", 1}});

/// A git command with another subcommand and more words in front of the rest.
Inner as_git(std::string_view subcommand, std::span<const Word> rest, std::string wrapper) {
  Inner inner{.wrapper = std::move(wrapper)};
  inner.command.words = {literal_word("git"), literal_word(subcommand)};
  inner.command.words.insert(inner.command.words.end(), rest.begin(), rest.end());
  return inner;
}

/// The aliases among the settings of a command, apart from this one, as options of git.
std::string other_aliases(const std::vector<Word>& words, size_t subcommand, std::string_view key) {
  std::string out;
  for (size_t i = 1; i < std::min(subcommand, words.size()); ++i) {
    const std::string& text = words[i].text;
    const bool is_other = text.starts_with("alias.") && !text.starts_with(std::string(key) + "=");
    if (is_other && !text.contains('\'')) out += "-c '" + text + "' ";
  }
  return out;
}

bool is_hooks_path(std::string_view key) {
  return text::to_lower(key) == "core.hookspath";
}

/// The command as if it had been told to run no hooks.
void add_without_hooks(const std::vector<Word>& words, size_t subcommand, const std::string& wrapper,
                       std::vector<Inner>& found) {
  if (subcommand >= words.size()) return;
  std::vector<Word> rest = {literal_word("--no-verify")};
  rest.insert(rest.end(), words.begin() + static_cast<ptrdiff_t>(subcommand) + 1, words.end());
  found.push_back(as_git(words[subcommand].text, rest, wrapper));
}

/// Reads the settings of a command: `-c key=value`, `--config-env`.
void unwrap_settings(const SimpleCommand& command, size_t subcommand, std::vector<Inner>& found) {
  const auto& words = command.words;
  for (size_t i = 1; i < std::min(subcommand, words.size()); ++i) {
    if (words[i].text.starts_with("--config-env")) {
      add_unknown("git --config-env", found);
      const std::string& setting =
          words[i].text.contains('=') || i + 1 == words.size() ? words[i].text : words[i + 1].text;
      if (text::to_lower(setting).contains("core.hookspath")) add_without_hooks(words, subcommand, "git", found);
    }
    const OptionUse use = read_option(find_options("git"), words[i].text);
    if (use.name != "-c") continue;
    const Word setting =
        use.takes_next ? (i + 1 < words.size() ? words[i + 1] : Word{}) : drop_front(words[i], use.value_at);
    if (use.takes_next) ++i;
    const size_t equals = setting.text.find('=');
    if (!setting.gaps.empty() && (equals == std::string::npos || setting.gaps.front() < equals)) {
      add_unknown("git -c", found);
    } else if (equals != std::string::npos) {
      const std::string key = setting.text.substr(0, equals);
      unwrap_git_setting(key, drop_front(setting, equals + 1), found);
      // The alias is used right here: the words behind it belong to it.
      const bool is_used = subcommand < words.size() && key == "alias." + words[subcommand].text && !found.empty();
      if (is_used && found.back().script) {
        std::string script = *found.back().script;
        // An alias may stand for another one, which is set here as well.
        if (script.starts_with("git ")) script.insert(4, other_aliases(words, subcommand, key));
        std::vector<Word> rest = {literal_word(script)};
        rest.insert(rest.end(), words.begin() + static_cast<ptrdiff_t>(subcommand) + 1, words.end());
        found.pop_back();
        add_script(rest, "git -c", found);
      }
      if (is_hooks_path(key)) add_without_hooks(words, subcommand, "git -c", found);
    }
  }
}

/// `git config alias.x '…'`: the value counts as if it ran here.
void unwrap_config(const std::vector<Word>& words, size_t at, std::vector<Inner>& found) {
  const OptionRow* const options = find_options("git", "config");
  std::vector<const Word*> operands;
  for (size_t i = at + 1; i < words.size(); ++i) {
    if (is_option(words[i].text)) {
      if (read_option(options, words[i].text).takes_next) ++i;
    } else if (!(operands.empty() && (words[i].text == "set" || words[i].text == "add"))) {
      operands.push_back(&words[i]);
    }
  }
  if (operands.size() > 1) unwrap_git_setting(operands[0]->text, *operands[1], found);
}

void unwrap_subcommand(const SimpleCommand& command, size_t at, std::vector<Inner>& found) {
  const auto& words = command.words;
  const std::string& name = words[at].text;
  const std::span rest = std::span(words).subspan(at + 1);
  for (const PlumbingRow& row : kPlumbing) {
    if (row.name != name) continue;
    std::vector<Word> all(rest.begin(), rest.end());
    if (!row.flag.empty()) all.insert(all.begin(), literal_word(row.flag));
    found.push_back(as_git(row.means, all, "git " + name));
  }
  // A commit that is written like any other object, and a repository that pushes whatever it has.
  const auto says = [&](std::string_view text) { return std::ranges::find(rest, text, &Word::text) != rest.end(); };
  if (name == "hash-object" && says("commit")) {
    found.push_back(as_git("commit", {{literal_word("--no-verify")}}, "git hash-object"));
  }
  if (name == "remote" && (says("--mirror") || says("--mirror=push"))) {
    found.push_back(as_git("push", {{literal_word("--force")}}, "git remote"));
  }
  if (name == "for-each-repo") {
    size_t from = 0;
    while (from < rest.size() && is_option(rest[from].text)) ++from;
    if (from < rest.size()) {
      found.push_back(as_git(rest[from].text, rest.subspan(from + 1), "git"));
    }
  }
  if (name == "config") return unwrap_config(words, at, found);
  const bool pushes = name == "push" || name == "send-pack";
  const auto forces = [](const Word& word) {
    const bool has_plus = word.text.starts_with('+') && (word.text.size() > 1 || !word.gaps.empty());
    return has_plus || word.text == "--mirror";
  };
  if (pushes && std::ranges::any_of(rest, forces)) {
    std::vector<Word> forced = {literal_word("--force")};
    forced.insert(forced.end(), rest.begin(), rest.end());
    found.push_back(as_git("push", forced, "git " + name));
  }
  // These commit, too, and their option leaves the same hooks out.
  const bool commits = name == "merge" || name == "pull" || name == "am";
  if (commits && has_flag(command, "--no-verify") == Certainty::Yes) {
    found.push_back(as_git("commit", {{literal_word("--no-verify")}}, "git " + name));
  }
  const bool is_forced = has_flag(command, "-f") == Certainty::Yes || has_flag(command, "--force") == Certainty::Yes;
  const bool keeps_files = has_flag(command, "--cached") == Certainty::Yes;
  if (name == "rm" && is_forced && !keeps_files && has_flag(command, "-r") == Certainty::Yes) {
    Inner inner{.wrapper = "git rm"};
    inner.command.words = {literal_word("rm"), literal_word("-rf")};
    for (const Word& word : rest) {
      if (!is_option(word.text)) inner.command.words.push_back(word);
    }
    found.push_back(std::move(inner));
  }
  for (size_t i = 0; i < rest.size(); ++i) {
    const std::string& text = rest[i].text;
    const std::string_view option = std::string_view(text).substr(0, text.find('='));
    const bool is_short = text.starts_with('-') && !text.starts_with("--");
    const bool takes_short = is_short && (name == "rebase" || name == "difftool") && text.starts_with("-x");
    const bool opens = is_short && name == "grep" && text.starts_with("-O") && text.size() > 2;
    const bool uploads = is_short && (name == "clone" || name == "fetch") && option == "-u";
    const bool is_code = !is_short && text.starts_with('-') && kCommandIndex.contains(option);
    if (text.starts_with("ext::")) add_script({drop_front(rest[i], 5)}, "git ext::", found);
    if (name == "submodule" && text == "foreach") {
      size_t from = i + 1;
      while (from < rest.size() && is_option(rest[from].text)) ++from;
      add_script({rest.begin() + static_cast<ptrdiff_t>(from), rest.end()}, "git submodule foreach", found);
    }
    if (name == "clone" && (text == "-c" || text == "--config") && i + 1 < rest.size()) {
      const size_t equals = rest[i + 1].text.find('=');
      if (equals != std::string::npos) {
        unwrap_git_setting(rest[i + 1].text.substr(0, equals), drop_front(rest[i + 1], equals + 1), found);
      }
    }
    if (!takes_short && !opens && !is_code && !uploads) continue;
    const std::string wrapper = "git " + name + " " + std::string(takes_short ? "-x" : option);
    if (text != option) {
      add_script({drop_front(rest[i], option.size() + 1)}, wrapper, found);
    } else if (text.size() > 2 && (takes_short || opens) && text[1] != '-') {
      add_script({drop_front(rest[i], 2)}, wrapper, found);
    } else if (i + 1 < rest.size() && option != "--open-files-in-pager") {
      add_script({rest[i + 1]}, wrapper, found);
    }
  }
}

/// Notes settings that change what later commands of the same text do.
void note_settings(const std::vector<Word>& words, size_t config, shell::Written& written) {
  const bool removes = std::ranges::any_of(words, [](const Word& word) { return word.text.contains("unset"); });
  for (size_t i = config + 1; i < words.size(); ++i) {
    const std::string key = text::to_lower(words[i].text);
    const std::string_view value = i + 1 < words.size() ? std::string_view(words[i + 1].text) : "";
    // Without a directory for them, or with another one than the project's, its hooks do not run.
    if (is_hooks_path(key) && (removes || value.empty() || value.starts_with('/'))) written["git core.hookspath"] = "";
  }
}

/// Whether the script of a hook does nothing but succeed.
bool does_nothing(std::string_view script) {
  constexpr auto kNothing = std::to_array<std::string_view>({"", "exit 0", "exit", "true", ":"});
  return std::ranges::all_of(text::split(script, '\n'), [&](std::string_view line) {
    const std::string_view trimmed = text::trim(line);
    return trimmed.starts_with('#') || is_one_of(trimmed, kNothing);
  });
}

/// Whether the same text took the project's hooks away, or put one that does nothing in their place.
bool loses_hooks(const shell::Written& written) {
  constexpr auto kHooks = std::to_array<std::string_view>({"pre-commit", "commit-msg", "prepare-commit-msg"});
  return written.contains("git core.hookspath") || std::ranges::any_of(written, [&](const auto& file) {
           const bool is_settings =
               file.second.starts_with('[') || file.first == "config" || file.first == ".gitconfig";
           if (is_settings) return text::to_lower(file.second).contains("hookspath");
           return is_one_of(file.first, kHooks) && does_nothing(file.second);
         });
}

/// `git config alias.p push; git p -f`: an alias that the same text made, with the words behind it.
void unwrap_alias_use(const SimpleCommand& command, size_t at, const Feed& feed, std::vector<Inner>& found) {
  if (feed.written == nullptr) return;
  const auto& words = command.words;
  for (size_t i = at + 1; words[at].text == "config" && i + 1 < words.size(); ++i) {
    if (!words[i].text.starts_with("alias.")) continue;
    feed.written->insert_or_assign("git " + words[i].text.substr(6), words[i + 1].text);
  }
  if (words[at].text == "config") return note_settings(words, at, *feed.written);
  const bool has_no_hooks = loses_hooks(*feed.written) || std::ranges::any_of(command.assignments, drops_hooks);
  if (has_no_hooks) add_without_hooks(words, at, "git config", found);
  // `git wip` runs a program called `git-wip`.
  if (const auto program = feed.written->find("git-" + words[at].text); program != feed.written->end()) {
    found.push_back({.wrapper = "git", .script = program->second});
  }
  const auto alias = feed.written->find("git " + words[at].text);
  if (alias == feed.written->end()) return;
  const bool is_shell = alias->second.starts_with('!');
  std::vector<Word> all = {literal_word(is_shell ? alias->second.substr(1) : "git " + alias->second)};
  all.insert(all.end(), words.begin() + static_cast<ptrdiff_t>(at) + 1, words.end());
  add_script(all, "git " + words[at].text, found);
}

/// Settings that the same text wrote to git's files: `printf '[alias]\n p = push -f' >> .git/config; git p`.
void unwrap_written_settings(const shell::Written& written, std::vector<Inner>& found) {
  for (const auto& [file, text] : written) {
    if (!text.starts_with('[') && file != "config" && file != ".gitconfig") continue;
    std::string section;
    for (const std::string_view line : text::split(text, '\n')) {
      const std::string_view trimmed = text::trim(line);
      const size_t equals = trimmed.find('=');
      if (trimmed.starts_with('[')) section = std::string(trimmed.substr(1, trimmed.find_first_of("] ") - 1));
      if (trimmed.starts_with('[') || equals == std::string_view::npos) continue;
      const std::string key = section + "." + std::string(text::trim(trimmed.substr(0, equals)));
      unwrap_git_setting(key, literal_word(text::trim(trimmed.substr(equals + 1))), found);
    }
  }
}

}  // namespace

bool drops_hooks(const Assignment& assignment) {
  struct Row {
    std::string_view name;
    std::string_view value;  ///< "" for any
  };
  constexpr auto kNoHooks = std::to_array<Row>({{"HUSKY", "0"},
                                                {"HUSKY_SKIP_HOOKS", ""},
                                                {"LEFTHOOK", "0"},
                                                {"LEFTHOOK", "false"},
                                                {"OVERCOMMIT_DISABLE", ""},
                                                {"PRE_COMMIT_ALLOW_NO_CONFIG", ""},
                                                {"SKIP", ""}});
  const std::string& value = assignment.value.text;
  if (assignment.name.starts_with("GIT_CONFIG_KEY_")) return is_hooks_path(value);
  if (assignment.name == "GIT_CONFIG_PARAMETERS") return text::to_lower(value).contains("core.hookspath");
  return std::ranges::any_of(kNoHooks, [&](const Row& row) {
    return row.name == assignment.name && (row.value.empty() ? !value.empty() : row.value == value);
  });
}

void unwrap_git_setting(std::string_view key, const Word& value, std::vector<Inner>& found) {
  if (is_harmless_setting(key) || value.text.empty()) return;
  // `remote.x.push=+main` forces as a refspec on the command line does.
  if (key.starts_with("remote.") && key.ends_with(".push") && value.text[0] == '+') {
    found.push_back(as_git("push", std::to_array({literal_word("--force")}), "git -c"));
    return;
  }
  if (key.starts_with("remote.") && key.ends_with(".mirror") && value.text == "true") {
    found.push_back(as_git("push", std::to_array({literal_word("--force")}), "git -c"));
    return;
  }
  const bool is_git = key.starts_with("alias.") && value.text[0] != '!';
  std::vector<Word> words;
  if (is_git) words.push_back(literal_word("git"));
  words.push_back(value.text[0] == '!' ? drop_front(value, 1) : value);
  add_script(words, "git -c", found);
}

bool is_git(std::string_view program) {
  return program == "git" || program.starts_with("git-") ||
         std::ranges::find(kGitNames, program, &GitNameRow::name) != kGitNames.end();
}

void unwrap_git(const SimpleCommand& command, const Feed& feed, std::vector<Inner>& found) {
  const std::string_view program = base_name(command.words[0].text);
  const auto* const other = std::ranges::find(kGitNames, program, &GitNameRow::name);
  if (other != kGitNames.end()) {
    if (command.words.size() <= other->operands + 1) return;
    Inner inner{.wrapper = std::string(program), .command = command};
    auto& words = inner.command.words;
    words.erase(words.begin(), words.begin() + static_cast<ptrdiff_t>(other->operands));
    if (words.size() > 1 && words[1].text == "--") words.erase(words.begin());
    words[0] = literal_word("git");
    found.push_back(std::move(inner));
    return;
  }
  if (program.starts_with("git-")) {
    found.push_back(as_git(program.substr(4), std::span(command.words).subspan(1), std::string(program)));
    found.back().command.is_open = command.is_open;
    return;
  }
  const bool reads_names =
      feed.text && std::ranges::any_of(command.words, [](const Word& word) {
        return is_option(word.text) && (word.text.starts_with("--batch") || word.text.starts_with("--stdin"));
      });
  if (reads_names) add_unread("git", command, nullptr, feed, found);
  const size_t at = find_subcommand(command);
  unwrap_settings(command, at, found);
  if (at < command.words.size()) {
    unwrap_subcommand(command, at, found);
    unwrap_alias_use(command, at, feed, found);
  }
  if (feed.written == nullptr || feed.written->empty()) return;
  unwrap_written_settings(*feed.written, found);
  // A hook that the same text wrote runs with the next commit, push or checkout.
  constexpr auto kHooks = std::to_array<std::string_view>({"pre-commit", "pre-push", "commit-msg", "post-commit",
                                                           "post-checkout", "post-merge", "prepare-commit-msg",
                                                           "pre-rebase", "post-rewrite", "fsmonitor-watchman"});
  for (const std::string_view hook : kHooks) {
    const auto text = feed.written->find(hook);
    if (text != feed.written->end()) found.push_back({.wrapper = "git", .script = text->second});
  }
}

}  // namespace grapnel::call
