#include "approve/waiting_asks.h"

#include <poll.h>

#include <cerrno>

#include <sys/socket.h>

#include "approve/ask_place.h"
#include "approve/messages.h"
#include "approve/peers.h"
#include "trust/private_file.h"

namespace grapnel {

namespace {

/// The waiting process answers at once; it does nothing else.
constexpr int kPatienceMs = 5000;

Error over(const std::string& id) {
  return {Errc::NotFound, "no question '" + id + "' waits any more", std::nullopt, 0};
}

/// The next message of the waiting process. Fails: NotFound when it ends.
Result<Json> next_message(int connection, const std::string& id) {
  pollfd ready{.fd = connection, .events = POLLIN, .revents = 0};
  while (::poll(&ready, 1, kPatienceMs) < 0 && errno == EINTR) {
  }
  auto message = receive_message(connection);
  if (!message || message->text.empty()) return std::unexpected(over(id));
  const Json json = Json::parse(message->text).value_or(Json());
  if (const auto refused = json["refused"].as_string()) return fail(Errc::Refused, *refused);
  if (const auto bad = json["bad"].as_string()) return fail(Errc::BadInput, *bad);
  return json;
}

}  // namespace

std::string_view to_string(AskAnswer answer) {
  constexpr std::string_view kWords[] = {"deny", "once", "session", "rule"};
  return kWords[static_cast<size_t>(answer)];
}

std::vector<WaitingAsk> waiting_asks(const Environment& env) {
  std::vector<WaitingAsk> out;
  for (StoredAsk& stored : stored_asks(env)) out.push_back(std::move(stored.ask));
  return out;
}

// The waiting process sends a nonce once it believes who we are, takes the answer, and says whether it counts.
Result<void> answer_ask(const Environment& env, const std::string& id, const GivenAnswer& answer) {
  if (!is_ask_id(id)) return std::unexpected(over(id));
  std::string digest = answer.digest;
  if (digest.empty()) {
    const auto bytes = read_private_file(question_path(env, id), kMaxQuestion);
    const auto stored = bytes && *bytes ? read_ask(**bytes) : std::nullopt;
    if (!stored) return std::unexpected(over(id));
    digest = stored->ask.digest;
  }
  const auto connection = connect_to(socket_path(env, id));
  if (!connection)
    return connection.error().code == Errc::NotFound ? Result<void>(std::unexpected(over(id)))
                                                     : std::unexpected(connection.error());
  const auto peer = peer_of(connection->get());
  if (!peer || !is_own_process(peer->pid)) {
    return fail(Errc::Refused, "the process that asks is not grapnel, so it gets no answer");
  }
  const auto hello = next_message(connection->get(), id);
  if (!hello) return std::unexpected(hello.error());
  const Json given = Json::object({{"nonce", (*hello)["nonce"]},
                                   {"digest", Json::string(digest)},
                                   {"answer", Json::string(to_string(answer.answer))},
                                   {"pattern", Json::string(answer.pattern)},
                                   {"reason", Json::string(answer.reason)},
                                   {"by", Json::string(answer.by)}});
  if (!send_message(connection->get(), given.dump())) return std::unexpected(over(id));
  const auto taken = next_message(connection->get(), id);
  return taken ? Result<void>() : std::unexpected(taken.error());
}

}  // namespace grapnel
