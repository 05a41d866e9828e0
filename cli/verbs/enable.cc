#include "cli/hook_source.h"
#include "cli/verbs/switching.h"

namespace grapnel::cli {

namespace {

// The work is done in switching.cc.

constexpr auto kEnableArguments = std::to_array<ArgumentRow>({
    {"NAME", "the hook's name, as `grapnel list` shows it", ValueKind::Hook, true},
});
constexpr auto kOwnEnableOptions = std::to_array<OptionRow>({
    {"--session", "-s", "ID", "only in that session of an agent; the beginning of its id is enough",
     ValueKind::Session},
    kJsonOption,
});
constexpr auto kEnableOptions = joined(kOwnEnableOptions, kHookSourceOptions);

/// Without a session, the switch is removed for all sessions.
int run_enable(Invocation& in) {
  return switch_hooks(in, {in.args.text("NAME"), true, in.args.text("--session"), std::nullopt});
}

}  // namespace

const Command kEnable{
    .name = "enable",
    .summary = "switch a hook on again",
    .about =
        "Takes back what `grapnel disable` did. A hook that is disabled by its own settings file or by "
        "GRAPNEL_DISABLE stays off; the exit status is 1 in that case.",
    .arguments = kEnableArguments,
    .options = kEnableOptions,
    .examples = R"(  grapnel enable format-python
  grapnel enable guard --session 7f3a
)",
    .run = run_enable,
};

}  // namespace grapnel::cli
