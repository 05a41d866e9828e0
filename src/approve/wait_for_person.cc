#include "approve/wait_for_person.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include <sys/random.h>
#include <sys/socket.h>

#include "approve/ask_place.h"
#include "approve/listener.h"
#include "approve/messages.h"
#include "base/clock.h"
#include "base/text.h"
#include "call/command_pattern.h"
#include "call/commands.h"
#include "mask/mask.h"
#include "os/ancestors.h"
#include "os/cancel.h"
#include "os/files.h"
#include "trust/private_file.h"

namespace grapnel {

namespace {

using std::chrono::milliseconds;
using Kind = PersonAnswer::Kind;

constexpr size_t kMaxText = size_t{64} << 10;    ///< of a subject or a reason
constexpr size_t kMaxInput = size_t{256} << 10;  ///< a longer input is not shown
constexpr size_t kMaxAnswering = 8;              ///< connections at the same time
constexpr size_t kMaxReason = 4096;
/// Where nothing can be waited on, this is asked from time to time.
constexpr int kLookMs = 200;

int64_t now_ms() {
  return std::chrono::duration_cast<milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// What a person is shown: masked, and not endless.
WaitingAsk shown(const PersonQuestion& question, const PersonWait& wait) {
  const Mask mask(wait.secrets);
  const auto text = [&](const std::string& value) { return text::cap(mask.apply(value), kMaxText); };
  const int64_t now = now_ms();
  WaitingAsk out{.id = question.event_id,
                 .event_id = question.event_id,
                 .event = question.event,
                 .agent = question.agent,
                 .session = question.session,
                 .cwd = question.cwd,
                 .project = question.project,
                 .tool = question.tool,
                 .subject = text(question.subject),
                 .input = {},
                 .is_command = question.is_command,
                 .reason = text(question.reason),
                 .hook = question.hook,
                 .source = question.source,
                 .hooks = question.hooks,
                 .asked_at_ms = now,
                 .expires_at_ms = now + wait.patience.count(),
                 .digest = {}};
  if (question.input && question.input.raw().size() <= kMaxInput) out.input = mask.apply(question.input);
  return out;
}

/// The question in the directory. It is removed when this ends.
class Published {
 public:
  Published(const Environment& env, std::string id) : env_(env), id_(std::move(id)) {}
  Published(const Published&) = delete;
  Published& operator=(const Published&) = delete;
  ~Published() {
    ::unlink(question_path(env_, id_).c_str());
    ::unlink(socket_path(env_, id_).c_str());
  }

  /// The socket is there before the question, so whoever reads the question can answer it. Fails: System, Refused.
  Result<void> publish(StoredAsk stored) {
    const std::string path = socket_path(env_, id_);
    if (auto made = os::make_dirs(asks_dir(env_), 0700); !made) return made;
    if (auto safe = check_private_directory(path); !safe) return safe;
    auto socket = listen_at(path);
    if (!socket) return std::unexpected(socket.error());
    socket_ = std::move(*socket);
    const std::string text = write_ask(stored);
    const auto as_read = read_ask(text);
    if (!as_read) return fail(Errc::BadInput, "the question cannot be written");
    digest_ = as_read->ask.digest;
    return write_private_file(question_path(env_, id_), text, os::Durability::Lazy);
  }

  int socket() const { return socket_.get(); }
  const std::string& digest() const { return digest_; }

 private:
  const Environment& env_;
  std::string id_;
  UniqueFd socket_;
  std::string digest_;
};

std::string new_nonce() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return "";
  std::string out;
  for (const unsigned char byte : bytes) {
    out += "0123456789abcdef"[byte >> 4];
    out += "0123456789abcdef"[byte & 15];
  }
  return out;
}

std::string reply(std::string_view key, std::string_view text) {
  return Json::object({{std::string(key), Json::string(text)}}).dump();
}

/// Somebody who has connected and may answer.
struct Answering {
  UniqueFd connection;
  Peer peer;
  std::string nonce;
};

/// Takes answers for one question.
class Desk {
 public:
  Desk(const PersonQuestion& question, const PersonWait& wait, const Published& published)
      : question_(question), wait_(wait), published_(published) {}

