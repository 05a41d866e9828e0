#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/project_hooks.h"
#include "discover/find/worktree.h"
#include "trust/good_files.h"

namespace grapnel::cli {

namespace {

constexpr auto kUntrustArguments = std::to_array<ArgumentRow>({
    {"DIR", "the project, which need not exist any more (default: found upwards from the current directory)",
     ValueKind::Directory},
});
constexpr auto kUntrustOptions = std::to_array<OptionRow>({kYesOption, kJsonOption});

/// Removes the project and every directory in it from the trust store, and then from the history. The history only
/// serves to show changes, so a failure there does not matter.
int run_untrust(Invocation& in) {
  const std::string directory = project_named(in).root;
  const std::string main = main_worktree_of(directory);
  const std::string project = canonical_directory(main.empty() ? directory : main);
  // What is below the home directory are other projects.
  const bool has_parts = project != "/" && project != canonical_directory(in.env.home());
  const auto removed = trust_store(in.env).forget(project, has_parts);
  if (!removed) {
    in.console.say(removed.error().to_string());
    return removed.error().code == Errc::System ? kInternal : kBadUsage;
  }
  const GoodFiles good(trust_store(in.env).path());
  size_t count = 0;
  for (const auto& [name, digests] : *removed) {
    static_cast<void>(trust_memory(in.env).save(name, {}));
    good.forget(name, [](const GoodFile&) { return true; });
    count += digests.size();
  }
  if (in.args.has("--json")) {
    const Json json =
        Json::object({{"project", Json::string(project)}, {"forgotten", Json::number(static_cast<int64_t>(count))}});
    in.console.out(json.dump(JsonStyle::Pretty) + "\n");
  } else if (count == 0) {
    in.console.out("Nothing was trusted in " + printable(project) + ".\n");
  } else {
    in.console.out("Removed the trust in " + count_text(count, "hook") + " of " + printable(project) + ".\n");
  }
  return kOk;
}

}  // namespace

const Command kUntrust{
    .name = "untrust",
    .summary = "stop running a project's hooks",
    .about =
        "Forgets everything that was trusted in a project and in the directories below it. Its hooks are skipped from "
        "the "
        "next event on.",
    .arguments = kUntrustArguments,
    .options = kUntrustOptions,
    .examples = R"(  grapnel untrust
  grapnel untrust ~/src/app
)",
    .run = run_untrust,
    .for_people = always_for_people,
};

}  // namespace grapnel::cli
