#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "decide/interpret.h"

/// What hooks of all kinds print when they mean yes, no or nothing (cases/deny.jsonl), read as each dialect reads it.
/// The rows of deny.jsonl were written by somebody who did not know how Grapnel reads output; more.jsonl has others.
///
///   {"dialect": "gemini", "exit": 0, "stdout": "…", "stderr": "", "meaning": "deny", "class": "text-around"}
///
/// `dialect` may be `any`; `meaning` is `deny`, `ask`, `allow` or `unclear`. `bytes: latin1` says that each character
/// is one byte. A row with `missed` is known to be misunderstood, and says why. `shown` says that the hook allows, but
/// is a failure that people see, since its JSON has nothing that an answer has: it passes where the hook fails open.
namespace grapnel {
namespace {

struct DenyRow {
  Json json;
  std::string text(std::string_view key) const { return json[key].as_string().value_or(""); }
  std::string label() const { return json.dump(); }
};

std::vector<DenyRow> deny_rows() {
  std::vector<DenyRow> out;
  for (const char* name : {"deny.jsonl", "more.jsonl"}) {
    std::ifstream file(std::string(GRAPNEL_SOURCE_DIR "/tests/decide/cases/") + name);
    for (std::string line; std::getline(file, line);) {
      auto parsed = Json::parse(line);
      EXPECT_TRUE(parsed) << line;
      if (parsed) out.push_back({*parsed});
    }
  }
  return out;
}

/// Each character of the UTF-8 text as one byte.
std::string latin1(std::string_view utf8) {
  std::string out;
  for (size_t i = 0; i < utf8.size(); ++i) {
    const auto c = static_cast<unsigned char>(utf8[i]);
    out += c < 0x80 ? utf8[i] : static_cast<char>((c << 6) | (static_cast<unsigned char>(utf8[++i]) & 0x3F));
  }
  return out;
}

RunOutcome outcome_of(const DenyRow& row) {
  const bool is_bytes = row.text("bytes") == "latin1";
  RunOutcome outcome;
  outcome.ending = Exited{static_cast<int>(row.json["exit"].as_integer().value_or(0))};
  outcome.out.bytes = is_bytes ? latin1(row.text("stdout")) : row.text("stdout");
  outcome.err.bytes = is_bytes ? latin1(row.text("stderr")) : row.text("stderr");
  return outcome;
}

/// The dialects of agents: those whose hooks answer before a tool.
std::vector<const Dialect*> agents() {
  std::vector<const Dialect*> out;
  for (const Dialect* dialect : all_dialects()) {
    if (dialect != &kCanonicalDialect && dialect->find_event(EventKind::PreToolUse) != nullptr) out.push_back(dialect);
  }
  return out;
}

struct Said {
  Verdict verdict;  ///< after the failure policy
  bool has_failed;
  bool is_silent() const { return verdict < Verdict::Ask && !has_failed; }
};

Said fire(const Dialect& dialect, const DenyRow& row, OnFailure policy) {
  HookSpec hook;
  hook.name = "guard";
  hook.dialect = &dialect;
  hook.handler = CommandHandler{};
  hook.failure.on_failure = hook.failure.on_timeout = policy;
  const HookAnswer answer = interpret(hook, EventKind::PreToolUse, outcome_of(row));
  Effects effects = answer.effects;
  if (answer.failure) effects = effects_of_failure(hook, *answer.failure, EventKind::PreToolUse);
  EXPECT_TRUE(!answer.failure || !effects.messages.empty()) << "a failure is always shown";
  const bool stops = effects.stop && effects.verdict < Verdict::Deny;
  return {stops ? Verdict::Deny : effects.verdict, answer.failure.has_value()};
}

/// Whether the row is understood: a refusal is heard, and one whose hook must not fail open denies or asks; a hook that
/// allows is never taken for one that refuses. What an unclear row means is nobody's guess.
bool is_understood(const Dialect& dialect, const DenyRow& row) {
  const Said open = fire(dialect, row, OnFailure::Open);
  const Said closed = fire(dialect, row, OnFailure::Closed);
  const std::string meaning = row.text("meaning");
  if (meaning == "deny" || meaning == "ask") return !open.is_silent() && closed.verdict >= Verdict::Ask;
  const bool is_shown = row.json["shown"].as_bool() == true;
  if (meaning == "allow" && is_shown) return open.verdict < Verdict::Ask && open.has_failed;
  if (meaning == "allow") return open.verdict < Verdict::Ask && closed.verdict < Verdict::Ask;
  return true;
}

TEST(Heard, EveryRowInItsOwnDialect) {
  for (const DenyRow& row : deny_rows()) {
    bool understood = true;
    std::string where;
    for (const Dialect* dialect : agents()) {
      if (row.text("dialect") != "any" && row.text("dialect") != dialect->name) continue;
      if (is_understood(*dialect, row)) continue;
      understood = false;
      where += std::string(dialect->name) + " ";
    }
    EXPECT_EQ(understood, !row.json["missed"]) << where << row.label();
  }
}

/// The same hooks in the settings of all other agents: copied, and never adapted.
TEST(Heard, EveryRefusalInEveryDialect) {
  size_t all = 0;
  size_t silent = 0;
  for (const DenyRow& row : deny_rows()) {
    if (row.text("meaning") != "deny") continue;
    for (const Dialect* dialect : agents()) {
      ++all;
      if (fire(*dialect, row, OnFailure::Open).is_silent()) {
        ++silent;
        if (!row.json["missed"]) ADD_FAILURE() << dialect->name << " hears nothing: " << row.label();
      }
    }
  }
  EXPECT_LE(silent * 20, all) << silent << " of " << all << " refusals pass silently";
}

/// A hook that must fail closed: here no refusal passes, not even one that is known to be misunderstood.
TEST(Heard, NoRefusalPassesWhereTheHookMustFailClosed) {
  for (const DenyRow& row : deny_rows()) {
    if (row.text("meaning") != "deny") continue;
    for (const Dialect* dialect : agents()) {
      EXPECT_GE(fire(*dialect, row, OnFailure::Closed).verdict, Verdict::Ask)
          << dialect->name << " lets pass: " << row.label();
    }
  }
}

TEST(Heard, NoAllowingHookIsTakenForARefusalInAnyDialect) {
  for (const DenyRow& row : deny_rows()) {
    if (row.text("meaning") != "allow" || row.json["missed"]) continue;
    for (const Dialect* dialect : agents()) {
      EXPECT_LT(fire(*dialect, row, OnFailure::Open).verdict, Verdict::Ask) << dialect->name << ": " << row.label();
    }
  }
}

}  // namespace
}  // namespace grapnel
