#include "cli/fire_event.h"

#include <algorithm>

#include "approve/listener.h"
#include "base/clock.h"
#include "base/text.h"
#include "cli/account.h"
#include "cli/command.h"
#include "cli/event_input.h"
#include "cli/event_project.h"
#include "cli/for_people.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/http_task.h"
#include "cli/judge_task.h"
#include "cli/readings.h"
#include "cli/waiting_person.h"
#include "dialect/answer.h"
#include "dialect/degrade.h"
#include "dialect/payload.h"
#include "engine/event_ids.h"
#include "os/ancestors.h"
#include "os/files.h"
#include "protect/own_review.h"
#include "run/depth.h"
#include "run/env_file.h"

namespace grapnel::cli {

namespace {

/// With exit status 1, agents report that a hook failed: none of them blocks the action, and none takes it for a silent
/// consent. Status 2 blocks.
constexpr int kNonBlockingError = 1;
constexpr int kBlockingError = 2;

/// Whether an agent reads our answer, and not a person or a script.
bool speaks_for_agent(const Arguments& args) {
  return dialect_of(args) != kCanonicalDialect.name;
}

std::string own_words(const std::string& text) {
  return "grapnel: " + text + "\n";
}

/// The record of an event that could not be fired. It has no hooks; the reason and the origin show what happened.
Record record_of_refusal(const Arguments& args, const std::string& why) {
  Record record;
  record.id = EventIds().next();
  record.time = format_timestamp(std::chrono::system_clock::now());
  if (const auto kind = find_event(args.text("EVENT"))) record.event = *kind;
  record.dialect = dialect_of(args);
  record.reason = why;
  record.origin = Origin::Engine;
  return record;
}

bool has_failed(const Decision& decision, const std::string& hook) {
  return std::ranges::any_of(
      decision.hooks, [&](const HookFate& fate) { return fate.name == hook && fate.kind == HookFate::Kind::Failed; });
}

/// One line of a remark. The hook's name is put in front unless the text already begins with it.
std::string remark_line(const std::string& hook, const std::string& text) {
  const bool names_itself = hook.empty() || text.starts_with("hook '" + hook + "'");
  return own_words((names_itself ? "" : "hook '" + printable(hook) + "': ") + printable(text));
}

/// What a hook wrote to standard error, each line with the hook's name in front.
std::string stderr_lines(const HookFate& fate) {
  std::string out;
  for (const std::string_view text : text::split(text::trim(fate.errors), '\n')) {
    if (!text.empty()) out += printable(fate.name) + ": " + printable(text) + "\n";
  }
  return out;
}

/// The exit status for people and scripts. With it a script can tell a gate that gave up from one that is content.
int status_of(const Decision& decision) {
  if (decision.origin == Origin::LoopCap) return kGateOpened;
  return decision.denied() ? kNo : kOk;
}

/// The answer for people and scripts: the canonical decision as JSON.
FireAnswer print_decision(const FireRequest& request, const Decision& decision, std::string remarks) {
  const auto style = request.for_terminal ? JsonStyle::Pretty : JsonStyle::Compact;
  return {.status = status_of(decision),
          .out = decision.to_json().dump(style) + "\n",
          .err = std::move(remarks),
          .lost_status = speaks_for_agent(request.args) ? kNonBlockingError : static_cast<int>(kInternal),
          .lost_text = own_words("cannot write to standard output")};
}

/// Some agents give their hooks a file to write environment variables to. The variables that our hooks set are passed
/// on through that file. Returns an error for people, or "".
std::string hand_on_env(const FireRequest& request, const Decision& decision, const Event& event) {
  const std::string_view path = request.env.get(row_of(event).running.env_file);
  if (path.empty() || decision.effects.env.empty()) return "";
  const auto done =
      os::append_file(absolute_path(std::string(path), request.cwd), write_env_lines(decision.effects.env), 0600);
  return done ? "" : own_words("variables set by hooks are lost: " + done.error().message);
}

/// The messages that the agent's answer has no place for, without the lines that `told` already contains.
std::string lines_besides(std::string_view told, std::string_view messages) {
  std::string out;
  for (const std::string_view line : text::split(text::trim(messages), '\n')) {
    const std::string shown = printable(std::string(line));
    if (!shown.empty() && told.find(shown) == std::string_view::npos) out += own_words(shown);
  }
  return out;
}

/// The answer in the agent's own words: its JSON, its exit status.
FireAnswer answer_agent(const FireRequest& request, const Decision& decision, const Event& event,
                        const std::string& remarks) {
  std::string err = hand_on_env(request, decision, event);
  WireAnswer answer = write_answer(decision, event, event.dialect());
  // With a non-zero status, the agent shows standard error to its model as the reason. Remarks must not mix with it.
  if (answer.exit_code == 0 || request.args.has("--verbose")) err += remarks;
  return {.status = answer.exit_code,
          .out = std::move(answer.out),
          .err = err + (answer.exit_code == 0 ? lines_besides(remarks, answer.err) : answer.err),
          .lost_status = decision.denied() ? kBlockingError : kNonBlockingError,
          .lost_text = own_words("the answer could not be written")};
}

/// Tells people which effects of the decision the agent cannot be told. Messages are left out here: they are for people
/// anyway, and are printed as they are.
void tell_losses(const Decision& decision, const Dialect& agent, Remarks& remarks) {
  for (const Degradation& loss : decision.degraded) {
    if (loss.effect == to_string(Wish::Message)) continue;
    remarks.add({"", std::string(agent.name) + " cannot be told '" + loss.effect + "' here (" + loss.why +
                         "): " + (loss.to == "dropped" ? "it is dropped" : "it becomes '" + loss.to + "'")});
  }
}

/// A remark on an event that is in no table: it may be new, but a person may also have misspelt it in a payload.
void remark_on_unknown(const Event& event, Remarks& remarks) {
  if (event.kind() != EventKind::Other || is_other_event(event.name())) return;
  remarks.add({"", "'" + event.name() + "' is no event of " + std::string(event.dialect_name()) +
                       " that grapnel knows; only hooks for exactly this name have run"});
}

/// The event that a payload with repeated keys is for a reader who takes the first of them; nothing for all others.
std::optional<Event> other_event(const Arguments& args, const Event& event, const ProjectDirs& project,
                                 const std::string& cwd) {
  const auto payload = other_reading(event.payload());
  auto other = payload ? make_event(args, payload->dump()) : fail(Errc::NotFound, "");
  if (!other) return std::nullopt;
  return placed_event(std::move(*other), project, cwd);
}

/// Asks the hooks about the other reading, too. If that answer is stricter, it is the answer, and the event is that
/// reading.
void ask_again(Engine& engine, Event& event, const std::optional<Event>& other, std::stop_token cancel,
               Decision& decision) {
  if (!other) return;
  Decision second = engine.fire(*other, std::move(cancel));
  if (second.effects.verdict <= decision.effects.verdict) return;
  decision = std::move(second);
  event = *other;
}

}  // namespace

std::string Remarks::text(const Decision& decision, bool verbose) const {
  std::string out;
  for (const Notice& notice : notices_) {
    if (verbose || notice.hook.empty() || has_failed(decision, notice.hook)) {
      out += remark_line(notice.hook, notice.text);
    }
  }
  for (const HookFate& fate : decision.hooks) {
    if (verbose) out += stderr_lines(fate);
  }
  return out;
}

void add_services(EngineOptions& options, const Environment& env, int reader) {
  options.recording.unmatched = true;
  options.host.http_client = make_delegating_http_client(env);
  options.host.judge = make_delegating_judge(env);
  options.host.person = make_waiting_person(env, reader);
}

FireRequest with_believed_environment(FireRequest request) {
  if (!request.args.has("--bridge")) return request;
  // Without HOME and without an account there is no home directory, and none must be made up: `fire_event` says so.
  request.believed = believed(request.env, own_account_home(std::string(request.env.get("HOME"))));
  // A hook that fires events is a child of Grapnel. A variable alone does not make a bridge one, or every event of an
  // agent could be refused as nested too deeply.
  const auto is_ours = [](const os::Ancestor& one) { return protect::is_own_program(one.name); };
  if (depth_of(request.env) > 0 && std::ranges::none_of(os::ancestors(), is_ours)) {
    request.believed->env.remove(kDepthVariable);
  }
  request.env = request.believed->env;
  return request;
}

// An agent has to see the error without taking it for a denial, so its dialect decides how the error is written. The
// refusal is recorded too: otherwise nobody would learn why hooks did not run.
FireAnswer refuse_event(const FireRequest& request, const std::string& why, FireHost& host) {
  if (!speaks_for_agent(request.args)) return {.status = kBadUsage, .out = "", .err = own_words(why), .lost_text = ""};
  host.records_of(request.env).record(record_of_refusal(request.args, why));
  const Dialect* agent = find_dialect(dialect_of(request.args));
  WireAnswer answer =
      agent == nullptr ? WireAnswer{.exit_code = kNonBlockingError} : write_own_error("grapnel: " + why, *agent);
  return {.status = answer.exit_code,
          .out = std::move(answer.out),
          .err = own_words(why),
          .lost_status = answer.exit_code,
          .lost_text = ""};
}

// Every step that can fail ends in `refuse_event`, so an agent always gets an answer in its own form. The hooks are
// found with the event's own project, because the agent may have started us in any directory.
FireAnswer fire_event(FireRequest request, FireHost& host) {
  if (depth_of(request.env) >= kDeepest) {
    return refuse_event(request, "a hook fires the event that started it; grapnel stops this loop here", host);
  }
  auto event = make_event(request.args, std::move(request.payload));
  if (!event) return refuse_event(request, event.error().to_string(), host);
  const std::shared_ptr<SessionStore> sessions =
      make_file_session_store(request.env.runtime_dir(), secret_patterns(request.env));
  auto project = project_of_event(*event, {request.args, request.env, request.cwd, *sessions});
  if (!project) return refuse_event(request, project.error().message, host);
  event = placed_event(std::move(*event), *project, request.cwd);
  const std::optional<Event> other = other_event(request.args, *event, *project, request.cwd);
  if (request.believed) {
    leave_project_out_of_path(*request.believed, *project);
    request.env = request.believed->env;
  }
  auto options = hook_source(request.args, request.env, std::move(*project));
  if (!options) return refuse_event(request, options.error().message, host);
  options->sessions = sessions;
  if (request.believed) {
    options->discovery.bridged_agent = event->dialect_name();
    const bool is_rare = event->kind() == EventKind::SessionStart || event->kind() == EventKind::UserPromptSubmit;
    // Whoever answers a question must not run in this agent, so it has to be known.
    if (is_rare || may_have_listeners(request.env)) note_agent(request.env, request.caller);
    const std::string& account = request.believed->account_home;
    options->places.noted_places = noted_places_file(account.empty() ? request.env.home() : account);
    if (std::string told = told_about(request.believed->unused); !told.empty()) {
      options->safety.cautions.push_back(std::move(told));
    }
  }

  Remarks remarks;
  if (!request.remark.empty()) remarks.add({"", request.remark});
  // Hooks that cannot listen to this event need not be read when the engine is thrown away afterwards.
  if (host.makes_engine_per_event() && !other) options->discovery.only_event = *event;
  // The engine takes the options, but the check after it needs to know which files the user named.
  const std::vector<HookConfig> named = options->configs;
  const auto engine = host.engine_for(std::move(*options), request.env, remarks);
  if (const std::string why = unusable_config(*engine, named); !why.empty()) return refuse_event(request, why, host);

  Decision decision = engine->fire(*event, request.cancel);
  ask_again(*engine, *event, other, request.cancel, decision);
  // Rules and hooks of the person below the home directory were not found, and one of them might have objected.
  const bool is_homeless = request.args.has("--bridge") && request.env.get("HOME").empty();
  if (is_homeless && decision.effects.verdict < Verdict::Ask) {
    return refuse_event(request, "HOME is not set, so your own hooks cannot be found; set it for the agent", host);
  }
  remark_on_unknown(*event, remarks);
  if (const std::string why = host.records_of(request.env).last_failure(); !why.empty()) {
    remarks.add({"", "this event was not recorded: " + why});
  }
  if (speaks_for_agent(request.args)) tell_losses(decision, event->dialect(), remarks);
  const std::string text = remarks.text(decision, request.args.has("--verbose"));
  const bool as_agent = speaks_for_agent(request.args) && !request.args.has("--json");
  return as_agent ? answer_agent(request, decision, *event, text) : print_decision(request, decision, text);
}

}  // namespace grapnel::cli
