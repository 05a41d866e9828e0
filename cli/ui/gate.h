#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/ui/http.h"

/// Who may use the page.
///
/// The address that people open has a ticket behind its `#`, which browsers do not send. The page exchanges it for a
/// token, once; the token is a header of every request, so no other site can send it, and no cookie can be abused. A
/// name that leads to 127.0.0.1 does not help another site either: the header Host has to be exactly ours.
///
/// A token lets its owner read. An agent is the same user as the person, so it could get one; therefore writing needs a
/// code that only the terminal of `grapnel ui` shows.
namespace grapnel::cli {

/// A random text of that many hexadecimal digits. Ends the program if the kernel gives no random bytes.
std::string random_hex(size_t digits);

/// Whether both are equal; how long it takes does not depend on where they differ.
bool equal_secrets(std::string_view a, std::string_view b);

/// Shows a line to the person at the terminal. Thread: any.
using TellPerson = std::function<void(const std::string& line)>;

struct GateOptions {
  uint16_t port = 0;
  std::string no_writing = {};  ///< why nothing may be written, whatever code is entered; "" if a code unlocks it
  TellPerson tell = {};
};

/// Thread: any.
class Gate {
 public:
  explicit Gate(GateOptions options);

  /// `http://127.0.0.1:PORT`.
  const std::string& origin() const { return origin_; }
  /// The address to open, with a new ticket that works once, for five minutes.
  std::string new_address();

  /// Why the request is refused before anybody looks at what it wants. `needs_token` is false only for the request that
  /// brings a ticket, and for the files of the page.
  std::optional<HttpRefusal> check(const HttpRequest& request, bool needs_token) const;

  /// The token for a ticket; nothing if the ticket is unknown, too old or was used.
  std::optional<std::string> exchange(const std::string& ticket);

  /// Whether a ticket was used.
  bool has_sessions() const;

  /// Why the owner of the request's token may not write; nothing if it may.
  std::optional<HttpRefusal> check_writing(const HttpRequest& request) const;
  bool is_unlocked(const HttpRequest& request) const;
  const std::string& no_writing() const { return options_.no_writing; }
  /// Unlocks writing for the request's token. Refuses a wrong code; after five of them another code is shown, and after
  /// twenty none is right any more.
  std::optional<HttpRefusal> unlock(const HttpRequest& request, std::string_view code);
  /// Shows a line at the terminal, so that a person there notices what the page does.
  void tell(const std::string& line) const { options_.tell(line); }
  /// Shows the code at the terminal.
  void show_code() const;

 private:
  struct Ticket {
    std::string text;
    std::chrono::steady_clock::time_point until;
  };
  struct Token {
    std::string text;
    bool is_unlocked = false;
  };
  /// The place of the request's token in the list; nothing if it has none that is known.
  std::optional<size_t> find_token(const HttpRequest& request) const;
  void make_code();
  void tell_code() const;

  GateOptions options_;
  std::string host_, origin_;
  mutable std::mutex mutex_;
  std::vector<Ticket> tickets_;
  std::vector<Token> tokens_;
  std::string code_;
  size_t wrong_codes_ = 0;
};

}  // namespace grapnel::cli
