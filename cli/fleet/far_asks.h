#pragma once

#include <memory>
#include <string>

#include "base/environment.h"
#include "cli/fleet/courier.h"

namespace grapnel::cli {

/// Carries the questions of this machine's agents to people of the fleet, and their answers back (fleet/far_ask.h).
///
/// To a process that waits it is a listener like the page (approve/listener.h), and listens only while `ask: fleet` is
/// set and approvers say that they are there. So whoever asks while nobody is, or while the server is away or frozen,
/// does not wait at all. It runs in
/// threads of its own, until it is destroyed. The courier must outlive it.
class FarAsks {
 public:
  struct Options {
    Environment env;
    std::string machine;
    std::string approver_key;  ///< whose statements count; "": nobody's
    std::function<void(const std::string&)> say;
  };
  FarAsks(Courier& courier, Options options);
  FarAsks(const FarAsks&) = delete;
  FarAsks& operator=(const FarAsks&) = delete;
  ~FarAsks();

 private:
  class Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace grapnel::cli
