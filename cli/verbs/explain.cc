#include <unistd.h>

#include <algorithm>

#include "cli/command.h"
#include "cli/event_input.h"
#include "cli/event_project.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "dialect/payload.h"

namespace grapnel::cli {

namespace {

// `grapnel explain` asks the engine how it would plan an event, and fires nothing. The engine's answer lacks two
// switches that apply only when an event is fired: GRAPNEL_DISABLE for all hooks, and the switches of a session. They
// are added here.

constexpr auto kExplainArguments = std::to_array<ArgumentRow>({
    {"EVENT", "the event, spelled canonically or as the agent does; may be left out when the payload names it",
     ValueKind::Event},
});
constexpr auto kOwnExplainOptions = std::to_array<OptionRow>({
    {"--as", "-a", "DIALECT", "the payload comes from that agent", ValueKind::Dialect},
    {"--input", "-i", "FILE", "read the payload from FILE instead of standard input", ValueKind::File},
    kJsonOption,
});
constexpr auto kExplainOptions = joined(kOwnExplainOptions, kHookSourceOptions);

/// The event to explain. An event with a name needs no payload, so a terminal or an empty input is fine for it.
Result<Event> read_event(const Invocation& in) {
  const bool is_named = in.args.has("EVENT") && !in.args.has("--input");
  // On a terminal, waiting for a payload would look as if the program hung.
  if (is_named && ::isatty(STDIN_FILENO) == 1) return make_event(in.args, "{}");
  std::string remark;
  auto payload = read_payload(in.args, remark);
  if (!payload && payload.error().code == Errc::NotFound && is_named) return make_event(in.args, "{}");
  if (!payload) return std::unexpected(payload.error());
  return make_event(in.args, std::move(*payload));
}

/// GRAPNEL_DISABLE can switch off all hooks. The engine knows, but its explanations do not say so.
void switch_off(std::vector<HookExplanation>& shares) {
  for (HookExplanation& share : shares) {
    if (!share.runs) continue;
    share.runs = false;
    share.reason = "disabled";
    share.detail = "all hooks are switched off by GRAPNEL_DISABLE";
  }
}

/// Applies the switches of the event's session. The engine reads them only when an event is fired.
void apply_session(const Invocation& in, const Event& event, std::vector<HookExplanation>& shares) {
  const std::string session = event.text(Field::SessionId);
  if (session.empty()) return;
  const auto state = make_file_session_store(in.env.runtime_dir())->load(session);
  if (!state) return;
  for (HookExplanation& share : shares) {
    if (!share.runs || !state->disabled.contains(share.hook.name)) continue;
    share.runs = false;
    share.reason = "disabled";
    share.detail = "for this session";
  }
}

/// The event, with the agent's own name for it if that is different, and the tool.
std::string title_text(const Event& event) {
  const std::string_view name = row_of(event).wire_name;
  std::string out(to_string(event.kind()));
  if (name != out) out += " (" + std::string(event.dialect_name()) + ": " + std::string(name) + ")";
  const std::string tool = event.text(Field::ToolName);
  return tool.empty() ? out : out + " of " + printable(tool);
}

/// Why a hook would not run. Some reasons come with a hint about what to do.
std::string why_not(const HookExplanation& share) {
  if (!share.detail.empty()) return share.reason + ": " + printable(share.detail);
  if (share.reason == "untrusted") return "untrusted: `grapnel trust` shows and trusts it";
  if (share.reason == "disabled") return "disabled: by its file, by `grapnel disable` or by GRAPNEL_DISABLE";
  return share.reason;
}

/// The hooks that would run, stage by stage. Hooks of one stage run at the same time.
void print_planned(Console& console, const std::vector<HookExplanation>& shares) {
  size_t stages = 0;
  for (const HookExplanation& share : shares) stages = std::max(stages, share.runs ? share.stage : 0);
  if (stages == 0) console.out("no hook would run\n");
  for (size_t stage = 1; stage <= stages; ++stage) {
    console.out("stage " + std::to_string(stage) + "\n");
    for (const HookExplanation& share : shares) {
      if (!share.runs || share.stage != stage) continue;
      const HookInfo& hook = share.hook;
      console.out(
          "  " + console.styled(Style::Green, printable(hook.name)) + "\n    " + action_label(hook) + " " +
          action_text(hook) + "\n" + (hook.sandbox.empty() ? "" : "    sandbox: " + printable(hook.sandbox) + "\n") +
          (hook.observes ? "    only observes: its answer has no effect\n" : "") +
          (hook.warm ? "    warm: with `grapnel serve` its process is started before the event\n" : "") +
          (share.doubt.empty() ? "" : "    doubt: " + printable(share.doubt) + "\n") + "    from " +
          place_text({hook.source.file, hook.source.line, 0}) + "  (" + hook.dialect + ", " + hook.scope + ")\n");
    }
  }
}

/// The hooks that would not run. Hooks of other events are only counted: they would fill the screen.
void print_others(Console& console, const std::vector<HookExplanation>& shares) {
  const auto is_elsewhere = [](const HookExplanation& share) { return share.reason == "other event"; };
  const auto elsewhere = static_cast<size_t>(std::ranges::count_if(shares, is_elsewhere));
  std::string lines;
  for (const HookExplanation& share : shares) {
    if (share.runs || is_elsewhere(share)) continue;
    lines += "  " + console.styled(Style::Yellow, printable(share.hook.name)) + "\n    " + why_not(share) +
             "\n    from " + place_text({share.hook.source.file, share.hook.source.line, 0}) + "\n";
  }
  if (!lines.empty()) console.out("would not run\n" + lines);
  if (elsewhere > 0) {
    console.out(count_text(elsewhere, "hook") + (elsewhere == 1 ? " listens" : " listen") + " to other events only\n");
  }
}

void print_json(Invocation& in, const Event& event, const OpenHooks& open, const std::vector<HookExplanation>& shares) {
  std::vector<Json> list;
  for (const HookExplanation& share : shares) list.push_back(to_json(share));
  const Json json = Json::object({{"event", Json::string(to_string(event.kind()))},
                                  {"dialect", Json::string(event.dialect_name())},
                                  {"project", Json::string(open.options.project_dir)},
                                  {"all_enabled", Json::boolean(open.engine->is_enabled())},
                                  {"hooks", Json::array(list)}});
  in.console.out(json.dump(JsonStyle::Pretty) + "\n");
}

int run_explain(Invocation& in) {
  auto event = read_event(in);
  if (!event) return report_input(in.console, event.error().to_string());
  auto project = project_of_event(*event, {in.args, in.env, "", *make_file_session_store(in.env.runtime_dir()), false});
  if (!project) return report_input(in.console, project.error().message);
  say_project(in, *project);
  event = placed_event(std::move(*event), *project, "");
  const auto open = open_hooks(in, std::move(*project));
  if (!open) return report_input(in.console, open.error().message);
  const Engine& engine = *open->engine;
  auto shares = engine.explain(*event);
  if (!engine.is_enabled()) switch_off(shares);
  apply_session(in, *event, shares);
  if (in.args.has("--json")) {
    print_json(in, *event, *open, shares);
    return kOk;
  }
  in.console.out(in.console.styled(Style::Bold, title_text(*event)) + "\n");
  print_planned(in.console, shares);
  print_others(in.console, shares);
  return kOk;
}

}  // namespace

const Command kExplain{
    .name = "explain",
    .summary = "show which hooks an event would run, and why the others would not",
    .about =
        "Reads an event as `fire` does and runs nothing: it shows which hooks would run, in which stage (hooks of "
        "one stage run at the same time), and for every other hook of that event the reason why it would not.",
    .arguments = kExplainArguments,
    .options = kExplainOptions,
    .examples = R"(  grapnel explain --as gemini --input payload.json
  echo '{"tool_name":"Write","tool_input":{"file_path":".env"}}' | grapnel explain PreToolUse
  grapnel explain Stop --json < /dev/null
)",
    .run = run_explain,
};

}  // namespace grapnel::cli
