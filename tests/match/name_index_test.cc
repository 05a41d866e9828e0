#include "match/name_index.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace grapnel {
namespace {

using Ids = std::vector<uint32_t>;
using Entries = std::vector<NameIndex::Entry>;

NameIndex::Entry entry(std::string_view pattern, uint32_t id, MatchSyntax syntax = MatchSyntax::SearchRegex) {
  return {Matcher::compile(pattern, syntax).value(), id};
}

Ids ask_each(const Entries& entries, std::string_view subject) {
  Ids ids;
  for (const auto& e : entries)
    if (e.matcher.matches(subject)) ids.push_back(e.id);
  return ids;
}

TEST(NameIndex, finds_all_that_fit_in_order) {
  const NameIndex index({entry("^Edit$", 0), entry("*", 1), entry("Edit|Write", 2), entry("^(Write|Edit)$", 3),
                         entry("mcp__.*", 4), entry("", 5), entry("^Edit$", 6)});
  struct Case {
    const char* subject;
    Ids want;
  };
  const std::vector<Case> cases = {
      {"Edit", {0, 1, 2, 3, 5, 6}}, {"Write", {1, 2, 3, 5}}, {"EditTool", {1, 2, 5}},
      {"mcp__a__b", {1, 4, 5}},     {"Read", {1, 5}},        {"", {1, 5}},
  };
  for (int round = 0; round < 2; ++round) {
    for (const Case& c : cases) {
      SCOPED_TRACE(std::string(c.subject) + (round ? ", remembered" : ", new"));
      EXPECT_EQ(index.candidates(c.subject), c.want);
    }
  }
}

TEST(NameIndex, remembers_only_so_much) {
  const NameIndex index({entry("a.c", 7)}, {.subjects = 3, .subject_bytes = 8});
  for (int i = 0; i < 10; ++i) EXPECT_EQ(index.candidates("abc" + std::to_string(i)), Ids{7});
  EXPECT_EQ(index.remembered(), 3U);
  EXPECT_EQ(index.candidates("abc-and-much-more"), Ids{7});
}

TEST(NameIndex, remembers_nothing_when_there_is_nothing_to_ask) {
  const NameIndex index({entry("*", 1), entry("^Edit$", 2)});
  EXPECT_EQ(index.candidates("Read"), Ids{1});
  EXPECT_EQ(index.remembered(), 0U);
  EXPECT_TRUE(NameIndex({}).candidates("Read").empty());
}

TEST(NameIndex, answers_many_threads_alike) {
  Entries entries;
  for (uint32_t i = 0; i < 50; ++i) entries.push_back(entry("t" + std::to_string(i) + "|x.y" + std::to_string(i), i));
  const NameIndex index(entries, {.subjects = 64, .subject_bytes = 512});
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 2000; ++i) {
        const std::string subject = "t" + std::to_string((i * (t + 1)) % 100);
        if (index.candidates(subject) != ask_each(entries, subject)) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

RC_GTEST_PROP(NameIndexLaws, equals_asking_each, ()) {
  const auto pattern = rc::gen::oneOf(
      rc::gen::element<std::string>("*", "", "Edit", "^Edit$", "^(Edit|Read)$", "E.it", "mcp__.*", "[bad", "Read|Edit"),
      rc::gen::container<std::string>(rc::gen::element('a', 'b', '|', '.', '^', '$')));
  const auto syntax = rc::gen::element(MatchSyntax::SearchRegex, MatchSyntax::NamesOrRegex, MatchSyntax::NamesOrSearch,
                                       MatchSyntax::Exact, MatchSyntax::GlobBash);
  Entries entries;
  for (const auto& [p, s] :
       *rc::gen::container<std::vector<std::pair<std::string, MatchSyntax>>>(rc::gen::pair(pattern, syntax))) {
    const auto matcher = Matcher::compile(p, s);
    if (matcher) entries.push_back({*matcher, static_cast<uint32_t>(entries.size())});
  }
  const NameIndex index(entries, {.subjects = 4, .subject_bytes = 512});
  const auto subject = rc::gen::oneOf(rc::gen::element<std::string>("Edit", "Read", "mcp__x", "[bad", ""),
                                      rc::gen::container<std::string>(rc::gen::element('a', 'b', '|')));
  for (const std::string& s : *rc::gen::container<std::vector<std::string>>(subject))
    RC_ASSERT(index.candidates(s) == ask_each(entries, s));
}

}  // namespace
}  // namespace grapnel
