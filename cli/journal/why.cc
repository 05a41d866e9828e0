#include <algorithm>
#include <array>

#include "base/shell_word.h"
#include "base/text.h"
#include "cli/hook_text.h"
#include "cli/journal/journal_verbs.h"
#include "cli/journal/past_event.h"
#include "history/open_calls.h"

namespace grapnel::cli {

namespace {

/// Longer JSON and commands are cut in the text form; `--json` shows all.
constexpr size_t kMaxShown = 400;
constexpr size_t kMaxSearched = 500;  ///< how many events of a session are searched for one with hooks

/// The event with its tool, its dialect and its session.
std::string head_text(const Json& record) {
  const std::string event = text_of(record, "event");
  std::string out = (event.empty() ? "an unreadable event" : event);
  for (const char* key : {"tool", "tool_use_id"}) {
    if (const std::string value = text_of(record, key); !value.empty()) out += " " + value;
  }
  out += "  (as " + text_of(record, "dialect");
  if (const std::string version = text_of(record, "agent_version"); !version.empty()) out += " " + version;
  if (const std::string session = text_of(record, "session"); !session.empty()) out += ", session " + session;
  return printable(out + ")");
}

/// The subagent in which the event happened: its type, its id, and who started it.
std::string subagent_text(const Json& record) {
  const std::string type = text_of(record, "agent_type");
  const std::string id = text_of(record, "agent_id");
  std::string out = type + (type.empty() || id.empty() ? "" : " ") + id;
  if (const std::string parent = text_of(record, "parent"); !parent.empty()) out += ", started by " + parent;
  return printable(out);
}

/// The project, the directory if it is another one, and the agent's permission mode.
std::string place_text(const Json& record) {
  std::string out = text_of(record, "project");
  const std::string cwd = text_of(record, "cwd");
  if (!cwd.empty() && cwd != out) out += (out.empty() ? "in " : ", in ") + cwd;
  if (const std::string mode = text_of(record, "mode"); !mode.empty()) out += ", mode " + mode;
  return printable(out);
}

/// The command, the file… and what hooks made of it.
std::string subject_lines(const Json& record) {
  const std::string rewritten = text_of(record, "rewritten_subject");
  return printable(text_of(record, "subject")) + (rewritten.empty() ? "" : "\n       →  " + printable(rewritten));
}

/// How the tool call ended.
std::string call_ending(const Json& outcome) {
  if (!outcome) return "";
  std::string out = outcome["ok"].as_bool().value_or(false) ? "succeeded" : "failed";
  if (const auto code = outcome["exit"].as_integer()) out += ", exit " + std::to_string(*code);
  if (outcome["interrupted"]) out += ", interrupted";
  if (const auto ms = outcome["ms"].as_integer()) out += ", " + std::to_string(*ms) + " ms";
  if (const std::string error = text_of(outcome, "error"); !error.empty()) out += ": " + error;
  return printable(out);
}

/// What a person said when a hook asked, as later events show it.
std::string answer_text(const Json& record) {
  const std::string answer = text_of(record, "answer");
  if (answer == kApproved) return "approved: the tool ran";
  return answer == kNotRun ? "the tool did not run: it was refused or given up" : printable(answer);
}

/// What became of a question that was put to a person in the page or in `grapnel approve`.
std::string person_text(const Json& person) {
  if (!person) return "";
  const std::string answer = text_of(person, "answer");
  const std::string reason = text_of(person, "reason");
  const std::string pattern = text_of(person, "pattern");
  const std::string by = text_of(person, "by");
  const std::string covered = pattern.empty() ? "" : " (" + pattern + ")";
  if (person["remembered"]) return printable("allowed for this session before" + covered);
  struct Words {
    std::string_view answer;
    std::string_view text;
  };
  constexpr auto kWords = std::to_array<Words>({{"deny", "denied"},
                                                {"once", "allowed once"},
                                                {"session", "allowed for the session"},
                                                {"rule", "allowed, and made a rule"},
                                                {"no-listener", "nobody was there to answer"},
                                                {"expired", "did not answer in time"},
                                                {"left", "no answer"}});
  const auto* const known = std::ranges::find(kWords, answer, &Words::answer);
  std::string out = known == kWords.end() ? answer : std::string(known->text);
  if (answer == "no-listener") return out;
  out += covered + ", " + duration_text(std::chrono::milliseconds(person["ms"].as_integer().value_or(0))) + " later" +
         (by.empty() ? "" : " in the " + by);
  return printable(out + (reason.empty() ? "" : ": " + reason));
}

/// What hooks that only observe would have done.
std::string would_text(const Json& would, const Console& console) {
  if (!would) return "";
  const std::string by = text_of(would, "decided_by");
  const std::string reason = text_of(would, "reason");
  return verdict_text(console, text_of(would, "verdict")) + (by.empty() ? "" : " by " + printable(by)) +
         (reason.empty() ? "" : ": " + printable(reason));
}

/// The verdict, who decided, and the reason.
std::string decision_text(const Json& record, const Console& console) {
  std::string out = verdict_text(console, is_open_by_cap(record) ? status_word(record) : text_of(record, "verdict"));
  const std::string by = text_of(record, "decided_by");
  out += by.empty() ? "" : " by " + printable(by);
  out += " (" + printable(text_of(record, "origin")) + ")";
  if (const std::string reason = text_of(record, "reason"); !reason.empty()) out += ": " + printable(reason);
  if (is_open_by_cap(record)) out += ": this gate was closed too often in one turn";
  if (record["stop"]) out += "; the agent was told to stop";
  return out;
}

/// JSON on one line, cut if it is long; "" when it is missing.
std::string compact(const Json& value) {
  return value ? text::cap(value.dump(), kMaxShown) : "";
}

/// `/a/b.json:4` as people would type it: relative when it is below the current directory.
std::string source_text(const std::string& source) {
  const size_t colon = source.rfind(':');
  const bool has_line = colon != std::string::npos;
  return short_path(source.substr(0, colon)) + (has_line ? source.substr(colon) : "");
}

std::string argv_text(const Json& argv) {
  std::vector<std::string> words;
  for (const Json& word : argv.elements()) words.push_back(shell_word(word.as_string().value_or("")));
  return text::cap(text::join(words, " "), kMaxShown);
}

/// What a hook's process read and wrote, and when it started.
std::string bytes_text(const Json& trace) {
  const auto number = [&](const char* key) { return static_cast<size_t>(trace[key].as_integer().value_or(0)); };
  std::string out = "read " + count_text(number("in"), "byte") + ", wrote " + std::to_string(number("out"));
  if (number("err") > 0) out += " and " + std::to_string(number("err")) + " to standard error";
  return out + ", started after " + cost_text(std::chrono::microseconds(number("at_us")));
}

/// What happened to one hook: a line with its fate, and dim lines with the details.
std::string share_text(const Share& share, const Console& console) {
  std::string out = "  " + printable(share.name) + ": ";
  const bool failed = share.fate == to_string(HookFate::Kind::Failed);
  out += failed ? console.styled(Style::Red, share.fate) : printable(share.fate);
  if (!share.detail.empty()) out += ", " + printable(share.detail);
  if (!share.verdict.empty() && share.verdict != to_string(Verdict::Pass)) {
    out += " → " + verdict_text(console, share.verdict);
  }
  if (const std::string would = text_of(share.trace, "would"); !would.empty()) {
    out += ", only observes → " + verdict_text(console, "would " + would);
  }
  const auto stage = share.trace["stage"].as_integer();
  if (share.took) out += "  (" + cost_text(*share.took) + (stage ? ", stage " + std::to_string(*stage) : "") + ")";
  out += "\n";
  for (const WhyLine& line : why_lines(share)) {
    out += console.styled(Style::Dim, "    " + line.word + " " + printable(line.text)) + "\n";
  }
  return out;
}

/// What is not about a single hook of this event: hooks of other events, and entries that could not be used.
std::string rest_text(const PastEvent& past, size_t elsewhere, const Console& console) {
  std::string out;
  if (elsewhere > 0) {
    out += "  " + count_text(elsewhere, "hook") + (elsewhere == 1 ? " listens" : " listen") + " to other events only\n";
  }
  if (past.registry && !past.registry->problems.empty()) {
    out += console.styled(Style::Bold, "not used") + "\n";
    for (const ConfigProblem& problem : past.registry->problems) out += "  " + printable(problem.to_string()) + "\n";
  }
  return out;
}

/// The effects that the agent could not be told: `ask → deny (nobody can be asked)`, separated by semicolons.
std::string losses_text(const Json& losses) {
  std::string out;
  for (const Json& loss : losses.elements()) {
    out += (out.empty() ? "" : "; ") + text_of(loss, "effect") + " → " + text_of(loss, "to") + " (" +
           text_of(loss, "why") + ")";
  }
  return printable(out);
}

/// A share as JSON. Members that the record does not have are left out.
Json to_json(const Share& share) {
  const auto text = [](const std::string& value) { return value.empty() ? Json() : Json::string(value); };
  return Json::object({{"name", Json::string(share.name)},
                       {"source", text(share.source)},
                       {"pack", text(pack_of(share.source))},
                       {"fate", Json::string(share.fate)},
                       {"detail", text(share.detail)},
                       {"error", share.trace["error"]},
                       {"match", text(share.match)},
                       {"verdict", text(share.verdict)},
                       {"would", share.trace["would"]},
                       {"doubt", share.trace["doubt"]},
                       {"contained", share.trace["contained"]},
                       {"sandbox", share.trace["sandbox"]},
                       {"not_enforced", share.trace["not_enforced"]},
                       {"refused", share.trace["refused"]},
                       {"left", share.trace["left"]},
                       {"ended_leftovers", share.trace["ended_leftovers"]},
                       {"stage", share.trace["stage"]},
                       {"us", share.took ? Json::number(int64_t{share.took->count()}) : Json()},
                       {"argv", share.trace["argv"]},
                       {"cwd", share.trace["cwd"]},
                       {"warm", share.trace["warm"]},
                       {"cold", share.trace["cold"]},
                       {"at_us", share.trace["at_us"]},
                       {"in", share.trace["in"]},
                       {"out", share.trace["out"]},
                       {"err", share.trace["err"]},
                       {"answer", share.trace["answer"]}});
}

/// The id of the newest event. In a session it is the newest event that a hook had a part in, if there is one.
/// Fails: BadInput.
Result<std::string> find_newest(JournalReader& journal, const std::string& session) {
  const auto newest = journal.find({.session = session, .limit = session.empty() ? 1 : kMaxSearched});
  if (!newest) return std::unexpected(newest.error());
  if (newest->empty())
    return fail(Errc::BadInput, "no event is on record" + std::string(session.empty() ? "" : " of that session"));
  const auto had_part = [](const JournalEntry& entry) { return entry.record["hooks"].size() > 0; };
  const auto found = std::ranges::find_if(newest->rbegin(), newest->rend(), had_part);
  return text_of(found == newest->rend() ? newest->back().record : found->record, "id");
}

/// The event that the user asked for. Fails: BadInput when there is none, or more than one.
Result<PastEvent> find_event_of(JournalReader& journal, std::string id, const std::string& session) {
  if (id.empty() || id == "last") {
    const auto whole = session.empty() ? Result<std::string>() : find_session(journal, session);
    if (!whole) return std::unexpected(whole.error());
    auto newest = find_newest(journal, *whole);
    if (!newest) return std::unexpected(newest.error());
    id = std::move(*newest);
  }
  return find_past_event(journal, id);
}

}  // namespace

std::vector<WhyLine> why_lines(const Share& share) {
  std::vector<WhyLine> out;
  const auto line = [&](std::string_view word, std::string text) {
    if (!text.empty()) out.push_back({std::string(word), std::move(text)});
  };
  line("error:", text_of(share.trace, "error"));
  const std::string pack = pack_of(share.source);
  line("from", source_text(share.source) + (pack.empty() ? "" : ", pack " + pack));
  line("because", share.match);
  line("doubt:", text_of(share.trace, "doubt"));
  line("sandbox:", text_of(share.trace, "sandbox"));
  line("contained by", text_of(share.trace, "contained"));
  line("without its sandbox:", text_of(share.trace, "not_enforced"));
  for (const Json& refused : share.trace["refused"].elements())
    line("refused:", std::string(refused.as_string().value_or("")));
  for (const Json& left : share.trace["left"].elements()) {
    const bool was_ended = share.trace["ended_leftovers"].as_bool() == true;
    line(was_ended ? "left, and ended:" : "left running:",
         text_of(left, "name") + " (" + std::to_string(left["pid"].as_integer().value_or(0)) + ")");
  }
  // The lines below are about a process; rules and skipped hooks have none.
  if (!share.trace["argv"]) return out;
  line("ran", argv_text(share.trace["argv"]));
  line("in", text_of(share.trace, "cwd"));
  if (share.trace["warm"].as_bool() == true) line("warm:", "its process was started before the event");
  line("cold:", text_of(share.trace, "cold"));
  line("it", bytes_text(share.trace));
  line("answered", compact(share.trace["answer"]));
  return out;
}

// The event and the decision first, then every hook.
std::string why_text(const PastEvent& past, const Console& console, Zone zone) {
  std::string out;
  const auto row = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) {
      out += console.styled(Style::Bold, name) + std::string(10 - name.size(), ' ') + value + "\n";
    }
  };
  const Json& record = past.record;
  row("event", head_text(record));
  row("at", time_text(text_of(record, "time"), zone) + "  " + printable(text_of(record, "id")));
  row("where", place_text(record));
  row("subagent", subagent_text(record));
  row("subject", subject_lines(record));
  row("tool", call_ending(record["outcome"]));
  // Payloads are not always recorded. The subjects are the few values that matchers need, and are there more often.
  row("input", printable(compact(record["payload"] ? record["payload"] : record["subjects"])));
  row("decision", decision_text(record, console));
  row("would", would_text(record["would"], console));
  row("person", person_text(record["person"]));
  row("answer", answer_text(record));
  row("result", printable(compact(record["effects"])));
  row("degraded", losses_text(record["degraded"]));
  row("cost", cost_text(std::chrono::microseconds(record["us"].as_integer().value_or(0))));
  const std::vector<Share> shares = shares_of(past);
  if (shares.empty()) row("hooks", past.registry ? "none were configured" : "none had a part in it");
  if (!shares.empty()) out += console.styled(Style::Bold, "hooks") + "\n";
  for (const Share& share : shares) {
    if (!share.is_for_other_event) out += share_text(share, console);
  }
  const auto elsewhere = static_cast<size_t>(std::ranges::count(shares, true, &Share::is_for_other_event));
  return out + rest_text(past, elsewhere, console);
}

