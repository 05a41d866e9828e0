#pragma once

#include <set>
#include <string>

/// Runs shell scripts where they can do no harm, and tells which guarded deeds they did.
///
/// The jail is a directory that `tools/fuzz-differential` fills: bash, common tools, and `rm` and `git` that only note
/// what they were asked for. A script runs there as nobody, with a process table of its own, without a network, and for
/// half a second. Reading or changing `.env` and writing into `/etc` are told by the kernel (inotify). Needs root.
namespace grapnel::differential {

class Jail {
 public:
  /// Takes this process into the directory for good, away from the network and the files of this machine.
  explicit Jail(const std::string& root);
  Jail(const Jail&) = delete;
  Jail& operator=(const Jail&) = delete;
  ~Jail();

  /// The names of the guards whose deed the script did.
  std::set<std::string> run(const std::string& script);
  /// Lays out anew what scripts may change.
  void reset();
  /// The directory in which scripts begin.
  static constexpr const char* kProject = "/home/me/project";

 private:
  void watch();
  void take_news(std::set<std::string>& deeds) const;

  int news_ = -1;
  int secrets_ = -1;
  int etc_ = -1;
};

}  // namespace grapnel::differential
