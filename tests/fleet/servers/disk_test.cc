#include <fstream>

#include <gtest/gtest.h>
#include <sys/mount.h>

#include "fleet/servers/company.h"

// Full disks, on either side. Each test has a small file system of its own, which only root can make.

namespace grapnel::testing {
namespace {

/// A file system in memory with so many MiB, at a path that exists from then on.
class SmallDisk {
 public:
  SmallDisk(std::string path, int megabytes) : path_(std::move(path)) {
    std::filesystem::create_directories(path_);
    const std::string options = "mode=0700,size=" + std::to_string(megabytes) + "m";
    is_mounted_ = ::mount("grapnel", path_.c_str(), "tmpfs", MS_NOSUID | MS_NODEV, options.c_str()) == 0;
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  ~SmallDisk() { remove(); }

  bool is_mounted() const { return is_mounted_; }
  /// Writes until nothing more fits.
  void fill() const {
    std::ofstream file(path_ + "/filling", std::ios::app);
    const std::string block(4096, 'x');
    while (file.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
    }
    std::ofstream rest(path_ + "/filling", std::ios::app);
    while (rest.put('x').flush()) {
    }
  }
  void empty() const { std::filesystem::remove(path_ + "/filling"); }
  void remove() {
    if (is_mounted_) ::umount2(path_.c_str(), MNT_DETACH);
    is_mounted_ = false;
  }

 private:
  std::string path_;
  bool is_mounted_ = false;
};

#define NEEDS_MOUNT(disk) \
  if (!(disk).is_mounted()) GTEST_SKIP() << "only root can make a file system"

TEST(FleetDisk, OfTheServerMayBeFull) {
  const Company company("", {"--no-start"});
  SmallDisk disk(company.home("server/store"), 24);
  NEEDS_MOUNT(disk);
  company.up();
  const auto machine = company.join();
  company.kill(company.collector());
  disk.fill();
  add_records(*machine, 3000);
  // Whatever the server says to that, the records stay where they are.
  EXPECT_EQ(machine->fleet({"flush", "--wait", "3s"}).status, 1);
  EXPECT_EQ(machine->hashes().size(), 3000U);
  disk.empty();
  company.kill(company.server());
  company.up();
  expect_arrived(company, *machine);
}

TEST(FleetDisk, OfTheCentralStoreMayBeFull) {
  const TempDir dir;
  SmallDisk disk(dir / "central", 8);
  NEEDS_MOUNT(disk);
  const Company company(dir / "central/central.db");
  const auto machine = company.join();
  add_records(*machine, 100);
  expect_arrived(company, *machine);
  disk.fill();
  add_records(*machine, 3000);
  EXPECT_EQ(machine->fleet({"flush", "--wait", "3s"}).status, 1) << "it cannot be there";
  disk.empty();
  // Nobody has to start anything again.
  expect_arrived(company, *machine);
  EXPECT_EQ(machine->hashes().size(), 3100U);
}

TEST(FleetDisk, OfAMachineMayBeFull) {
  const Company company;
  FleetMachine machine;
  SmallDisk disk(machine.state_dir(), 4);
  NEEDS_MOUNT(disk);
  company.let_in(machine);
  machine.world().configure_hook("echo no >&2; exit 2");
  EXPECT_TRUE(machine.world().fire_alone().denies());
  expect_arrived(company, machine);
  machine.start();
  disk.fill();
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(machine.world().fire_alone().denies()) << "decisions are as before";
  disk.empty();
  EXPECT_TRUE(machine.world().fire_alone().denies());
  // What could be written arrives.
  expect_arrived(company, machine);
  EXPECT_GE(machine.hashes().size(), 2U);
}

}  // namespace
}  // namespace grapnel::testing
