#include <algorithm>
#include <csignal>
#include <thread>

#include "base/error.h"
#include "base/text.h"
#include "cli/fleet/fleet_verbs.h"
#include "cli/fleet/nats_server.h"
#include "cli/fleet/queries.h"
#include "os/files.h"

namespace grapnel::cli {

namespace {

constexpr std::string_view kUsualListen = "127.0.0.1:4222";
constexpr std::chrono::hours kYear{24 * 365};
constexpr std::chrono::seconds kCollectorPatience{30};
constexpr std::chrono::seconds kQuestionPatience{2};
constexpr std::chrono::milliseconds kCollectorPause{50};

/// Where the server listens, with a port that is free and not 0. Fails: BadInput, System.
Result<std::string> listen_of(const Arguments& args) {
  const auto address = read_address(args.has("--listen") ? args.text("--listen") : std::string(kUsualListen));
  if (!address) return fail(Errc::BadInput, "--listen " + address.error().message);
  // With --no-start it is for later.
  if (address->port != 0 && args.has("--no-start")) return address->host + ":" + std::to_string(address->port);
  const auto port = free_port(address->port);
  if (!port) return fail(port.error().code, "--listen: " + port.error().message);
  return address->host + ":" + std::to_string(*port);
}

std::vector<std::string> hosts_of(const Arguments& args) {
  std::vector<std::string> hosts = {"localhost", "127.0.0.1"};
  const auto& more = args.all("--host");
  hosts.insert(hosts.end(), more.begin(), more.end());
  return hosts;
}

/// Makes a key and stores it. Returns its public half.
Result<std::string> new_key(const FleetHome& home, const std::string& name, fleet::KeyKind kind) {
  const auto key = fleet::KeyPair::make(kind);
  if (!key) return std::unexpected(key.error());
  if (auto done = home.save_key(name, *key); !done) return std::unexpected(done.error());
  return key->public_key();
}

Result<void> make_keys(const FleetHome& home, FleetHome::State& state) {
  struct Wanted {
    std::string name;
    fleet::KeyKind kind;
    std::string* to;
  };
  std::string op;
  std::vector<Wanted> all = {{"operator", fleet::KeyKind::Operator, &op},
                             {"fleet", fleet::KeyKind::Account, &state.keys.fleet},
                             {"agents", fleet::KeyKind::Account, &state.keys.agents},
                             {"system", fleet::KeyKind::Account, &state.keys.system},
                             {"policy", fleet::KeyKind::Operator, &state.address.policy_keys.emplace_back()}};
  for (const fleet::RoleRow& role : fleet::all_roles()) {
    const std::string name(role.name);
    all.push_back({"role-" + name, fleet::KeyKind::Account, &state.keys.role_keys[name]});
  }
  for (const Wanted& wanted : all) {
    auto key = new_key(home, wanted.name, wanted.kind);
    if (!key) return std::unexpected(key.error());
    *wanted.to = *key;
  }
  state.address.approver_key = state.keys.role_keys["approver"];
  state.address.collector_key = state.keys.role_keys["collector"];
  return {};
}

/// Credentials for the people and programs on this computer.
Result<void> make_own_creds(const FleetHome& home, const FleetHome::State& state) {
  for (const char* role : {"collector", "operator"}) {
    const auto user = make_user(home, state, role, std::string(role) + "-" + fleet::random_hex(4), kYear);
    if (!user) return std::unexpected(user.error());
    if (auto done = home.save_creds(role, user->name, user->creds); !done) return done;
  }
  return {};
}

/// One server, or a cluster. Returns the names for the certificate.
Result<std::vector<std::string>> choose_servers(const Arguments& args, FleetHome::State& state) {
  auto hosts = hosts_of(args);
  const auto& nodes = args.all("--node");
  if (nodes.empty()) {
    const auto listen = listen_of(args);
    if (!listen) return std::unexpected(listen.error());
    state.listen = *listen;
    if (!is_loopback(*listen) && !args.has("--host"))
      return fail(Errc::BadInput,
                  "--listen " + printable(*listen) +
                      " is for other computers, too: give --host NAME, the name by which they reach it");
    // Machines elsewhere reach it by the first name that was given.
    state.address.url = "tls://" + (hosts.size() > 2 ? hosts[2] : hosts[0]) + listen->substr(listen->rfind(':'));
    return hosts;
  }
  if (args.has("--listen")) return fail(Errc::BadInput, "--listen is for one server, --node for a cluster");
  if (nodes.size() < 3) return fail(Errc::BadInput, "a cluster has three servers or more: give --node for each");
  for (const std::string& one : nodes) {
    const auto node = make_node(one);
    if (!node) return fail(node.error().code, "--node " + node.error().message);
    state.nodes.push_back(*node);
    state.address.url += (state.address.url.empty() ? "tls://" : ",tls://") + node->clients;
    hosts.push_back(node->clients.substr(0, node->clients.rfind(':')));
  }
  return hosts;
}

Result<FleetHome::State> make_fleet(const FleetHome& home, const Arguments& args) {
  FleetHome::State state;
  const auto chosen = choose_servers(args, state);
  if (!chosen) return std::unexpected(chosen.error());
  const std::vector<std::string>& hosts = *chosen;
  state.database = args.has("--database") ? args.text("--database") : home.path("central.db");
  // A file is made when it is needed. A server that nobody reaches would leave a fleet behind that cannot work.
  if (state.database.contains("://") && !args.has("--no-start")) {
    if (const auto store = fleet::CentralStore::open(state.database); !store)
      return fail(Errc::BadInput, "--database: " + store.error().message);
  }
  if (auto done = make_keys(home, state); !done) return std::unexpected(done.error());
  const auto op = home.key("operator");
  if (!op) return std::unexpected(op.error());
  if (auto done = write_server_files(home, state, *op, hosts, state.address.authority); !done) {
    return std::unexpected(done.error());
  }
  if (auto done = make_own_creds(home, state); !done) return std::unexpected(done.error());
  if (auto done = home.save(state); !done) return std::unexpected(done.error());
  return state;
}

bool runs_collector(const FleetHome& home) {
  return running_process(home.path("collector.pid"), "grapnel-fleet") != 0;
}

/// `: …`, or "" if nothing is in the file.
std::string last_line(const std::string& path) {
  constexpr size_t kMaxLog = size_t{1} << 20;
  const std::string text = os::read_file(path, kMaxLog).value_or("");
  const std::string_view all = text::trim(text);
  return all.empty() ? "" : ": " + printable(all.substr(all.rfind('\n') + 1));
}

/// Starts a collector if none runs, and waits until it can let machines join. Fails: Unavailable, with what it says.
Result<void> start_collector(const FleetHome& home, const Environment& env) {
  const auto courier = home.connect("operator");
  const bool may_ask = courier || courier.error().code != Errc::NotFound;
  if (!courier && may_ask) return std::unexpected(courier.error());
  const auto end = std::chrono::steady_clock::now() + kCollectorPatience;
  const Json question = Json::object({{"what", Json::string("key")}, {"machine", Json::string("")}});
  for (bool is_started = false;;) {
    // One that was killed a moment ago may still seem to run.
    if (!is_started && !runs_collector(home)) {
      is_started = true;
      if (auto done = start_own(env, {"collector"}, home.path("collector.log")); !done) return done;
    }
    if (!may_ask) return {};
    const auto answer = ask_collector(**courier, question, kQuestionPatience);
    if (answer) return {};
    if (std::chrono::steady_clock::now() > end)
      return fail(Errc::Unavailable, answer.error().message + "; its own words are in " +
                                         short_path(home.path("collector.log")) +
                                         last_line(home.path("collector.log")));
    std::this_thread::sleep_for(kCollectorPause);
  }
}

Result<void> start_all(const FleetHome& home, const FleetHome::State& state, const Environment& env) {
  if (auto done = start_server(home, state, env); !done) return done;
  if (auto done = make_streams(home, state); !done) return done;
  return start_collector(home, env);
}

}  // namespace

int fleet_init(Invocation& in) {
  const FleetHome home(in.env);
  if (home.exists()) {
    return report_input(in.console, "there is a fleet already, in " + short_path(home.directory()) +
                                        "; `grapnel fleet up` starts what does not run");
  }
  const auto state = make_fleet(home, in.args);
  if (!state) return report_failure(in, state.error());
  const auto places = places_of(home, *state);
  const bool is_here = std::ranges::all_of(places, &ServerPlace::is_here);
  const bool is_started = is_here && !in.args.has("--no-start");
  if (is_started) {
    if (auto done = start_all(home, *state, in.env); !done) return report_failure(in, done.error());
  }
  const Json json = Json::object({{"directory", Json::string(home.directory())},
                                  {"url", Json::string(state->address.url)},
                                  {"started", Json::boolean(is_started)}});
  const std::string elsewhere = "Nothing was started: take each directory of " + short_path(home.path("server")) +
                                " to its computer, and start `nats-server -c server.conf` in it; then `grapnel fleet "
                                "up` makes the streams and starts a collector here.\n";
  const std::string what = is_started ? "It runs at " + state->address.url + ", with a collector.\n"
                           : is_here  ? "Nothing was started; `grapnel fleet up` does that.\n"
                                      : elsewhere;
  return print_done(in, json,
                    "The fleet is in " + short_path(home.directory()) + ".\n" + what + "Take the keys " +
                        short_path(home.path("keys/operator.nk")) + " and " + short_path(home.path("keys/policy.nk")) +
                        " to a safe place when you do not need them.\n" +
                        "Next: `grapnel fleet token` prints a token, and `grapnel fleet join TOKEN` adds a machine.\n");
}

int fleet_up(Invocation& in) {
  const FleetHome home(in.env);
  const auto state = home.load();
  if (!state) return report_failure(in, state.error());
  if (auto done = start_all(home, *state, in.env); !done) return report_failure(in, done.error());
  return print_done(in, Json::object({{"url", Json::string(state->address.url)}}),
                    "The server and the collector run: " + state->address.url + "\n");
}

int fleet_down(Invocation& in) {
  const FleetHome home(in.env);
  std::vector<std::pair<std::string, std::string>> all = {{home.path("collector.pid"), "grapnel-fleet"}};
  for (const ServerPlace& place : places_of(home, home.load().value_or(FleetHome::State{})))
    all.emplace_back(place.path("nats.pid"), "nats-server");
  int count = 0;
  for (const auto& [file, program] : all) {
    const pid_t process = running_process(file, program);
    if (process > 0 && ::kill(process, SIGTERM) == 0) ++count;
  }
  return print_done(in, Json::object({{"ended", Json::number(int64_t{count})}}),
                    count == 0 ? "Nothing of the fleet runs here.\n" : "The server and the collector end.\n");
}

int fleet_token(Invocation& in) {
  const FleetHome home(in.env);
  const auto state = home.load();
  if (!state) return report_failure(in, state.error());
  const auto span = read_span(in.args.text("--expires"), std::chrono::hours(24));
  if (!span) return report_failure(in, span.error());
  const std::string role =
      !in.args.has("--role") || in.args.text("--role") == "machine" ? "join" : in.args.text("--role");
  const std::string name = in.args.has("--name") ? in.args.text("--name") : role + "-" + fleet::random_hex(4);
  const auto user = make_user(home, *state, role, name, *span);
  if (!user) return report_failure(in, user.error());
  const std::string token = Token{state->address, role, user->name, user->creds}.to_text();
  const Json json = Json::object({{"token", Json::string(token)},
                                  {"role", Json::string(role)},
                                  {"name", Json::string(user->name)},
                                  {"public_key", Json::string(user->public_key)}});
  return print_done(in, json, token + "\n");
}

}  // namespace grapnel::cli
