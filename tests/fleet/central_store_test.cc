#include "fleet/central_store.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "fleet/empty_database.h"
#include "fleet/outbox.h"
#include "fleet/own_journal.h"

namespace grapnel::fleet {
namespace {

using testing::OwnJournal;
using testing::TempDir;

/// The same questions to both databases. PostgreSQL is asked where `make test-fleet` has started one.
std::vector<std::string> databases() {
  const char* const server = std::getenv("GRAPNEL_TEST_POSTGRES");
  return server == nullptr ? std::vector<std::string>{"sqlite"} : std::vector<std::string>{"sqlite", server};
}

class CentralStoreTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "sqlite") {
      address_ = dir_ / "central.db";
      return;
    }
    address_ = GetParam();
    testing::empty_database(address_);
  }

  CentralStore open() const {
    auto store = CentralStore::open(address_);
    EXPECT_TRUE(store) << store.error().message;
    return std::move(*store);
  }

  /// The batches of a journal with so many records.
  std::vector<Arrival> batches_of(const std::string& machine, int count, const std::string& subject = "git push") {
    OwnJournal journal(dir_ / machine);
    std::vector<Arrival> out;
    Position at;
    Outbox outbox(journal.directory());
    for (int i = 0; i < count; ++i) {
      journal.add(subject);
      out.push_back({machine, *outbox.next(at)});
      at = out.back().batch.upto;
    }
    return out;
  }

  const TempDir dir_;
  std::string address_;
};

TEST_P(CentralStoreTest, KeepsOneRowForEachRecord) {
  CentralStore store = open();
  const auto batches = batches_of("laptop", 3);
  for (int i = 0; i < 2; ++i) {
    const auto marks = store.take(batches);
    ASSERT_TRUE(marks) << marks.error().message;
    EXPECT_EQ(marks->at("laptop"), batches.back().batch.upto);
    EXPECT_EQ(store.count().value_or(-1), 3);
  }
  // Another machine may have the same records, and both have rows.
  std::vector<Arrival> copies = batches;
  for (Arrival& copy : copies) copy.machine = "clone";
  ASSERT_TRUE(store.take(copies));
  EXPECT_EQ(store.count().value_or(-1), 6);
}

TEST_P(CentralStoreTest, MarkStaysWhereSomethingIsMissing) {
  CentralStore store = open();
  const auto batches = batches_of("laptop", 4);
  ASSERT_TRUE(store.take({batches[0]}));
  // The second one is lost on its way.
  auto marks = store.take({batches[2]});
  EXPECT_EQ(marks->at("laptop"), batches[0].batch.upto);
  EXPECT_EQ(store.count().value_or(-1), 2);
  marks = store.take({batches[1]});
  EXPECT_EQ(marks->at("laptop"), batches[1].batch.upto);
  marks = store.take({batches[2], batches[3]});
  EXPECT_EQ(marks->at("laptop"), batches[3].batch.upto);
  EXPECT_EQ(store.count().value_or(-1), 4);
  EXPECT_EQ(store.marks()->at("laptop"), batches[3].batch.upto);
}

TEST_P(CentralStoreTest, IsThereAfterItWasClosed) {
  const auto batches = batches_of("laptop", 3);
  {
    CentralStore store = open();
    ASSERT_TRUE(store.take(batches));
  }
  CentralStore store = open();
  EXPECT_EQ(store.count().value_or(-1), 3);
  EXPECT_EQ(store.marks()->at("laptop"), batches.back().batch.upto);
}

TEST_P(CentralStoreTest, FindsRecords) {
  CentralStore store = open();
  ASSERT_TRUE(store.take(batches_of("laptop", 3, "git push --force")));
  ASSERT_TRUE(store.take(batches_of("server", 2, "rm -rf 100%")));
  struct Case {
    const char* note;
    RecordFilter filter;
    size_t count;
  };
  const std::vector<Case> cases = {
      {"all", {}, 5},
      {"of a machine", {.machine = "laptop"}, 3},
      {"by a part of the subject, in any case", {.text = "PUSH"}, 3},
      {"a percent sign is no wildcard", {.text = "100%"}, 2},
      {"and neither is an underscore", {.text = "r_"}, 0},
      {"the newest", {.limit = 2}, 2},
      {"by verdict", {.verdict = "pass"}, 5},
      {"no such verdict", {.verdict = "deny"}, 0},
      {"since", {.since = "2026-01-03"}, 0},
      {"until", {.until = "2026-01-03"}, 5},
      {"by the beginning of an id", {.id = "event-1"}, 2},
      {"behind a number", {.after = 3}, 2},
      {"before a number", {.before = 3}, 2},
      {"nothing that could be SQL", {.machine = "' OR 1=1 --"}, 0},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.note);
    const auto found = store.find(one.filter);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->size(), one.count);
  }
  const auto newest = store.find({.limit = 1});
  EXPECT_EQ(newest->front().machine, "server");
  EXPECT_EQ(newest->front().record["subject"].as_string(), "rm -rf 100%");
}

