#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>

#include "engine/fixture.h"

// Where understanding ends, nothing is allowed by a rule, and a rule that denies is not silent. There is a row for
// every limit of src/shell and src/call, and a test that reads the sources and finds the limits without a row.

namespace grapnel::testing {
namespace {

namespace fs = std::filesystem;

std::string times(std::string_view text, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) out += text;
  return out;
}

/// The command behind so many wrappers.
std::string wrapped(std::string text, size_t count) {
  for (size_t i = 0; i < count; ++i) text = "nice " + text;
  return text;
}

std::string braces(size_t depth) {
  return depth == 0 ? "a" : "{" + braces(depth - 1) + ",b}";
}

constexpr const char* kAllowsAll = R"(
  - { name: lists, on: PreToolUse, when: { tool: shell, command: ls }, allow: true }
  - { name: reads, on: PreToolUse, when: { tool: shell, effect: readonly }, allow: true }
)";

constexpr const char* kAllowsOne = R"(
  - { name: one, on: PreToolUse, when: { tool: shell, command: ls aaaaaaaaaa }, allow: true }
)";

constexpr const char* kTooHard = "it is nested too deeply or takes too long to read";
constexpr const char* kNotWhole = "it is nested too deeply, or not valid for a shell";
constexpr const char* kTooMany = "it has too many commands, or commands nested too deeply in each other";
constexpr const char* kOddBytes = "it contains characters that look like others, or that cannot be seen";
constexpr const char* kQuestion = "";  ///< the command is understood; only whether the rule holds is not sure

constexpr const char* kFiles = "not all files that it uses are known";

struct LimitCase {
  const char* limit;  ///< the file and the constant
  std::string beyond;
  const char* why;  ///< what the record says
  const char* rules = kAllowsAll;
  std::string within = "ls -l";                          ///< the same rules allow this
  std::function<void(const std::string& dir)> set = {};  ///< makes files in the project
};

