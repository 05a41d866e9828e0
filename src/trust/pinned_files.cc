#include "trust/pinned_files.h"

#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include <sys/stat.h>

#include "base/text.h"
#include "call/hook_command.h"
#include "os/files.h"
#include "trust/run_directories.h"
#include "trust/sha256.h"
#include "trust/trust_store.h"

namespace grapnel {

namespace {

// Two steps: `NameCollector` takes every piece of text from the command that could be a file name, and `FileFinder`
// checks which of them exist in the project. Nothing is executed, so the values of variables and substitutions are not
// known; instead, every possible end of such a name is tried. If there are too many names or files, or if a file is too
// large, the hook cannot be trusted.

constexpr size_t kMaxScript = size_t{64} << 20;
constexpr size_t kMaxNames = 4096;
constexpr size_t kMaxBases = 16;
constexpr size_t kMaxFiles = 1024;
constexpr int kMaxNesting = 4;

bool is_below(const std::string& path, const std::string& directory) {
  return !directory.empty() && path.starts_with(directory) && path.substr(directory.size()).starts_with('/');
}

/// Whether the shell would expand the name.
bool is_pattern(std::string_view name) {
  return name.find_first_of("*?[{") != std::string_view::npos;
}

/// The paths that a pattern stands for at this moment.
std::vector<std::string> expand(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> paths;
  if (::glob(pattern.c_str(), GLOB_BRACE | GLOB_NOSORT, nullptr, &found) == 0) {
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  }
  ::globfree(&found);
  std::ranges::sort(paths);
  return paths;
}

/// Collects every text of a command that might be a file name: words, words inside quoted words, and parts of words.
class NameCollector {
 public:
  void add_text(std::string_view text, int nesting = 0) {
    for (const call::CommandWord& word : call::words_of_command(text)) {
      // The command only writes or reads this file and cannot run it.
      if (word.is_written || word.is_read) continue;
      add_name(word.text);
      // A word with blanks or shell characters may be a command itself, as in `sh -c '…'`.
      const bool is_text = word.text.find_first_of(" \t\n;|&()<>`'\"") != std::string::npos;
      if (is_text && nesting < kMaxNesting && word.text != text) {
        add_text(word.text, nesting + 1);
      } else {
        add_parts(word.text);
      }
    }
  }

  /// For arguments and values of variables, which the shell does not split.
  void add_word(const std::string& word) {
    add_name(word);
    add_text(word);
  }

  bool is_too_much() const { return names_.size() > kMaxNames; }
  const std::vector<std::string>& names() const { return names_; }

 private:
  void add_name(std::string_view name) {
    while (name.starts_with("./")) name.remove_prefix(2);
    const bool is_name = !name.empty() && name != ".";
    if (is_name && !is_too_much()) names_.emplace_back(name);
  }

  /// A name may be only a part of a word: `X=./a`, `./bin:$PATH`, `${X:-./a}`, `--file=./a`, `-f./a`.
  void add_parts(std::string_view word) {
    if (word.starts_with('-') && word.size() > 2) add_name(word.substr(2));
    constexpr std::string_view kSeparators = "=:,{}";
    for (size_t from = 0; from <= word.size();) {
      const size_t end = std::min(word.find_first_of(kSeparators, from), word.size());
      std::string_view part = word.substr(from, end - from);
      while (part.starts_with('-')) part.remove_prefix(1);
      if (part.size() != word.size()) add_name(part);
      from = end + 1;
    }
  }

  std::vector<std::string> names_;
};

/// Finds existing files for names. First all directories among the names are collected as bases, because the command
/// may change into one of them. Then the files are searched below the project and all bases.
class FileFinder {
 public:
  /// The directories in which the command may look for its files; empty ones and repetitions are left out.
  explicit FileFinder(const std::vector<std::string>& roots) {
    for (const std::string& root : roots) {
      if (!root.empty() && std::ranges::find(roots_, root) == roots_.end()) roots_.push_back(root);
    }
    bases_ = roots_;
  }

  std::vector<std::string> find(const std::vector<std::string>& names) {
    for (const std::string& name : names) look_up(name, S_IFDIR);
    for (const std::string& name : names) look_up(name, S_IFREG);
    return files_;
  }

