#include <filesystem>

#include "base/error.h"
#include "cli/fleet/export_sink.h"
#include "cli/fleet/fleet_verbs.h"
#include "cli/fleet/queries.h"
#include "cli/fleet/stop_signal.h"
#include "cli/hook_text.h"
#include "trust/private_file.h"
#include "trust/sha256.h"

namespace grapnel::cli {

namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kDrainedPause{1000};
constexpr std::chrono::milliseconds kFirstPause{250};
constexpr std::chrono::milliseconds kLastPause{60'000};
constexpr size_t kMaxCursor = 4096;

/// How far an export is: the last row that the other side has taken.
struct Cursor {
  int64_t number = 0;
  std::string hash;
};

/// Reads pages of the central store and delivers them. The cursor moves after a page has been taken, so whatever
/// happens in between, the page is delivered again: at least once, and never more than a page in memory.
class Exporter {
 public:
  Exporter(Invocation& in, ExportSink& sink, std::string cursor_file)
      : in_(in), sink_(sink), cursor_file_(std::move(cursor_file)) {}

  /// True if there may be more. Fails: Unavailable when it may succeed later; other errors are for people.
  Result<bool> turn() {
    if (!courier_) {
      auto courier = connect_to_read(in_.env);
      if (!courier) return std::unexpected(courier.error());
      courier_ = std::move(*courier);
      read_cursor();
    }
    const auto page = ask_for_export(*courier_, {.after = cursor_.number, .limit = 0}, cursor_.hash);
    if (!page) {
      courier_.reset();
      // Also when the collector cannot read its database, which may come back.
      return fail(Errc::Unavailable, page.error().message);
    }
    if (page->begins_again) {
      in_.console.say("the central store is not the one of before, so the export begins again with its first record");
      cursor_ = {};
    }
    if (page->records.empty()) return false;
    if (auto done = sink_.deliver(page->records); !done) return std::unexpected(done.error());
    count_ += static_cast<int64_t>(page->records.size());
    cursor_ = {page->records.back().number, page->records.back().hash};
    if (auto done = save_cursor(); !done) return std::unexpected(done.error());
    return true;
  }

  int64_t count() const { return count_; }
  const Cursor& cursor() const { return cursor_; }

 private:
  void read_cursor() {
    const auto text = read_private_file(cursor_file_, kMaxCursor);
    const Json json = text && *text ? Json::parse(**text).value_or(Json()) : Json();
    cursor_ = {json["number"].as_integer().value_or(0), json["hash"].as_string().value_or("")};
  }

  Result<void> save_cursor() const {
    const Json json = Json::object({{"target", Json::string(sink_.target())},
                                    {"number", Json::number(cursor_.number)},
                                    {"hash", Json::string(cursor_.hash)}});
    return write_private_file(cursor_file_, json.dump() + "\n");
  }

  Invocation& in_;
  ExportSink& sink_;
  std::string cursor_file_;
  std::unique_ptr<Courier> courier_;
  Cursor cursor_;
  int64_t count_ = 0;
};

Result<std::unique_ptr<ExportSink>> sink_of(Invocation& in) {
  const bool is_otlp = in.args.has("--otlp");
  if (is_otlp == in.args.has("--jsonl"))
    return fail(Errc::BadInput, "grapnel fleet export takes --otlp URL or --jsonl FILE");
  if (is_otlp) return make_otlp_sink(in.args.text("--otlp"), in.env, in.console);
  const std::string file = in.args.text("--jsonl");
  std::error_code error;
  return make_line_sink(file == "-" ? file : std::filesystem::absolute(file, error).string(), in.console);
}

/// Until everything is delivered, or, with `--follow`, until it is told to stop. Without success for longer than the
/// patience it gives up, unless it follows.
Result<void> run_export(Invocation& in, Exporter& exporter, StopSignal& stop, std::chrono::milliseconds patience) {
  const bool follows = in.args.has("--follow");
  auto since = steady_clock::now();
  auto pause = kFirstPause;
  std::string said;
  while (!stop.is_stopped()) {
    const auto turn = exporter.turn();
    if (turn) {
      since = steady_clock::now();
      pause = kFirstPause;
      said.clear();
      if (!*turn && !follows) return {};
      stop.wait(*turn ? std::chrono::milliseconds(0) : kDrainedPause);
      continue;
    }
    const bool may_help = turn.error().code == Errc::Unavailable;
    if (!may_help || (!follows && steady_clock::now() - since > patience)) return std::unexpected(turn.error());
    if (said != turn.error().message) in.console.say(now_text() + " " + printable(turn.error().message));
    said = turn.error().message;
    stop.wait(pause);
    pause = std::min(pause * 2, kLastPause);
  }
  return {};
}

}  // namespace

int fleet_export(Invocation& in) {
  const auto sink = sink_of(in);
  if (!sink) return report_failure(in, sink.error());
  const auto patience = wait_of(in.args);
  if (!patience) return report_failure(in, patience.error());
  const std::string base = FleetHome(in.env).path("export/" + sha256_of((*sink)->target()).substr(0, 16));
  StopSignal stop;
  const auto lock = PidFile::take(base + ".pid");
  if (!lock) return report_failure(in, lock.error());
  Exporter exporter(in, **sink, base + ".json");
  const auto done = run_export(in, exporter, stop, *patience);
  if (!done) {
    const int status = report_failure(in, done.error());
    return status == kInternal ? int{kNo} : status;
  }
  if (in.args.text("--jsonl") == "-") return kOk;
  const int64_t refused = (*sink)->refused();
  const Json json = Json::object({{"exported", Json::number(exporter.count())},
                                  {"refused", Json::number(refused)},
                                  {"number", Json::number(exporter.cursor().number)}});
  return print_done(in, json,
                    "Exported " + count_text(static_cast<size_t>(exporter.count()), "record") +
                        (refused > 0 ? "; " + std::to_string(refused) + " were not taken" : "") + ".\n");
}

}  // namespace grapnel::cli
