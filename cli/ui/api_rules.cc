#include <algorithm>
#include <array>
#include <deque>
#include <map>

#include "base/error.h"
#include "base/text.h"
#include "cli/journal/journal_verbs.h"
#include "cli/ui/api.h"
#include "cli/ui/event_rule.h"
#include "cli/ui/query.h"
#include "cli/ui/replay.h"
#include "cli/ui/save_rule.h"
#include "cli/ui/saved_cases.h"

namespace grapnel::cli {

namespace {

constexpr int64_t kUsualReplay = 10000;
constexpr int64_t kMostReplay = 100000;
/// So many records are in memory at a time.
constexpr size_t kReplayPart = 2000;
constexpr size_t kMaxRows = 500;
constexpr size_t kMaxShownSubject = 1024;

std::string text_in(const Json& body, std::string_view key) {
  return body[key].as_string().value_or("");
}

/// What came of one try. Events are added in the order in which they happened.
class Tally {
 public:
  void add(const Json& record, const std::optional<RuleTrial::Outcome>& outcome) {
    if (!outcome) {
      ++cannot_;
      return;
    }
    ++replayed_;
    const std::string was = text_of(record, "verdict");
    const std::string would(to_string(outcome->verdict));
    ++was_[was];
    ++would_[would];
    if (outcome->changes_input) ++rewrites_;
    if (outcome->tells_model) ++injects_;
    if (outcome->verdict == Verdict::Pass) return;
    ++matrix_[was + ">" + would];
    // The strictest verdict wins, so a rule that is milder than what happened changes nothing.
    const bool is_changed = strictness(would) > strictness(was);
    if (is_changed) ++changed_;
    // The newest are shown.
    rows_.push_back(row(record, was, would, *outcome, is_changed));
    if (rows_.size() > kMaxRows) rows_.pop_front();
  }

  Json to_json(const std::vector<std::string>& left_out) const {
    std::vector<Json> names;
    for (const std::string& name : left_out) names.push_back(Json::string(name));
    return Json::object({{"replayed", Json::number(replayed_)},
                         {"cannot", Json::number(cannot_)},
                         {"changed", Json::number(changed_)},
                         {"would", counts(would_)},
                         {"was", counts(was_)},
                         {"matrix", object_of(matrix_)},
                         {"rewrites", Json::number(rewrites_)},
                         {"injects", Json::number(injects_)},
                         {"left_out", Json::array(names)},
                         {"rows", Json::array({rows_.rbegin(), rows_.rend()})}});
  }

 private:
  using Counts = std::map<std::string, int64_t>;
  static constexpr auto kVerdicts = std::to_array<std::string_view>({"pass", "allow", "ask", "deny"});

  static size_t strictness(std::string_view verdict) {
    return static_cast<size_t>(std::ranges::find(kVerdicts, verdict) - kVerdicts.begin());
  }

  static Json object_of(const Counts& counts) {
    std::vector<std::pair<std::string, Json>> members;
    for (const auto& [name, count] : counts) members.emplace_back(name, Json::number(count));
    return Json::object(members);
  }

  static Json counts(Counts counts) {
    for (const std::string_view verdict : kVerdicts) counts[std::string(verdict)] += 0;
    return object_of(counts);
  }

  static Json row(const Json& record, const std::string& was, const std::string& would,
                  const RuleTrial::Outcome& outcome, bool is_changed) {
    return Json::object({{"id", record["id"]},
                         {"was", Json::string(was)},
                         {"would", Json::string(would)},
                         {"changed", Json::boolean(is_changed)},
                         {"by", outcome.by.empty() ? Json() : Json::string(outcome.by)},
                         {"event", record["event"]},
                         {"tool", record["tool"]},
                         {"agent", record["dialect"]},
                         {"project", record["project"]},
                         {"session", record["session"]},
                         {"command", Json::string(text::cap(text_of(record, "subject"), kMaxShownSubject))},
                         {"time", record["time"]}});
  }

