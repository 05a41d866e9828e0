#pragma once

#include <memory>
#include <string>
#include <vector>

/// Workers for the benchmarks, asked through the engine's pool or through bare pipes.
namespace grapnel::bench {

/// The small programs that are built together with the benchmarks.
std::string native_hook();
std::vector<std::string> native_worker();
/// A worker as people write it in Python: JSON read, JSON written.
std::vector<std::string> python_worker();

/// A worker of a pool, asked in the same way as the engine asks it.
class DirectWorker {
 public:
  explicit DirectWorker(std::vector<std::string> argv);
  ~DirectWorker();
  void ask(const std::shared_ptr<const std::string>& payload);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The same process behind two blocking pipes: no worker can be faster than this.
class BareWorker {
 public:
  explicit BareWorker(const std::vector<std::string>& argv);
  BareWorker(const BareWorker&) = delete;
  BareWorker& operator=(const BareWorker&) = delete;
  ~BareWorker();
  /// Sends the line and reads one line back.
  void ask(const std::string& line) const;

 private:
  int pid_ = 0;
  int to_ = -1;
  int from_ = -1;
};

}  // namespace grapnel::bench
