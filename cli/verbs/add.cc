#include <filesystem>

#include "base/error.h"
#include "base/text.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/project_hooks.h"
#include "cli/verbs/packing.h"

namespace grapnel::cli {

namespace {

constexpr auto kAddArguments = std::to_array<ArgumentRow>({
    {"SOURCE", "a directory, or the address of a git repository", ValueKind::Directory, true},
});
constexpr auto kAddOptions = std::to_array<OptionRow>({
    {"--at", "", "REV", "the branch, tag or commit (default: the repository's default branch)", ValueKind::Text},
    {"--name", "-n", "NAME", "what the pack is called here (default: the end of SOURCE)", ValueKind::Text},
    kPackScopeOption,
    kPackProjectOption,
    kPackYesOption,
    kJsonOption,
});

/// The name for the pack, which must be free. Fails: BadInput.
Result<std::string> name_for_pack(const Invocation& in, const PackSource& source, const PackHome& home) {
  const std::string name = in.args.has("--name") ? in.args.text("--name") : usual_name(source);
  if (name.empty() && !in.args.has("--name"))
    return fail(Errc::BadInput, "'" + printable(source.text) + "' does not end in a name; give one with --name");
  if (auto ok = check_pack_name(name); !ok) return std::unexpected(ok.error());
  const auto lock = load_lock(home.lock_path());
  if (!lock) return std::unexpected(lock.error());
  if (lock->contains(name)) {
    return fail(Errc::BadInput, "there is a pack '" + name + "' already: `grapnel update " + name +
                                    "` gets its newest version, --name gives this one another name");
  }
  std::error_code error;
  if (std::filesystem::exists(std::filesystem::symlink_status(home.path_of(name), error))) {
    return fail(Errc::BadInput,
                short_path(home.path_of(name)) + " is there already, but not in packs.lock; remove it, or use --name");
  }
  return name;
}

/// A user's own hooks need no trust, so adding a pack for a user is the moment at which they are agreed to.
bool may_add(Invocation& in, const PackHome& home, const std::string& name, const Pack& pack) {
  if (home.scope == Scope::Project || in.args.has("--yes")) return true;
  if (!in.args.has("--json")) in.console.out(diff_text(differences({}, pack), in.console));
  return agrees(in, "Let the hooks of '" + name + "' run in all your projects?");
}

int run_add(Invocation& in) {
  const auto home = home_of(in);
  if (!home) return report_pack_error(in, home.error());
  const auto source = source_from(in.args.text("SOURCE"), in.args.text("--at"));
  if (!source) return report_pack_error(in, source.error());
  const auto name = name_for_pack(in, *source, *home);
  if (!name) return report_pack_error(in, name.error());
  const auto fetched = fetch_checked(in, *home, *source, *name);
  if (!fetched) return report_pack_error(in, fetched.error());
  if (!may_add(in, *home, *name, fetched->pack)) {
    in.console.say("nothing was added; if you agree with what the pack contains, use --yes");
    return kNo;
  }
  const LockedPack locked{home->relative(*source), fetched->revision, digest_of(fetched->pack)};
  if (auto put = put_pack(*home, *name, locked, fetched->pack); !put) return report_pack_error(in, put.error());
  if (in.args.has("--json")) {
    in.console.out(pack_json(*name, locked, *home, "added").dump(JsonStyle::Pretty) + "\n");
    return kOk;
  }
  const auto hooks = hook_names(fetched->pack);
  const std::string revision = short_revision(locked);
  in.console.out("Added '" + *name + "'" + (revision.empty() ? "" : " at " + revision) + ": " +
                 count_text(hooks.size(), "hook") + " in " + printable(short_path(home->path_of(*name))) + "\n  " +
                 printable(text::join(hooks, ", ")) + "\n");
  in.console.out(trust_hint(in, *home, {*name}));
  return kOk;
}

}  // namespace

const Command kAdd{
    .name = "add",
    .summary = "add a pack of rules, scripts and tests that others share",
    .about =
        "Copies a pack into .agents/packs/NAME of the project, or with --scope user into your own configuration, and "
        "notes in packs.lock where it came from, its revision and its digest. A pack is a directory or a git "
        "repository with a grapnel.yaml or with hooks/NAME/HOOK.md. Its hooks run only after you trust them. "
        "`grapnel update` gets a newer version, `grapnel remove` takes it out.",
    .arguments = kAddArguments,
    .options = kAddOptions,
    .examples = R"(  grapnel add ../house-rules
  grapnel add https://example.com/team/rules.git --at v1.2
  grapnel add git@example.com:team/rules.git --scope user
)",
    .run = run_add,
};

}  // namespace grapnel::cli
