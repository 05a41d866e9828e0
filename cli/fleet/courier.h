#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "grapnel/error.h"

/// A connection to NATS, which only carries: nothing that it says is stored counts as stored.
namespace grapnel::cli {

struct CourierOptions {
  std::string url;        ///< `tls://host:4222`; several with commas
  std::string authority;  ///< PEM; the server's certificate has to be signed by it
  std::string name;       ///< of the user; replies come to `_INBOX.NAME`
  /// The file of credentials, as it is now. It is asked again for every connection, so new ones can be put there.
  std::function<std::string()> creds;
};

struct CarriedMessage {
  std::string subject;
  std::string reply;
  std::string body;
  std::string status;  ///< the header of that name: `404`, `408`…; "" for ordinary messages

  bool is_missing() const { return status == "404"; }
};

/// Waits for messages to a subject of its own. Thread: one.
class Mailbox {
 public:
  explicit Mailbox(void* subscription, std::string subject)
      : subscription_(subscription), subject_(std::move(subject)) {}
  Mailbox(Mailbox&& other) noexcept;
  Mailbox& operator=(Mailbox&&) = delete;
  ~Mailbox();

  const std::string& subject() const { return subject_; }
  /// Fails: NotFound when nothing came in time; Unavailable.
  Result<CarriedMessage> next(std::chrono::milliseconds patience);

 private:
  void* subscription_;
  std::string subject_;
};

/// A connection that is made again whenever it breaks, after a while that differs from machine to machine. Thread: any.
class Courier {
 public:
  /// Fails: Unavailable; Refused when the server does not know the credentials.
  static Result<std::unique_ptr<Courier>> connect(CourierOptions options);
  Courier(const Courier&) = delete;
  Courier& operator=(const Courier&) = delete;
  ~Courier();

  /// False while the connection is broken.
  bool is_connected() const;
  /// False when it will not be made again, because the server does not know the credentials any more.
  bool is_open() const;

  /// Fails: Unavailable, also when nobody answers; then the message says so.
  Result<CarriedMessage> request(const std::string& subject, const std::string& body,
                                 std::chrono::milliseconds patience);
  Result<void> publish(const std::string& subject, const std::string& body, const std::string& reply = {});
  /// Waits until the server has everything. Fails: Unavailable.
  Result<void> flush(std::chrono::milliseconds patience);

  /// Calls the function for every message, in a thread of its own. Of subscribers with the same queue, one gets each
  /// message. It ends with the connection.
  using Handler = std::function<void(const CarriedMessage&)>;
  Result<void> subscribe(const std::string& subject, const std::string& queue, Handler handler);
  Result<Mailbox> open_mailbox();
  Result<Mailbox> open_mailbox(const std::string& subject);

 private:
  struct Inside;
  explicit Courier(std::unique_ptr<Inside> inside);

  std::unique_ptr<Inside> inside_;
};

/// Storing a message in a stream. Fails: Unavailable; Refused with the server's words, for example when it is full.
Result<void> store_message(Courier& courier, const std::string& subject, const std::string& body,
                           std::chrono::milliseconds patience);

}  // namespace grapnel::cli
