#include "base/error.h"
#include "cli/hook_source.h"
#include "cli/verbs/packing.h"

namespace grapnel::cli {

namespace {

constexpr auto kRemoveArguments = std::to_array<ArgumentRow>({
    {"NAME", "the pack", ValueKind::Pack, true},
});
constexpr auto kRemoveOptions = std::to_array<OptionRow>({
    kPackScopeOption,
    kPackProjectOption,
    {"--yes", "-y", "", "remove it even if its files were changed here"},
    kJsonOption,
});

/// Whether somebody worked on the files of the pack, which would be lost.
bool was_changed(const PackHome& home, const std::string& name, const LockedPack& locked) {
  const auto here = read_pack_of(home, name);
  return here ? digest_of(*here) != locked.digest : here.error().code != Errc::NotFound;
}

int run_remove(Invocation& in) {
  const auto home = home_of(in);
  if (!home) return report_pack_error(in, home.error());
  const auto lock = load_lock(home->lock_path());
  if (!lock) return report_pack_error(in, lock.error());
  const auto found = find_pack(*lock, in.args.text("NAME"));
  if (!found) {
    Error error = found.error();
    if (!error.message.ends_with('?')) error.message += "; `grapnel disable` switches off a single hook";
    return report_pack_error(in, error);
  }
  const auto& [name, locked] = *found;
  if (was_changed(*home, name, locked) && !agrees(in, "'" + name + "' was changed here. Remove it?")) {
    in.console.say("'" + name + "' was changed here and stays; --yes removes it");
    return kNo;
  }
  if (auto done = remove_pack(*home, name); !done) return report_pack_error(in, done.error());
  if (in.args.has("--json")) {
    in.console.out(pack_json(name, locked, *home, "removed").dump(JsonStyle::Pretty) + "\n");
  } else {
    in.console.out("Removed '" + name + "'. Its hooks do not run any more.\n");
  }
  return kOk;
}

}  // namespace

const Command kRemove{
    .name = "remove",
    .summary = "remove a pack",
    .about =
        "Removes the pack's files and its entry in packs.lock. A pack that was changed here is only removed with "
        "--yes.",
    .arguments = kRemoveArguments,
    .options = kRemoveOptions,
    .examples = R"(  grapnel remove house-rules
)",
    .run = run_remove,
};

}  // namespace grapnel::cli
