#include <glob.h>

#include <algorithm>
#include <array>

#include "call/file_roles.h"
#include "call/patch.h"
#include "call/tool_call.h"
#include "dialect/payload.h"
#include "dialect/tools.h"
#include "shell/word_scan.h"

/// The files that a shell command names. Two things make that hard. A relative name depends on the directory, and `cd`
/// may have been run or not (`test -d x && cd x; rm y`), so every name is resolved from every directory the shell may
/// be in. And globs name files that the shell looks up, so they are expanded here in the same way. Whenever a limit or
/// a dynamic word makes the list incomplete, `Files::is_complete` becomes false, and questions about it are answered
/// with `Maybe`.
namespace grapnel::call {

namespace {

constexpr size_t kMaxBases = 16;
constexpr size_t kMaxExpanded = 1000;

/// Programs that take a patch from standard input or as a word.
bool applies_patch(const SimpleCommand& command) {
  constexpr auto kPrograms = std::to_array<std::string_view>({"apply_patch", "applypatch", "patch", "git"});
  return !command.words.empty() && std::ranges::find(kPrograms, base_name(command.words[0].text)) != kPrograms.end();
}

/// Whether expanding the pattern would take too long, or uses `**`, which only some shells support.
bool is_wide(std::string_view pattern) {
  return pattern.contains("**") || std::ranges::count(pattern, '*') + std::ranges::count(pattern, '?') > 8 ||
         std::ranges::count(pattern, '/') > 12;
}

/// A directory that the same text gave another name: `ln -s /etc cfg`.
struct Link {
  std::string name;
  std::string target;
};

std::string_view without_dot(std::string_view path) {
  return path.starts_with("./") ? path.substr(2) : path;
}

std::vector<Link> links_of(const ParsedCommand& parsed) {
  std::vector<Link> links;
  for (const SimpleCommand& command : parsed.commands) {
    if (command.words.size() < 4 || base_name(command.words[0].text) != "ln") continue;
    std::vector<std::string_view> operands;
    bool is_symbolic = false;
    for (const Word& word : std::span(command.words).subspan(1)) {
      const bool is_option = word.text.starts_with('-');
      is_symbolic |= is_option && word.text.contains('s');
      if (!is_option) operands.push_back(word.text);
    }
    if (is_symbolic && operands.size() == 2) {
      links.push_back({std::string(without_dot(operands[1])), std::string(operands[0])});
    }
  }
  return links;
}

/// The directory as a glob that matches only itself.
std::string escaped(std::string_view path) {
  std::string out;
  for (const char c : path) {
    if (std::string_view("*?[]\\").contains(c)) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::optional<std::vector<std::string>> expand_glob(const std::string& pattern, const std::string& base) {
  if (is_wide(pattern)) return std::nullopt;
  const std::string whole = pattern.starts_with('/') ? pattern : escaped(base) + "/" + pattern;
  glob_t found{};
  const int result = ::glob(whole.c_str(), GLOB_NOSORT, nullptr, &found);
  std::vector<std::string> out;
  for (size_t i = 0; result == 0 && i < found.gl_pathc && i <= kMaxExpanded; ++i) out.emplace_back(found.gl_pathv[i]);
  ::globfree(&found);
  if (out.size() > kMaxExpanded) return std::nullopt;
  if (out.empty()) out.push_back(pattern);
  return out;
}

/// Stray `---` lines are ignored: the question is which files the call names, and any text may contain such a line.
void ToolCall::add_patch(std::string_view text, const std::string& base) {
  for (PatchFile& file : files_of_patch(text)) {
    if (file.by != PatchFile::By::Stray) add_file(std::move(file.name), base, true);
  }
}

/// The directories that a relative name may start from: where the shell starts, and every directory that a `cd` may
/// have led to. Each `cd` may double the list, hence the limit.
std::vector<std::string> ToolCall::bases_of(const ParsedCommand& parsed) {
  const Json input = field_as(event_, event_.dialect(), Field::ToolInput);
  const std::string said = tool_directory(event_.dialect(), tool(), input);
  std::vector<std::string> bases = {said.empty() ? directory() : normalise(said, directory(), around_.home)};
  for (const Word& target : directories_of(parsed)) {
    if (!target.gaps.empty() || bases.size() * 2 > kMaxBases) {
      files_->is_complete = false;
      continue;
    }
    const size_t count = bases.size();
    for (size_t i = 0; i < count; ++i) {
      std::string next = normalise(target.text, bases[i], around_.home);
      if (std::ranges::find(bases, next) == bases.end()) bases.push_back(std::move(next));
    }
  }
  return bases;
}

/// Adds a word of a command as a file, from every directory it may be relative to.
void ToolCall::add_word(const PathUse& use, const std::vector<std::string>& bases) {
  if (!use.path.gaps.empty()) {  // a word with odd characters is dynamic too, but its name is known
    files_->files.push_back({.said = use.path.text,
                             .is_known = false,
                             .is_written = use.is_written,
                             .is_guess = use.is_guess,
                             .is_anywhere = use.is_anywhere,
                             .base = ""});
    return;
  }
  // Quotes are gone by now, so `~` may be the home directory or a file of that name; both are added. `~user` is the
  // home of somebody else, which is not looked up.
  const bool has_tilde = use.path.text.starts_with('~');
  if (has_tilde && use.path.text.size() > 1 && use.path.text[1] != '/') files_->is_complete = false;
  for (const std::string& base : bases) {
    if (has_tilde) add_file("./" + use.path.text, base, use.is_written, use.is_guess);
    if (!use.path.has_glob) {
      add_file(use.path.text, base, use.is_written, use.is_guess);
      continue;
    }
    auto expanded = expand_glob(use.path.text, base);
    if (!expanded) files_->is_complete = false;
    for (std::string& path : expanded.value_or(std::vector<std::string>{}))
      add_file(path, base, use.is_written, use.is_guess);
  }
}

void ToolCall::add_shell_files() {
  const ParsedCommand& parsed = *commands();
  if (parsed.is_unclear || changes_globs(*command_text())) files_->is_complete = false;
  const std::vector<std::string> bases = bases_of(parsed);
  const std::vector<Link> links = links_of(parsed);
  for (const PathUse& use : paths_of(parsed)) {
    add_word(use, bases);
    for (const Link& link : links) {
      const std::string_view path = without_dot(use.path.text);
      if (!path.starts_with(link.name + "/")) continue;
      PathUse behind = use;
      behind.path = shell::literal_word(link.target + std::string(path.substr(link.name.size())));
      add_word(behind, bases);
    }
  }
  for (const SimpleCommand& command : parsed.commands) {
    const bool is_unknown = !command.words.empty() && command.words[0].is_dynamic();
    if (command.code) {
      files_->codes.push_back(&command);
    } else if (command.is_open || is_unknown) {
      files_->is_complete = false;
    }
    if (!applies_patch(command)) continue;
    for (const Redirection& redirection : command.redirections) {
      if (!redirection.op.starts_with("<<")) continue;
      for (const std::string& base : bases) add_patch(redirection.target.text, base);
    }
    for (const Word& word : command.words) {
      if (word.text.contains('\n')) {
        for (const std::string& base : bases) add_patch(word.text, base);
      }
    }
  }
}

}  // namespace grapnel::call
