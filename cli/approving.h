#pragma once

#include <optional>
#include <string>
#include <vector>

#include "approve/waiting_asks.h"
#include "cli/command.h"

/// How a person answers what hooks ask, in a terminal: `grapnel approve` here, and `grapnel fleet approve` for other
/// machines. The process that waits decides whether it believes the answer (src/approve/peers.h); here only the person
/// is asked.
namespace grapnel::cli {

/// The answer that a person gives.
struct AskWish {
  GivenAnswer answer;
  bool denies_for_good = false;
};

/// Where questions come from, as the terminal needs it.
class AskSource {
 public:
  virtual ~AskSource() = default;
  /// All questions that wait now.
  virtual std::vector<WaitingAsk> asks() = 0;
  /// Says that somebody is there to answer from now on. Fails: System, Unavailable.
  virtual Result<void> listen() = 0;
  /// Becomes readable when questions came or went; then call `settle`. After `listen` only.
  virtual int fd() const = 0;
  virtual void settle() = 0;
  virtual Result<void> give(const WaitingAsk& ask, const AskWish& wish) = 0;
  /// Whether an answer may be a rule from now on.
  virtual bool can_make_rules() const = 0;
  /// The option that allows a call for the session.
  virtual std::string_view session_option() const = 0;
  /// Told when nothing waits.
  virtual std::string nothing_waits() const = 0;
};

/// Lists, follows or answers, as the options say; `name`: of a question, or "". The options are `--once`, `--session`,
/// `--rule`, `--deny`, `--pattern`, `--follow`, `--yes` and `--json`.
int approve_from(AskSource& source, Invocation& in, const std::string& name);

}  // namespace grapnel::cli