  /// The directories that the hook runs as a whole. Call it after `find`, which collects the bases.
  std::vector<std::string> run_directories(const HookSpec& hook) {
    std::vector<std::string> out;
    for (const DirectoryRun& run : directory_runs(hook)) {
      for (const std::string& word : run.words) {
        if (const auto directory = directory_named(word)) out.push_back(*directory);
        if (is_something(word)) break;
      }
    }
    return out;
  }

 private:
  /// From the directory in which the command starts, which is the last root.
  std::optional<std::string> directory_named(const std::string& word) {
    for (auto base = bases_.rbegin(); base != bases_.rend(); ++base) {
      const std::string path = canonical_directory(word.starts_with('/') ? word : *base + "/" + word);
      struct stat info{};
      if (::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) return path;
    }
    return std::nullopt;
  }

  bool is_something(const std::string& word) const {
    return std::ranges::any_of(bases_, [&](const std::string& base) {
      struct stat info{};
      return ::stat((word.starts_with('/') ? word : base + "/" + word).c_str(), &info) == 0;
    });
  }

  /// The beginning of a name may be known only at run time (`$DIR/x.sh`) or may not exist here (`/container/x.sh`).
  /// Then the name is tried from behind each `/`.
  void look_up(const std::string& name, mode_t type) {
    struct stat info{};
    const bool is_absolute = name.starts_with('/');
    if (is_absolute && ::stat(name.c_str(), &info) == 0) return look_at(name, type);
    const bool is_open = is_absolute || name.starts_with('~') || name.find_first_of("$`") != std::string::npos;
    if (!is_open) return look_up_relative(name, type);
    for (size_t at = name.find('/'); at != std::string::npos; at = name.find('/', at + 1)) {
      const std::string rest = name.substr(at + 1);
      if (!rest.empty() && rest.find_first_of("$`") == std::string::npos) look_up_relative(rest, type);
    }
  }

  void look_up_relative(const std::string& name, mode_t type) {
    const size_t count = bases_.size();  // a directory that is found now is a base only for later names
    for (size_t i = 0; i < count; ++i) {
      const std::string path = bases_[i] + "/" + name;
      look_at(path, type);
      if (!is_pattern(name)) continue;
      for (const std::string& expanded : expand(path)) look_at(expanded, type);
    }
  }

  /// Keeps the path if it exists, has the right type and belongs to the project.
  void look_at(const std::string& path, mode_t type) {
    struct stat info{};
    if (::stat(path.c_str(), &info) != 0 || (info.st_mode & S_IFMT) != type) return;
    const auto inside = name_inside(path);
    if (!inside) return;
    std::vector<std::string>& known = type == S_IFDIR ? bases_ : files_;
    const size_t limit = type == S_IFDIR ? kMaxBases : kMaxFiles + 1;
    if (known.size() < limit && std::ranges::find(known, *inside) == known.end()) known.push_back(*inside);
  }

  /// The path as it is or with links resolved, whichever is in the project; nullopt if neither is.
  std::optional<std::string> name_inside(const std::string& path) const {
    const auto is_inside = [&](const std::string& name) {
      return std::ranges::any_of(roots_, [&](const std::string& root) { return is_below(name, root); });
    };
    if (is_inside(path)) return path;
    const std::string real = canonical_directory(path);
    return is_inside(real) ? std::optional(real) : std::nullopt;
  }

