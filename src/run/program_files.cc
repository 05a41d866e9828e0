#include "run/program_files.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include <sys/stat.h>

#include "base/variables.h"
#include "call/hook_command.h"
#include "os/resolve.h"
#include "trust/pinned_files.h"
#include "trust/trust_store.h"

namespace grapnel {

namespace {

namespace fs = std::filesystem;

/// Each of them is looked at before every event.
constexpr size_t kMostBeside = 64;
/// Directories are listed up to here; a home directory full of other things is not searched.
constexpr size_t kMostEntries = 1024;
constexpr int kMaxNesting = 4;

/// Whether the character may stand in a name that needs no quotes.
bool is_plain(char c) {
  const bool is_alphanumeric = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return is_alphanumeric || c == '.' || c == '_' || c == '-';
}

bool is_of_type(const std::string& path, mode_t type) {
  struct stat info{};
  return ::stat(path.c_str(), &info) == 0 && (info.st_mode & S_IFMT) == type;
}

/// The word with the variables of the child, and the home directory, filled in. Others stay as they are written.
std::string expanded(std::string_view word, const Environment& env) {
  std::string out = expand_variables(word, [&](std::string_view name) {
    return env.has(name) ? std::optional(std::string(env.get(name))) : std::nullopt;
  });
  if (out == "~" || out.starts_with("~/")) out.replace(0, 1, env.home());
  return out;
}

/// A word with blanks or shell characters may be a command itself, as in `sh -c '…'`.
void add_words(std::string_view text, const Environment& env, std::vector<std::string>& out, int nesting = 0) {
  for (const call::CommandWord& word : call::words_of_command(text)) {
    if (word.is_written) continue;
    out.push_back(expanded(word.text, env));
    const bool is_text = word.text != text && word.text.find_first_of(" \t\n;|&") != std::string::npos;
    if (is_text && nesting < kMaxNesting) add_words(word.text, env, out, nesting + 1);
  }
}

std::vector<std::string> words_of_program(const HookSpec& hook, const ChildSpec& child) {
  std::vector<std::string> words;
  add_words(hook.program()->command, child.env, words);
  for (const std::string& argument : hook.program()->args.value_or(std::vector<std::string>{})) {
    words.push_back(expanded(argument, child.env));
    add_words(argument, child.env, words, 1);
  }
  return words;
}

}  // namespace

std::vector<std::string> files_of_program(const HookSpec& hook, const std::string& project, const ChildSpec& child) {
  const std::string dir = canonical_directory(child.cwd);
  const std::vector<std::string> words = words_of_program(hook, child);
  std::vector<std::string> files = files_of_hook(hook, project, dir);
  const auto add = [&](const std::string& path) {
    if (std::ranges::find(files, path) == files.end() && is_of_type(path, S_IFREG)) files.push_back(path);
  };
  add(child.path);
  // The command may change into a directory that it names.
  std::vector<std::string> bases = {dir};
  for (const std::string& word : words) {
    std::string path = word.starts_with('/') ? word : dir + "/" + word;
    if (is_of_type(path, S_IFDIR)) bases.push_back(std::move(path));
  }
  for (const std::string& word : words) {
    if (word.starts_with('/')) {
      add(word);
    } else {
      for (const std::string& base : bases) add(base + "/" + word);
    }
    if (word.empty() || word.find('/') != std::string::npos) continue;
    if (const auto found = os::find_executable(word, child.env.get("PATH"), dir)) add(*found);
  }
  return files;
}

std::vector<std::string> unknown_files(const HookSpec& hook, const ChildSpec& child) {
  std::vector<std::string> words = words_of_program(hook, child);
  std::erase_if(words, [](const std::string& word) {
    // Programs in other languages have dollar signs and slashes, too. A path ends in a name.
    const size_t slash = word.rfind('/');
    const bool is_path = slash != std::string::npos && slash + 1 < word.size() &&
                         std::ranges::all_of(std::string_view(word).substr(slash + 1), is_plain);
    return !is_path || word.find_first_of("$`") == std::string::npos || word.find("://") != std::string::npos;
  });
  return words;
}

std::optional<std::vector<std::string>> files_beside(const std::vector<std::string>& files) {
  std::set<std::pair<fs::path, fs::path>> kinds;  // directory and suffix
  for (const std::string& file : files) {
    const fs::path path(file);
    if (path.has_extension()) kinds.emplace(path.parent_path(), path.extension());
  }
  std::set<std::string> found;
  size_t entries = 0;
  for (const auto& [directory, suffix] : kinds) {
    std::error_code error;
    for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error)) {
      if (++entries > kMostEntries) return std::nullopt;
      if (it->path().extension() == suffix) found.insert(it->path());
    }
  }
  for (const std::string& file : files) found.erase(file);
  if (found.size() > kMostBeside) return std::nullopt;
  return std::vector(found.begin(), found.end());
}

FileStamps stamps_of(const std::vector<std::string>& files) {
  FileStamps out;
  for (const std::string& file : files) out.emplace_back(file, os::stamp(file));
  return out;
}

}  // namespace grapnel
