#include "fleet/servers/crowd.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include <sys/resource.h>

#include "fleet/roles.h"
#include "os/files.h"
#include "os/patience.h"

namespace grapnel::testing {

namespace {

constexpr size_t kThreads = 8;

/// A connection is a file, and the usual limit is 1,024 of them.
void allow_many_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  static_cast<void>(::setrlimit(RLIMIT_NOFILE, &limit));
}

}  // namespace

Crowd::Crowd(std::string office, size_t count) : office_(std::move(office)), members_(count) {
  allow_many_files();
  // libnats would read all authorities of this computer for each connection, which takes longer than all else.
  ::setenv("SSL_CERT_FILE", "/dev/null", 1);
  ::setenv("SSL_CERT_DIR", "/dev/null", 1);
  const Json state = Json::parse(os::read_file(office_ + "/fleet.json", 1 << 20).value_or("")).value_or(Json());
  const std::string collector_key = state["collector_key"].as_string().value_or("");
  for (size_t i = 0; i < count; ++i) {
    Member& member = members_[i];
    member.name = "crowd-" + std::to_string(i);
    member.directory = dir_ / member.name;
    std::filesystem::create_directories(member.directory);
    member.shipper = std::make_unique<cli::Shipper>(cli::Shipper::Options{.machine = member.name,
                                                                          .records = member.directory,
                                                                          .collector_key = collector_key,
                                                                          .known = {},
                                                                          .on_mark = {},
                                                                          .on_doubt = {}});
  }
}

void Crowd::for_each(const std::function<void(Member&)>& visit) {
  std::atomic<size_t> next = 0;
  std::vector<std::thread> threads;
  for (size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (size_t at = next++; at < members_.size(); at = next++) visit(members_[at]);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

Result<void> Crowd::connect() {
  const Json state = Json::parse(os::read_file(office_ + "/fleet.json", 1 << 20).value_or("")).value_or(Json());
  const std::string seed = os::read_file(office_ + "/keys/role-machine.nk", 1 << 10).value_or("");
  const auto key = fleet::KeyPair::from_seed(std::string_view(seed).substr(0, seed.find('\n')));
  if (!key) return std::unexpected(key.error());
  const std::string account = state["keys"]["agents"].as_string().value_or("");
  std::mutex mutex;
  Result<void> out;
  for_each([&](Member& member) {
    const auto user = fleet::KeyPair::make(fleet::KeyKind::User);
    const auto now = std::chrono::system_clock::now();
    const std::string creds = fleet::creds_text(
        fleet::user_jwt(*key, account, user->public_key(), member.name, now, now + std::chrono::hours(1)),
        user->seed());
    auto courier = cli::Courier::connect({.url = state["url"].as_string().value_or(""),
                                          .authority = state["authority"].as_string().value_or(""),
                                          .name = member.name,
                                          .creds = [creds] { return creds; }});
    if (courier) {
      member.courier = std::move(*courier);
      return;
    }
    const std::lock_guard lock(mutex);
    out = std::unexpected(courier.error());
  });
  return out;
}

size_t Crowd::count_connected() const {
  return static_cast<size_t>(
      std::ranges::count_if(members_, [](const Member& member) { return member.courier->is_connected(); }));
}

void Crowd::write(int count) {
  for_each([&](Member& member) {
    OwnJournal journal(member.directory);
    for (int i = 0; i < count; ++i) journal.add("command " + std::to_string(member.records++));
  });
}

bool Crowd::ship() {
  for_each([](Member& member) { member.shipper->forget_mark(); });
  return becomes_true([&] {
    std::atomic<size_t> arrived = 0;
    for_each([&](Member& member) {
      if (member.courier->is_connected() && member.shipper->step(*member.courier) && member.shipper->has_arrived())
        ++arrived;
    });
    return arrived == members_.size();
  });
}

}  // namespace grapnel::testing
