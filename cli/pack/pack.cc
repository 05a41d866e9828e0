#include "cli/pack/pack.h"

#include <stdlib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include <sys/stat.h>

#include "base/error.h"
#include "base/line_diff.h"
#include "base/text.h"
#include "cli/console.h"
#include "discover/formats/rule_file.h"
#include "os/files.h"
#include "trust/sha256.h"

namespace grapnel::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kRules = "grapnel.yaml";
constexpr std::string_view kHooks = "hooks/";
constexpr std::string_view kHookFile = "/HOOK.md";
constexpr mode_t kExecutable = 0755;
constexpr mode_t kPlain = 0644;

/// Where people put rules and hooks that are meant to be a pack.
struct OtherPlace {
  std::string_view path, meant;
};
constexpr auto kOtherPlaces = std::to_array<OtherPlace>({
    {"grapnel.yml", "grapnel.yaml"},
    {".agents/grapnel.yaml", "grapnel.yaml"},
    {"HOOK.md", "hooks/NAME/HOOK.md"},
});

bool is_hook_file(const PackFile& file) {
  return file.path.starts_with(kHooks) && file.path.ends_with(kHookFile);
}

const PackFile* rules_of(const Pack& pack) {
  const auto found = std::ranges::find(pack.files, kRules, &PackFile::path);
  return found == pack.files.end() ? nullptr : &*found;
}

/// A line for a file that is binary or was added or removed as a whole is enough; texts get a diff.
std::string file_difference(const std::string& path, const PackFile* before, const PackFile* after) {
  if (before != nullptr && after != nullptr && *before == *after) return "";
  const std::string old_text = before == nullptr ? "" : before->text;
  const std::string new_text = after == nullptr ? "" : after->text;
  const bool is_binary = old_text.contains('\0') || new_text.contains('\0');
  std::string out;
  if (before != nullptr && after != nullptr && before->is_executable != after->is_executable)
    out += path + (after->is_executable ? " becomes executable\n" : " is no longer executable\n");
  if (is_binary) return out + "binary file " + path + " differs\n";
  return old_text == new_text ? out : out + text::line_diff(path, old_text, new_text);
}

}  // namespace

Result<void> check_pack_size(size_t files, size_t bytes) {
  if (files <= kMaxPackFiles && bytes <= kMaxPackBytes) return {};
  return fail(Errc::LimitExceeded, "this is too large for a pack: it has more than " + std::to_string(kMaxPackFiles) +
                                       " files or " + std::to_string(kMaxPackBytes >> 20) + " MiB");
}

Result<void> check_pack_path(const std::string& path) {
  const bool is_odd = std::ranges::any_of(path, [](unsigned char c) { return c < ' ' || c == 0x7f || c == '\\'; });
  for (const std::string_view part : text::split(path, '/')) {
    // Names are compared as a file system without case would: there, `.GIT` is the directory of git.
    const std::string lower = text::to_lower(part);
    if (is_odd || part.empty() || part == "." || part == ".." || lower == ".git")
      return fail(Errc::Refused, "the pack contains a file with a name that is not allowed: " + printable(path));
  }
  return {};
}

Result<void> check_pack(const Pack& pack, const std::string& name) {
  const auto contains = [&](std::string_view path) {
    return std::ranges::find(pack.files, path, &PackFile::path) != pack.files.end();
  };
  const PackFile* rules = rules_of(pack);
  if (rules == nullptr && std::ranges::none_of(pack.files, is_hook_file)) {
    const auto* const other = std::ranges::find_if(kOtherPlaces, contains, &OtherPlace::path);
    return fail(Errc::BadConfig, "'" + name + "' is not a pack: it has neither a grapnel.yaml nor hooks/NAME/HOOK.md" +
                                     (other == kOtherPlaces.end() ? ""
                                                                  : "; its " + std::string(other->path) +
                                                                        " has to be " + std::string(other->meant)));
  }
  // It would also change hooks that are not the pack's.
  if (contains("hooks/hooks.toml"))
    return fail(Errc::BadConfig, "'" + name + "' contains hooks/hooks.toml, which is not allowed in a pack");
  if (rules == nullptr) return {};
  const RuleFile read = read_rules(rules->text, {Scope::Project, name + "/grapnel.yaml", std::nullopt});
  const auto error = std::ranges::find(read.problems, ConfigProblem::Severity::Error, &ConfigProblem::severity);
  if (error == read.problems.end()) return {};
  return fail(Errc::BadConfig, "the rules of the pack have a mistake: " + error->to_string());
}

