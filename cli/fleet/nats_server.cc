#include "cli/fleet/nats_server.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <set>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/detach.h"
#include "fleet/subjects.h"
#include "fleet/tls.h"
#include "os/files.h"
#include "os/resolve.h"
#include "trust/private_file.h"

namespace grapnel::cli {

namespace {

constexpr std::chrono::seconds kStartPatience{20};
constexpr std::chrono::seconds kBusyPatience{90};
constexpr std::chrono::minutes kMinutes{10};
constexpr std::chrono::seconds kAnswerPatience{5};
constexpr int64_t kRecordBytes = int64_t{4} << 30;  ///< of all machines, while the collector is away
constexpr int64_t kBatchesOfMachine = 64;           ///< of one machine, 16 MiB; the rest waits in its journal
constexpr int64_t kSecond = 1'000'000'000;          ///< JetStream counts nanoseconds
constexpr int64_t kNotYet = 503;                    ///< JetStream's code
constexpr int64_t kNoPeers = 10005;                 ///< its detailed code: servers for all copies are not there yet
constexpr size_t kMostReplicas = 3;
constexpr uint16_t kRoutesBehind = 2000;  ///< of the port for clients, as NATS's 4222 and 6222

std::string quoted(const std::string& text) {
  return Json::string(text).dump();
}

/// What a cluster's server says of the others. They prove themselves with the certificate, which all of them have and
/// nobody else: whoever could join would see everything.
std::string cluster_text(const ServerPlace& place, const FleetHome::State& state) {
  if (place.routes.empty()) return "";
  std::string routes;
  for (const ServerNode& node : state.nodes) routes += "    " + quoted("nats-route://" + node.servers) + "\n";
  return "cluster {\n  name: grapnel\n  listen: " + quoted(place.routes) +
         "\n  tls {\n    cert_file: \"tls/server.pem\"\n    key_file: \"tls/server.key\"\n"
         "    ca_file: \"tls/authority.pem\"\n    verify: true\n    timeout: 5\n  }\n  routes: [\n" +
         routes + "  ]\n}\n";
}

std::string config_text(const ServerPlace& place, const FleetHome::State& state) {
  const bool is_alone = place.routes.empty();
  const auto file = [&](const std::string& name) { return quoted(is_alone ? place.path(name) : name); };
  return "# Written by `grapnel fleet init`.\n"
         "server_name: " +
         place.name + "\nlisten: " + quoted(place.listen) + "\npid_file: " + file("nats.pid") +
         "\nlog_file: " + file("nats.log") +
         "\nlogfile_size_limit: 10MB\n"
         "max_payload: 4MB\n"
         "max_pending: 64MB\n"
         "jetstream {\n  store_dir: " +
         file("store") + "\n  max_mem: 64MB\n  max_file: 8GB\n}\n" + "tls {\n  cert_file: " + file("tls/server.pem") +
         "\n  key_file: " + file("tls/server.key") + "\n  timeout: 5\n}\n" + cluster_text(place, state) +
         "operator: " + file("operator.jwt") + "\nsystem_account: " + state.keys.system +
         "\nresolver {\n  type: full\n  dir: " + file("jwt") +
         "\n  allow_delete: false\n"
         "  interval: \"2m\"\n}\n";
}

/// A user who may do everything in an account, for the next minutes.
Result<std::unique_ptr<Courier>> connect_as_account(const FleetHome& home, const FleetHome::State& state,
                                                    const std::string& key_name) {
  const auto key = home.key(key_name);
  if (!key) return std::unexpected(key.error());
  const auto user = fleet::KeyPair::make(fleet::KeyKind::User);
  if (!user) return std::unexpected(user.error());
  const auto now = std::chrono::system_clock::now();
  const std::string name = "setup-" + fleet::random_hex(4);
  const std::string jwt = fleet::full_user_jwt(*key, user->public_key(), name, now, now + kMinutes);
  return Courier::connect({.url = state.address.url,
                           .authority = state.address.authority,
                           .name = name,
                           .creds = [text = fleet::creds_text(jwt, user->seed())] { return text; }});
}

struct StreamRow {
  std::string_view name;
  std::string_view subject;
  bool is_queue = false;  ///< a message leaves when it is acknowledged
  int64_t max_bytes = -1;
  int64_t per_subject = -1;
  bool refuses_more = false;  ///< of one subject, too
  std::chrono::hours max_age{0};
  bool may_delete = false;
};
constexpr auto kStreams = std::to_array<StreamRow>({
    {fleet::kRecordStream, "rec.*", true, kRecordBytes, kBatchesOfMachine, true},
    // Machines send a job again until it is over. One that still waits is refused the second time.
    {fleet::kJobStream, "job.*.*", true, int64_t{1} << 30, 1, true},
    {fleet::kDoneStream, "done.*.*", false, int64_t{1} << 28, 1, false, std::chrono::hours(24 * 30)},
    {fleet::kDeadStream, "dead.*.*", false, int64_t{1} << 30, 1, false, {}, true},
    {fleet::kBlobStream, "blob.*.*", false, int64_t{1} << 30, 1, false},
    {fleet::kMarkBucket, "$KV.mark.>", false, int64_t{1} << 28, 1, false},
    {fleet::kPolicyBucket, "$KV.policy.>", false, int64_t{1} << 28, 16, false},
});

// No dedupe by message id: it is for the whole stream, so a machine could suppress another's records with guessed ids.
Json stream_json(const StreamRow& row, size_t replicas) {
  return Json::object({{"name", Json::string(row.name)},
                       {"subjects", Json::array({Json::string(row.subject)})},
                       {"retention", Json::string(row.is_queue ? "workqueue" : "limits")},
                       {"storage", Json::string("file")},
                       {"discard", Json::string("new")},
                       {"discard_new_per_subject", row.refuses_more ? Json::boolean(true) : Json()},
                       {"max_bytes", Json::number(row.max_bytes)},
                       {"max_msgs_per_subject", Json::number(row.per_subject)},
                       {"max_msgs", Json::number(int64_t{-1})},
                       {"max_consumers", Json::number(int64_t{-1})},
                       {"max_age", Json::number(std::chrono::nanoseconds(row.max_age).count())},
                       {"num_replicas", Json::number(static_cast<int64_t>(replicas))},
                       {"allow_direct", Json::boolean(!row.is_queue)},
                       {"deny_delete", Json::boolean(!row.is_queue && !row.may_delete)}});
}

/// Where collectors and workers get their messages. What is not acknowledged in time comes again.
struct ConsumerRow {
  std::string_view stream;
  std::string_view name;
};
constexpr auto kConsumers = std::to_array<ConsumerRow>({
    {fleet::kRecordStream, fleet::kCollector},
    {fleet::kJobStream, fleet::kWorkers},
});

Json consumer_json(const ConsumerRow& row) {
  const Json config = Json::object({{"durable_name", Json::string(row.name)},
                                    {"ack_policy", Json::string("explicit")},
                                    {"deliver_policy", Json::string("all")},
                                    {"ack_wait", Json::number(30 * kSecond)},
                                    {"max_ack_pending", Json::number(int64_t{1000})},
                                    {"max_deliver", Json::number(int64_t{-1})},
                                    {"replay_policy", Json::string("instant")}});
  return Json::object({{"stream_name", Json::string(row.stream)}, {"config", config}});
}

/// What JetStream answers, also if it is an error. A cluster that has just started has no leader yet, or not all of its
/// servers, and says so or nothing; then it is asked again. Fails: Unavailable.
Result<Json> ask_jetstream(Courier& courier, const std::string& subject, const std::string& body = {}) {
  const auto end = std::chrono::steady_clock::now() + kStartPatience;
  for (;;) {
    const auto answer = courier.request("$JS.API." + subject, body, kAnswerPatience);
    const Json said = answer ? Json::parse(answer->body).value_or(Json()) : Json();
    const Json error = said["error"];
    const bool is_too_early = error["code"].as_integer() == kNotYet || error["err_code"].as_integer() == kNoPeers;
    if (answer && !is_too_early) return said;
    if (std::chrono::steady_clock::now() > end) {
      if (!answer) return std::unexpected(answer.error());
      return fail(Errc::Unavailable, subject + ": " + error["description"].as_string().value_or(""));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

/// Starts the server of this computer. Fails: NotFound without nats-server; System.
Result<void> start_process(const ServerPlace& place, const Environment& env) {
  const std::string path = std::string(env.get("PATH")) + ":/usr/sbin:/usr/local/sbin:/usr/local/bin";
  const auto program = os::find_executable("nats-server", path, ".");
  if (!program) return fail(Errc::NotFound, "nats-server is not installed; Debian's package has that name");
  const std::string config = place.path("server.conf");
  const bool is_started = detach({[&] {
    if (::chdir(place.directory.c_str()) != 0) ::_exit(127);
    ::execl(program->c_str(), "nats-server", "-c", config.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }});
  return is_started ? Result<void>() : fail_errno("cannot start nats-server");
}

/// Makes a stream or a consumer unless it is there. What people changed in it stays.
Result<void> make_if_missing(Courier& courier, const std::string& info, const std::string& create, const Json& wish) {
  const auto known = ask_jetstream(courier, info);
  if (!known) return std::unexpected(known.error());
  if (!(*known)["error"]) return {};
  const auto made = ask_jetstream(courier, create, wish.dump());
  if (!made) return std::unexpected(made.error());
  if (!(*made)["error"]) return {};
  return fail(Errc::Refused, create + ": " + (*made)["error"]["description"].as_string().value_or(""));
}

}  // namespace

bool is_loopback(std::string_view listen) {
  const std::string_view host = listen.substr(0, listen.rfind(':'));
  return host == "localhost" || host.starts_with("127.") || host == "[::1]";
}

Result<uint16_t> free_port(uint16_t wanted) {
  const UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  // As the server does it: connections that have just ended do not matter.
  const int yes = 1;
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(wanted);
  socklen_t size = sizeof address;
  auto* const raw = reinterpret_cast<sockaddr*>(&address);
  if (!socket || ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0 ||
      ::bind(socket.get(), raw, size) != 0 || ::getsockname(socket.get(), raw, &size) != 0) {
    if (errno == EADDRINUSE)
      return fail(Errc::BadInput, "something listens at port " + std::to_string(wanted) +
                                      " already; choose another one, or 0 for any that is free");
    return fail_errno("cannot find a free port");
  }
  return ntohs(address.sin_port);
}

Result<HostAndPort> read_address(const std::string& text, unsigned most) {
  const size_t colon = text.rfind(':');
  unsigned port = 0;
  const char* const begin = text.data() + std::min(text.size(), colon + 1);
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), port);
  const bool is_fine = colon != std::string::npos && colon > 0 && error == std::errc() &&
                       end == text.data() + text.size() && port <= most;
  if (!is_fine)
    return fail(Errc::BadInput,
                "'" + printable(text) + "': write HOST:PORT, with a port up to " + std::to_string(most));
  return HostAndPort{text.substr(0, colon), static_cast<uint16_t>(port)};
}

std::vector<ServerPlace> places_of(const FleetHome& home, const FleetHome::State& state) {
  if (state.nodes.empty()) return {{"grapnel", home.path("server"), state.listen, "", true}};
  std::vector<ServerPlace> out;
  for (const ServerNode& node : state.nodes) {
    const std::string number = std::to_string(out.size() + 1);
    const bool is_here = is_loopback(node.clients);
    // Names of computers are for others; the server itself listens wherever it is.
    const auto own = [&](const std::string& address) {
      return is_here ? address : "0.0.0.0" + address.substr(address.rfind(':'));
    };
    out.push_back({"grapnel-" + number, home.server_path(number), own(node.clients), own(node.servers), is_here});
  }
  return out;
}

Result<ServerNode> make_node(const std::string& listen) {
  const auto address = read_address(listen, 65535 - kRoutesBehind);
  if (!address) return std::unexpected(address.error());
  const auto at = [&](unsigned port) { return address->host + ":" + std::to_string(port); };
  if (address->port != 0) return ServerNode{at(address->port), at(address->port + kRoutesBehind)};
  const auto clients = free_port(), servers = free_port();
  if (!clients || !servers) return std::unexpected(clients ? servers.error() : clients.error());
  return ServerNode{at(*clients), at(*servers)};
}

Result<void> write_server_files(const FleetHome& home, const FleetHome::State& state, const fleet::KeyPair& op,
                                const std::vector<std::string>& hosts, std::string& authority) {
  const auto tls = fleet::make_tls(hosts);
  if (!tls) return std::unexpected(tls.error());
  authority = tls->authority;
  const auto now = std::chrono::system_clock::now();
  for (const ServerPlace& place : places_of(home, state)) {
    const std::vector<std::pair<std::string, std::string>> files = {
        {"tls/authority.pem", tls->authority},
        {"tls/server.pem", tls->certificate},
        {"tls/server.key", tls->key},
        {"operator.jwt", fleet::operator_jwt(op, state.keys, now)},
        {"jwt/" + state.keys.fleet + ".jwt", fleet::account_jwt(op, state.keys, fleet::Account::Fleet, now)},
        {"jwt/" + state.keys.agents + ".jwt", fleet::account_jwt(op, state.keys, fleet::Account::Agents, now)},
        {"jwt/" + state.keys.system + ".jwt", fleet::system_account_jwt(op, state.keys, now)},
        {"server.conf", config_text(place, state)},
    };
    for (const auto& [name, text] : files) {
      if (auto done = write_private_file(place.path(name), text); !done) return done;
    }
  }
  return {};
}

pid_t running_process(const std::string& pid_file, std::string_view program) {
  const auto text = os::read_file(pid_file, 64);
  pid_t process = 0;
  if (text) std::from_chars(text->data(), text->data() + text->size(), process);
  if (process <= 0) return 0;
  // Numbers are used again, so the program has to be the right one.
  std::error_code error;
  const auto file = std::filesystem::read_symlink("/proc/" + std::to_string(process) + "/exe", error);
  return !error && file.filename().string().starts_with(program) ? process : 0;
}

Result<void> start_server(const FleetHome& home, const FleetHome::State& state, const Environment& env) {
  const auto begin = std::chrono::steady_clock::now();
  std::set<std::string> started;
  for (;;) {
    // One that was killed a moment ago may still seem to run.
    bool runs = false;
    for (const ServerPlace& place : places_of(home, state)) {
      if (!place.is_here) continue;
      const bool is_running = running_process(place.path("nats.pid"), "nats-server") != 0;
      runs = runs || is_running;
      if (is_running || !started.insert(place.directory).second) continue;
      if (auto done = start_process(place, env); !done) return done;
    }
    const auto courier = connect_as_account(home, state, "fleet");
    if (courier) return {};
    if (courier.error().code == Errc::NotFound) return std::unexpected(courier.error());
    // One that runs may be busy with thousands of machines that come back.
    if (std::chrono::steady_clock::now() - begin > (runs ? kBusyPatience : kStartPatience)) {
      return fail(Errc::Unavailable, courier.error().message + "; the server's own words are in " +
                                         places_of(home, state).front().path("nats.log"));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

Result<void> make_streams(const FleetHome& home, const FleetHome::State& state) {
  auto courier = connect_as_account(home, state, "fleet");
  if (!courier) return std::unexpected(courier.error());
  const size_t replicas = std::clamp<size_t>(state.nodes.size(), 1, kMostReplicas);
  for (const StreamRow& row : kStreams) {
    const std::string name(row.name);
    const auto done =
        make_if_missing(**courier, "STREAM.INFO." + name, "STREAM.CREATE." + name, stream_json(row, replicas));
    if (!done) return done;
  }
  for (const ConsumerRow& row : kConsumers) {
    const std::string name = std::string(row.stream) + "." + std::string(row.name);
    const auto done =
        make_if_missing(**courier, "CONSUMER.INFO." + name, "CONSUMER.DURABLE.CREATE." + name, consumer_json(row));
    if (!done) return done;
  }
  return {};
}

Result<void> update_account(const FleetHome& home, const FleetHome::State& state, fleet::Account account) {
  const auto op = home.key("operator");
  if (!op) return std::unexpected(op.error());
  auto courier = connect_as_account(home, state, "system");
  if (!courier) return std::unexpected(courier.error());
  const std::string jwt = fleet::account_jwt(*op, state.keys, account, std::chrono::system_clock::now());
  const auto answer = (*courier)->request("$SYS.REQ.CLAIMS.UPDATE", jwt, kAnswerPatience);
  if (!answer) return std::unexpected(answer.error());
  const Json said = Json::parse(answer->body).value_or(Json());
  if (!said["error"]) return {};
  return fail(Errc::Refused,
              "the server did not take the change: " + said["error"]["description"].as_string().value_or(""));
}

}  // namespace grapnel::cli
