#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/project_hooks.h"

namespace grapnel::cli {

namespace {

constexpr auto kUntrustArguments = std::to_array<ArgumentRow>({
    {"DIR", "the project, which need not exist any more (default: the current directory)", ValueKind::Directory},
});
constexpr auto kUntrustOptions = std::to_array<OptionRow>({kJsonOption});

/// Removes the project from the trust store, and then from the history. The history only serves to show changes, so a
/// failure there does not matter.
int run_untrust(Invocation& in) {
  const std::string project = project_name(in.args);
  const TrustStore store = trust_store(in.env);
  const auto trusted = store.trusted(project);
  // An empty set of digests removes the project from the store. If nothing was trusted, the store stays untouched.
  const auto done = trusted && !trusted->empty() ? store.set_trusted(project, {}) : Result<void>{};
  if (trusted && done) static_cast<void>(trust_memory(in.env).save(project, {}));
  if (!trusted || !done) {
    const Error& error = trusted ? done.error() : trusted.error();
    in.console.say(error.to_string());
    return error.code == Errc::System ? kInternal : kBadUsage;
  }
  if (in.args.has("--json")) {
    const Json json = Json::object(
        {{"project", Json::string(project)}, {"forgotten", Json::number(static_cast<int64_t>(trusted->size()))}});
    in.console.out(json.dump(JsonStyle::Pretty) + "\n");
  } else if (trusted->empty()) {
    in.console.out("Nothing was trusted in " + printable(project) + ".\n");
  } else {
    in.console.out("Removed the trust in " + count_text(trusted->size(), "hook") + " of " + printable(project) + ".\n");
  }
  return kOk;
}

}  // namespace

const Command kUntrust{
    .name = "untrust",
    .summary = "stop running a project's hooks",
    .about = "Forgets everything that was trusted in a project. Its hooks are skipped from the next event on.",
    .arguments = kUntrustArguments,
    .options = kUntrustOptions,
    .examples = R"(  grapnel untrust
  grapnel untrust ~/src/app
)",
    .run = run_untrust,
};

}  // namespace grapnel::cli
