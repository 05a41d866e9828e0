#include <algorithm>

#include "grapnel/engine.h"
#include "grapnel/record.h"

#include "base/clock.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/detach.h"
#include "cli/event_input.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/judge_errand.h"
#include "cli/post_errand.h"
#include "dialect/answer.h"
#include "engine/firing.h"
#include "os/files.h"
#include "run/env_file.h"

namespace grapnel::cli {

namespace {

constexpr auto kArguments = std::to_array<ArgumentRow>({
    {"EVENT", "the event, spelled canonically or as the agent does; may be left out when the payload names it",
     ValueKind::Event},
});
constexpr auto kOwnOptions = std::to_array<OptionRow>({
    {"--as", "-a", "DIALECT", "speak as a hook of that agent: its payload in, its answer and exit status out",
     ValueKind::Dialect},
    {"--input", "-i", "FILE", "read the payload from FILE instead of standard input", ValueKind::File},
    {"--json", "", "", "print the canonical decision, also with --as"},
    {"--verbose", "-v", "", "show what hooks say and write to standard error"},
});
constexpr auto kOptions = joined(kOwnOptions, kHookSourceOptions);

/// Whether an agent reads our answer, as opposed to a person or a script.
bool speaks_for_agent(const Arguments& args) {
  return dialect_of(args) != kCanonicalDialect.name;
}

/// Exit status 1 is the one that no agent takes for a block and none for consent without a word.
constexpr int kNonBlockingError = 1;
constexpr int kBlockingError = 2;

void record_error(const Invocation& in, const std::string& message) {
  Record record;
  record.id = new_event_id();
  record.time = format_timestamp(std::chrono::system_clock::now());
  if (const auto kind = find_event(in.args.text("EVENT"))) record.event = *kind;
  record.dialect = dialect_of(in.args);
  record.reason = message;
  record.origin = Origin::Engine;
  open_records(in.env)->record(record);
}

int give_up(Invocation& in, const std::string& message) {
  in.console.say(message);
  if (!speaks_for_agent(in.args)) return kBadUsage;
  record_error(in, message);
  return kNonBlockingError;
}

/// What there is to tell people about an event: what the engine says always, and of hooks the failures.
class Remarks {
 public:
  void add(const Notice& notice) { notices_.push_back(notice); }

  std::string text(const Decision& decision, bool verbose) const {
    std::string out;
    for (const Notice& notice : notices_) {
      if (verbose || notice.hook.empty() || has_failed(decision, notice.hook)) out += line(notice.hook, notice.text);
    }
    for (const HookFate& fate : decision.hooks) {
      if (verbose) out += stderr_lines(fate);
    }
    return out;
  }

 private:
  static bool has_failed(const Decision& decision, const std::string& hook) {
    return std::ranges::any_of(
        decision.hooks, [&](const HookFate& fate) { return fate.name == hook && fate.kind == HookFate::Kind::Failed; });
  }

  static std::string line(const std::string& hook, const std::string& text) {
    const bool names_itself = hook.empty() || text.starts_with("hook '" + hook + "'");
    return "grapnel: " + (names_itself ? "" : "hook '" + printable(hook) + "': ") + printable(text) + "\n";
  }

  static std::string stderr_lines(const HookFate& fate) {
    std::string out;
    for (const std::string_view text : text::split(text::trim(fate.errors), '\n')) {
      if (!text.empty()) out += printable(fate.name) + ": " + printable(text) + "\n";
    }
    return out;
  }

