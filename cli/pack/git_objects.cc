#include "cli/pack/git_objects.h"

#include <stdlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/text.h"
#include "cli/console.h"
#include "os/resolve.h"
#include "run/supervisor.h"

namespace grapnel::cli {

namespace {

constexpr std::chrono::minutes kPatience{5};
constexpr size_t kMaxWords = 600;  ///< of what git says about a failure
constexpr size_t kMaxListing = size_t{8} << 20;

/// Nothing in the user's or the repository's configuration may run a program besides git and ssh.
constexpr auto kSafeOptions = std::to_array<std::string_view>(
    {"-c", "core.hooksPath=/dev/null", "-c", "protocol.ext.allow=never", "-c", "core.fsmonitor=false", "-c",
     "submodule.recurse=false", "-c", "fetch.recurseSubmodules=false", "-c", "gc.auto=0", "-c",
     "maintenance.auto=false"});

/// A directory that is removed at the end.
class TemporaryRepository {
 public:
  explicit TemporaryRepository(const Environment& env) {
    const std::string_view named = env.get("TMPDIR");
    std::string pattern = (named.empty() ? "/tmp" : std::string(named)) + "/grapnel-pack-XXXXXX";
    if (::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  TemporaryRepository(const TemporaryRepository&) = delete;
  TemporaryRepository& operator=(const TemporaryRepository&) = delete;
  ~TemporaryRepository() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The variables that belong to one repository: a hook of git may have started us, with those of its own repository.
constexpr auto kRepositoryVariables = std::to_array<std::string_view>({"GIT_ALTERNATE_OBJECT_DIRECTORIES",
                                                                       "GIT_CONFIG",
                                                                       "GIT_CONFIG_PARAMETERS",
                                                                       "GIT_CONFIG_COUNT",
                                                                       "GIT_OBJECT_DIRECTORY",
                                                                       "GIT_DIR",
                                                                       "GIT_WORK_TREE",
                                                                       "GIT_IMPLICIT_WORK_TREE",
                                                                       "GIT_GRAFT_FILE",
                                                                       "GIT_INDEX_FILE",
                                                                       "GIT_NO_REPLACE_OBJECTS",
                                                                       "GIT_REPLACE_REF_BASE",
                                                                       "GIT_PREFIX",
                                                                       "GIT_SHALLOW_FILE",
                                                                       "GIT_COMMON_DIR",
                                                                       "GIT_NAMESPACE",
                                                                       "GIT_TEMPLATE_DIR",
                                                                       "GIT_EXTERNAL_DIFF",
                                                                       "GIT_PROXY_COMMAND",
                                                                       "GIT_DEFAULT_HASH"});

/// The user's environment, in which git finds keys and proxies.
Environment environment_for_git(const Environment& env) {
  Environment out = env;
  for (const std::string_view name : kRepositoryVariables) out.remove(name);
  out.set("GIT_TERMINAL_PROMPT", "0");
  out.set("GIT_ALLOW_PROTOCOL", "https:ssh:file");
  out.set("LC_ALL", "C");
  return out;
}

/// The line of git's words that says what is wrong; general advice follows it.
std::string main_line(const std::string& words) {
  for (std::string_view line : text::split(words, '\n')) {
    line = text::trim(line);
    if (line.empty() || line.starts_with("warning:")) continue;
    if (line.starts_with("fatal: ")) line.remove_prefix(7);
    return printable(text::cap(text::to_valid_utf8(line), kMaxWords));
  }
  return "";
}

/// Runs git in the temporary repository.
class Git {
 public:
  Git(std::string program, std::string directory, const Environment& env)
      : program_(std::move(program)), directory_(std::move(directory)), env_(environment_for_git(env)) {}

  /// What git printed. Fails: Unavailable, with what it said on standard error.
  Result<std::string> run(const std::vector<std::string>& words, std::string input = {},
                          size_t max_output = kMaxListing) const {
    ChildSpec child;
    child.path = program_;
    // Named, because the user's configuration may keep git from using a bare repository that it only finds.
    child.argv = {"git", "--git-dir=" + directory_};
    child.argv.insert(child.argv.end(), kSafeOptions.begin(), kSafeOptions.end());
    child.argv.insert(child.argv.end(), words.begin(), words.end());
    child.env = env_;
    child.cwd = directory_;
    child.stdin_bytes = std::make_shared<const std::string>(std::move(input));
    child.timeout = kPatience;
    const os::CancelSource never;
    RunOutcome ended = run_children({&child, 1}, 1, {.max_output = max_output}, never.token()).front();
    const auto* exited = std::get_if<Exited>(&ended.ending);
    if (exited != nullptr && exited->code == 0 && ended.out.dropped == 0) return std::move(ended.out.bytes);
    if (ended.out.dropped > 0) return fail(Errc::LimitExceeded, "the repository is too large for a pack");
    const std::string said = main_line(ended.err.bytes);
    return fail(Errc::Unavailable, "git " + words.front() + ": " + (said.empty() ? describe(ended.ending) : said));
  }

 private:
  std::string program_;
  std::string directory_;
  Environment env_;
};

/// One line of `git ls-tree -l`: `<mode> <type> <object> <size>\t<path>`.
struct TreeEntry {
  std::string mode;
  std::string object;
  size_t size = 0;
  std::string path;
};

Result<TreeEntry> read_entry(std::string_view line) {
  const size_t tab = line.find('\t');
  std::vector<std::string> words;
  for (const std::string_view word : text::split(line.substr(0, tab), ' ')) {
    if (!word.empty()) words.emplace_back(word);
  }
  if (tab == std::string_view::npos || words.size() != 4) return fail(Errc::Unavailable, "git's list cannot be read");
  TreeEntry entry{words[0], words[2], 0, std::string(line.substr(tab + 1))};
  if (auto ok = check_pack_path(entry.path); !ok) return std::unexpected(ok.error());
  if (entry.mode == "120000") return no_plain_file(entry.path, "a link");
  if (words[1] != "blob") return no_plain_file(entry.path, "a submodule");
  std::from_chars(words[3].data(), words[3].data() + words[3].size(), entry.size);
  return entry;
}

Result<std::vector<TreeEntry>> read_tree(const Git& git, const std::string& revision) {
  const auto listing = git.run({"ls-tree", "-r", "-z", "-l", "--full-tree", revision});
  if (!listing) return std::unexpected(listing.error());
  std::vector<TreeEntry> entries;
  size_t bytes = 0;
  for (const std::string_view line : text::split(*listing, '\0')) {
    if (line.empty()) continue;
    auto entry = read_entry(line);
    if (!entry) return std::unexpected(entry.error());
    bytes += entry->size;
    entries.push_back(std::move(*entry));
    if (auto ok = check_pack_size(entries.size(), bytes); !ok) return std::unexpected(ok.error());
  }
  return entries;
}

/// Reads the contents from the answer of `git cat-file --batch`: `<object> blob <size>\n<content>\n` for each.
Result<Pack> read_contents(const Git& git, std::vector<TreeEntry> entries) {
  std::string wanted;
  for (const TreeEntry& entry : entries) wanted += entry.object + "\n";
  const auto answer = git.run({"cat-file", "--batch"}, wanted, kMaxPackBytes * 2);
  if (!answer) return std::unexpected(answer.error());
  Pack pack;
  size_t at = 0;
  for (TreeEntry& entry : entries) {
    const size_t end = answer->find('\n', at);
    const bool is_there = end != std::string::npos && answer->compare(at, entry.object.size(), entry.object) == 0 &&
                          answer->size() > end + entry.size;
    if (!is_there) return fail(Errc::Unavailable, "git did not give the content of " + printable(entry.path));
    pack.files.push_back({std::move(entry.path), answer->substr(end + 1, entry.size), entry.mode == "100755"});
    at = end + 1 + entry.size + 1;
  }
  std::ranges::sort(pack.files, {}, &PackFile::path);
  return pack;
}

bool may_be_commit(std::string_view at) {
  constexpr size_t kShortest = 4;
  return at.size() >= kShortest && at.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Fetches the revision alone. Only a shortened commit needs more: git asks servers by name or by the whole number, so
/// all branches and tags are fetched. Returns the commit.
Result<std::string> fetch_revision(const Git& git, const std::string& address, const std::string& at) {
  const std::string wanted = at.empty() ? "HEAD" : at;
  const auto unknown = [&] {
    return fail(Errc::NotFound, "there is no branch, tag or commit '" + wanted + "' in " + printable(address));
  };
  auto fetched = git.run({"fetch", "-q", "--depth=1", "--no-tags", "--", address, wanted});
  std::string found = "FETCH_HEAD";
  if (!fetched && fetched.error().message.contains("find remote ref")) {
    if (!may_be_commit(at)) return unknown();
    fetched = git.run({"fetch", "-q", "--", address, "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"});
    found = at;
  }
  if (!fetched) return std::unexpected(fetched.error());
  const auto commit = git.run({"rev-parse", "--verify", "-q", "--end-of-options", found + "^{commit}"});
  if (!commit) return unknown();
  return std::string(text::trim(*commit));
}

}  // namespace

Result<FetchedPack> fetch_objects(const std::string& address, const std::string& at, const Environment& env) {
  const auto program = os::find_executable("git", env.get("PATH"), "/");
  if (!program) return fail(Errc::Unavailable, "git is not installed, or not in PATH");
  const TemporaryRepository repository(env);
  if (repository.path().empty()) return fail_errno("cannot make a temporary directory");
  const Git git(*program, repository.path(), env);
  if (auto made = git.run({"init", "-q", "--bare", "--template="}); !made) return std::unexpected(made.error());
  auto revision = fetch_revision(git, address, at);
  if (!revision) return std::unexpected(revision.error());
  auto entries = read_tree(git, *revision);
  if (!entries) return std::unexpected(entries.error());
  auto pack = read_contents(git, std::move(*entries));
  if (!pack) return std::unexpected(pack.error());
  return FetchedPack{std::move(*pack), std::move(*revision)};
}

}  // namespace grapnel::cli
