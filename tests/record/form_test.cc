#include <gtest/gtest.h>

#include "record/records.h"
#include "record/stored_record.h"

namespace grapnel {
namespace {

/// A record in which everything is set.
Record full_record() {
  Record record = testing::make_record("id");
  record.dialect = "claude";
  record.agent_version = "2.1.197";
  record.session_id = "s";
  record.agent_id = "a1";
  record.agent_type = "Explore";
  record.parent = "p";
  record.cwd = "/w/app/src";
  record.project_dir = "/w/app";
  record.permission_mode = "plan";
  record.tool = "Bash";
  record.tool_use_id = "t";
  record.subject = "npm ci";
  record.rewritten_subject = "pnpm ci";
  record.outcome = ToolOutcome{
      .succeeded = false, .exit_code = 2, .was_interrupted = true, .error = "no", .took = std::chrono::milliseconds(7)};
  record.registry_digest = "ab";
  HookFate fate{.name = "h", .source = "f:1"};
  fate.would = Verdict::Ask;
  fate.stage = 2;
  record.hooks.push_back(fate);
  record.would = Would{.verdict = Verdict::Ask, .reason = "r", .decided_by = "h", .effects = {}};
  return record;
}

TEST(RecordForm, IsWhatTheDocumentationSays) {
  EXPECT_EQ(record_text(full_record()),
            R"({"v":2,"id":"id","time":"2026-01-31T10:00:00.000Z","event":"PreToolUse","dialect":"claude",)"
            R"("agent_version":"2.1.197","session":"s","agent_id":"a1","agent_type":"Explore","parent":"p",)"
            R"("cwd":"/w/app/src","project":"/w/app","mode":"plan","tool":"Bash","tool_use_id":"t",)"
            R"("subject":"npm ci","rewritten_subject":"pnpm ci",)"
            R"("outcome":{"ok":false,"exit":2,"interrupted":true,"error":"no","ms":7},"registry":"ab",)"
            R"("hooks":[{"name":"h","source":"f:1","fate":"ran","verdict":"pass","would":"ask",)"
            R"("stage":2,"us":0,"at_us":0}],)"
            R"("verdict":"pass","origin":"no-hook",)"
            R"("would":{"verdict":"ask","reason":"r","decided_by":"h"},"us":0})");
}

TEST(RecordForm, NamesJobsAndKeepsTheirPayload) {
  const auto stored = [](Record record, KeepPayloads keep) {
    return Json::parse(record_text(fit_for_storage(std::move(record), Mask({}), keep))).value_or(Json());
  };
  Record record = testing::make_record("id");
  record.payload = Json::object({{"tool_input", Json::object({{"command", Json::string("API_TOKEN=abcdef make")}})}});
  for (const KeepPayloads keep : {KeepPayloads::Off, KeepPayloads::Digest}) {
    EXPECT_FALSE(stored(record, keep)["payload"]);
    Record wanting = record;
    wanting.jobs = {{.id = "1", .hook = "tell"}};
    const Json line = stored(wanting, keep);
    EXPECT_EQ(line["jobs"].dump(), R"([{"id":"1","hook":"tell"}])");
    EXPECT_EQ(line["payload"]["tool_input"]["command"].as_string(), "API_TOKEN=*** make");
  }
  // A worker gets what fits into a record.
  record.jobs = {
      {.id = "1", .hook = "tell", .payload = Json::object({{"b", Json::string(std::string(1 << 20, 'y'))}})}};
  record.payload = Json::object({{"a", Json::string(std::string(1 << 20, 'x'))}});
  const Json line = stored(record, KeepPayloads::Digest);
  EXPECT_LT(line.dump().size(), size_t{600} << 10);
  EXPECT_TRUE(line["payload"]["a"].as_string().value_or("").starts_with("xxx"));
  EXPECT_TRUE(line["jobs"].at(0)["payload"]["b"].as_string().value_or("").starts_with("yyy"));
}

TEST(RecordForm, LeavesOutWhatIsNotKnown) {
  EXPECT_EQ(record_text(testing::make_record("id")),
            R"({"v":2,"id":"id","time":"2026-01-31T10:00:00.000Z","event":"PreToolUse","dialect":"canonical",)"
            R"("registry":"","hooks":[],"verdict":"pass","origin":"no-hook","us":0})");
}

TEST(RecordForm, KeepsTheSubjectWhateverThePayloadSetting) {
  for (const KeepPayloads keep : {KeepPayloads::Off, KeepPayloads::Digest, KeepPayloads::Full}) {
    Record record = full_record();
    record.subject = "curl -H 'Authorization: Bearer abcdefgh' " + std::string(5000, 'x');
    record.rewritten_subject = "API_TOKEN=abc make";
    record.outcome->error = "password=abc is wrong";
    record.would->reason = "SECRET=abc";
    record.would->effects = *Json::parse(R"({"context":"SECRET=abc"})");
    const Record kept = fit_for_storage(std::move(record), Mask(), keep);
    EXPECT_TRUE(kept.subject.starts_with("curl -H 'Authorization: Bearer ***' xxx")) << kept.subject;
    EXPECT_LT(kept.subject.size(), 1200U);
    EXPECT_EQ(kept.rewritten_subject, "API_TOKEN=*** make");
    EXPECT_EQ(kept.outcome->error, "password=*** is wrong");
    EXPECT_EQ(kept.would->reason, "SECRET=***");
    EXPECT_EQ(kept.would->effects ? kept.would->effects.dump() : "",
              keep == KeepPayloads::Off ? "" : R"({"context":"SECRET=***"})");
    EXPECT_EQ(kept.cwd, "/w/app/src");
  }
}

TEST(RecordForm, MasksBeforeItCuts) {
  Record record = testing::make_record("id");
  record.subject = std::string(1000, 'a') + " https://me:" + std::string(100, 'p') + "@host/";
  const std::string subject = fit_for_storage(std::move(record), Mask(), KeepPayloads::Off).subject;
  EXPECT_FALSE(subject.contains("ppp")) << subject;
}

}  // namespace
}  // namespace grapnel
