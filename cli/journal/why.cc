#include <algorithm>
#include <set>

#include "cli/hook_text.h"
#include "cli/journal/configured_hook.h"
#include "cli/journal/journal_verbs.h"

namespace grapnel::cli {

namespace {

/// One event: its record, and what came later from hooks nobody waited for.
struct PastEvent {
  Json record;
  std::vector<Json> later;
  Json registry;
};

/// One hook's line.
struct Share {
  std::string name;
  std::string source;
  std::string fate;  ///< `ran`, `failed`, `skipped`, `detached`, `no part`
  std::string detail;
  std::string verdict;
  std::optional<std::chrono::microseconds> took;
};

Share share_of(const Json& fate) {
  Share share{text_of(fate, "name"),   text_of(fate, "source"),  text_of(fate, "fate"),
              text_of(fate, "detail"), text_of(fate, "verdict"), std::nullopt};
  if (share.fate != to_string(HookFate::Kind::Skipped)) {
    share.took = std::chrono::microseconds(fate["us"].as_integer().value_or(0));
  }
  return share;
}

/// Every configured hook, those with a fate first.
std::vector<Share> shares_of(const PastEvent& past) {
  std::vector<Share> shares;
  std::set<std::pair<std::string, std::string>> seen;
  const auto add = [&](const Json& record) {
    for (const Json& fate : record["hooks"].elements()) {
      shares.push_back(share_of(fate));
      seen.emplace(shares.back().name, shares.back().source);
    }
  };
  add(past.record);
  for (const Json& record : past.later) add(record);
  for (const Json& hook : past.registry["hooks"].elements()) {
    const std::string name = text_of(hook, "name");
    const std::string source = text_of(hook, "source");
    if (seen.contains({name, source})) continue;
    const std::string why = absence_text(hook, text_of(past.record, "event"), text_of(past.record, "tool"));
    shares.push_back({name, source, "no part", why, "", std::nullopt});
  }
  return shares;
}

std::string head_text(const Json& record) {
  const std::string event = text_of(record, "event");
  std::string out = (event.empty() ? "an event nobody could read" : event);
  for (const char* key : {"tool", "tool_use_id"}) {
    if (const std::string value = text_of(record, key); !value.empty()) out += " " + value;
  }
  out += "  (as " + text_of(record, "dialect");
  if (const std::string session = text_of(record, "session"); !session.empty()) out += ", session " + session;
  return printable(out + ")");
}

std::string decision_text(const Json& record, const Console& console) {
  std::string out = verdict_text(console, text_of(record, "verdict"));
  const std::string by = text_of(record, "decided_by");
  out += by.empty() ? "" : " by " + printable(by);
  out += " (" + printable(text_of(record, "origin")) + ")";
  if (const std::string reason = text_of(record, "reason"); !reason.empty()) out += ": " + printable(reason);
  if (record["stop"]) out += "; the agent was told to stop";
  return out;
}

std::string share_text(const Share& share, const Console& console) {
  std::string out = "  " + printable(share.name) + ": ";
  const bool failed = share.fate == to_string(HookFate::Kind::Failed);
  out += failed ? console.styled(Style::Red, share.fate) : printable(share.fate);
  if (!share.detail.empty()) out += ", " + printable(share.detail);
  if (!share.verdict.empty() && share.verdict != to_string(Verdict::Pass)) {
    out += " → " + verdict_text(console, share.verdict);
  }
  if (share.took) out += "  (" + cost_text(*share.took) + ")";
  const size_t colon = share.source.rfind(':');
  const bool has_line = colon != std::string::npos;
  const std::string place = short_path(share.source.substr(0, colon)) + (has_line ? share.source.substr(colon) : "");
  return out + "\n" + console.styled(Style::Dim, "    " + printable(place)) + "\n";
}

void print_text(Invocation& in, const PastEvent& past) {
  const auto row = [&](std::string_view name, const std::string& value) {
    const std::string gap = value.empty() ? "" : std::string(10 - name.size(), ' ');
    in.console.out(in.console.styled(Style::Bold, name) + gap + value + "\n");
  };
  row("event", head_text(past.record));
  row("at", time_text(text_of(past.record, "time")) + "  " + printable(text_of(past.record, "id")));
  row("decision", decision_text(past.record, in.console));
  row("cost", cost_text(std::chrono::microseconds(past.record["us"].as_integer().value_or(0))));
  const std::vector<Share> shares = shares_of(past);
  row("hooks", shares.empty() ? (past.registry ? "none were configured" : "none had a part in it") : "");
  for (const Share& share : shares) in.console.out(share_text(share, in.console));
  if (!past.registry && past.record["registry"].is_string() && !text_of(past.record, "registry").empty()) {
    in.console.say("what else was configured then is not known any more");
  }
}

Json to_json(const Share& share) {
  const auto text = [](const std::string& value) { return value.empty() ? Json() : Json::string(value); };
  return Json::object({{"name", Json::string(share.name)},
                       {"source", text(share.source)},
                       {"fate", Json::string(share.fate)},
                       {"detail", text(share.detail)},
                       {"verdict", text(share.verdict)},
                       {"us", share.took ? Json::number(int64_t{share.took->count()}) : Json()}});
}

void print_json(Invocation& in, const PastEvent& past) {
  std::vector<Json> hooks;
  for (const Share& share : shares_of(past)) hooks.push_back(to_json(share));
  in.console.out(past.record.with("hooks", Json::array(hooks)).dump(JsonStyle::Pretty) + "\n");
}

/// The event that is meant. Fails: BadInput when there is none, or more than one.
Result<PastEvent> find_event_of(JournalReader& journal, std::string id) {
  if (id.empty() || id == "last") {
    const auto newest = journal.find({.limit = 1});
    if (!newest) return std::unexpected(newest.error());
    if (newest->empty()) return fail(Errc::BadInput, "no event is on record");
    id = text_of(newest->back().record, "id");
  }
  const auto entries = journal.find({.id = id});
  if (!entries) return std::unexpected(entries.error());
  if (entries->empty()) return fail(Errc::BadInput, "no event on record has the id '" + printable(id) + "'");
  PastEvent past{entries->front().record, {}, {}};
  for (const JournalEntry& entry : *entries) {
    if (text_of(entry.record, "id") != text_of(past.record, "id")) {
      return fail(Errc::BadInput, "more than one id begins with '" + printable(id) + "'");
    }
    if (entry.record["background"]) {
      past.later.push_back(entry.record);
    } else {
      past.record = entry.record;
    }
  }
  past.registry = journal.registry(text_of(past.record, "registry"));
  return past;
}

}  // namespace

int run_why(Invocation& in) {
  auto journal = open_journal(in);
  if (!journal) {
    in.console.say(printable(journal.error().to_string()));
    return kInternal;
  }
  if (in.args.has("--hook")) return explain_hook(in, *journal, in.args.text("--hook"));
  const auto past = find_event_of(*journal, in.args.text("ID"));
  if (!past) return report_input(in.console, past.error().message);
  in.args.has("--json") ? print_json(in, *past) : print_text(in, *past);
  return kOk;
}

}  // namespace grapnel::cli
