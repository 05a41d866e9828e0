#include "fleet/job.h"

#include <set>

#include <gtest/gtest.h>

#include "fleet/job_outbox.h"
#include "fleet/own_journal.h"

namespace grapnel::fleet {
namespace {

using testing::OwnJournal;
using testing::TempDir;

std::vector<std::string> ids_of(JobOutbox& outbox) {
  std::vector<std::string> out;
  for (const JobOutbox::Waiting& one : outbox.waiting()) out.push_back(one.job.id);
  return out;
}

TEST(Job, IsMadeFromARecord) {
  const Json record = *Json::parse(
      R"({"id":"e1","event":"PostToolUse","dialect":"claude","us":3,"hash":"x","payload":{"a":1},)"
      R"("jobs":[{"id":"j1","hook":"tell"},{"id":"j2","hook":"count","payload":{"a":2}},{"id":"../x","hook":"evil"}]})");
  const auto first = job_in(record, 0);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->event.dump(), R"({"id":"e1","event":"PostToolUse","dialect":"claude","payload":{"a":1}})");
  EXPECT_EQ(job_in(record, 1)->event["payload"].dump(), R"({"a":2})") << "the event as the hook sees it";
  EXPECT_FALSE(job_in(record, 2)) << "an id is a part of a subject";
  EXPECT_FALSE(job_in(record, 3));

  Job job = *first;
  job.channel = "stable";
  job.bundle = "b";
  job.version = 4;
  const auto read = Job::parse(job.to_text());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->to_text(), job.to_text());
  for (const char* text :
       {"", "x", "{}", R"({"v":2,"id":"a","hook":"h","channel":"c","event":{}})",
        R"({"v":1,"id":"a","hook":"h","channel":"c.>","event":{}})", R"({"v":1,"id":"a","hook":"h","channel":"c"})"}) {
    EXPECT_FALSE(Job::parse(text)) << text;
  }
}

TEST(Job, HasAState) {
  EXPECT_FALSE(JobState::parse("").is_over());
  EXPECT_FALSE(JobState::parse("{}").is_over());
  const JobState failing{JobState::Kind::Failing, 3};
  EXPECT_EQ(JobState::parse(failing.to_text()).failures, 3);
  EXPECT_FALSE(JobState::parse(failing.to_text()).is_over());
  EXPECT_TRUE(JobState::parse(JobState{JobState::Kind::Done, 0}.to_text()).is_over());
  EXPECT_TRUE(JobState::parse(JobState{JobState::Kind::Dead, 0}.to_text()).is_over());
}

TEST(JobOutbox, HasEveryJobThatIsNotOver) {
  const TempDir dir;
  OwnJournal journal(dir.path());
  JobOutbox outbox(dir.path(), {});
  ASSERT_TRUE(outbox.read());
  EXPECT_TRUE(outbox.has_sent());
  journal.add("none");
  journal.add("one", "", {"j1", "j2"});
  ASSERT_TRUE(outbox.read());
  EXPECT_EQ(ids_of(outbox), (std::vector<std::string>{"j1", "j2"}));
  EXPECT_FALSE(outbox.has_sent());
  journal.add("two", "", {"j3"});
  ASSERT_TRUE(outbox.read());
  EXPECT_EQ(outbox.mark(), Position{}) << "the first batch has open jobs";
  // Whoever begins again at the mark has all of them again.
  JobOutbox again(dir.path(), outbox.mark());
  ASSERT_TRUE(again.read());
  EXPECT_EQ(ids_of(again), (std::vector<std::string>{"j1", "j2", "j3"}));

  outbox.close("j2");
  outbox.close("j1");
  EXPECT_NE(outbox.mark(), Position{});
  JobOutbox later(dir.path(), outbox.mark());
  ASSERT_TRUE(later.read());
  EXPECT_EQ(ids_of(later), (std::vector<std::string>{"j3"}));
  outbox.close("j3");
  JobOutbox last(dir.path(), outbox.mark());
  ASSERT_TRUE(last.read());
  EXPECT_TRUE(last.waiting().empty());
}

TEST(JobOutbox, LeavesInTheJournalWhatIsTooMuch) {
  const TempDir dir;
  OwnJournal journal(dir.path());
  constexpr size_t kCount = 2000;
  for (size_t i = 0; i < kCount; ++i) journal.add("one", "", {"j" + std::to_string(i)});
  JobOutbox outbox(dir.path(), {});
  size_t count = 0;
  std::set<std::string> seen;
  while (seen.size() < kCount) {
    ASSERT_TRUE(outbox.read());
    ASSERT_FALSE(outbox.waiting().empty());
    count = std::max(count, outbox.waiting().size());
    const std::string id = outbox.waiting().front().job.id;
    EXPECT_TRUE(seen.insert(id).second) << id;
    outbox.close(id);
  }
  EXPECT_LT(count, kCount) << "all were in memory at once";
}

}  // namespace
}  // namespace grapnel::fleet
