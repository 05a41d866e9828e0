#include "session/old_sessions.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "grapnel/session_store.h"

#include "os/files.h"
#include "os/temp_dir.h"
#include "session/approvals.h"

// What ten thousand sessions leave behind, and how it goes away.

namespace grapnel::testing {
namespace {

namespace fs = std::filesystem;

class OldSessions : public ::testing::Test {
 protected:
  void work_in(const std::string& session) {
    ASSERT_TRUE(store_->update(session, [](SessionState& state) { state.touched.insert("a.py"); }));
  }
  bool is_known(const std::string& session) { return !store_->load(session)->touched.empty(); }
  /// Everything in the directory was last changed so long ago.
  void age(const std::string& directory, std::chrono::hours by) const {
    for (const auto& entry : fs::directory_iterator(directory)) {
      fs::last_write_time(entry, fs::file_time_type::clock::now() - by);
    }
  }
  size_t forget() const { return forget_old_sessions(sessions_, texts_, std::chrono::system_clock::now()); }
  static size_t count(const std::string& directory) {
    return static_cast<size_t>(std::distance(fs::directory_iterator(directory), {}));
  }

  TempDir dir_;
  const std::string sessions_ = dir_ / "run", texts_ = dir_ / "texts";
  std::unique_ptr<SessionStore> store_ = make_file_session_store(sessions_);
};

TEST_F(OldSessions, GoAfterAMonth) {
  work_in("old");
  age(sessions_, kSessionKept + std::chrono::hours(1));
  work_in("new");
  dir_.put("run/serve.sock", "not ours");
  fs::last_write_time(dir_ / "run/serve.sock", fs::file_time_type::clock::now() - 2 * kSessionKept);
  EXPECT_EQ(forget(), 1u);
  EXPECT_FALSE(is_known("old"));
  EXPECT_TRUE(is_known("new"));
  EXPECT_EQ(count(sessions_), 3u) << "the new one, its lock, and what is nobody's session";
  EXPECT_EQ(forget(), 0u);
}

TEST_F(OldSessions, StayIfTheyGoOn) {
  work_in("old");
  age(sessions_, 2 * kSessionKept);
  std::string path;
  for (const auto& entry : fs::directory_iterator(sessions_)) {
    if (entry.path().extension() == ".json") path = entry.path();
  }
  const auto busy = os::lock_file(path + ".lock", std::chrono::milliseconds(0));
  ASSERT_TRUE(busy);
  EXPECT_EQ(forget(), 0u) << "somebody works with it at this moment";
  EXPECT_TRUE(is_known("old"));
}

TEST_F(OldSessions, GoInSteps) {
  for (int i = 0; i < 1200; ++i) {
    dir_.put("run/" + std::string(28, 'a') + std::to_string(1000 + i) + ".json", "{}");
  }
  age(sessions_, 2 * kSessionKept);
  EXPECT_EQ(forget(), 1000u);
  EXPECT_EQ(forget(), 200u);
  EXPECT_EQ(count(sessions_), 0u);
}

TEST_F(OldSessions, TakeTheirLongTextsAlong) {
  const std::string name(32, '0');
  dir_.put("texts/" + name + "/1-1.txt", "long");
  dir_.put("texts/mine/1.txt", "not ours");
  EXPECT_EQ(forget(), 0u);
  age(texts_, 2 * kSessionKept);
  EXPECT_EQ(forget(), 1u);
  EXPECT_FALSE(fs::exists(dir_ / ("texts/" + name)));
  EXPECT_TRUE(fs::exists(dir_ / "texts/mine"));
}

TEST_F(OldSessions, OnlyThoseWithApprovalsAreReadForThem) {
  work_in("other");
  const auto approve = [](SessionState& state) { add_approval(state, {.session = "s", .subject = "make"}); };
  ASSERT_TRUE(store_->update("s", approve));
  ASSERT_EQ(stored_approvals(sessions_).size(), 1u);
  EXPECT_EQ(stored_approvals(sessions_).front().subject, "make");
  ASSERT_TRUE(store_->update("s", [](SessionState& state) { state.approved.clear(); }));
  EXPECT_TRUE(stored_approvals(sessions_).empty());
  ASSERT_TRUE(store_->update("s", approve));
  age(sessions_, 2 * kSessionKept);
  forget();
  EXPECT_EQ(count(sessions_), 0u);
}

}  // namespace
}  // namespace grapnel::testing
