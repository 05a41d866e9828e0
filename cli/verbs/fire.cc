#include <unistd.h>

#include "grapnel/engine.h"

#include "cli/command.h"
#include "cli/detach.h"
#include "cli/event_input.h"
#include "cli/fire_event.h"
#include "cli/hook_source.h"
#include "cli/serve/start.h"

namespace grapnel::cli {

namespace {

// `grapnel fire` in this process. Usually the small client (cli/client) asks a server first and gets here only if none
// answers; both ways end in `fire_event`.

constexpr auto kFireArguments = std::to_array<ArgumentRow>({
    {"EVENT", "the event, spelled canonically or as the agent does; may be left out when the payload names it",
     ValueKind::Event},
});
constexpr auto kOwnFireOptions = std::to_array<OptionRow>({
    {"--as", "-a", "DIALECT", "speak as a hook of that agent: its payload in, its answer and exit status out",
     ValueKind::Dialect},
    {"--bridge", "-b", "",
     "the agent itself calls: leave out the files whose hooks it runs, decide once if it reports a call twice"},
    {"--input", "-i", "FILE", "read the payload from FILE instead of standard input", ValueKind::File},
    {"--json", "", "", "print the canonical decision, also with --as"},
    {"--verbose", "-v", "", "show what hooks say and write to standard error"},
});
constexpr auto kFireOptions = joined(kOwnFireOptions, kHookSourceOptions);

/// Fires one event in this process. The engine is made for the event and thrown away after it.
class OneShot final : public FireHost {
 public:
  std::shared_ptr<Engine> engine_for(EngineOptions options, const Environment& env, Remarks& remarks) override {
    // Opens the records, so that the engine and a refusal write to the same sink.
    records_of(env);
    add_services(options, env, STDOUT_FILENO);
    options.recording.sink = records_;
    options.host.notices = [&remarks](const Notice& notice) { remarks.add(notice); };
    // Async hooks are only collected here. They start in a process of their own after the answer is printed, so that
    // the agent does not wait for them.
    options.host.background = [this](std::function<void()> work) { unwaited_.push_back(std::move(work)); };
    return Engine::create(std::move(options));
  }

  bool makes_engine_per_event() const override { return true; }

  RecordSink& records_of(const Environment& env) override {
    if (!records_) records_ = open_records(env);
    return *records_;
  }

  /// Starts the async hooks. False when no process can be started for them.
  bool start_unwaited() const { return unwaited_.empty() || detach(unwaited_); }

 private:
  std::shared_ptr<RecordSink> records_;
  std::vector<std::function<void()>> unwaited_;
};

/// Prints the answer and returns the exit status; see `FireAnswer` for the case that the answer cannot be written.
int print_answer(Console& console, const FireAnswer& answer) {
  console.err(answer.err);
  console.out(answer.out);
  if (console.flush()) return answer.status;
  console.err(answer.lost_text);
  return answer.lost_status;
}

int run_fire(Invocation& in) {
  if (in.args.has("--bridge") && !in.args.has("--as")) {
    in.console.say("--bridge needs --as to name the agent");
    return kBadUsage;
  }
  OneShot host;
  FireRequest request =
      with_believed_environment({.args = in.args, .env = in.env, .for_terminal = in.console.is_terminal()});
  const Environment env = request.env;
  auto payload = read_payload(in.args, request.remark);
  if (!payload) return print_answer(in.console, refuse_event(request, payload.error().to_string(), host));
  request.payload = std::move(*payload);
  // The order matters: the agent gets its answer first. Forking comes afterwards, when no threads run any more.
  const int status = print_answer(in.console, fire_event(std::move(request), host));
  if (!host.start_unwaited()) in.console.say("async hooks were not started: cannot start a process for them");
  if (wants_server(env)) start_server(env);
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
        "is deny, 4 when a gate opens although hooks object, and 0 otherwise. With --as grapnel behaves as one hook of "
        "that agent would: payload, answer "
        "and exit status are the agent's own, and an error of grapnel itself is reported in a way that blocks "
        "nothing and is not silent: with exit status 1 in most agents. With --bridge, which `grapnel install` "
        "writes, the agent itself is known to be calling.",
    .arguments = kFireArguments,
    .options = kFireOptions,
    .examples = R"(  echo '{"tool_name":"Bash","tool_input":{"command":"ls"}}' | grapnel fire PreToolUse
  grapnel fire --as gemini < payload.json
  grapnel fire Stop --config hooks.json --no-hook-files --input stop.json --verbose
)",
    .run = run_fire,
};

}  // namespace grapnel::cli
