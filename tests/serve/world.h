#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <sys/types.h>

#include "grapnel/json.h"

#include "base/unique_fd.h"
#include "os/patience.h"
#include "os/temp_dir.h"

namespace grapnel::testing {

/// How a command ended.
struct Ended {
  int status = -1;  ///< -1 when it did not exit
  std::string out;
  std::string err;
  bool operator==(const Ended&) const = default;
  /// Whether an agent reads a deny in it.
  bool denies() const { return out.find("\"deny\"") != std::string::npos; }
};
std::ostream& operator<<(std::ostream& out, const Ended& ended);

/// A user with a home, a project and a runtime directory, and the commands this user types.
class World {
 public:
  World();

  const TempDir& dir() const { return dir_; }
  std::string project() const { return dir_ / "project"; }
  std::string socket() const { return dir_ / "run/grapnel/serve.sock"; }
  /// Further variables, for all that is started from now on.
  void set(std::string entry) { env_.push_back(std::move(entry)); }
  void use_program(std::string program) { program_ = std::move(program); }

  /// One command hook of Gemini's for every tool call.
  void configure_hook(const std::string& command) const;

  Ended run(std::vector<std::string> words, std::string input = "", std::vector<std::string> env = {}) const;
  /// Another program in the same place.
  Ended run_program(const std::string& program, std::vector<std::string> words, std::string input = "",
                    std::vector<std::string> env = {}) const;
  /// `fire --as gemini` for a tool call, with or without a server.
  Ended fire() const;
  Ended fire_alone() const;
  /// The same from several at once.
  std::vector<Ended> fire_many(size_t count) const;

  /// What `serve --status --json` says; no object when no server runs.
  Json status() const;
  int64_t requests() const { return status()["requests"].as_integer().value_or(-1); }
  /// Starts a command that is not waited for; standard input is a pipe.
  struct Started {
    pid_t pid = -1;
    UniqueFd input, output;
  };
  Started start(std::vector<std::string> words) const;
  Started start_program(const std::string& program, std::vector<std::string> argv) const;
  /// The variables of everything that is started.
  std::vector<std::string> environment() const;

 private:
  TempDir dir_;
  std::vector<std::string> env_;
  std::string program_;
};

/// `grapnel serve` in a process of its own, which ends with its scope.
class RunningServer {
 public:
  explicit RunningServer(const World& world, std::vector<std::string> options = {});
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;
  ~RunningServer();

  pid_t pid() const { return pid_; }
  void send(int signal) const;
  /// Its exit status, -1 when a signal ended it.
  int wait();

 private:
  pid_t pid_ = -1;
};

/// Somebody who sits at the socket and is no server.
class Impostor {
 public:
  using Behaviour = std::function<void(int connection)>;
  Impostor(const World& world, Behaviour behaviour);
  Impostor(const Impostor&) = delete;
  Impostor& operator=(const Impostor&) = delete;
  ~Impostor();

 private:
  UniqueFd socket_;
  std::thread thread_;
};

/// What was printed, without what is never the same: ids and times.
std::string without_ids(const std::string& text);

/// What a tool call looks like, with an input of that size.
std::string tool_call(size_t size = 2);

}  // namespace grapnel::testing
