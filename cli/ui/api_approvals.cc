#include <algorithm>

#include "approve/waiting_asks.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/rule_of_ask.h"
#include "cli/ui/api.h"
#include "cli/ui/replay.h"
#include "cli/ui/save_rule.h"
#include "discover/find/ask_setting.h"
#include "history/events.h"
#include "history/sessions.h"

namespace grapnel::cli {

namespace {

constexpr std::chrono::days kSimilarDays{30};
constexpr size_t kMaxSimilar = 8;

/// What the session has done so far.
Json so_far_json(JournalReader& reader, const WaitingAsk& ask) {
  int64_t events = 0, deny = 0, asked = 0;
  if (const auto sessions = find_sessions(reader, ask.session)) {
    for (const SessionSummary& session : *sessions) {
      if (session.agent != ask.agent) continue;
      events += session.events;
      deny += session.deny;
      asked += session.ask;
    }
  }
  return Json::object({{"events", Json::number(events)}, {"deny", Json::number(deny)}, {"ask", Json::number(asked)}});
}

/// Calls that begin alike and were asked about, and what came of it.
Json similar_json(JournalReader& reader, const WaitingAsk& ask) {
  std::vector<Json> out;
  const std::string first = ask.subject.substr(0, ask.subject.find_first_of(" \t\n"));
  const auto since = std::chrono::system_clock::now() - kSimilarDays;
  JournalQuery query{.tool = ask.tool, .text = first, .verdict = std::string(to_string(Verdict::Ask))};
  query.since = time_of(std::chrono::duration_cast<std::chrono::milliseconds>(since.time_since_epoch()).count());
  const auto page = first.empty() ? Result<EventPage>() : read_events(reader, query, kMaxSimilar);
  if (!page) return Json::array();
  for (const JournalEntry& entry : page->entries) {
    const Json row = event_row(entry);
    out.push_back(Json::object({{"id", row["id"]},
                                {"time", row["time"]},
                                {"subject", row["subject"]},
                                {"answer", row["answer"] ? row["answer"] : entry.record["person"]["answer"]}}));
  }
  return Json::array(out);
}

Json ask_json(JournalReader& reader, const WaitingAsk& ask) {
  return Json::object({{"id", Json::string(ask.id)},
                       {"event_id", Json::string(ask.event_id)},
                       {"digest", Json::string(ask.digest)},
                       {"session", Json::string(ask.session)},
                       {"agent", Json::string(ask.agent)},
                       {"project", Json::string(ask.project)},
                       {"cwd", Json::string(ask.cwd)},
                       {"event", Json::string(ask.event)},
                       {"tool", Json::string(ask.tool)},
                       {"subject", Json::string(ask.subject)},
                       {"input", ask.input},
                       {"is_command", Json::boolean(ask.is_command)},
                       {"reason", Json::string(ask.reason)},
                       {"hook", Json::string(text::join(ask.hooks, ", "))},
                       {"source", Json::string(ask.source)},
                       {"asked_at", Json::number(ask.asked_at_ms)},
                       {"expires_at", Json::number(ask.expires_at_ms)},
                       {"session_so_far", so_far_json(reader, ask)},
                       {"similar", similar_json(reader, ask)}});
}

/// The question with that id. Fails: Cancelled when it is over.
Result<WaitingAsk> find_ask(const Environment& env, const std::string& id) {
  const std::vector<WaitingAsk> asks = waiting_asks(env);
  const auto found = std::ranges::find(asks, id, &WaitingAsk::id);
  if (found != asks.end()) return *found;
  return fail(Errc::Cancelled, "this question is over: somebody answered it, or its time is up");
}

/// What a rule that a person wrote says about the question. Fails: BadInput unless it allows or denies.
Result<AskAnswer> answer_of_rule(const std::string& yaml) {
  for (const HookSpec& hook : rules_in(yaml)) {
    const auto* const rule = std::get_if<RuleHandler>(&hook.handler);
    if (rule != nullptr && rule->verdict == Verdict::Allow) return AskAnswer::Rule;
    if (rule != nullptr && rule->verdict == Verdict::Deny) return AskAnswer::Deny;
  }
  return fail(Errc::BadInput, "the rule must allow or deny");
}

/// Saves the rule that the person wrote, and answers with it.
Result<void> answer_with_rule(Ui& ui, const WaitingAsk& ask, GivenAnswer answer, const std::string& yaml, Scope scope) {
  const auto verdict = answer_of_rule(yaml);
  if (!verdict) return std::unexpected(verdict.error());
  answer.answer = *verdict;
  const auto saved = save_rule(ui.env, ui.journal, {.yaml = yaml, .scope = scope, .project = ask.project});
  if (!saved) return std::unexpected(saved.error());
  return answer_ask(ui.env, ask.id, answer);
}

std::optional<AskAnswer> answer_named(std::string_view name) {
  for (const AskAnswer answer : {AskAnswer::Deny, AskAnswer::Once, AskAnswer::Session, AskAnswer::Rule}) {
    if (to_string(answer) == name) return answer;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> rule_for_waiting(const Environment& env, const std::string& id) {
  const auto ask = find_ask(env, id);
  if (!ask) return std::nullopt;
  const auto rule = rule_of_ask(*ask, true, "", "");
  if (!rule) return std::nullopt;
  return "version: 1\nhooks:\n" + rule_text(*rule);
}

size_t count_waiting(const Ui& ui) {
  return waiting_asks(ui.env).size();
}

Answer list_approvals(Ui& ui, const HttpRequest&) {
  const std::vector<WaitingAsk> asks = waiting_asks(ui.env);
  const AskSetting setting = read_ask_setting({"/", "", &ui.env});
  return ui.journal.with([&](JournalReader& reader) -> Answer {
    std::vector<Json> waiting;
    for (const WaitingAsk& ask : asks) waiting.push_back(ask_json(reader, ask));
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(setting.wait).count();
    return Json::object({{"waiting", Json::array(waiting)},
                         {"settings", Json::object({{"enabled", Json::boolean(setting.in_page)},
                                                    {"deadline_s", Json::number(static_cast<int64_t>(seconds))}})}});
  });
}

Answer answer_approval(Ui& ui, const HttpRequest& request) {
  const auto body = body_of(request);
  if (!body) return body;
  const auto text = [&](const char* key) { return (*body)[key].as_string().value_or(""); };
  const auto ask = find_ask(ui.env, rest_of(request, "/api/approvals/"));
  if (!ask) return std::unexpected(ask.error());
  const auto wish = answer_named(text("answer"));
  if (!wish) return fail(Errc::BadInput, "the answer must be deny, once, session or rule");
  const GivenAnswer answer{*wish, text("pattern"), text("reason"), "page", text("digest")};
  const Scope scope = text("scope") == "project" ? Scope::Project : Scope::User;
  const bool has_rule = *wish == AskAnswer::Rule && !text("yaml").empty();
  auto given = has_rule ? answer_with_rule(ui, *ask, answer, text("yaml"), scope) : give_answer(ui.env, *ask, answer);
  if (!given && given.error().code == Errc::NotFound) given.error().code = Errc::Cancelled;
  if (!given) return std::unexpected(given.error());
  ui.gate.tell("The page answered '" + std::string(to_string(*wish)) + "' to " + printable(ask->subject) + ".");
  ui.bell.ring();
  return Json::object({{"answered", Json::boolean(true)}});
}

}  // namespace grapnel::cli
