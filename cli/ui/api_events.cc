#include <algorithm>

#include "base/error.h"
#include "cli/journal/journal_verbs.h"
#include "cli/journal/past_event.h"
#include "cli/ui/api.h"
#include "cli/ui/export.h"
#include "cli/ui/query.h"

namespace grapnel::cli {

namespace {

constexpr int64_t kUsualEvents = 200;
constexpr int64_t kMostEvents = 1000;
constexpr int kPingMs = 15000;
constexpr size_t kMaxLive = 500;  ///< events in one line; more of them come in the next ones

Json row_json(const JournalEntry& entry) {
  const Json& record = entry.record;
  return Json::object({{"id", record["id"]},
                       {"time", record["time"]},
                       {"event", record["event"]},
                       {"agent", record["dialect"]},
                       {"session", record["session"]},
                       {"project", record["project"]},
                       {"tool", record["tool"]},
                       {"subject", record["subject"]},
                       {"rewritten", record["rewritten_subject"]},
                       {"verdict", record["verdict"]},
                       {"would", record["would"]["verdict"]},
                       {"by", record["decided_by"]},
                       {"reason", record["reason"]},
                       {"answer", record["answer"]}});
}

Json rows_json(const std::vector<JournalEntry>& entries) {
  std::vector<Json> rows;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    if (!entry->record["background"]) rows.push_back(row_json(*entry));
  }
  return Json::array(rows);
}

/// A shell command that fires the event again; missing if the payload is not on record.
Json fire_text(const Json& record) {
  if (!record["payload"].is_object()) return Json::null();
  return Json::string("grapnel fire " + text_of(record, "event") + " --as " + text_of(record, "dialect") +
                      " <<'END'\n" + record["payload"].dump() + "\nEND\n");
}

/// A console without colours, for texts that are shown elsewhere.
Console plain_console() {
  return Console(Environment{"NO_COLOR=1"});
}

}  // namespace

Answer list_events(Ui& ui, const HttpRequest& request) {
  const auto limit = std::clamp(number_in(request, "limit").value_or(kUsualEvents), int64_t{1}, kMostEvents);
  return ui.journal.with([&](JournalReader& reader) -> Answer {
    const auto entries = reader.find({.limit = static_cast<size_t>(limit)});
    if (!entries) return std::unexpected(entries.error());
    return Json::object({{"events", rows_json(*entries)}, {"next", Json::null()}});
  });
}

Answer show_event(Ui& ui, const HttpRequest& request) {
  const std::string id = rest_of(request, "/api/event/");
  return ui.journal.with([&](JournalReader& reader) -> Answer {
    const auto past = find_past_event(reader, id);
    if (!past) return fail(Errc::NotFound, past.error().message);
    const auto test = fixture_of(ui.env, reader, {text_of(past->record, "id")});
    return Json::object({{"why", why_json(*past)},
                         {"text", Json::string(why_text(*past, plain_console(), Zone::Local))},
                         {"record", past->record},
                         {"previous", Json::null()},
                         {"next", Json::null()},
                         {"previous_stop", Json::null()},
                         {"next_stop", Json::null()},
                         {"post", Json::null()},
                         {"test", test ? Json::string(*test) : Json::null()},
                         {"fire", fire_text(past->record)}});
  });
}

HttpResponse export_events(Ui& ui, const HttpRequest& request) {
  auto query = query_of(request);
  if (!query) return refuse(refusal_of(query.error()));
  query->session = request.parameter("session");
  const auto html = ui.journal.with([&](JournalReader& reader) { return export_html(reader, *query); });
  if (!html) return refuse(refusal_of(html.error()));
  return {.type = "text/html; charset=utf-8",
          .body = *html,
          .headers = {{"Content-Disposition", "attachment; filename=\"grapnel.html\""}}};
}

HttpResponse follow_events(Ui& ui, const HttpRequest& request) {
  int64_t after = number_in(request, "after").value_or(-1);
  return {.type = "application/x-ndjson", .stream = [&ui, after](HttpStream& stream) mutable {
            const Bell::Listener listener(ui.bell);
            if (after < 0) {
              after = ui.journal.with([](JournalReader& reader) {
                const auto newest = reader.find({.limit = 1});
                return newest && !newest->empty() ? newest->back().number : 0;
              });
            }
            while (true) {
              const auto entries =
                  ui.journal.with([&](JournalReader& reader) { return reader.find({.after = after}); });
              std::string lines;
              if (entries && !entries->empty()) {
                const Json line =
                    Json::object({{"events", rows_json(*entries)}, {"after", Json::number(entries->back().number)}});
                after = entries->back().number;
                lines = line.dump() + "\n";
              } else {
                lines = "{\"ping\":1}\n";
              }
              if (!stream.send(lines) || !stream.wait_for(listener.fd(), kPingMs)) return;
              listener.calm();
            }
          }};
}

}  // namespace grapnel::cli
