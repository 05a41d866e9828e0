#include <algorithm>

#include "base/error.h"
#include "cli/hook_source.h"
#include "cli/project_hooks.h"
#include "cli/verbs/packing.h"

namespace grapnel::cli {

namespace {

constexpr auto kUpdateArguments = std::to_array<ArgumentRow>({
    {"NAME", "the pack (default: all packs)", ValueKind::Pack},
});
constexpr auto kUpdateOptions = std::to_array<OptionRow>({
    {"--at", "", "REV", "from now on, use this branch, tag or commit", ValueKind::Text},
    kPackScopeOption,
    kPackProjectOption,
    {"--dry-run", "-n", "", "show what would change, and change nothing"},
    kPackYesOption,
    kJsonOption,
});

/// One pack: what is here, and what was fetched now.
struct Newer {
  std::string name;
  LockedPack locked;  ///< as it would be noted
  Pack fetched;
  Pack here;           ///< as it is now; empty when it is missing or cannot be read
  std::string remark;  ///< why people may not want to replace it, or ""
};

/// Whether the files here are still those that were added, in words; "" when they are, or when there are none.
std::string change_here(const Result<Pack>& here, const LockedPack& locked) {
  if (!here && here.error().code == Errc::NotFound) return "";
  if (!here) return "It is not what was added: " + here.error().message + ".\n";
  if (digest_of(*here) == locked.digest) return "";
  return "It was changed here since it was added; these changes would be lost.\n";
}

Result<Newer> look_for_newer(Invocation& in, const PackHome& home, const std::string& name, LockedPack locked) {
  if (in.args.has("--at")) {
    if (!locked.source.is_git) return fail(Errc::BadInput, "it is a directory, which has no revisions");
    locked.source.at = in.args.text("--at");
  }
  auto fetched = fetch_checked(in, home, locked.source, name);
  if (!fetched) return std::unexpected(fetched.error());
  auto here = read_pack_of(home, name);
  std::string remark = change_here(here, locked);
  Newer newer{name, std::move(locked), std::move(fetched->pack), {}, std::move(remark)};
  newer.here = here ? std::move(*here) : Pack{};
  newer.locked.revision = std::move(fetched->revision);
  newer.locked.digest = digest_of(newer.fetched);
  return newer;
}

/// What was done with a pack, in one word that programs know, too.
constexpr std::string_view kUnchanged = "unchanged";
constexpr std::string_view kWouldChange = "would-change";
constexpr std::string_view kRefused = "refused";
constexpr std::string_view kUpdated = "updated";
constexpr std::string_view kFailed = "failed";

/// Shows what would change, asks, and replaces the pack.
Result<std::string_view> update_one(Invocation& in, const PackHome& home, const Newer& newer) {
  const bool as_json = in.args.has("--json");
  const std::string changes = differences(newer.here, newer.fetched);
  const std::string revision = short_revision(newer.locked);
  const std::string what = "'" + newer.name + "'" + (revision.empty() ? "" : " at " + revision);
  if (changes.empty()) {
    // The lock file may change although the files are the same.
    if (!in.args.has("--dry-run")) {
      if (auto ok = note_pack(home, newer.name, newer.locked); !ok) return std::unexpected(ok.error());
    }
    const std::string_view note = newer.remark.empty() ? "" : "; only its digest in packs.lock was another one";
    if (!as_json) in.console.out(what + " is up to date" + std::string(note) + ".\n");
    return kUnchanged;
  }
  if (!as_json) in.console.out(what + " differs from what is here:\n" + diff_text(changes, in.console) + newer.remark);
  if (in.args.has("--dry-run")) return kWouldChange;
  if (!agrees(in, "Replace '" + newer.name + "'?")) {
    in.console.say("'" + newer.name + "' was not changed; if you agree with the difference, use --yes");
    return kRefused;
  }
  if (auto ok = put_pack(home, newer.name, newer.locked, newer.fetched); !ok) return std::unexpected(ok.error());
  if (!as_json) in.console.out("Updated '" + newer.name + "'.\n");
  return kUpdated;
}

int run_update(Invocation& in) {
  if (in.args.has("--at") && !in.args.has("NAME"))
    return report_usage(in.console, "update", "--at needs the name of a pack");
  const auto home = home_of(in);
  if (!home) return report_pack_error(in, home.error());
  auto packs = load_lock(home->lock_path());
  if (!packs) return report_pack_error(in, packs.error());
  if (in.args.has("NAME")) {
    const auto found = find_pack(*packs, in.args.text("NAME"));
    if (!found) return report_pack_error(in, found.error());
    packs = PackLock{*found};
  }
  std::vector<Json> done;
  int status = kOk;
  std::set<std::string> updated;
  // A pack that cannot be fetched does not keep the others from being updated.
  for (const auto& [name, locked] : *packs) {
    const auto newer = look_for_newer(in, *home, name, locked);
    const auto action = newer ? update_one(in, *home, *newer) : std::unexpected(newer.error());
    if (!action) {
      Error error = action.error();
      error.message = "'" + name + "': " + error.message;
      status = std::max(status, report_pack_error(in, error));
    }
    if (action == kRefused) status = std::max<int>(status, kNo);
    if (action == kUpdated) updated.insert(name);
    done.push_back(pack_json(name, newer ? newer->locked : locked, *home, action.value_or(kFailed))
                       .with("error", action ? Json() : Json::string(action.error().message)));
  }
  if (in.args.has("--json")) {
    in.console.out(Json::object({{"packs", Json::array(done)}}).dump(JsonStyle::Pretty) + "\n");
  } else if (packs->empty()) {
    in.console.out("There are no packs here. `grapnel add` adds one.\n");
  } else {
    in.console.out(trust_hint(in, *home, updated));
  }
  return status;
}

}  // namespace

const Command kUpdate{
    .name = "update",
    .summary = "get newer versions of packs, after showing what changes",
    .about =
        "Fetches each pack from where it came from and shows the difference from what is here. Then it asks, and "
        "replaces the pack. Hooks that changed have to be trusted again. It also puts back a pack whose files were "
        "changed or removed.",
    .arguments = kUpdateArguments,
    .options = kUpdateOptions,
    .examples = R"(  grapnel update
  grapnel update house-rules --at v1.3 --yes
  grapnel update --dry-run
)",
    .run = run_update,
};

}  // namespace grapnel::cli