Json why_json(const PastEvent& past) {
  std::vector<Json> hooks;
  for (const Share& share : shares_of(past)) hooks.push_back(to_json(share));
  Json json = past.record.with("hooks", Json::array(hooks));
  std::vector<Json> problems;
  if (past.registry) {
    for (const ConfigProblem& problem : past.registry->problems) problems.push_back(Json::string(problem.to_string()));
  }
  return problems.empty() ? json : json.with("not_used", Json::array(problems));
}

int run_why(Invocation& in) {
  auto journal = open_journal(in);
  if (!journal) {
    in.console.say(printable(journal.error().to_string()));
    return kInternal;
  }
  if (in.args.has("--hook")) return explain_hook(in, *journal, in.args.text("--hook"));
  const auto past = find_event_of(*journal, in.args.text("ID"), in.args.text("--session"));
  if (!past) return report_input(in.console, past.error().message);
  if (in.args.has("--json")) {
    in.console.out(why_json(*past).dump(JsonStyle::Pretty) + "\n");
    return kOk;
  }
  in.console.out(why_text(*past, in.console, zone_of(in.args)));
  if (!past->registry && !text_of(past->record, "registry").empty()) {
    in.console.say("it is no longer known which other hooks were configured then");
  }
  return kOk;
}

}  // namespace grapnel::cli
