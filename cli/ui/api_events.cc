#include <algorithm>

#include "base/error.h"
#include "cli/journal/journal_verbs.h"
#include "cli/journal/past_event.h"
#include "cli/ui/api.h"
#include "cli/ui/export.h"
#include "cli/ui/query.h"
#include "cli/ui/today.h"
#include "history/events.h"

namespace grapnel::cli {

namespace {

constexpr int64_t kUsualEvents = 200;
constexpr int64_t kMostEvents = 1000;

Json rows_json(const std::vector<JournalEntry>& newest_first) {
  std::vector<Json> rows;
  for (const JournalEntry& entry : newest_first) rows.push_back(event_row(entry));
  return Json::array(rows);
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json::null() : Json::string(text);
}

/// A shell command that fires the event again; missing if the payload is not on record.
Json fire_text(const Json& record) {
  if (!record["payload"].is_object()) return Json::null();
  return Json::string("grapnel fire " + text_of(record, "event") + " --as " + text_of(record, "dialect") +
                      " <<'END'\n" + record["payload"].dump() + "\nEND\n");
}

/// What is told about each hook of `why`, in the same order: `[{word, text}, …]`.
Json lines_json(const PastEvent& past) {
  std::vector<Json> hooks;
  for (const Share& share : shares_of(past)) {
    std::vector<Json> lines;
    for (const WhyLine& line : why_lines(share)) {
      lines.push_back(Json::object({{"word", Json::string(line.word)}, {"text", Json::string(line.text)}}));
    }
    hooks.push_back(Json::array(lines));
  }
  return Json::array(hooks);
}

/// A console without colours, for texts that are shown elsewhere.
Console plain_console() {
  return Console(Environment{"NO_COLOR=1"});
}

}  // namespace

Answer list_events(Ui& ui, const HttpRequest& request) {
  auto query = query_of(request);
  if (!query) return std::unexpected(query.error());
  query->before = number_in(request, "before").value_or(0);
  const auto limit = std::clamp(number_in(request, "limit").value_or(kUsualEvents), int64_t{1}, kMostEvents);
  return ui.journal.with([&](JournalReader& reader) -> Answer {
    const auto page = read_events(reader, *query, static_cast<size_t>(limit));
    if (!page) return std::unexpected(page.error());
    return Json::object(
        {{"events", rows_json(page->entries)}, {"next", page->next == 0 ? Json::null() : Json::number(page->next)}});
  });
}

/// How the call of an event ended: the id of the event that tells it, the time in between, and the outcome.
static Json post_of(JournalReader& reader, const std::string& id) {
  const auto after = find_after_call(reader, id).value_or(std::nullopt);
  if (!after) return Json::null();
  const auto found = reader.find({.id = after->id}).value_or(std::vector<JournalEntry>{});
  return Json::object({{"id", Json::string(after->id)},
                       {"after_ms", Json::number(after->after_ms)},
                       {"outcome", found.empty() ? Json() : found.front().record["outcome"]}});
}

Answer show_event(Ui& ui, const HttpRequest& request) {
  auto query = query_of(request);
  if (!query) return std::unexpected(query.error());
  return ui.journal.with([&](JournalReader& reader) -> Answer {
    const auto past = find_past_event(reader, rest_of(request, "/api/event/"));
    if (!past) return fail(Errc::NotFound, past.error().message);
    const std::string id = text_of(past->record, "id");
    const auto test = fixture_of(ui.env, reader, {id});
    const Neighbours around = find_neighbours(reader, id, *query).value_or(Neighbours{});
    return Json::object({{"why", why_json(*past)},
                         {"lines", lines_json(*past)},
                         {"text", Json::string(why_text(*past, plain_console(), Zone::Local))},
                         {"record", past->record},
                         {"previous", text_or_null(around.previous)},
                         {"next", text_or_null(around.next)},
                         {"previous_stop", text_or_null(around.previous_stop)},
                         {"next_stop", text_or_null(around.next_stop)},
                         {"post", post_of(reader, id)},
                         {"test", test ? Json::string(*test) : Json::null()},
                         {"fire", fire_text(past->record)}});
  });
}

Answer show_today(Ui& ui, const HttpRequest& request) {
  const auto past =
      ui.journal.with([&](JournalReader& reader) { return find_past_event(reader, rest_of(request, "/api/today/")); });
  if (!past) return fail(Errc::NotFound, past.error().message);
  return decide_today(ui.env, past->record);
}

HttpResponse export_events(Ui& ui, const HttpRequest& request) {
  auto query = query_of(request);
  if (!query) return refuse(refusal_of(query.error()));
  if (const std::string session = request.parameter("session"); !session.empty()) query->session = session;
  const auto html = ui.journal.with([&](JournalReader& reader) { return export_html(reader, *query); });
  if (!html) return refuse(refusal_of(html.error()));
  return {.type = "text/html; charset=utf-8",
          .body = *html,
          .headers = {{"Content-Disposition", "attachment; filename=\"grapnel.html\""}}};
}

}  // namespace grapnel::cli