  std::vector<Notice> notices_;
};

int print_decision(Invocation& in, const Decision& decision, const std::string& remarks) {
  in.console.err(remarks);
  const auto style = in.console.is_terminal() ? JsonStyle::Pretty : JsonStyle::Compact;
  in.console.out(decision.to_json().dump(style) + "\n");
  return decision.denied() ? kNo : kOk;
}

/// An agent that hands its hooks a file for variables gets those of our hooks there.
void hand_on_env(Invocation& in, const Decision& decision, const Event& event) {
  const EventRow* row = event.dialect().find_event(event.kind());
  const std::string_view path = row == nullptr ? "" : in.env.get(row->env_file);
  if (path.empty() || decision.effects.env.empty()) return;
  const auto done = os::append_file(std::string(path), write_env_lines(decision.effects.env), 0600);
  if (!done) in.console.say("variables of hooks are lost: " + done.error().message);
}

int answer_agent(Invocation& in, const Decision& decision, const Event& event, const std::string& remarks) {
  hand_on_env(in, decision, event);
  const WireAnswer answer = write_answer(decision, event, event.dialect());
  // Where the exit status speaks, standard error is the reason that the agent shows to its model.
  if (answer.exit_code == 0 || in.args.has("--verbose")) in.console.err(remarks);
  in.console.err(answer.err);
  in.console.out(answer.out);
  if (in.console.flush()) return answer.exit_code;
  in.console.say("the answer could not be written");
  return decision.denied() ? kBlockingError : kNonBlockingError;  // a lost "deny" must not read as consent
}

/// An event of the agent's that no hook is run at: whoever has nothing to say must not fail it either.
int stay_silent(Invocation& in, const std::string& message) {
  if (in.args.has("--verbose")) in.console.say(message);
  return kOk;
}

int report_lost_answer(Invocation& in) {
  in.console.say("cannot write to standard output");
  return kInternal;
}

int run_fire(Invocation& in) {
  auto payload = read_payload(in.args);
  if (!payload) return give_up(in, payload.error().to_string());
  const auto event = make_event(in.args, std::move(*payload));
  if (!event && event.error().code == Errc::NotFound) return stay_silent(in, event.error().message);
  if (!event) return give_up(in, event.error().to_string());
  auto project = project_dir(in.args, project_of(*event));
  if (!project) return give_up(in, project.error().message);
  auto options = hook_source(in, std::move(*project));
  if (!options) return give_up(in, options.error().message);

  Remarks remarks;
  options->sessions = make_file_session_store(in.env.runtime_dir());
  options->records = open_records(in.env);
  options->record_unmatched = true;
  options->poster = make_errand_poster(in.env);
  options->judge = make_errand_judge(in.env);
  options->notices = [&](const Notice& notice) { remarks.add(notice); };
  std::vector<std::function<void()>> unwaited;
  options->background = [&](std::function<void()> work) { unwaited.push_back(std::move(work)); };
  const auto engine = Engine::create(*options);
  if (const std::string why = unusable_config(*engine, *options); !why.empty()) return give_up(in, why);
  if (const std::string remark = remark_on_problems(*engine); !remark.empty()) remarks.add({"", remark});

  const Decision decision = engine->fire(*event);
  if (const std::string why = options->records->last_failure(); !why.empty()) {
    remarks.add({"", "this event is not on record: " + why});
  }
  const std::string text = remarks.text(decision, in.args.has("--verbose"));
  const bool as_agent = speaks_for_agent(in.args) && !in.args.has("--json");
  const int status = as_agent ? answer_agent(in, decision, *event, text) : print_decision(in, decision, text);
  if (unwaited.empty()) return status;
  if (!in.console.flush()) return report_lost_answer(in);
  if (!detach(unwaited)) in.console.say("async hooks were not started: no process for them");
  return status;
}

}  // namespace

const Command kFire{
    .name = "fire",
    .summary = "run the hooks of one event and print the decision",
    .about =
        "Reads one event as a JSON object from standard input, runs the hooks that are configured for it, and "
        "prints what they decided. Without --as the payload has canonical keys (tool_name, tool_input, "
        "session_id, prompt, …) and the answer is the canonical decision; the exit status is 1 when the answer "
        "is deny and 0 otherwise. With --as grapnel behaves as one hook of that agent would: payload, answer "
        "and exit status are the agent's own, and an error of grapnel itself is reported with exit status 1, "
        "which blocks nothing and is not silent.",
    .arguments = kArguments,
    .options = kOptions,
    .examples = R"(  echo '{"tool_name":"Bash","tool_input":{"command":"ls"}}' | grapnel fire PreToolUse
  grapnel fire --as gemini < payload.json
  grapnel fire Stop --config hooks.json --no-hook-files --input stop.json --verbose
)",
    .run = run_fire,
};

}  // namespace grapnel::cli
