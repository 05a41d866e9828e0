#include "approve/ask_place.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "approve/peers.h"
#include "os/ancestors.h"
#include "trust/private_file.h"
#include "trust/sha256.h"

namespace grapnel {

namespace {

constexpr int kBacklog = 128;
constexpr std::string_view kQuestionEnding = ".json";

/// An address for a path of any length: the directory is opened, and the address names it by its descriptor.
struct Address {
  UniqueFd directory;
  sockaddr_un address{};

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }
};
Result<Address> address_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  Address out{UniqueFd(::open(path.substr(0, slash).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC))};
  if (!out.directory) return fail_errno("cannot open " + path.substr(0, slash));
  const std::string name = "/proc/self/fd/" + std::to_string(out.directory.get()) + path.substr(slash);
  if (name.size() >= sizeof out.address.sun_path) return fail(Errc::BadInput, path + " is too long for a socket");
  out.address.sun_family = AF_UNIX;
  std::memcpy(out.address.sun_path, name.c_str(), name.size() + 1);
  return out;
}

Result<UniqueFd> new_socket() {
  UniqueFd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket) return fail_errno("cannot make a socket");
  return socket;
}

/// Whether the process that waits is still there, and one of ours.
bool is_waiting(const StoredAsk& stored) {
  return stored.pid > 0 && os::process_start(stored.pid) == stored.started && is_own_process(stored.pid);
}

}  // namespace

// The digest of a question is that of this text.
Json ask_to_json(const WaitingAsk& ask) {
  const auto text = [](const std::string& value) { return value.empty() ? Json() : Json::string(value); };
  std::vector<Json> hooks;
  for (const std::string& hook : ask.hooks) hooks.push_back(Json::string(hook));
  return Json::object({{"machine", text(ask.machine)},
                       {"id", Json::string(ask.id)},
                       {"event_id", Json::string(ask.event_id)},
                       {"event", text(ask.event)},
                       {"session", text(ask.session)},
                       {"agent", text(ask.agent)},
                       {"project", text(ask.project)},
                       {"cwd", text(ask.cwd)},
                       {"tool", text(ask.tool)},
                       {"subject", text(ask.subject)},
                       {"input", ask.input},
                       {"is_command", Json::boolean(ask.is_command)},
                       {"reason", text(ask.reason)},
                       {"hook", text(ask.hook)},
                       {"source", text(ask.source)},
                       {"hooks", Json::array(hooks)},
                       {"asked_at_ms", Json::number(ask.asked_at_ms)},
                       {"expires_at_ms", Json::number(ask.expires_at_ms)}});
}

std::string asks_dir(const Environment& env) {
  return env.runtime_dir() + "/asks";
}

std::string listeners_dir(const Environment& env) {
  return asks_dir(env) + "/listeners";
}

std::string question_path(const Environment& env, const std::string& id) {
  return asks_dir(env) + "/" + id + std::string(kQuestionEnding);
}

std::string socket_path(const Environment& env, const std::string& id) {
  return asks_dir(env) + "/" + id + ".sock";
}

bool is_ask_id(std::string_view id) {
  constexpr size_t kMaxId = 64;
  return !id.empty() && id.size() <= kMaxId &&
         std::ranges::all_of(id, [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; });
}

std::string write_ask(const StoredAsk& stored) {
  const Json ask = ask_to_json(stored.ask);
  return Json::object({{"ask", ask},
                       {"pid", Json::number(int64_t{stored.pid})},
                       {"started", Json::number(static_cast<int64_t>(stored.started))},
                       {"fleet", stored.is_for_fleet ? Json::boolean(true) : Json()}})
             .dump() +
         "\n";
}

// The digest is made from what was read, never taken from the file.
std::optional<StoredAsk> read_ask(const std::string& bytes) {
  const Json root = Json::parse(bytes).value_or(Json());
  const Json json = root["ask"];
  const auto word = [&](const char* key) { return json[key].as_string().value_or(""); };
  StoredAsk out{.ask = {.id = word("id"),
                        .event_id = word("event_id"),
                        .event = word("event"),
                        .agent = word("agent"),
                        .session = word("session"),
                        .cwd = word("cwd"),
                        .project = word("project"),
                        .tool = word("tool"),
                        .subject = word("subject"),
                        .input = json["input"],
                        .is_command = json["is_command"].as_bool().value_or(false),
                        .reason = word("reason"),
                        .hook = word("hook"),
                        .source = word("source"),
                        .hooks = {},
                        .asked_at_ms = json["asked_at_ms"].as_integer().value_or(0),
                        .expires_at_ms = json["expires_at_ms"].as_integer().value_or(0),
                        .digest = {}},
                .pid = static_cast<pid_t>(root["pid"].as_integer().value_or(0)),
                .started = static_cast<uint64_t>(root["started"].as_integer().value_or(0)),
                .is_for_fleet = root["fleet"].as_bool().value_or(false)};
  if (!is_ask_id(out.ask.id)) return std::nullopt;
  for (const Json& hook : json["hooks"].elements()) out.ask.hooks.push_back(hook.as_string().value_or(""));
  out.ask.digest = sha256_of(ask_to_json(out.ask).dump());
  return out;
}

std::vector<StoredAsk> stored_asks(const Environment& env) {
  std::vector<StoredAsk> out;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(asks_dir(env), error)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(kQuestionEnding)) continue;
    const std::string id = name.substr(0, name.size() - kQuestionEnding.size());
    if (!is_ask_id(id)) continue;
    const auto bytes = read_private_file(question_path(env, id), kMaxQuestion);
    if (!bytes || !*bytes) continue;
    auto stored = read_ask(**bytes);
    if (stored && stored->ask.id == id && is_waiting(*stored)) {
      out.push_back(std::move(*stored));
      continue;
    }
    ::unlink(question_path(env, id).c_str());
    ::unlink(socket_path(env, id).c_str());
  }
  std::ranges::sort(out, {}, [](const StoredAsk& one) { return std::pair(one.ask.asked_at_ms, one.ask.id); });
  return out;
}

// The mode of the socket becomes the mode of its file.
Result<UniqueFd> listen_at(const std::string& path) {
  const auto address = address_of(path);
  if (!address) return std::unexpected(address.error());
  auto socket = new_socket();
  if (!socket) return socket;
  ::fchmod(socket->get(), 0600);
  const int on = 1;
  // Each message then names its sender.
  ::setsockopt(socket->get(), SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
  if (::bind(socket->get(), address->get(), sizeof address->address) != 0 || ::listen(socket->get(), kBacklog) != 0) {
    return fail_errno("cannot listen at " + path);
  }
  return socket;
}

Result<UniqueFd> connect_to(const std::string& path) {
  const auto address = address_of(path);
  if (!address) return fail(Errc::NotFound, "nobody listens at " + path);
  auto socket = new_socket();
  if (!socket) return socket;
  if (::connect(socket->get(), address->get(), sizeof address->address) != 0) {
    if (errno == ECONNREFUSED || errno == ENOENT) return fail(Errc::NotFound, "nobody listens at " + path);
    return fail_errno("cannot connect to " + path);
  }
  return socket;
}

}  // namespace grapnel
