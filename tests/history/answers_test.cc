#include <gtest/gtest.h>

#include "history/journal_reader.h"
#include "history/open_calls.h"
#include "os/temp_dir.h"
#include "record/records.h"

namespace grapnel {
namespace {

/// One event of a session, as far as it matters here.
struct Told {
  EventKind event;
  const char* call = "";
  const char* tool = "Bash";
  const char* subject = "make";
  Verdict verdict = Verdict::Pass;
  const char* session = "s";
};

Told ask(const char* call, const char* subject = "make") {
  return {.event = EventKind::PreToolUse, .call = call, .subject = subject, .verdict = Verdict::Ask};
}
Told after(const char* call, const char* subject = "make") {
  return {.event = EventKind::PostToolUse, .call = call, .subject = subject};
}

struct AnswerCase {
  const char* note;
  std::vector<Told> events;
  std::vector<std::string> want;  ///< of each event; "" for none
};

const std::vector<AnswerCase>& cases() {
  static const std::vector<AnswerCase> all = {
      {"the tool ran", {ask("1"), after("1")}, {"approved", ""}},
      {"and failed", {ask("1"), {.event = EventKind::PostToolUseFailure, .call = "1"}}, {"approved", ""}},
      {"nothing came after", {ask("1")}, {""}},
      {"the turn ended", {ask("1"), {.event = EventKind::Stop}}, {"not-run", ""}},
      {"the person interrupted it", {ask("1"), {.event = EventKind::Interrupt}}, {"not-run", ""}},
      {"an error ended the turn", {ask("1"), {.event = EventKind::StopFailure}}, {"not-run", ""}},
      {"the person went on", {ask("1"), {.event = EventKind::UserPromptSubmit}}, {"not-run", ""}},
      {"another call ran", {ask("1"), after("2")}, {"", ""}},
      {"two calls, the second approved",
       {ask("1"), ask("2"), after("2"), {.event = EventKind::Stop}},
       {"not-run", "approved", "", ""}},
      {"calls without ids", {ask("", "a"), ask("", "b"), after("", "b")}, {"", "approved", ""}},
      {"the same call twice without ids: the newest",
       {ask("", "a"), ask("", "a"), after("", "a")},
       {"", "approved", ""}},
      {"another session ended", {ask("1"), {.event = EventKind::Stop, .session = "t"}}, {"", ""}},
      {"what ran after the turn is another call",
       {ask("1"), {.event = EventKind::Stop}, after("1")},
       {"not-run", "", ""}},
      {"nobody asked", {{.event = EventKind::PreToolUse, .call = "1"}, after("1")}, {"", ""}},
      {"denied is not asked",
       {{.event = EventKind::PreToolUse, .call = "1", .verdict = Verdict::Deny}, after("1")},
       {"", ""}},
  };
  return all;
}

Record record_of(const Told& told, size_t number) {
  Record record = testing::make_record("id" + std::to_string(number));
  record.event = told.event;
  record.session_id = told.session;
  record.tool_use_id = told.call;
  record.tool = told.tool;
  record.subject = told.subject;
  record.verdict = told.verdict;
  return record;
}

std::vector<std::string> answers_in(const std::string& directory) {
  auto reader = JournalReader::open(directory);
  if (!reader || !reader->refresh()) return {"cannot be read"};
  const auto entries = reader->find({});
  std::vector<std::string> out;
  for (const JournalEntry& entry : *entries) out.push_back(entry.record["answer"].as_string().value_or(""));
  return out;
}

TEST(Answers, AreShownByLaterEvents) {
  for (const AnswerCase& c : cases()) {
    SCOPED_TRACE(c.note);
    const testing::TempDir dir;
    size_t number = 0;
    for (const Told& told : c.events) {
      make_file_record_sink(dir.path())->record(record_of(told, number++));
      // Each is imported on its own, as if somebody looked after every event.
      auto reader = JournalReader::open(dir.path());
      ASSERT_TRUE(reader && reader->refresh());
    }
    EXPECT_EQ(answers_in(dir.path()), c.want);
  }
}

TEST(Answers, AreTheSameIfAllIsImportedAtOnce) {
  for (const AnswerCase& c : cases()) {
    SCOPED_TRACE(c.note);
    const testing::TempDir dir;
    size_t number = 0;
    for (const Told& told : c.events) make_file_record_sink(dir.path())->record(record_of(told, number++));
    EXPECT_EQ(answers_in(dir.path()), c.want);
  }
}

TEST(Answers, AreNobodysIfTheAgentCouldNotBeToldToAsk) {
  const testing::TempDir dir;
  Record record = record_of(ask("1"), 0);
  record.degraded.push_back({"ask", "deny", "this agent cannot ask"});
  make_file_record_sink(dir.path())->record(record);
  make_file_record_sink(dir.path())->record(record_of({.event = EventKind::Stop}, 1));
  EXPECT_EQ(answers_in(dir.path()), (std::vector<std::string>{"", ""}));
}

}  // namespace
}  // namespace grapnel
