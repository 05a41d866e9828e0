#include "base/error.h"
#include "cli/ui/api.h"
#include "cli/version.h"
#include "history/timeline.h"

namespace grapnel::cli {

namespace {

/// What the page has to know before it shows anything.
Json session_json(const Ui& ui, const std::string& token, bool is_unlocked) {
  const std::string& why_not = ui.gate.no_writing();
  return Json::object({{"token", token.empty() ? Json() : Json::string(token)},
                       {"version", Json::string(GRAPNEL_VERSION)},
                       {"read_only", Json::boolean(!why_not.empty())},
                       {"read_only_because", why_not.empty() ? Json() : Json::string(why_not)},
                       {"unlocked", Json::boolean(is_unlocked)},
                       {"can_unlock", Json::boolean(why_not.empty())}});
}

/// How complete the journal is.
Json journal_json(Ui& ui) {
  const auto progress = ui.journal.progress();
  const Json import = progress ? Json::object({{"done_bytes", Json::number(static_cast<int64_t>(progress->done))},
                                               {"total_bytes", Json::number(static_cast<int64_t>(progress->total))}})
                               : Json::null();
  return ui.journal.with([&](JournalReader& reader) {
    const auto health = reader.health();
    // The times of the whole journal come with every timeline.
    const auto all = read_timeline(reader, {.span = {1, 2}, .max_lanes = 1, .max_marks = 1, .overview_steps = 1});
    if (!health || !all) return Json::null();
    const auto time = [](int64_t ms) { return ms == 0 ? Json::null() : Json::number(ms); };
    return Json::object({{"events", Json::number(health->records)},
                         {"first", time(all->first)},
                         {"last", time(all->last)},
                         {"lost", Json::number(health->lost)},
                         {"bad_lines", Json::number(health->bad_lines)},
                         {"import", import},
                         {"chain", Json::string(ui.chain.state())}});
  });
}

}  // namespace

Answer start_session(Ui& ui, const HttpRequest& request) {
  const auto body = body_of(request);
  if (!body) return body;
  const auto token = ui.gate.exchange((*body)["ticket"].as_string().value_or(""));
  if (token) return session_json(ui, *token, false);
  return fail(Errc::Refused,
              "this address was used before, or is too old; Enter in the terminal of `grapnel ui` "
              "prints another one");
}

Answer unlock(Ui& ui, const HttpRequest& request) {
  const auto body = body_of(request);
  if (!body) return body;
  if (const auto refusal = ui.gate.unlock(request, (*body)["code"].as_string().value_or(""))) {
    return fail(Errc::Refused, refusal->message);
  }
  return Json::object({{"unlocked", Json::boolean(true)}});
}

Answer about(Ui& ui, const HttpRequest& request) {
  return session_json(ui, "", ui.gate.is_unlocked(request))
      .merged(Json::object({{"state_dir", Json::string(ui.env.state_dir())},
                            {"journal", journal_json(ui)},
                            {"waiting", Json::number(int64_t{0})},
                            {"agents_installed", Json::array()},
                            {"suggestions", Json::array()}}));
}

}  // namespace grapnel::cli
