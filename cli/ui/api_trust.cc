#include <algorithm>
#include <set>

#include "base/error.h"
#include "cli/hook_text.h"
#include "cli/journal/journal_verbs.h"
#include "cli/project_hooks.h"
#include "cli/ui/api.h"

namespace grapnel::cli {

namespace {

constexpr size_t kTypedDigits = 4;
constexpr size_t kSearchedEvents = 500;  ///< the newest ones name the projects that somebody works in
constexpr size_t kMaxProjects = 30;

/// The project of the current directory, those with trusted hooks, and those of the newest events.
std::vector<std::string> known_projects(Ui& ui) {
  std::vector<std::string> out;
  const auto add = [&](const std::string& directory) {
    if (directory.empty() || out.size() >= kMaxProjects) return;
    const std::string name = canonical_directory(directory);
    if (std::ranges::find(out, name) == out.end()) out.push_back(name);
  };
  add(find_project(canonical_directory("."), ui.env.home()).root);
  const auto newest = ui.journal.with([](JournalReader& reader) { return reader.find({.limit = kSearchedEvents}); });
  if (newest) {
    for (auto entry = newest->rbegin(); entry != newest->rend(); ++entry) add(text_of(entry->record, "project"));
  }
  if (const auto trusted = trust_store(ui.env).all()) {
    for (const auto& [directory, digests] : *trusted) add(directory);
  }
  return out;
}

Result<Project> read_project(const Environment& env, const std::string& directory) {
  return load_project(env, find_project(canonical_directory(directory), env.home()));
}

/// What a person has to see: the differences of the definition and of each file since the hook was trusted.
Json hook_trust_json(const HookSpec& hook, const Project& project) {
  const bool is_trusted = hook.trust == Trust::Trusted;
  const PinnedHook* const was = is_trusted ? nullptr : changed_from(project.before, hook);
  const PinnedHook now = pin(hook, directory_of(hook));
  const auto diff_of = [&](PinnedHook before, PinnedHook after) {
    return Json::string(differences(before, after, project.directory));
  };
  const auto only_file = [](PinnedHook pinned, const std::string& path) {
    pinned.definition.clear();
    std::erase_if(pinned.files, [&](const PinnedFile& file) { return file.path != path; });
    return pinned;
  };
  const auto only_definition = [](PinnedHook pinned) {
    pinned.files.clear();
    return pinned;
  };
  std::set<std::string> paths;
  for (const PinnedFile& file : now.files) paths.insert(file.path);
  if (was != nullptr) {
    for (const PinnedFile& file : was->files) paths.insert(file.path);
  }
  std::vector<Json> files;
  for (const std::string& path : paths) {
    files.push_back(Json::object(
        {{"path", Json::string(path)},
         {"diff", was == nullptr ? Json::string("") : diff_of(only_file(*was, path), only_file(now, path))}}));
  }
  std::vector<Json> open;
  for (const std::string& what : open_parts(hook)) open.push_back(Json::string(what));
  return Json::object(
      {{"name", Json::string(hook.name)},
       {"project", Json::string(project.directory)},
       {"source", Json::string(hook.source_text())},
       {"digest", Json::string(hook.digest)},
       {"state", Json::string(is_trusted       ? "trusted"
                              : was != nullptr ? "changed"
                                               : "new")},
       {"definition", Json::parse(hook.definition).value_or(Json::null())},
       {"command", Json::string(hook.command_text())},
       {"definition_diff", was == nullptr ? Json::string("") : diff_of(only_definition(*was), only_definition(now))},
       {"files", Json::array(files)},
       {"not_covered", Json::array(open)}});
}

}  // namespace

Answer list_trust(Ui& ui, const HttpRequest& request) {
  const std::string wanted = request.parameter("project");
  std::vector<Json> hooks;
  for (const std::string& directory : wanted.empty() ? known_projects(ui) : std::vector{wanted}) {
    const auto project = read_project(ui.env, directory);
    // A project that is gone has nothing to trust.
    if (!project && project.error().code == Errc::BadInput) continue;
    if (!project) return std::unexpected(project.error());
    for (const HookSpec& hook : project->hooks) hooks.push_back(hook_trust_json(hook, *project));
  }
  return Json::object({{"hooks", Json::array(hooks)}});
}

// The files are read and hashed again now: what a person saw is named by its digest, and only that is trusted.
Answer trust_hook(Ui& ui, const HttpRequest& request) {
  const auto body = body_of(request);
  if (!body) return body;
  const auto text = [&](const char* key) { return (*body)[key].as_string().value_or(""); };
  const std::string digest = text("digest");
  if (digest.size() < kTypedDigits || text("typed") != digest.substr(0, kTypedDigits)) {
    return fail(Errc::BadInput, "type the first four characters of the digest");
  }
  const std::string directory = text("project").empty() ? "." : text("project");
  const auto project = read_project(ui.env, directory);
  if (!project) return std::unexpected(project.error());
  const auto hook = std::ranges::find_if(project->hooks, [&](const HookSpec& known) {
    return known.name == text("name") && known.source_text() == text("source");
  });
  if (hook == project->hooks.end()) return fail(Errc::NotFound, "there is no such hook any more");
  if (hook->digest != digest) return fail(Errc::Cancelled, "the hook has changed since it was shown; look again");
  if (auto kept = trust_one(ui.env, *project, *hook); !kept) return std::unexpected(kept.error());
  ui.gate.tell("The page trusted the hook " + printable(hook->name) + " of " + printable(project->directory) + ".");
  return Json::object({{"trusted", Json::boolean(true)}});
}

}  // namespace grapnel::cli
