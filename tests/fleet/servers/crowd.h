#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/fleet/shipper.h"
#include "fleet/own_journal.h"
#include "os/temp_dir.h"

namespace grapnel::testing {

/// Many machines in one process: each has a connection of its own, with credentials of its own, and a journal. What
/// they run is what real machines run, except for the program around it.
class Crowd {
 public:
  /// `office`: the directory of those who run the fleet, with its keys.
  Crowd(std::string office, size_t count);

  struct Member {
    std::string name;
    std::string directory;
    std::unique_ptr<cli::Courier> courier;
    std::unique_ptr<cli::Shipper> shipper;
    int records = 0;
  };
  size_t size() const { return members_.size(); }
  Member& at(size_t index) { return members_[index]; }

  /// Connects all of them. Returns why one could not.
  Result<void> connect();
  size_t count_connected() const;
  /// Each writes so many records.
  void write(int count);
  /// Sends until everything has arrived everywhere. False if that does not happen.
  bool ship();
  /// Calls the function for each member, in a few threads.
  void for_each(const std::function<void(Member&)>& visit);

 private:
  std::string office_;
  TempDir dir_;
  std::vector<Member> members_;
};

}  // namespace grapnel::testing
