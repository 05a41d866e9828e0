#include "run/worker_news.h"

#include <filesystem>
#include <functional>

#include <gtest/gtest.h>

#include "os/temp_dir.h"
#include "run/harness.h"

// What changes the mark under which workers are asked, and what does not.

namespace grapnel::testing {
namespace {

TEST(WorkerNews, NothingIsKnownOfWhatIsNotWatched) {
  WorkerNews news;
  EXPECT_EQ(news.mark(), WorkerNews::kNone);
  ASSERT_TRUE(news.open());
  news.watch({"/proc/version"});  // where the kernel does not tell of changes
  EXPECT_EQ(news.mark(), WorkerNews::kNone);
}

TEST(WorkerNews, AMarkStaysUntilSomethingHappens) {
  enum class Want : uint8_t { Same, Another, None };
  struct Case {
    const char* note;
    std::function<void(const TempDir&)> change;
    Want want;
  };
  const Case cases[] = {
      {"nothing", [](const TempDir&) {}, Want::Same},
      {"a file beside it", [](const TempDir& dir) { dir.put("other", "x"); }, Want::Same},
      {"it is written", [](const TempDir& dir) { dir.put("in/worker", "y"); }, Want::None},
      {"it is gone", [](const TempDir& dir) { std::filesystem::remove(dir.path() + "/in/worker"); }, Want::None},
      {"its directory is another",
       [](const TempDir& dir) {
         std::filesystem::rename(dir.path() + "/in", dir.path() + "/out");
         dir.put("in/worker", "x");
       },
       Want::None},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const TempDir dir;
    dir.put("in/worker", "x");
    WorkerNews news;
    ASSERT_TRUE(news.open());
    news.watch({dir.path() + "/in/worker"});
    const uint64_t before = news.mark();
    ASSERT_NE(before, WorkerNews::kNone);
    c.change(dir);
    const uint64_t after = news.mark();
    EXPECT_EQ(after == before ? Want::Same : after == WorkerNews::kNone ? Want::None : Want::Another, c.want);
    dir.put("in/worker", "x");
    news.watch({dir.path() + "/in/worker"});
    EXPECT_GT(news.mark(), before) << "what was found before is not known of the new";
  }
}

TEST(WorkerNews, AMarkCanBeDoubted) {
  WorkerNews news;
  ASSERT_TRUE(news.open());
  news.watch({});
  const uint64_t mark = news.mark();
  EXPECT_EQ(news.mark(), mark);
  news.doubt();
  const uint64_t later = news.mark();
  EXPECT_GT(later, mark);
  EXPECT_EQ(news.mark(), later);
}

}  // namespace
}  // namespace grapnel::testing
