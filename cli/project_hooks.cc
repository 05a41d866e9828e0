#include "cli/project_hooks.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "cli/hook_source.h"
#include "discover/discover.h"
#include "discover/find/root.h"
#include "discover/find/worktree.h"
#include "trust/good_files.h"
#include "trust/pinned_files.h"
#include "trust/unpinned.h"

namespace grapnel::cli {

// DIR is made absolute before links are resolved, so that a project that no longer exists still has a name.
ProjectDirs project_named(const Invocation& in) {
  if (in.args.has("DIR")) return {canonical_directory(absolute_path(in.args.text("DIR"), ""))};
  ProjectDirs found = find_project(canonical_directory(absolute_path(".", "")), in.env.home());
  say_project(in, found);
  return found;
}

std::string directory_of(const HookSpec& hook) {
  return canonical_directory(hook.project);
}

std::string trust_name(const HookSpec& hook) {
  return hook.trusted_as.empty() ? directory_of(hook) : hook.trusted_as;
}

std::vector<PinnedHook> trusted_before(const Environment& env, const ProjectDirs& project) {
  std::set<std::string> names;
  for (const HookFile& place : named_places(places_of(project, env))) {
    if (!place.project.empty()) names.insert(place.trusted_as.empty() ? place.project : place.trusted_as);
  }
  std::vector<PinnedHook> out;
  for (const std::string& name : names) {
    std::ranges::move(trust_memory(env).load(name).value_or(std::vector<PinnedHook>{}), std::back_inserter(out));
  }
  return out;
}

TrustStore trust_store(const Environment& env) {
  return TrustStore(env.state_dir() + "/trust.json");
}

TrustHistory trust_memory(const Environment& env) {
  return TrustHistory(trust_store(env).path());
}

// A trusted hook has not changed, by definition of its digest.
std::string Project::changes_of(const HookSpec& hook) const {
  const PinnedHook* was = hook.trust == Trust::Trusted ? nullptr : changed_from(before, hook);
  return was == nullptr ? "" : differences(*was, pin(hook, directory_of(hook)), directory);
}

std::string diff_text(const std::string& diff, const Console& console) {
  std::string out;
  for (const std::string_view line : text::split(text::trim(diff), '\n')) {
    // The line comes from the project's files, so it must not be able to print control characters.
    const std::string shown = printable(line);
    // `---` and `+++` name the files; they are no changes.
    const bool is_header = line.starts_with("---") || line.starts_with("+++");
    const bool is_change = !is_header && (line.starts_with('-') || line.starts_with('+'));
    out +=
        "    " + (is_change ? console.styled(line.starts_with('-') ? Style::Red : Style::Green, shown) : shown) + "\n";
  }
  return out;
}

Result<Project> load_project(const Invocation& in) {
  return load_project(in.env, project_named(in));
}

FoundServers servers_of(const ProjectDirs& project, const Environment& env) {
  return find_servers({.roots = places_of(project, env), .trust_store = trust_store(env).path()});
}

Result<Project> load_project(const Environment& env, const ProjectDirs& named) {
  Project project{canonical_directory(named.root), named, {}, {}, {}, {}};
  std::error_code error;
  if (!std::filesystem::is_directory(project.directory, error)) {
    return fail(Errc::BadInput, project.directory + " is not a directory");
  }
  // An unsafe trust store must be reported before anything is shown as trusted or untrusted.
  if (const auto readable = trust_store(env).all(); !readable) return std::unexpected(readable.error());
  DiscoverOptions options;
  options.roots = places_of(named, env);
  options.trust_store = trust_store(env).path();
  Registry registry = discover(options).registry;
  for (HookSpec& hook : registry.hooks) {
    // Hooks from the user's own files need no trust and are not shown.
    if (hook.trust != Trust::NotNeeded) project.hooks.push_back(std::move(hook));
  }
  for (BrokenFile& file : registry.broken) {
    const bool is_lost = file.state != BrokenFile::State::Unreadable;
    if (!file.project.empty() || is_lost) project.broken.push_back(std::move(file));
  }
  project.before = trusted_before(env, named);
  for (ServerSpec& server : servers_of(named, env).servers) {
    if (server.trusted.trust != Trust::NotNeeded) project.servers.push_back(std::move(server));
  }
  return project;
}

std::vector<const BrokenFile*> lost_files(const Project& project) {
  std::vector<const BrokenFile*> out;
  for (const BrokenFile& file : project.broken) {
    if (file.state != BrokenFile::State::Unreadable && file.was_trusted) out.push_back(&file);
  }
  return out;
}

namespace {

/// The digests and hooks to keep for one directory of the project.
struct TrustedDirectory {
  std::set<std::string> digests;
  std::vector<PinnedHook> hooks;
};

}  // namespace

// Each directory with hook files is kept by itself, so that trust does not depend on where the project was found from.
std::vector<std::string> files_of(const HookSpec& hook, const Project& project) {
  std::vector<std::string> files;
  for (const std::string& path : files_of_hook(hook, directory_of(hook))) {
    const bool is_below = path.starts_with(project.directory + "/");
    files.push_back(is_below ? path.substr(project.directory.size() + 1) : path);
  }
  return files;
}

std::vector<std::string> open_parts(const HookSpec& hook) {
  std::vector<std::string> out = open_ends(hook.command_text());
  for (const std::string& directory : unpinned_directories(hook, directory_of(hook))) {
    out.push_back("the files in " + short_path(directory) + ", which runs as a whole");
  }
  return out;
}

Result<void> trust_one(const Environment& env, const Project& project, const HookSpec& hook) {
  if (hook.digest.empty()) return fail(Errc::Refused, "a file that this hook names cannot be read or is too large");
  const std::string name = trust_name(hook);
  std::set<std::string> digests = {hook.digest};
  for (const HookSpec& other : project.hooks) {
    if (other.trust == Trust::Trusted && trust_name(other) == name) digests.insert(other.digest);
  }
  for (const ServerSpec& server : project.servers) {
    if (server.is_trusted() && trust_name(server.trusted) == name) digests.insert(server.trusted.digest);
  }
  if (has_linked_worktrees(name)) digests.merge(trust_store(env).trusted(name).value_or(std::set<std::string>{}));
  if (auto kept = trust_store(env).set_trusted(name, digests); !kept) return kept;
  std::vector<PinnedHook> before = trust_memory(env).load(name).value_or(std::vector<PinnedHook>{});
  const PinnedHook now = pin(hook, directory_of(hook));
  std::erase_if(before, [&](const PinnedHook& old) { return old.name == now.name && old.source == now.source; });
  before.push_back(now);
  if (auto kept = trust_memory(env).save(name, before); !kept) return kept;
  // As in `trust_hooks`.
  static_cast<void>(load_project(env, project.named));
  return {};
}

Result<void> trust_hooks(const Environment& env, Project& project) {
  std::map<std::string, TrustedDirectory> directories;
  const auto add = [&](const HookSpec& hook) {
    if (hook.digest.empty()) return;
    TrustedDirectory& own = directories[trust_name(hook)];
    own.digests.insert(hook.digest);
    own.hooks.push_back(pin(hook, directory_of(hook)));
  };
  for (const HookSpec& hook : project.hooks) add(hook);
  for (const ServerSpec& server : project.servers) add(server.trusted);
  for (auto& [name, own] : directories) {
    // The worktrees of a repository share their trust, and each may have another version of the same hook.
    if (has_linked_worktrees(name)) own.digests.merge(trust_store(env).trusted(name).value_or(std::set<std::string>{}));
    if (auto kept = trust_store(env).set_trusted(name, own.digests); !kept) return kept;
    if (auto kept = trust_memory(env).save(name, own.hooks); !kept) return kept;
  }
  // Files without hooks are as the user wants them now, so nobody has to be told about them any more.
  const GoodFiles good(trust_store(env).path());
  for (const BrokenFile* lost : lost_files(project)) {
    good.forget(lost->project, [&](const GoodFile& file) { return file.path == lost->good_name; });
  }
  // Reading the files again, now that they are trusted, keeps them as the last good versions.
  static_cast<void>(load_project(env, project.named));
  for (HookSpec& hook : project.hooks) {
    if (!hook.digest.empty()) hook.trust = Trust::Trusted;
  }
  for (ServerSpec& server : project.servers) {
    if (!server.trusted.digest.empty()) server.trusted.trust = Trust::Trusted;
  }
  return {};
}

}  // namespace grapnel::cli