  /// Lets somebody in who has connected, or says why not.
  void let_in() {
    UniqueFd connection(::accept4(published_.socket(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!connection) return;
    auto peer = peer_of(connection.get());
    const std::string why = peer ? refusal(*peer) : "only processes of the same user may answer";
    const std::string nonce = new_nonce();
    if (!why.empty() || nonce.empty() || answering_.size() >= kMaxAnswering) {
      send_message(connection.get(), reply("refused", why.empty() ? "too many answer at once" : why));
      return;
    }
    if (send_message(connection.get(), reply("nonce", nonce))) {
      answering_.push_back({std::move(connection), std::move(*peer), nonce});
    }
  }

  /// Everybody who may answer, to be waited for.
  const std::vector<Answering>& answering() const { return answering_; }

  /// Reads what came. The answer, if one was taken; others are told why theirs was not.
  std::optional<PersonAnswer> hear(const std::vector<int>& ready) {
    std::optional<PersonAnswer> taken;
    std::erase_if(answering_, [&](const Answering& one) {
      if (taken || std::ranges::find(ready, one.connection.get()) == ready.end()) return false;
      const auto message = receive_message(one.connection.get());
      if (!message) return false;
      taken = take(one, *message);
      return true;
    });
    return taken;
  }

 private:
  std::string refusal(const Peer& peer) const {
    if (!is_own_process(peer.pid)) return "only grapnel's own programs may answer, for a person";
    std::string why = wait_.objection ? wait_.objection(peer.pid) : "";
    if (why.empty() && !is_alive(peer)) why = "the process that connected is gone";
    return why;
  }

  // A process could connect, hand the connection to a child and become one of our programs. So the sender of the
  // message has to be the process that connected, and it has to be ours before it gets the nonce and after it sent it.
  std::optional<PersonAnswer> take(const Answering& one, const Message& message) const {
    if (message.text.empty()) return std::nullopt;
    const auto refuse = [&](std::string_view key, const std::string& why) {
      send_message(one.connection.get(), reply(key, why));
      return std::nullopt;
    };
    const Json json = Json::parse(message.text).value_or(Json());
    std::string why = message.sender == one.peer.pid ? refusal(one.peer) : "somebody else sent the answer";
    if (why.empty() && !json["nonce"].equals_string(one.nonce)) why = "the answer is for another question";
    if (!why.empty()) return refuse("refused", why);
    if (!json["digest"].equals_string(published_.digest())) {
      return refuse("refused", "the question is not what was shown; look at it again");
    }
    PersonAnswer answer;
    const std::string word = json["answer"].as_string().value_or("");
    const auto kinds = std::to_array({Kind::Deny, Kind::Once, Kind::Session, Kind::Rule});
    const auto* const kind = std::ranges::find(kinds, word, [](Kind candidate) { return to_string(candidate); });
    if (kind == kinds.end()) return refuse("bad", "the answer has to be deny, once, session or rule");
    answer.kind = *kind;
    answer.by = json["by"].as_string().value_or("");
    answer.pattern = answer.kind == Kind::Session ? json["pattern"].as_string().value_or("") : "";
    answer.reason = text::cap(json["reason"].as_string().value_or(""), kMaxReason);
    if (!answer.pattern.empty() && !covers(answer.pattern)) {
      return refuse("bad", "'" + answer.pattern + "' does not cover this command");
    }
    send_message(one.connection.get(), Json::object({{"taken", Json::boolean(true)}}).dump());
    return answer;
  }

  bool covers(const std::string& pattern) const {
    return question_.is_command && call::CommandPattern(pattern).covers(call::commands_of(question_.subject));
  }

  const PersonQuestion& question_;
  const PersonWait& wait_;
  const Published& published_;
  std::vector<Answering> answering_;
};

/// Turns a stop request into a descriptor.
class StopFd {
 public:
  explicit StopFd(const std::stop_token& stop) : forward_(stop, Forward{source_}) {}
  int get() const { return source_.token().poll_fd(); }

 private:
  struct Forward {
    const os::CancelSource& source;
    void operator()() const { source.cancel(); }
  };
  os::CancelSource source_;
  std::stop_callback<Forward> forward_;
};

/// What a turn of the loop waits for. The listeners come first.
std::vector<pollfd> poll_set(const std::vector<UniqueFd>& listeners, const Desk& desk, int socket, int stop,
                             int reader) {
  std::vector<pollfd> out;
  const auto add = [&](int fd, short what) { out.push_back({.fd = fd, .events = what, .revents = 0}); };
  for (const UniqueFd& listener : listeners) add(listener.get(), POLLRDHUP);
  add(socket, POLLIN);
  add(stop, POLLIN);
  add(reader, 0);  // only POLLERR and POLLHUP: the reader is gone
  for (const Answering& one : desk.answering()) add(one.connection.get(), POLLIN);
  return out;
}

bool is_gone(const pollfd& one) {
  return (one.revents & (POLLERR | POLLHUP | POLLRDHUP | POLLNVAL)) != 0;
}

PersonAnswer nobody(Kind kind, std::string why) {
  return {.kind = kind, .reason = std::move(why)};
}

/// The loop. Whoever listens may leave, and others may have come since, so they are looked for before giving up.
PersonAnswer wait_at(const Environment& env, Desk& desk, const Published& published, const PersonWait& wait,
                     std::vector<UniqueFd> listeners, const std::stop_token& stop) {
  const Deadline deadline = SteadyClock::now() + wait.patience;
  const StopFd stop_fd(stop);
  for (;;) {
    if (stop.stop_requested()) return nobody(Kind::Left, "the agent no longer waits");
    const auto left = std::chrono::ceil<milliseconds>(deadline - SteadyClock::now()).count();
    if (left <= 0) return nobody(Kind::Expired, "nobody answered in time");
    std::vector<pollfd> ready = poll_set(listeners, desk, published.socket(), stop_fd.get(), wait.reader);
    const auto patience = stop_fd.get() < 0 ? std::min<int64_t>(left, kLookMs) : left;
    if (::poll(ready.data(), ready.size(), static_cast<int>(patience)) < 0 && errno != EINTR) {
      return nobody(Kind::Left, "waiting failed");
    }
    const size_t own = listeners.size();
    if (wait.reader >= 0 && is_gone(ready[own + 2])) return nobody(Kind::Left, "the agent no longer waits");
    // An answer that is there counts, even if whoever gave it has left since.
    std::vector<int> heard;
    for (size_t i = own + 3; i < ready.size(); ++i) {
      if (ready[i].revents != 0) heard.push_back(ready[i].fd);
    }
    if (auto answer = desk.hear(heard)) return *answer;
    if ((ready[own].revents & POLLIN) != 0) desk.let_in();
    std::erase_if(listeners, [&](const UniqueFd& listener) {
      return std::ranges::any_of(ready, [&](const pollfd& one) { return one.fd == listener.get() && is_gone(one); });
    });
    if (listeners.size() == own || !listeners.empty() || !desk.answering().empty()) continue;
    listeners = connect_to_listeners(env, wait.objection, wait.reach);
    if (listeners.empty()) return nobody(Kind::Left, "the page or terminal that could have answered was closed");
    for (const UniqueFd& listener : listeners) send_message(listener.get(), "ask");
  }
}

}  // namespace

PersonAnswer wait_for_person(const Environment& env, const PersonQuestion& question, const PersonWait& wait,
                             const std::stop_token& stop) {
  const Deadline asked = SteadyClock::now();
  if (!may_have_listeners(env)) return nobody(Kind::NoListener, "");
  std::vector<UniqueFd> listeners = connect_to_listeners(env, wait.objection, wait.reach);
  if (listeners.empty()) return nobody(Kind::NoListener, "");
  if (wait.patience <= milliseconds(0) || !is_ask_id(question.event_id)) {
    return nobody(Kind::Expired, "the agent does not wait long enough for an answer");
  }
  if (stored_asks(env).size() >= kMaxWaiting) return nobody(Kind::Left, "too many questions wait already");
  Published published(env, question.event_id);
  const StoredAsk stored{.ask = shown(question, wait),
                         .pid = ::getpid(),
                         .started = os::process_start(::getpid()),
                         .is_for_fleet = wait.reach == Reach::Fleet};
  if (const auto done = published.publish(stored); !done) {
    return nobody(Kind::Left, done.error().message);
  }
  // The listener reads the questions when it hears something, so it is told after the question is there.
  for (const UniqueFd& listener : listeners) send_message(listener.get(), "ask");
  Desk desk(question, wait, published);
  PersonAnswer answer = wait_at(env, desk, published, wait, std::move(listeners), stop);
  answer.after = std::chrono::duration_cast<milliseconds>(SteadyClock::now() - asked);
  return answer;
}

}  // namespace grapnel