  int64_t replayed_ = 0, cannot_ = 0, changed_ = 0, rewrites_ = 0, injects_ = 0;
  Counts would_, was_, matrix_;
  std::deque<Json> rows_;
};

}  // namespace

Answer check_rules_text(Ui& ui, const HttpRequest& request) {
  const auto body = body_of(request);
  if (!body) return body;
  return check_yaml(ui.env, text_in(*body, "yaml"));
}

Answer replay_rules(Ui& ui, const HttpRequest& request) {
  const auto body = body_of(request);
  if (!body) return body;
  auto trial = RuleTrial::prepare(ui.env, text_in(*body, "yaml"));
  if (!trial) return std::unexpected(trial.error());
  auto query = query_of(*body);
  if (!query) return std::unexpected(query.error());
  query->limit =
      static_cast<size_t>(std::clamp((*body)["limit"].as_integer().value_or(kUsualReplay), int64_t{1}, kMostReplay));
  const auto numbers = ui.journal.with([&](JournalReader& reader) { return reader.find_numbers(*query); });
  if (!numbers) return std::unexpected(numbers.error());
  // In the order in which they happened, because some rules remember what came before.
  Tally tally;
  query->limit = 0;
  for (size_t first = 0; first < numbers->size(); first += kReplayPart) {
    query->after = (*numbers)[first] - 1;
    query->before = (*numbers)[std::min(first + kReplayPart, numbers->size()) - 1] + 1;
    const auto part = ui.journal.with([&](JournalReader& reader) { return reader.find(*query); });
    if (!part) return std::unexpected(part.error());
    for (const JournalEntry& entry : *part) {
      if (entry.record["background"] || !entry.record["event"]) continue;
      tally.add(entry.record, trial->decide(entry.record));
    }
  }
  return tally.to_json(trial->left_out());
}

Answer try_rules_on_tests(Ui& ui, const HttpRequest& request) {
  const auto body = body_of(request);
  if (!body) return body;
  auto trial = RuleTrial::prepare(ui.env, text_in(*body, "yaml"));
  if (!trial) return std::unexpected(trial.error());
  return try_saved_cases(ui.env, *trial);
}

Answer save_rules(Ui& ui, const HttpRequest& request) {
  const auto body = body_of(request);
  if (!body) return body;
  std::vector<std::string> ids;
  for (const Json& id : (*body)["ids"].elements()) ids.push_back(id.as_string().value_or(""));
  const std::string scope = text_in(*body, "scope");
  if (scope != "user" && scope != "project") return fail(Errc::BadInput, "scope must be user or project");
  const RuleToSave rule{.yaml = text_in(*body, "yaml"),
                        .scope = scope == "user" ? Scope::User : Scope::Project,
                        .project = text_in(*body, "project"),
                        .ids = (*body)["tests"].as_bool().value_or(false) ? ids : std::vector<std::string>()};
  auto saved = save_rule(ui.env, ui.journal, rule);
  if (saved) ui.gate.tell("The page added a rule to " + printable(text_in(*saved, "file")) + ".");
  return saved;
}

Answer rule_from_event(Ui& ui, const HttpRequest& request) {
  const auto body = body_of(request);
  if (!body) return body;
  // What waits for an answer is not on record yet.
  if (const auto yaml = rule_for_waiting(ui.env, text_in(*body, "id"))) {
    return Json::object({{"yaml", Json::string(*yaml)}});
  }
  return ui.journal.with([&](JournalReader& reader) -> Answer {
    const auto id = find_id(reader, text_in(*body, "id"));
    if (!id) return fail(Errc::NotFound, id.error().message);
    const auto entries = reader.find({.id = *id});
    if (!entries || entries->empty()) return fail(Errc::NotFound, "no event on record has this id");
    return Json::object({{"yaml", Json::string(rule_for_event(entries->front().record))}});
  });
}

}  // namespace grapnel::cli
