#pragma once

#include <string>

#include "fleet/jwt.h"

/// A question of a machine's agent, answered by a person elsewhere, as a request and its reply:
///
///   approver   approver.now                                            every two seconds while somebody is there
///   machine    ask.MACHINE  {"op": "ask", "ask", "nonce", "left_ms"}   every two seconds, until there is an answer
///   approver                {"answer", …, "jwt", "signature"}
///   machine    ask.MACHINE  {"op": "over", "id", "nonce", "by"}        nobody answers it any more
///
/// The reply is signed, with the key that stands in the approver's own statement (JWT), which the key of the role
/// signed. So a server can lose questions and answers, but it cannot give an answer, and cannot move one to another
/// question: the nonce is of this question, and the digest is of what the person saw.
namespace grapnel::fleet {

struct FarAnswer {
  std::string answer;   ///< `deny`, `once`, `session`
  std::string pattern;  ///< as in GivenAnswer
  std::string reason;

  bool operator==(const FarAnswer&) const = default;
};

/// What an answer is about.
struct FarQuestion {
  std::string machine;
  std::string nonce;
  std::string digest;
};

/// The reply of somebody with these credentials. Fails: BadInput.
Result<std::string> sign_answer(const FarAnswer& answer, const FarQuestion& about, const Creds& creds);

/// A reply that counts, and whose it is. Fails: Refused for any other.
struct OpenedAnswer {
  FarAnswer answer;
  std::string by;
};
Result<OpenedAnswer> open_answer(const std::string& reply, const FarQuestion& about, const std::string& role_key,
                                 Time now);

}  // namespace grapnel::fleet
