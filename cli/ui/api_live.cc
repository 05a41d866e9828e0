#include <algorithm>

#include "cli/ui/api.h"
#include "history/events.h"

namespace grapnel::cli {

namespace {

constexpr int kPingMs = 15000;
constexpr size_t kMaxLiveRows = 500;  ///< of one line; if there are more new events, only the newest are sent

/// The number of the newest record.
int64_t newest_number(JournalReader& reader) {
  const auto newest = reader.find({.limit = 1});
  return newest && !newest->empty() ? newest->back().number : 0;
}

/// What one page is told.
class LiveFeed {
 public:
  LiveFeed(Ui& ui, HttpRequest request, int64_t after) : ui_(ui), request_(std::move(request)), after_(after) {}

  void run(HttpStream& stream) {
    const Bell::Listener listener(ui_.bell);
    if (after_ < 0) after_ = ui_.journal.with(newest_number);
    // The first line says how things are now; after that, only what is new is said.
    for (std::string lines = "{\"ping\":1}\n" + news(); true; lines = news()) {
      if (lines.empty()) lines = "{\"ping\":1}\n";
      if (!stream.send(lines) || !stream.wait_for(listener.fd(), kPingMs)) return;
      listener.calm();
    }
  }

 private:
  /// Lines about everything that has changed since the last time.
  std::string news() {
    std::string out;
    if (!here_ && ui_.gate.is_unlocked(request_)) here_.emplace(ui_.presence);
    const auto add = [&](std::string_view name, const Json& value) {
      if (value) out += Json::object({{name, value}}).dump() + "\n";
    };
    add("events", new_events());
    add("about", changed(about(ui_, request_).value_or(Json()), about_));
    add("waiting", changed(list_approvals(ui_, request_).value_or(Json())["waiting"], waiting_));
    return out;
  }

  Json new_events() {
    const auto page =
        ui_.journal.with([&](JournalReader& reader) { return reader.find({.after = after_, .limit = kMaxLiveRows}); });
    // Numbers begin again when the journal has moved into memory.
    if (page && page->empty()) after_ = std::min(after_, ui_.journal.with(newest_number));
    if (!page || page->empty()) return {};
    after_ = page->back().number;
    std::vector<Json> rows;
    for (auto entry = page->rbegin(); entry != page->rend(); ++entry) {
      if (!entry->record["background"]) rows.push_back(event_row(*entry));
    }
    return rows.empty() ? Json() : Json::array(rows);
  }

  static Json changed(const Json& now, std::string& before) {
    std::string text = now.dump();
    if (text == before) return {};
    before = std::move(text);
    return now;
  }

  Ui& ui_;
  HttpRequest request_;
  int64_t after_;
  std::string about_, waiting_;
  std::optional<Presence::Here> here_;
};

}  // namespace

HttpResponse follow_events(Ui& ui, const HttpRequest& request) {
  const int64_t after = number_in(request, "after").value_or(-1);
  return {.type = "application/x-ndjson",
          .stream = [&ui, request, after](HttpStream& stream) { LiveFeed(ui, request, after).run(stream); }};
}

}  // namespace grapnel::cli
