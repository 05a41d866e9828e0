#include "cli/fleet/nats_server.h"

#include <unistd.h>

#include <charconv>
#include <csignal>
#include <filesystem>
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
constexpr std::chrono::minutes kMinutes{10};
constexpr std::chrono::seconds kAnswerPatience{5};
constexpr int64_t kRecordBytes = int64_t{4} << 30;  ///< of all machines, while the collector is away
constexpr int64_t kBatchesOfMachine = 64;           ///< of one machine, 16 MiB; the rest waits in its journal
constexpr int64_t kSecond = 1'000'000'000;          ///< JetStream counts nanoseconds

std::string quoted(const std::string& text) {
  return Json::string(text).dump();
}

std::string config_text(const FleetHome& home, const FleetHome::State& state) {
  return "# Written by `grapnel fleet init`.\n"
         "server_name: grapnel\n"
         "listen: " +
         quoted(state.listen) +
         "\n"
         "pid_file: " +
         quoted(home.server_path("nats.pid")) +
         "\n"
         "log_file: " +
         quoted(home.server_path("nats.log")) +
         "\n"
         "logfile_size_limit: 10MB\n"
         "max_payload: 4MB\n"
         "max_pending: 64MB\n"
         "jetstream {\n  store_dir: " +
         quoted(home.server_path("store")) +
         "\n  max_mem: 64MB\n  max_file: 8GB\n}\n"
         "tls {\n  cert_file: " +
         quoted(home.server_path("tls/server.pem")) + "\n  key_file: " + quoted(home.server_path("tls/server.key")) +
         "\n  timeout: 5\n}\n"
         "operator: " +
         quoted(home.server_path("operator.jwt")) +
         "\n"
         "system_account: " +
         state.keys.system +
         "\n"
         "resolver {\n  type: full\n  dir: " +
         quoted(home.server_path("jwt")) +
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
};
constexpr auto kStreams = std::to_array<StreamRow>({
    {fleet::kRecordStream, "rec.*", true, kRecordBytes, kBatchesOfMachine, true},
    {fleet::kBlobStream, "blob.*.*", false, int64_t{1} << 30, 1, false},
    {fleet::kMarkBucket, "$KV.mark.>", false, int64_t{1} << 28, 1, false},
    {fleet::kPolicyBucket, "$KV.policy.>", false, int64_t{1} << 28, 16, false},
});

// No dedupe by message id: it is for the whole stream, so a machine could suppress another's records with guessed ids.
Json stream_json(const StreamRow& row) {
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
                       {"max_age", Json::number(int64_t{0})},
                       {"num_replicas", Json::number(int64_t{1})},
                       {"allow_direct", Json::boolean(!row.is_queue)},
                       {"deny_delete", Json::boolean(!row.is_queue)}});
}

/// Whether JetStream has it already. What people changed in it stays.
bool exists_in_jetstream(Courier& courier, const std::string& subject) {
  const auto answer = courier.request("$JS.API." + subject, "", kAnswerPatience);
  return answer && !Json::parse(answer->body).value_or(Json())["error"];
}

Result<void> ask_jetstream(Courier& courier, const std::string& subject, const Json& body) {
  const auto answer = courier.request("$JS.API." + subject, body.dump(), kAnswerPatience);
  if (!answer) return std::unexpected(answer.error());
  const Json said = Json::parse(answer->body).value_or(Json());
  if (!said["error"]) return {};
  return fail(Errc::Refused, subject + ": " + said["error"]["description"].as_string().value_or(""));
}

}  // namespace

Result<uint16_t> free_port() {
  const UniqueFd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const raw = reinterpret_cast<sockaddr*>(&address);
  if (!socket || ::bind(socket.get(), raw, size) != 0 || ::getsockname(socket.get(), raw, &size) != 0) {
    return fail_errno("cannot find a free port");
  }
  return ntohs(address.sin_port);
}

Result<void> write_server_files(const FleetHome& home, const FleetHome::State& state, const fleet::KeyPair& op,
                                const std::vector<std::string>& hosts, std::string& authority) {
  const auto tls = fleet::make_tls(hosts);
  if (!tls) return std::unexpected(tls.error());
  authority = tls->authority;
  const auto now = std::chrono::system_clock::now();
  const std::vector<std::pair<std::string, std::string>> files = {
      {"tls/authority.pem", tls->authority},
      {"tls/server.pem", tls->certificate},
      {"tls/server.key", tls->key},
      {"operator.jwt", fleet::operator_jwt(op, state.keys, now)},
      {"jwt/" + state.keys.fleet + ".jwt", fleet::account_jwt(op, state.keys, fleet::Account::Fleet, now)},
      {"jwt/" + state.keys.agents + ".jwt", fleet::account_jwt(op, state.keys, fleet::Account::Agents, now)},
      {"jwt/" + state.keys.system + ".jwt", fleet::system_account_jwt(op, state.keys, now)},
      {"server.conf", config_text(home, state)},
  };
  for (const auto& [name, text] : files) {
    if (auto done = write_private_file(home.server_path(name), text); !done) return done;
  }
  return {};
}

pid_t running_process(const std::string& pid_file, const std::string& program) {
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
  const std::string path = std::string(env.get("PATH")) + ":/usr/sbin:/usr/local/sbin:/usr/local/bin";
  const auto program = os::find_executable("nats-server", path, ".");
  if (!program) return fail(Errc::NotFound, "nats-server is not installed; Debian's package has that name");
  if (running_process(home.server_path("nats.pid"), "nats-server") == 0) {
    const std::string config = home.server_path("server.conf");
    const bool is_started = detach({[&] {
      ::execl(program->c_str(), "nats-server", "-c", config.c_str(), static_cast<char*>(nullptr));
      ::_exit(127);
    }});
    if (!is_started) return fail_errno("cannot start nats-server");
  }
  const auto end = std::chrono::steady_clock::now() + kStartPatience;
  for (;;) {
    const auto courier = connect_as_account(home, state, "fleet");
    if (courier) return {};
    if (courier.error().code == Errc::NotFound) return std::unexpected(courier.error());
    if (std::chrono::steady_clock::now() > end) {
      return fail(Errc::Unavailable,
                  courier.error().message + "; the server's own words are in " + home.server_path("nats.log"));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

Result<void> make_streams(const FleetHome& home, const FleetHome::State& state) {
  auto courier = connect_as_account(home, state, "fleet");
  if (!courier) return std::unexpected(courier.error());
  for (const StreamRow& row : kStreams) {
    if (exists_in_jetstream(**courier, "STREAM.INFO." + std::string(row.name))) continue;
    const std::string subject = "STREAM.CREATE." + std::string(row.name);
    if (auto done = ask_jetstream(**courier, subject, stream_json(row)); !done) return done;
  }
  const std::string stream(fleet::kRecordStream);
  if (exists_in_jetstream(**courier, "CONSUMER.INFO." + stream + "." + std::string(fleet::kCollector))) return {};
  const Json consumer = Json::object({{"durable_name", Json::string(fleet::kCollector)},
                                      {"ack_policy", Json::string("explicit")},
                                      {"deliver_policy", Json::string("all")},
                                      {"ack_wait", Json::number(30 * kSecond)},
                                      {"max_ack_pending", Json::number(int64_t{1000})},
                                      {"max_deliver", Json::number(int64_t{-1})},
                                      {"replay_policy", Json::string("instant")}});
  return ask_jetstream(**courier, "CONSUMER.DURABLE.CREATE." + stream + "." + std::string(fleet::kCollector),
                       Json::object({{"stream_name", Json::string(stream)}, {"config", consumer}}));
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