TEST_P(CentralStoreTest, KeepsAChangedLineBesideTheRecord) {
  CentralStore store = open();
  const auto batches = batches_of("laptop", 1);
  ASSERT_TRUE(store.take(batches));
  Arrival forged = batches.front();
  std::string& line = forged.batch.lines.front();
  line.replace(line.find("git push"), 8, "git pull");
  ASSERT_TRUE(store.take({forged}));
  const auto all = store.find({});
  ASSERT_EQ(all->size(), 2U);
  EXPECT_EQ(all->front().record["subject"].as_string(), "git push");
}

TEST_P(CentralStoreTest, KnowsMachinesAndConfigurations) {
  CentralStore store = open();
  Arrival arrival = batches_of("laptop", 1).front();
  arrival.batch.registries = {{"abc", *Json::parse(R"({"hooks":["it's"]})")}};
  ASSERT_TRUE(store.take({arrival}));
  EXPECT_EQ(store.registry("abc")->dump(), R"({"hooks":["it's"]})");
  EXPECT_TRUE(store.registry("other")->is_missing());
  ASSERT_TRUE(store.note_joined("laptop", "UKEY", "2026-01-02T00:00:00.000Z"));
  ASSERT_TRUE(store.note_machines({{"laptop", {*Json::parse(R"({"version":"1"})"), "2026-01-03T00:00:00.000Z"}}}));
  EXPECT_EQ(store.key_of("laptop").value_or(""), "UKEY");
  EXPECT_EQ(store.key_of("nobody").value_or("?"), "");
  const auto machines = store.machines();
  ASSERT_EQ(machines->size(), 1U);
  EXPECT_EQ(machines->front().seen, "2026-01-03T00:00:00.000Z");
  EXPECT_EQ(machines->front().records, 1);
  ASSERT_TRUE(store.forget_machine("laptop"));
  EXPECT_TRUE(store.machines()->empty());
}

// Counting rows would take longer every day.
TEST_P(CentralStoreTest, CountsWhatHasArrived) {
  const auto batches = batches_of("laptop", 3);
  {
    CentralStore store = open();
    ASSERT_TRUE(store.take({batches[0], batches[1]}));
    ASSERT_TRUE(store.take(batches));
    ASSERT_TRUE(store.take(batches_of("server", 2)));
    ASSERT_TRUE(store.note_machines({{"laptop", {}}, {"server", {}}, {"tower", {}}}));
    EXPECT_EQ(store.count_arrived().value_or(-1), 5);
    const auto machines = store.machines();
    ASSERT_EQ(machines->size(), 3U);
    EXPECT_EQ((*machines)[0].records, 3);
    EXPECT_EQ((*machines)[1].records, 2);
    EXPECT_EQ((*machines)[2].records, 0);
    const auto page = store.machines("laptop", 1);
    ASSERT_EQ(page->size(), 1U);
    EXPECT_EQ(page->front().name, "server");
  }
  // A store from before there were such counts gets them when it is opened.
  ASSERT_TRUE((*open_sql(address_))->run("DROP TABLE counts"));
  EXPECT_EQ(open().count_arrived().value_or(-1), 5);
}

TEST(CentralStorePlan, FindsDenialsOfADayWithoutReadingAllRuns) {
  const TempDir dir;
  ASSERT_TRUE(CentralStore::open(dir / "central.db"));
  const auto plan = (*open_sql(dir / "central.db"))
                        ->run(
                            "EXPLAIN QUERY PLAN SELECT hook, count(*) FROM runs WHERE time >= $1 AND verdict = 'deny' "
                            "GROUP BY hook",
                            {std::string("2026-01-01")});
  ASSERT_TRUE(plan);
  std::string text;
  for (const SqlRow& row : *plan) text += row.back() + "\n";
  EXPECT_TRUE(text.contains("runs_denials")) << text;
}

TEST_P(CentralStoreTest, TakesThousandsAtOnce) {
  CentralStore store = open();
  OwnJournal journal(dir_ / "busy");
  for (int i = 0; i < 2500; ++i) journal.add("command " + std::to_string(i));
  Outbox outbox(journal.directory());
  std::vector<Arrival> arrivals;
  Position at;
  for (auto batch = outbox.next(at); !batch->lines.empty(); batch = outbox.next(at)) {
    at = batch->upto;
    arrivals.push_back({"busy", *batch});
  }
  const auto marks = store.take(arrivals);
  ASSERT_TRUE(marks) << marks.error().message;
  EXPECT_EQ(marks->at("busy"), at);
  EXPECT_EQ(store.count().value_or(-1), 2500);
}

INSTANTIATE_TEST_SUITE_P(Databases, CentralStoreTest, ::testing::ValuesIn(databases()));

}  // namespace
}  // namespace grapnel::fleet
