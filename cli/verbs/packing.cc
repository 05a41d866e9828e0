#include "cli/verbs/packing.h"

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "cli/ask.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/project_hooks.h"

namespace grapnel::cli {

Result<PackHome> home_of(const Invocation& in) {
  const Scope scope = in.args.text("--scope") == "user" ? Scope::User : Scope::Project;
  if (scope == Scope::User) return pack_home("", in.env, scope);
  const auto project = project_dirs(in);
  if (!project) return std::unexpected(project.error());
  return pack_home(project->root, in.env, scope);
}

Result<FetchedPack> fetch_checked(Invocation& in, const PackHome& home, const PackSource& source,
                                  const std::string& name) {
  if (source.is_git && in.console.is_terminal()) in.console.err("Fetching " + printable(source.text) + " …\n");
  auto fetched = fetch_pack(source, home.base, in.env);
  if (!fetched) return fetched;
  if (auto ok = check_pack(fetched->pack, name); !ok) return std::unexpected(ok.error());
  return fetched;
}

bool agrees(Invocation& in, std::string_view question) {
  if (in.args.has("--yes")) return true;
  return !in.args.has("--json") && can_ask(in.console) && says_yes(in.console, question);
}

int report_pack_error(Invocation& in, const Error& error) {
  Error shown = error;
  if (shown.at) shown.at->file = short_path(shown.at->file);
  in.console.say(printable(shown.to_string()));
  return error.code == Errc::System ? kInternal : kBadUsage;
}

Result<PackLock::value_type> find_pack(const PackLock& packs, const std::string& name) {
  const auto found = packs.find(name);
  if (found != packs.end()) return *found;
  std::vector<std::string_view> names;
  for (const auto& [known, pack] : packs) names.emplace_back(known);
  const std::string_view near = text::nearest(name, names);
  std::string help = near.empty() ? "" : "; did you mean '" + std::string(near) + "'?";
  if (names.empty()) help = "; there are no packs here";
  return fail(Errc::BadInput, "there is no pack '" + name + "'" + help);
}

Json pack_json(const std::string& name, const LockedPack& pack, const PackHome& home, std::string_view action) {
  return Json::object({{"name", Json::string(name)},
                       {"action", Json::string(action)},
                       {"path", Json::string(home.path_of(name))},
                       {"scope", Json::string(to_string(home.scope))},
                       {"source", Json::string(pack.source.text)},
                       {"at", pack.source.at.empty() ? Json() : Json::string(pack.source.at)},
                       {"revision", pack.revision.empty() ? Json() : Json::string(pack.revision)},
                       {"digest", Json::string(pack.digest)}});
}

std::string trust_hint(const Invocation& in, const PackHome& home, const std::set<std::string>& packs) {
  if (home.scope == Scope::User) return "";
  const auto project = load_project(in.env, {home.base});
  if (!project) return "";
  const auto count = static_cast<size_t>(std::ranges::count_if(project->hooks, [&](const HookSpec& hook) {
    return hook.trust == Trust::Untrusted && packs.contains(pack_of(hook.source.file));
  }));
  if (count == 0) return "";
  return count_text(count, "hook") + (count == 1 ? " runs only after you trust it" : " run only after you trust them") +
         "; `grapnel trust` shows " + (count == 1 ? "it.\n" : "them.\n");
}

std::string short_revision(const LockedPack& pack) {
  constexpr size_t kShort = 7;
  return pack.revision.substr(0, kShort);
}

}  // namespace grapnel::cli