std::vector<LimitCase> limit_cases() {
  return {
      {"shell/parse.h kMaxText", "ls " + times("a", size_t{257} << 10), "it is longer than 256 KiB"},
      {"shell/parse.cc kMaxNesting", wrapped("ls", 40), kTooMany},
      {"shell/parse.cc kMaxCommands", times("ls;", 11'000), kTooMany},
      {"shell/word_scan.cc kMaxBraceWords", "ls " + times("{a,b}", 10), kQuestion, kAllowsOne, "ls aaaaaaaaaa"},
      {"shell/word_scan.cc kMaxBraceDepth", "ls aaaaaaaaa" + braces(40), kQuestion, kAllowsOne, "ls aaaaaaaaaa"},
      {"shell/syntax.cc kMaxDepth", "ls " + times("$(ls ", 250) + times(")", 250), kNotWhole},
      {"shell/syntax.cc kMaxOpen", "ls " + times("(", 100'000), kTooHard},
      {"shell/syntax.cc kMaxOpen", times("ls; case x in a) ", 12'000), kTooHard},
      {"shell/syntax.cc kMaxTime", times("f() ", 50'000), kTooHard},
      {"call/words.cc kMaxSteps", "ls " + times("a ", 200) + "$X", kQuestion,
       "  - { name: many, on: PreToolUse, when: { tool: shell, command: 'ls * a * a * a * a * b' }, allow: true }\n",
       "ls a a a a b"},
      {"call/tool_call_files.cc kMaxBases", times("cd a; cd b; ", 10) + "cat src/x", kFiles,
       "  - { name: all, on: PreToolUse, when: { tool: shell, path: '**', effect: readonly }, allow: true }\n",
       "cd a; cat src/x"},
      {"call/tool_call_files.cc kMaxExpanded", "cat src/*", kFiles,
       "  - { name: sources, on: PreToolUse, when: { tool: shell, path: 'src/**', effect: readonly }, allow: true }\n",
       "cat src/x",
       [](const std::string& dir) {
         fs::create_directories(dir + "/src");
         for (int i = 0; i < 1100; ++i) std::ofstream(dir + "/src/" + std::to_string(i)) << "x";
       }},
      {"odd bytes", "l\x01s -l", kOddBytes},
      {"odd bytes", "ls aaaaaaaaaa\x01", kOddBytes, kAllowsOne, "ls aaaaaaaaaa"},
      {"odd bytes", "\xffls -l", kOddBytes},
      {"odd letters", "l\xd1\x95 -l", kOddBytes},
      {"no valid shell", "ls (((", kNotWhole},
  };
}

/// Limits of other kinds.
const std::map<std::string, const char*> kOtherLimits = {
    {"shell/syntax.cc kSliceMicroseconds", "how often the time is looked at"},
    {"call/command_pattern.cc kMaxProduct", "beyond it a pattern may fit, and may is not enough for an allow"},
    {"call/path_name.cc kMaxEntries", "a search for other names of a file, which can only add names"},
    {"call/command_input.cc kMaxDepth", "a search for texts in an odd input, of which none is allowed"},
    {"call/doubt.cc kMaxPiece", "how long a piece of a word is that counts as a hint for doubt"},
    {"call/doubt.cc kMaxEdited", "how many edited values are looked at for doubt"},
    {"call/git_index.cc kMaxIndex", "a list of files that a command may read besides those it names"},
    {"call/tool_call_reach.cc kMaxIgnoreFile", "a list of files that a command leaves out"},
    {"call/tool_call_reach.cc kMaxSeen", "a search for files that a command may read besides those it names"},
    {"call/second_reading.cc kMaxReadings", "texts that are read once more, which can only add doubt"},
    {"call/second_reading.cc kMaxTexts", "the same"},
    {"call/second_reading.cc kMaxTextSize", "the same"},
    {"call/path_name.cc kMaxLinks", "the kernel follows no more links either"},
};

class Understanding : public EngineTest {
 protected:
  std::unique_ptr<Engine> engine_for(const std::string& hooks) {
    EngineOptions out = options();
    out.configs.push_back({"", dir_.put("rules/grapnel.yaml", "version: 1\nhooks:\n" + hooks), {}});
    out.recording.unmatched = true;
    auto engine = Engine::create(std::move(out));
    for (const ConfigProblem& problem : engine->problems()) ADD_FAILURE() << problem.to_string();
    return engine;
  }

  Event shell(std::string_view text) const {
    return Event(EventKind::PreToolUse,
                 Json::object({{"tool_name", Json::string("Bash")},
                               {"cwd", Json::string(dir_ / "project")},
                               {"tool_input", Json::object({{"command", Json::string(text)}})}}));
  }
};

TEST_F(Understanding, NothingIsAllowedBeyondALimit) {
  for (const LimitCase& c : limit_cases()) {
    SCOPED_TRACE(c.limit);
    fs::create_directories(dir_ / "project/src");
    std::ofstream(dir_ / "project/src/x") << "x";
    auto engine = engine_for(c.rules);
    EXPECT_EQ(engine->fire(shell(c.within)).verdict(), Verdict::Allow) << "the rules do allow something";
    if (c.set) c.set(dir_ / "project");
    const Decision decision = engine->fire(shell(c.beyond));
    EXPECT_EQ(decision.verdict(), Verdict::Pass) << decision.reason();
    fs::remove_all(dir_ / "project/src");
  }
}

TEST_F(Understanding, AGuardIsNotSilentWhereNothingIsUnderstood) {
  auto engine = engine_for(
      "  - { name: no-push, on: PreToolUse, when: { tool: shell, command: git push }, deny: People push. }\n");
  for (const LimitCase& c : limit_cases()) {
    // What these commands run is understood; only the question was too hard.
    const bool is_about_words =
        std::string_view(c.limit).starts_with("call/") || std::string_view(c.limit).contains("Brace");
    if (is_about_words) continue;
    const Decision decision = engine->fire(shell(c.beyond + "\ngit push"));
    EXPECT_GE(decision.verdict(), Verdict::Ask) << c.limit;
  }
}

/// The record, and so `grapnel why`, names the cause.
TEST_F(Understanding, TheRuleSaysWhatWasNotUnderstood) {
  for (const LimitCase& c : limit_cases()) {
    SCOPED_TRACE(c.limit);
    fs::create_directories(dir_ / "project/src");
    if (c.set) c.set(dir_ / "project");
    engine_for(c.rules)->fire(shell(c.beyond));
    fs::remove_all(dir_ / "project/src");
    ASSERT_FALSE(sink_->records.empty());
    const Record& record = sink_->records.back();
    ASSERT_FALSE(record.hooks.empty());
    const std::string& said = record.hooks.front().detail;
    const std::string why = c.why;
    const std::string end = why == kQuestion ? " for sure"
                            : why == kFiles  ? ": " + why
                                             : ": Grapnel does not understand the whole command, because " + why;
    EXPECT_TRUE(said.ends_with(end)) << said;
  }
}

TEST_F(Understanding, EveryLimitHasARow) {
  std::set<std::string> known;
  for (const LimitCase& c : limit_cases()) known.insert(c.limit);
  const std::regex limit(R"(constexpr\s+[\w:<>]+\s+(k(?:Max|Slice)\w+)\s*[={])");
  for (const char* folder : {"shell", "call"}) {
    for (const auto& entry : fs::directory_iterator(std::string(GRAPNEL_SOURCE_DIR) + "/src/" + folder)) {
      std::ifstream file(entry.path());
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      for (std::sregex_iterator it(text.begin(), text.end(), limit), end; it != end; ++it) {
        const std::string name = folder + ("/" + entry.path().filename().string()) + " " + (*it)[1].str();
        EXPECT_TRUE(known.contains(name) || kOtherLimits.contains(name)) << name << " needs a row in limit_cases()";
      }
    }
  }
}

}  // namespace
}  // namespace grapnel::testing
