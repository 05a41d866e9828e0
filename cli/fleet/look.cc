#include <charconv>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/fleet/fleet_verbs.h"
#include "cli/fleet/nats_server.h"
#include "cli/fleet/policy_home.h"
#include "cli/fleet/queries.h"
#include "cli/fleet/server_version.h"
#include "cli/fleet_command.h"
#include "cli/hook_text.h"
#include "cli/journal/log_table.h"
#include "cli/journal/past_event.h"
#include "cli/nats_version.h"
#include "fleet/outbox.h"
#include "plan/registry_snapshot.h"
#include "record/lost_records.h"

namespace grapnel::cli {

namespace {

constexpr size_t kShortId = 8;
constexpr std::chrono::seconds kSilent{60};  ///< six heartbeats

/// A time as records have it: how long ago, or a date. Fails: BadInput.
Result<std::string> time_of(const Arguments& args, std::string_view option) {
  const std::string text = args.text(option);
  if (text.empty()) return text;
  if (const auto span = read_span(text, {})) return format_timestamp(std::chrono::system_clock::now() - *span);
  if (auto time = record_time(text, zone_of(args))) return *time;
  return fail(Errc::BadInput, "'" + printable(text) + "' is not a time; write 10m, 2h, 7d or 2026-01-31T10:30");
}

Result<fleet::RecordFilter> filter_of(const Arguments& args) {
  auto since = time_of(args, "--since");
  auto until = since ? time_of(args, "--until") : since;
  if (!until) return std::unexpected(until.error());
  fleet::RecordFilter out;
  out.since = *since;
  out.until = *until;
  out.machine = args.text("--machine");
  out.verdict = args.text("--verdict");
  out.tool = args.text("--tool");
  out.hook = args.text("--hook");
  out.session = args.text("--session");
  out.text = args.text("--text");
  out.agent = args.text("--agent");
  out.would = args.has("--would");
  if (args.has("--event")) {
    const auto event = find_event(args.text("--event"));
    if (!event) return std::unexpected(event.error());
    out.event = to_string(*event);
  }
  if (!args.has("--limit")) return out;
  const std::string limit = args.text("--limit");
  const auto [end, error] = std::from_chars(limit.data(), limit.data() + limit.size(), out.limit);
  if (error == std::errc() && end == limit.data() + limit.size() && out.limit >= 0) return out;
  return fail(Errc::BadInput, "'" + printable(limit) + "' is not a number");
}

void print_records(Invocation& in, const std::vector<fleet::CentralRecord>& records) {
  Table table({{"", 0}, {"", 0}, {"", 12}, {"", 0}, {"", 0}, {"", 12}, {"", 16}, {"", 20}});
  for (const fleet::CentralRecord& one : records) {
    const std::string time = time_text(text_of(one.record, "time"), zone_of(in.args));
    std::vector<Cell> row = log_row(one.record, time, text_of(one.record, "id").substr(0, kShortId));
    row.insert(row.begin(), {{time.substr(0, std::min<size_t>(10, time.size())), Style::Dim}, {one.machine}});
    std::swap(row[1], row[2]);
    table.add(std::move(row));
  }
  in.console.out(records.empty() ? "No recorded event matches.\n" : table.text(in.console));
}

std::string ago_text(const std::string& time) {
  if (time.empty()) return "never";
  return time_text(time);
}

std::string bytes_text(int64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + " B";
  return bytes < (1 << 20) ? std::to_string(bytes >> 10) + " KiB" : std::to_string(bytes >> 20) + " MiB";
}

/// What people should know about a machine, worst first.
std::vector<std::string> remarks_on(const Json& machine) {
  const Json state = machine["state"];
  std::vector<std::string> out;
  const std::string silent_since = format_timestamp(std::chrono::system_clock::now() - kSilent);
  if (text_of(machine, "seen") < silent_since) out.emplace_back("silent");
  if (state["policy_expired"].as_bool().value_or(false)) out.emplace_back("policy expired");
  if (state["policy_was_changed_here"].as_bool().value_or(false)) out.emplace_back("policy was changed there");
  if (const auto lost = state["lost"].as_integer().value_or(0); lost > 0) {
    out.push_back(count_text(static_cast<size_t>(lost), "record") + " lost");
  }
  for (const Json& why : state["policy_refusals"].elements()) out.push_back(why.as_string().value_or(""));
  return out;
}

/// The answer of the collector, with what people should know about each machine.
Json with_remarks(const Json& fleet) {
  std::vector<Json> machines;
  for (const Json& machine : fleet["machines"].elements()) {
    std::vector<Json> remarks;
    for (const std::string& remark : remarks_on(machine)) remarks.push_back(Json::string(remark));
    machines.push_back(machine.with("remarks", Json::array(remarks)));
  }
  return fleet.with("machines", Json::array(machines));
}

std::string policy_cell(const Json& policy) {
  if (!policy.is_object()) return "none";
  return "v" + std::to_string(policy["version"].as_integer().value_or(0)) + " " + text_of(policy, "name");
}

Json denies_of_day(Courier& courier) {
  const std::string yesterday = format_timestamp(std::chrono::system_clock::now() - std::chrono::hours(24));
  const fleet::RecordFilter filter{.since = yesterday, .verdict = "deny"};
  const auto stats =
      ask_collector(courier, Json::object({{"what", Json::string("stats")}, {"filter", filter_json(filter)}}));
  std::vector<Json> out;
  if (!stats) return Json::array();
  for (const Json& hook : (*stats)["hooks"].elements()) {
    if (hook["denials"].as_integer().value_or(0) == 0) continue;
    out.push_back(Json::object({{"hook", hook["name"]}, {"denials", hook["denials"]}, {"machines", hook["machines"]}}));
  }
  return Json::array(out);
}

/// The servers and their versions, as they say them themselves.
Json servers_of(const Environment& env) {
  std::vector<Json> out;
  for (const std::string& url : urls_of(FleetHome(env).load().value_or(FleetHome::State{}).address.url)) {
    const auto version = server_version(url);
    const std::string trouble = version ? trouble_with_server(*version) : version.error().message;
    out.push_back(Json::object({{"url", Json::string(url)},
                                {"version", version ? Json::string(*version) : Json::null()},
                                {"trouble", trouble.empty() ? Json::null() : Json::string(trouble)}}));
  }
  return Json::array(out);
}

void print_fleet(Invocation& in, const Json& fleet) {
  const Json denies = fleet["denies"];
  Table table({{"machine", 12},
               {"seen", 0},
               {"version", 0},
               {"channel", 0},
               {"policy", 0},
               {"records", 0, Keep::Start, true},
               {"waiting", 0, Keep::Start, true},
               {"remarks", 20}});
  for (const Json& machine : fleet["machines"].elements()) {
    const Json state = machine["state"];
    table.add({{text_of(machine, "machine")},
               {ago_text(text_of(machine, "seen"))},
               {text_of(state, "version")},
               {text_of(state, "channel")},
               {policy_cell(state["policy"])},
               {std::to_string(machine["records"].as_integer().value_or(0))},
               {bytes_text(state["waiting_bytes"].as_integer().value_or(0))},
               {text::join(remarks_on(machine), "; "), Style::Yellow}});
  }
  in.console.out(table.empty() ? "No machine has joined yet; `grapnel fleet token` prints a token for one.\n"
                               : table.text(in.console));
  in.console.out("The central store has received " +
                 count_text(static_cast<size_t>(fleet["records"].as_integer().value_or(0)), "record") + ".\n");
  for (const Json& deny : denies.elements()) {
    in.console.out(printable(text_of(deny, "hook")) + " denied " +
                   std::to_string(deny["denials"].as_integer().value_or(0)) + " in the last 24 hours, on " +
                   count_text(static_cast<size_t>(deny["machines"].as_integer().value_or(0)), "machine") + ".\n");
  }
  for (const Json& server : fleet["servers"].elements()) {
    if (server["trouble"].is_string())
      in.console.out(printable(text_of(server, "url")) + ": " + printable(text_of(server, "trouble")) + ".\n");
  }
}

int show_fleet(Invocation& in, Courier& courier) {
  const auto fleet = ask_for_machines(courier);
  if (!fleet) return report_failure(in, fleet.error());
  const Json all = with_remarks(*fleet).with("denies", denies_of_day(courier)).with("servers", servers_of(in.env));
  if (in.args.has("--json")) {
    in.console.out(all.dump(JsonStyle::Pretty) + "\n");
  } else {
    print_fleet(in, all);
  }
  return kOk;
}

/// What this machine knows of itself, without asking anybody.
int show_machine(Invocation& in, const MachineHome& home, const MachineHome::State& machine) {
  const PolicyState policy = PolicyHome(home).load();
  const int64_t waiting = fleet::Outbox(in.env.state_dir()).waiting_bytes(home.mark());
  const bool is_running = running_process(home.path("machine.pid"), kFleetProgram) != 0;
  const Json json = policy.to_json()
                        .with("machine", Json::string(machine.machine))
                        .with("url", Json::string(machine.address.url))
                        .with("channel", Json::string(machine.channel))
                        .with("running", Json::boolean(is_running))
                        .with("waiting_bytes", Json::number(waiting))
                        .with("lost", Json::number(static_cast<int64_t>(read_lost(in.env.state_dir()).count)));
  std::string text = "This machine is " + machine.machine + ", of the fleet at " + machine.address.url + ".\n";
  text += !policy.current
              ? "It has no policy yet, from the channel " + machine.channel + ".\n"
              : "Policy: version " + std::to_string(policy.current->version) + " (" + printable(policy.current->name) +
                    ") of the channel " + machine.channel + ", until " + policy.current->expires.substr(0, 10) +
                    (policy.is_expired(now_text()) ? ", expired: it still holds, but nobody has renewed it" : "") +
                    ".\n";
  if (policy.was_changed_here) text += "Its files were changed here, and were put back.\n";
  for (const std::string& why : policy.refusals) text += printable(why) + ".\n";
  if (!is_running)
    text += "Its program does not run, so nothing is sent and no policy comes: `grapnel fleet machine` is that.\n";
  text += waiting == 0 ? "All records are in the central store.\n" : bytes_text(waiting) + " of records wait here.\n";
  return print_done(in, json, text);
}

}  // namespace

Result<std::unique_ptr<Courier>> connect_to_read(const Environment& env) {
  const FleetHome home(env);
  if (!home.exists() && MachineHome(env).load())
    return fail(Errc::NotFound,
                "this is a machine of a fleet, and may not read; in the office, `grapnel fleet token --role reader` "
                "makes a token for `grapnel fleet join` here");
  auto courier = home.connect("operator");
  if (courier || courier.error().code != Errc::NotFound) return courier;
  auto reader = home.connect("reader");
  return reader || reader.error().code != Errc::NotFound ? std::move(reader) : std::move(courier);
}

int fleet_status(Invocation& in) {
  const auto courier = connect_to_read(in.env);
  if (courier) return show_fleet(in, **courier);
  const MachineHome home(in.env);
  const auto machine = home.load();
  // Whoever runs the fleet wants to know that it does not answer.
  const bool is_operator = courier.error().code != Errc::NotFound;
  if (is_operator || !machine) return report_failure(in, courier.error());
  return show_machine(in, home, *machine);
}

int fleet_log(Invocation& in) {
  const auto filter = filter_of(in.args);
  if (!filter) return report_failure(in, filter.error());
  const auto courier = connect_to_read(in.env);
  const auto records = courier ? ask_for_records(**courier, *filter) : std::unexpected(courier.error());
  if (!records) return report_failure(in, records.error());
  if (!in.args.has("--json")) {
    print_records(in, *records);
    return kOk;
  }
  for (const fleet::CentralRecord& one : *records) {
    in.console.out(Json::object({{"machine", Json::string(one.machine)}, {"record", one.record}}).dump() + "\n");
  }
  return kOk;
}

int fleet_why(Invocation& in) {
  const auto words = words_of(in, 1, 1, "the id of an event, or its beginning");
  if (!words) return kBadUsage;
  const auto courier = connect_to_read(in.env);
  const auto records =
      courier ? ask_for_records(**courier, {.id = words->front(), .limit = 100}) : std::unexpected(courier.error());
  if (!records) return report_failure(in, records.error());
  if (records->empty())
    return report_input(in.console, "no event in the central store has the id '" + printable(words->front()) + "'");
  PastEvent past;
  std::string machine;
  for (const fleet::CentralRecord& one : *records) {
    const std::string id = text_of(one.record, "id");
    const bool is_other = past.record && text_of(past.record, "id") != id;
    if (is_other) return report_input(in.console, "more than one id begins with '" + printable(words->front()) + "'");
    machine = one.machine;
    if (one.record["background"]) {
      past.later.push_back(one.record);
    } else {
      past.record = one.record;
    }
  }
  if (!past.record) past.record = past.later.front();
  const auto registry = ask_collector(
      **courier,
      Json::object({{"what", Json::string("registry")}, {"digest", Json::string(text_of(past.record, "registry"))}}));
  if (registry) {
    if (auto read = read_snapshot((*registry)["registry"])) past.registry = std::move(*read);
  }
  const Json json = why_json(past).with("machine", Json::string(machine));
  return print_done(in, json, "machine   " + printable(machine) + "\n" + why_text(past, in.console, zone_of(in.args)));
}

int fleet_stats(Invocation& in) {
  const auto filter = filter_of(in.args);
  if (!filter) return report_failure(in, filter.error());
  const auto courier = connect_to_read(in.env);
  if (!courier) return report_failure(in, courier.error());
  const auto stats =
      ask_collector(**courier, Json::object({{"what", Json::string("stats")}, {"filter", filter_json(*filter)}}));
  if (!stats) return report_failure(in, stats.error());
  if (in.args.has("--json")) {
    in.console.out(stats->dump(JsonStyle::Pretty) + "\n");
    return kOk;
  }
  std::vector<Column> columns = {{"hook", 12}};
  for (const char* title : {"runs", "failed", "denied", "asked", "would deny", "would ask", "skipped", "machines"}) {
    columns.push_back({title, 0, Keep::Start, true});
  }
  Table table(std::move(columns));
  for (const Json& hook : (*stats)["hooks"].elements()) {
    const auto count = [&](std::string_view key) {
      const int64_t value = hook[key].as_integer().value_or(0);
      return Cell{value == 0 ? "" : std::to_string(value)};
    };
    table.add({{text_of(hook, "name")},
               count("runs"),
               count("failures"),
               count("denials"),
               count("asks"),
               count("would_deny"),
               count("would_ask"),
               count("skipped"),
               count("machines")});
  }
  in.console.out(table.empty() ? "No hook took part in a matching event.\n" : table.text(in.console));
  return kOk;
}

}  // namespace grapnel::cli
