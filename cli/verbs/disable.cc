#include "cli/hook_source.h"
#include "cli/verbs/switching.h"
#include "discover/find/overrides.h"

namespace grapnel::cli {

namespace {

// The work is done in switching.cc; the verb only reads for how long the hook is to be off.

constexpr auto kDisableArguments = std::to_array<ArgumentRow>({
    {"NAME", "the hook's name, as `grapnel list` shows it", ValueKind::Hook, true},
});
constexpr auto kOwnDisableOptions = std::to_array<OptionRow>({
    {"--for", "-f", "DURATION", "only for a while: 90s, 10m, 2h", ValueKind::Text},
    {"--session", "-s", "ID", "only in that session of an agent; the beginning of its id is enough",
     ValueKind::Session},
    kYesOption,
    kJsonOption,
});
constexpr auto kDisableOptions = joined(kOwnDisableOptions, kHookSourceOptions);

/// Reads how long the hook is to be off. A session ends by itself, so a duration makes no sense for it.
int run_disable(Invocation& in) {
  SwitchRequest request{in.args.text("NAME"), false, in.args.text("--session"), std::nullopt};
  if (in.args.has("--for")) {
    request.duration = parse_duration(in.args.text("--for"));
    if (!request.duration) {
      return report_input(in.console,
                          "'" + printable(in.args.text("--for")) + "' is not a duration; write 90s, 10m or 2h");
    }
    if (!request.session.empty()) {
      return report_input(in.console, "--for and --session cannot be used together");
    }
  }
  return switch_hooks(in, request);
}

}  // namespace

const Command kDisable{
    .name = "disable",
    .summary = "switch a hook off, for good, for a while or for a session",
    .about =
        "Switches every hook of that name off without touching the file it is defined in: for good, with --for "
        "until the time is over, with --session in one session of an agent. Managed hooks cannot be switched off. "
        "`grapnel enable` takes it back.",
    .arguments = kDisableArguments,
    .options = kDisableOptions,
    .examples = R"(  grapnel disable format-python
  grapnel disable tests-green --for 10m
  grapnel disable guard --session 7f3a
)",
    .run = run_disable,
    .for_people = always_for_people,
};

}  // namespace grapnel::cli
