#include "cli/fleet/courier.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include <nats/nats.h>

#include "grapnel/json.h"

#include "base/error.h"
#include "cli/fleet/server_version.h"
#include "fleet/jwt.h"

namespace grapnel::cli {

namespace {

constexpr int64_t kWriteDeadlineMs = 500;  // without it, a frozen server blocks a writer for ten seconds
constexpr int64_t kConnectMs = 5000;
constexpr int64_t kPingMs = 5000;
constexpr int64_t kReconnectMs = 250;
constexpr int64_t kReconnectJitterMs = 2000;

std::unexpected<Error> fail_nats(const std::string& what, natsStatus status) {
  if (status == NATS_NO_RESPONDERS) return fail(Errc::Unavailable, what + ": nobody answers");
  if (status == NATS_TIMEOUT) return fail(Errc::Unavailable, what + ": no answer in time");
  const bool is_refused = status == NATS_CONNECTION_AUTH_FAILED || status == NATS_NOT_PERMITTED;
  return fail(is_refused ? Errc::Refused : Errc::Unavailable, what + ": " + natsStatus_GetText(status));
}

CarriedMessage carried(natsMsg* message) {
  CarriedMessage out;
  out.subject = natsMsg_GetSubject(message);
  const char* reply = natsMsg_GetReply(message);
  out.reply = reply == nullptr ? "" : reply;
  out.body.assign(natsMsg_GetData(message), static_cast<size_t>(natsMsg_GetDataLength(message)));
  const char* status = nullptr;
  if (natsMsgHeader_Get(message, "Status", &status) == NATS_OK && status != nullptr) out.status = status;
  return out;
}

using OwnedMessage = std::unique_ptr<natsMsg, decltype(&natsMsg_Destroy)>;

char* copied(const std::string& text) {
  return ::strdup(text.c_str());
}

}  // namespace

/// A function that is called for messages, until the connection ends. The library has a share of it: it may still call
/// it then, from a thread of its own, and is done with it earlier if the server ends the connection.
struct Ear {
  std::mutex mutex;
  bool is_open = true;
  Courier::Handler handler;
};

struct Courier::Inside {
  CourierOptions options;
  natsOptions* nats_options = nullptr;
  natsConnection* connection = nullptr;
  /// libnats takes a signature that begins with a zero for an empty text, and leaves it out. One in 256 does.
  std::atomic<bool> is_signature_lost = false;
  std::mutex mutex;
  std::vector<natsSubscription*> subscriptions;
  std::vector<std::shared_ptr<Ear>> ears;

  ~Inside() {
    for (const auto& ear : ears) {
      const std::lock_guard lock(ear->mutex);
      ear->is_open = false;
    }
    for (natsSubscription* subscription : subscriptions) natsSubscription_Destroy(subscription);
    if (connection != nullptr) natsConnection_Close(connection);
    natsConnection_Destroy(connection);
    natsOptions_Destroy(nats_options);
  }

  // The library frees what these return.
  static natsStatus give_jwt(char** jwt, char** error, void* closure) {
    const auto creds = fleet::read_creds(static_cast<Inside*>(closure)->options.creds());
    if (!creds) {
      *error = copied(creds.error().message);
      return NATS_ERR;
    }
    *jwt = copied(creds->jwt);
    return *jwt == nullptr ? NATS_NO_MEMORY : NATS_OK;
  }
  static natsStatus give_signature(char** error, unsigned char** signature, int* size, const char* nonce,
                                   void* closure) {
    const auto creds = fleet::read_creds(static_cast<Inside*>(closure)->options.creds());
    const auto key = creds ? fleet::KeyPair::from_seed(creds->seed) : std::unexpected(creds.error());
    if (!key) {
      *error = copied(key.error().message);
      return NATS_ERR;
    }
    const std::string bytes = key->sign(nonce);
    static_cast<Inside*>(closure)->is_signature_lost = bytes.front() == '\0';
    *signature = static_cast<unsigned char*>(std::malloc(bytes.size()));
    if (*signature == nullptr) return NATS_NO_MEMORY;
    std::memcpy(*signature, bytes.data(), bytes.size());
    *size = static_cast<int>(bytes.size());
    return NATS_OK;
  }
  static void hear(natsConnection*, natsSubscription*, natsMsg* message, void* closure) {
    const OwnedMessage owned(message, natsMsg_Destroy);
    const std::shared_ptr<Ear> ear = *static_cast<std::shared_ptr<Ear>*>(closure);
    const std::lock_guard lock(ear->mutex);
    if (ear->is_open) ear->handler(carried(message));
  }
  static void forget(void* closure) { delete static_cast<std::shared_ptr<Ear>*>(closure); }