std::unexpected<Error> no_plain_file(const std::string& path, std::string_view what) {
  return fail(Errc::Refused, "the pack contains " + printable(path) + ", which is " + std::string(what) +
                                 "; packs may only contain files");
}

Result<Pack> read_pack(const std::string& directory) {
  Pack pack;
  size_t bytes = 0;
  std::error_code error;
  if (!fs::is_directory(directory, error))
    return fail(Errc::NotFound, "there is no directory " + short_path(directory));
  fs::recursive_directory_iterator walk(directory, error);
  for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error)) {
    const fs::path& at = walk->path();
    const fs::file_status status = walk->symlink_status();
    if (at.filename() == ".git") {
      if (fs::is_directory(status)) walk.disable_recursion_pending();
      continue;
    }
    if (fs::is_directory(status)) continue;
    const std::string relative = at.lexically_relative(directory).generic_string();
    if (!fs::is_regular_file(status)) {
      return no_plain_file(relative, fs::is_symlink(status) ? "a link" : "not a file");
    }
    if (auto ok = check_pack_path(relative); !ok) return std::unexpected(ok.error());
    if (auto ok = check_pack_size(pack.files.size() + 1, bytes + walk->file_size(error)); !ok)
      return std::unexpected(ok.error());
    auto text = os::read_file(at.string(), kMaxPackBytes);
    if (!text) return std::unexpected(text.error());
    bytes += text->size();
    const bool is_executable = (status.permissions() & fs::perms::owner_exec) != fs::perms::none;
    pack.files.push_back({relative, std::move(*text), is_executable});
  }
  if (error) return fail(Errc::System, "cannot read " + directory + ": " + error.message());
  std::ranges::sort(pack.files, {}, &PackFile::path);
  return pack;
}

// The new directory is complete before it takes the place of the old one, so that a hook never finds half a pack.
Result<void> write_pack(const Pack& pack, const std::string& directory) {
  if (auto made = os::make_parent_dirs(directory, kExecutable); !made) return made;
  const std::string parent = fs::path(directory).parent_path();
  std::string fresh = parent + "/.new-XXXXXX";
  if (::mkdtemp(fresh.data()) == nullptr) return fail_errno("cannot make a directory in " + parent);
  std::error_code error;
  fs::permissions(fresh, fs::perms{kExecutable}, error);
  Result<void> done;
  for (const PackFile& file : pack.files) {
    const std::string path = fresh + "/" + file.path;
    if (done) done = os::make_parent_dirs(path, kExecutable);
    if (done) done = os::write_file_atomic(path, file.text, file.is_executable ? kExecutable : kPlain);
  }
  const std::string old = fresh + ".old";
  if (done && fs::exists(directory, error)) {
    fs::rename(directory, old, error);
    if (error) done = fail(Errc::System, "cannot replace " + directory + ": " + error.message());
  }
  if (done) {
    fs::rename(fresh, directory, error);
    if (error) done = fail(Errc::System, "cannot make " + directory + ": " + error.message());
  }
  fs::remove_all(fresh, error);
  fs::remove_all(old, error);
  return done;
}

std::string digest_of(const Pack& pack) {
  Sha256 hash;
  for (const PackFile& file : pack.files) {
    hash.add(file.path).add(file.is_executable ? "x" : "-").add(file.text);
  }
  return "sha256:" + hash.hex();
}

std::string differences(const Pack& before, const Pack& after) {
  std::map<std::string, std::pair<const PackFile*, const PackFile*>> files;
  for (const PackFile& file : before.files) files[file.path].first = &file;
  for (const PackFile& file : after.files) files[file.path].second = &file;
  std::string out;
  for (const auto& [path, both] : files) out += file_difference(path, both.first, both.second);
  return out;
}

std::vector<std::string> hook_names(const Pack& pack) {
  std::vector<std::string> names;
  if (const PackFile* rules = rules_of(pack)) {
    for (const HookSpec& hook : read_rules(rules->text, {Scope::Project, "grapnel.yaml", std::nullopt}).hooks)
      names.push_back(hook.name);
  }
  for (const PackFile& file : pack.files) {
    if (!is_hook_file(file)) continue;
    names.push_back(file.path.substr(kHooks.size(), file.path.size() - kHooks.size() - kHookFile.size()));
  }
  return names;
}

}  // namespace grapnel::cli