  std::vector<std::string> roots_;
  std::vector<std::string> bases_;
  std::vector<std::string> files_;
};

/// All possible file names in a hook's command, arguments and variables.
NameCollector names_of(const HookSpec& hook) {
  NameCollector names;
  const CommandHandler* handler = hook.program();
  if (handler == nullptr) return names;
  names.add_text(handler->command);
  for (const std::string& argument : handler->args.value_or(std::vector<std::string>{})) names.add_word(argument);
  for (const auto& [name, value] : handler->env) names.add_word(value);
  return names;
}

/// The name of a file in a digest. A linked worktree of git uses the names of the main worktree, so that the same bytes
/// have the same digest in both.
std::string name_in_digest(const std::string& path, const HookSpec& hook, const std::string& project_dir) {
  if (hook.trusted_as.empty() || !is_below(path, project_dir)) return path;
  return hook.trusted_as + path.substr(project_dir.size());
}

}  // namespace

std::string declared_dir(const HookSpec& hook, const std::string& project_dir) {
  if (hook.cwd.empty()) return "";
  return canonical_directory(hook.cwd.starts_with('/') ? hook.cwd : project_dir + "/" + hook.cwd);
}

std::vector<std::string> files_of_command(std::string_view command, const std::string& project_dir,
                                          const std::string& working_dir) {
  NameCollector names;
  names.add_text(command);
  return FileFinder({project_dir, working_dir}).find(names.names());
}

namespace {

/// What trust in a hook covers, besides its definition.
struct Closure {
  std::vector<std::string> files;
  std::vector<std::string> directories;  ///< those that run as a whole; their files are among the files
  std::vector<std::string> open;         ///< those that run as a whole and cannot be pinned
};

/// Adds all files below the directory, through links as well. Stops when there are too many.
void add_files_below(const std::string& directory, Closure& out) {
  namespace fs = std::filesystem;
  std::error_code error;
  std::vector<std::string> found;
  constexpr auto kOptions = fs::directory_options::follow_directory_symlink;
  for (fs::recursive_directory_iterator it(directory, kOptions, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (it->is_directory(ignored)) out.directories.push_back(it->path());
    if (!it->is_directory(ignored)) found.push_back(it->path());
    if (found.size() + out.directories.size() > kMaxFiles) break;
  }
  // A directory that cannot be read is like a file that cannot be read: the missing name makes the digest fail.
  if (error) found.push_back(directory + "/?");
  std::ranges::sort(found);
  out.directories.push_back(directory);
  for (std::string& file : found) {
    if (std::ranges::find(out.files, file) == out.files.end()) out.files.push_back(std::move(file));
  }
}

/// The one place that says which files belong to a hook: those who show trust, give it and check it all ask here.
Closure closure_of(const HookSpec& hook, const std::string& project_dir, const std::string& working_dir) {
  FileFinder finder({project_dir, declared_dir(hook, project_dir), working_dir});
  Closure out;
  out.files = finder.find(names_of(hook).names());
  for (const std::string& file : hook.files) {
    if (std::ranges::find(out.files, file) == out.files.end()) out.files.push_back(file);
  }
  for (const std::string& directory : finder.run_directories(hook)) {
    // The project itself changes all the time, and nobody would look at it as a whole.
    const bool holds_project = directory == project_dir || is_below(project_dir, directory) || directory == "/";
    if (holds_project) {
      out.open.push_back(directory);
    } else if (is_below(directory, project_dir) || directory == declared_dir(hook, project_dir)) {
      add_files_below(directory, out);
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> files_of_hook(const HookSpec& hook, const std::string& project_dir,
                                       const std::string& working_dir) {
  return closure_of(hook, project_dir, working_dir).files;
}

std::vector<std::string> unpinned_directories(const HookSpec& hook, const std::string& project_dir) {
  return closure_of(hook, project_dir, "").open;
}

bool PinnedFiles::is_untouched() const {
  return std::ranges::all_of(stamps, [](const auto& file) { return os::stamp(file.first) == file.second; });
}

PinnedFiles pin_files(const HookSpec& hook, const std::string& project_dir, const std::string& working_dir) {
  const NameCollector names = names_of(hook);
  const Closure parts = closure_of(hook, project_dir, working_dir);
  if (names.is_too_much() || parts.files.size() > kMaxFiles) return {};
  Sha256 hash;
  hash.add(hook.definition);
  // A hook file may set the failure policy for all its hooks, outside of their definitions. A policy other than the
  // usual one is part of what is trusted.
  const FailurePolicy usual;
  if (hook.failure.on_failure != usual.on_failure || hook.failure.on_timeout != usual.on_timeout) {
    hash.add(to_string(hook.failure.on_failure)).add(to_string(hook.failure.on_timeout));
  }
  PinnedFiles closure;
  // A file that is added to a directory changes the directory's stamp.
  for (const std::string& path : parts.directories) {
    const auto before = os::stamp(path);
    if (!before) return {};
    closure.stamps.emplace_back(path, *before);
  }
  for (const std::string& path : parts.files) {
    // The stamp is taken before reading. If the file changes in between, `is_untouched` detects it below.
    const auto before = os::stamp(path);
    const auto content = os::read_file(path, kMaxScript);
    if (!before || !content) return {};
    hash.add(name_in_digest(path, hook, project_dir)).add(*content);
    closure.stamps.emplace_back(path, *before);
  }
  if (closure.is_untouched()) closure.digest = hash.hex();
  return closure;
}

std::string pinned_digest(const HookSpec& hook, const std::string& project_dir, const std::string& working_dir) {
  return pin_files(hook, project_dir, working_dir).digest;
}

}  // namespace grapnel