  natsStatus set_options() {
    natsStatus status = natsOptions_Create(&nats_options);
    const auto set = [&](natsStatus next) { status = status == NATS_OK ? next : status; };
    const std::string inbox = "_INBOX." + options.name;
    if (status != NATS_OK) return status;
    const std::vector<std::string> list = urls_of(options.url);
    std::vector<const char*> urls;
    for (const std::string& one : list) urls.push_back(one.c_str());
    set(natsOptions_SetServers(nats_options, urls.data(), static_cast<int>(urls.size())));
    set(natsOptions_SetName(nats_options, options.name.c_str()));
    set(natsOptions_SetCustomInboxPrefix(nats_options, inbox.c_str()));
    set(natsOptions_SetUserCredentialsCallbacks(nats_options, give_jwt, this, give_signature, this));
    if (!options.authority.empty()) {
      set(natsOptions_SetSecure(nats_options, true));
      set(natsOptions_SetCATrustedCertificates(nats_options, options.authority.c_str()));
    }
    set(natsOptions_SetTimeout(nats_options, kConnectMs));
    set(natsOptions_SetWriteDeadline(nats_options, kWriteDeadlineMs));
    set(natsOptions_SetPingInterval(nats_options, kPingMs));
    set(natsOptions_SetMaxReconnect(nats_options, -1));
    set(natsOptions_SetReconnectWait(nats_options, kReconnectMs));
    set(natsOptions_SetReconnectJitter(nats_options, kReconnectJitterMs, kReconnectJitterMs));
    set(natsOptions_SetFailRequestsOnDisconnect(nats_options, true));
    // The library would print errors.
    set(natsOptions_SetErrorHandler(
        nats_options, [](natsConnection*, natsSubscription*, natsStatus, void*) {}, nullptr));
    return status;
  }
};

Mailbox::Mailbox(Mailbox&& other) noexcept
    : subscription_(std::exchange(other.subscription_, nullptr)), subject_(std::move(other.subject_)) {}

Mailbox::~Mailbox() {
  natsSubscription_Destroy(static_cast<natsSubscription*>(subscription_));
}

Result<CarriedMessage> Mailbox::next(std::chrono::milliseconds patience) {
  natsMsg* message = nullptr;
  auto* const subscription = static_cast<natsSubscription*>(subscription_);
  const natsStatus status = natsSubscription_NextMsg(&message, subscription, std::max<int64_t>(1, patience.count()));
  const OwnedMessage owned(message, natsMsg_Destroy);
  if (status == NATS_TIMEOUT) return fail(Errc::NotFound, "no message came");
  if (status != NATS_OK) return fail_nats("waiting for messages", status);
  return carried(message);
}

Courier::Courier(std::unique_ptr<Inside> inside) : inside_(std::move(inside)) {}
Courier::~Courier() = default;

Result<std::unique_ptr<Courier>> Courier::connect(CourierOptions options) {
  auto inside = std::make_unique<Inside>();
  inside->options = std::move(options);
  natsStatus status = inside->set_options();
  if (status == NATS_OK) status = natsConnection_Connect(&inside->connection, inside->nats_options);
  // The next attempt signs something else.
  while (status == NATS_CONNECTION_AUTH_FAILED && inside->is_signature_lost)
    status = natsConnection_Connect(&inside->connection, inside->nats_options);
  if (status != NATS_OK) return fail_nats("cannot connect to " + inside->options.url, status);
  return std::unique_ptr<Courier>(new Courier(std::move(inside)));
}

bool Courier::is_connected() const {
  return natsConnection_Status(inside_->connection) == NATS_CONN_STATUS_CONNECTED;
}

bool Courier::is_open() const {
  return !natsConnection_IsClosed(inside_->connection);
}

Result<CarriedMessage> Courier::request(const std::string& subject, const std::string& body,
                                        std::chrono::milliseconds patience) {
  natsMsg* answer = nullptr;
  const natsStatus status = natsConnection_Request(&answer, inside_->connection, subject.c_str(), body.data(),
                                                   static_cast<int>(body.size()), patience.count());
  const OwnedMessage owned(answer, natsMsg_Destroy);
  if (status != NATS_OK) return fail_nats(subject, status);
  return carried(answer);
}

Result<void> Courier::publish(const std::string& subject, const std::string& body, const std::string& reply) {
  const auto size = static_cast<int>(body.size());
  const natsStatus status =
      reply.empty()
          ? natsConnection_Publish(inside_->connection, subject.c_str(), body.data(), size)
          : natsConnection_PublishRequest(inside_->connection, subject.c_str(), reply.c_str(), body.data(), size);
  return status == NATS_OK ? Result<void>() : fail_nats(subject, status);
}

Result<void> Courier::flush(std::chrono::milliseconds patience) {
  const natsStatus status = natsConnection_FlushTimeout(inside_->connection, patience.count());
  return status == NATS_OK ? Result<void>() : fail_nats("flush", status);
}

Result<void> Courier::subscribe(const std::string& subject, const std::string& queue, Handler handler) {
  const std::lock_guard lock(inside_->mutex);
  const auto ear = std::make_shared<Ear>();
  ear->handler = std::move(handler);
  auto share = std::make_unique<std::shared_ptr<Ear>>(ear);
  natsSubscription* subscription = nullptr;
  natsConnection* const connection = inside_->connection;
  const natsStatus status =
      queue.empty() ? natsConnection_Subscribe(&subscription, connection, subject.c_str(), Inside::hear, share.get())
                    : natsConnection_QueueSubscribe(&subscription, connection, subject.c_str(), queue.c_str(),
                                                    Inside::hear, share.get());
  if (status != NATS_OK) return fail_nats(subject, status);
  inside_->ears.push_back(ear);
  inside_->subscriptions.push_back(subscription);
  // The library fails here only if the connection has ended in between; then the share stays, because it may be in use.
  std::shared_ptr<Ear>* const given = share.release();
  natsSubscription_SetOnCompleteCB(subscription, Inside::forget, given);
  return {};
}

Result<Mailbox> Courier::open_mailbox() {
  return open_mailbox("_INBOX." + inside_->options.name + "." + fleet::random_hex(8));
}

Result<Mailbox> Courier::open_mailbox(const std::string& subject) {
  natsSubscription* subscription = nullptr;
  const natsStatus status = natsConnection_SubscribeSync(&subscription, inside_->connection, subject.c_str());
  if (status != NATS_OK) return fail_nats(subject, status);
  return Mailbox(subscription, subject);
}

Result<void> store_message(Courier& courier, const std::string& subject, const std::string& body,
                           std::chrono::milliseconds patience) {
  const auto answer = courier.request(subject, body, patience);
  if (!answer) return std::unexpected(answer.error());
  const Json said = Json::parse(answer->body).value_or(Json());
  if (said["error"]) return fail(Errc::Refused, subject + ": " + said["error"]["description"].as_string().value_or(""));
  if (!said["stream"].is_string()) return fail(Errc::Unavailable, subject + ": no stream took the message");
  return {};
}

}  // namespace grapnel::cli
