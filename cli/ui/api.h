#pragma once

#include <string>
#include <string_view>

#include "grapnel/json.h"

#include "cli/ui/chain_check.h"
#include "cli/ui/fleet_view.h"
#include "cli/ui/gate.h"
#include "cli/ui/http.h"
#include "cli/ui/live.h"
#include "cli/ui/presence.h"
#include "cli/ui/shared_journal.h"

/// What the page asks for. The answers are JSON; wherever a verb says the same, it is the same function or the verb
/// itself.
///
///   main.cc            the program: terminal, browser, signals
///   server.h, http.h   HTTP
///   gate.h             who may do what
///   api.cc             the table of requests
///   api_*.cc           the answers, one file for each screen
///   live.h             new events
///   static_files.cc    the page itself
///   export.h           a file of its own
namespace grapnel::cli {

/// What all answers are made from. It outlives all threads that answer.
struct Ui {
  const Environment& env;
  Gate& gate;
  SharedJournal& journal;
  Bell& bell;
  ChainCheck& chain;
  Presence& presence;
  FleetView& fleet;
};

/// Answers any request.
HttpResponse answer_request(Ui& ui, const HttpRequest& request);

/// The files of the page; also at the paths of its screens.
HttpResponse answer_file(const HttpRequest& request);

// The answers. Each is a row in the table of api.cc, which has checked before that the request may ask.
using Answer = Result<Json>;
Answer start_session(Ui& ui, const HttpRequest& request);
Answer unlock(Ui& ui, const HttpRequest& request);
Answer about(Ui& ui, const HttpRequest& request);
Answer show_timeline(Ui& ui, const HttpRequest& request);
Answer list_events(Ui& ui, const HttpRequest& request);
Answer show_event(Ui& ui, const HttpRequest& request);
Answer show_today(Ui& ui, const HttpRequest& request);
Answer list_approvals(Ui& ui, const HttpRequest& request);
Answer check_rules_text(Ui& ui, const HttpRequest& request);
Answer replay_rules(Ui& ui, const HttpRequest& request);
Answer try_rules_on_tests(Ui& ui, const HttpRequest& request);
Answer save_rules(Ui& ui, const HttpRequest& request);
Answer rule_from_event(Ui& ui, const HttpRequest& request);
Answer answer_approval(Ui& ui, const HttpRequest& request);
Answer list_hooks(Ui& ui, const HttpRequest& request);
Answer list_trust(Ui& ui, const HttpRequest& request);
Answer trust_hook(Ui& ui, const HttpRequest& request);
Answer show_stats(Ui& ui, const HttpRequest& request);
Answer show_fleet(Ui& ui, const HttpRequest& request);
Answer run_doctor(Ui& ui, const HttpRequest& request);

/// The events as one HTML file.
HttpResponse export_events(Ui& ui, const HttpRequest& request);
/// The stream of new events.
HttpResponse follow_events(Ui& ui, const HttpRequest& request);

/// How many questions wait for a person.
size_t count_waiting(const Ui& ui);
/// A rule file with a rule that answers a waiting question; nothing if there is no such question.
std::optional<std::string> rule_for_waiting(const Environment& env, const std::string& id);

/// The status and the words for an error.
HttpRefusal refusal_of(const Error& error);

/// The body of a POST. Fails: BadInput unless it is an object.
Result<Json> body_of(const HttpRequest& request);

/// The rest of the path behind a prefix: the id in `/api/event/ID`.
std::string rest_of(const HttpRequest& request, std::string_view prefix);

/// A whole number in the query; nothing if it is missing or something else.
std::optional<int64_t> number_in(const HttpRequest& request, std::string_view name);

}  // namespace grapnel::cli
