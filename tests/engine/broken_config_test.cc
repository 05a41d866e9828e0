#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include <sys/stat.h>

#include "engine/fixture.h"
#include "trust/good_files.h"
#include "trust/pinned_files.h"
#include "trust/trust_history.h"
#include "trust/trust_store.h"

namespace grapnel::testing {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kRules = "project/.agents/grapnel.yaml";
constexpr std::string_view kGood =
    "version: 1\nhooks:\n  - name: no-push\n    on: PreToolUse\n    when: { tool: shell, command: git push }\n"
    "    deny: no\n";

/// A project with one trusted rule, read once so that its good version is kept.
class BrokenConfig : public EngineTest {
 protected:
  void SetUp() override {
    dir_.put(kRules, kGood);
    dir_.put("project/other.txt", "text");
    with_ = options();
    with_.places.trust_store = store_;
    auto engine = Engine::create(with_);
    std::set<std::string> digests;
    std::vector<PinnedHook> pinned;
    for (const HookInfo& hook : engine->hooks()) {
      digests.insert(hook.digest);
      pinned.push_back({hook.name, hook.digest, "", {}, ".agents/grapnel.yaml"});
    }
    ASSERT_TRUE(TrustStore(store_).set_trusted(dir_ / "project", digests));
    ASSERT_TRUE(TrustHistory(store_).save(dir_ / "project", pinned));
    engine->reload();
    ASSERT_TRUE(engine->fire(shell("git push")).denied());
    ASSERT_EQ(good_files().size(), 1U);
    notices_.clear();
  }

  static Event shell(const std::string& command, const std::string& session = "s1") {
    return Event(EventKind::PreToolUse,
                 Json::object({{"session_id", Json::string(session)},
                               {"tool_name", Json::string("Bash")},
                               {"tool_input", Json::object({{"command", Json::string(command)}})}}));
  }

  std::vector<fs::path> good_files() const {
    std::vector<fs::path> out;
    for (const auto& entry : fs::directory_iterator(dir_ / "state/good")) out.push_back(entry.path());
    return out;
  }

  bool was_told(std::string_view part) const {
    return std::ranges::any_of(notices_, [&](const std::string& text) { return text.contains(part); });
  }

  std::string rules() const { return dir_ / kRules; }

  std::string store_ = dir_ / "state/trust.json";
  EngineOptions with_;
};

struct Break {
  const char* note;
  std::function<void(const TempDir&)> how;
  const char* told;
};

TEST_F(BrokenConfig, TheLastGoodVersionHolds) {
  const auto put = [](std::string text) { return [text](const TempDir& dir) { dir.put(kRules, text); }; };
  const auto replace = [](const std::function<void(const std::string&)>& make) {
    return [make](const TempDir& dir) {
      fs::remove_all(dir / kRules);
      make(dir / kRules);
    };
  };
  const std::vector<Break> cases = {
      {"a typo", put("version: 1\nhooks:\n  - name: [x\n"), ".agents/grapnel.yaml:3:11: "},
      {"no version", put("hooks:\n  - name: x\n"), "version"},
      {"a version of the future", put("version: 7\nhooks: []\n"), "version '7'"},
      {"no list", put("version: 1\nhooks: yes\n"), "must be a list"},
      {"no rules because of a typo", put("version: 1\nhoks:\n  - name: x\n"), "hoks"},
      {"no bytes", put(""), "empty"},
      {"only blanks", put(" \n\n"), "empty"},
      {"not a mapping", put("- a\n- b\n"), "last good version"},
      {"a scalar", put("gone"), "last good version"},
      {"a NUL", put(std::string("version: 1\0\nhooks:\n", 19)), "last good version"},
      {"not UTF-8", put("version: 1\nhooks: \xff\n"), "last good version"},
      {"conflict markers", put("<<<<<<< HEAD\nversion: 1\n=======\nversion: 1\n>>>>>>> x\n"), "last good version"},
      {"a directory", replace([](const std::string& path) { fs::create_directory(path); }), "regular file"},
      {"a pipe", replace([](const std::string& path) { ::mkfifo(path.c_str(), 0644); }), "regular file"},
      {"a link to a directory", replace([](const std::string& path) { fs::create_symlink("/", path); }),
       "regular file"},
      {"a link to itself", replace([](const std::string& path) { fs::create_symlink(path, path); }), "grapnel.yaml"},
  };
  int number = 0;
  for (const Break& broken : cases) {
    SCOPED_TRACE(broken.note);
    notices_.clear();
    broken.how(dir_);
    const bool is_gone = std::string_view(broken.note) == "a link to itself";  // nothing can be found at its end
    const Decision decision = Engine::create(with_)->fire(shell("git push", "t" + std::to_string(++number)));
    EXPECT_EQ(decision.denied(), !is_gone);
    EXPECT_TRUE(was_told(broken.told)) << (notices_.empty() ? "" : notices_.front());
    EXPECT_EQ(good_files().size(), 1U) << "a broken version is never kept";
  }
}

TEST_F(BrokenConfig, AFileThatCannotBeReadIsBroken) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads everything";
  ::chmod(rules().c_str(), 0);
  EXPECT_TRUE(Engine::create(with_)->fire(shell("git push")).denied());
}

TEST_F(BrokenConfig, AResidentEngineSeesTheBreakAndTheRepair) {
  auto engine = Engine::create(with_);
  dir_.put(kRules, "version: [\n");
  engine->reload();
  EXPECT_TRUE(engine->fire(shell("git push")).denied());
  EXPECT_TRUE(was_told("last good version"));
  const size_t told = notices_.size();
  engine->fire(shell("ls"));
  EXPECT_EQ(notices_.size(), told) << "once in a session";
  dir_.put(kRules, "version: 1\nhooks: []\n");
  engine->reload();
  EXPECT_FALSE(engine->fire(shell("git push")).denied()) << "no rules: somebody wants it so";
  EXPECT_TRUE(was_told("no longer has 1 hook"));
}

TEST_F(BrokenConfig, AFileThatIsGoneIsTold) {
  fs::remove(rules());
  EXPECT_FALSE(Engine::create(with_)->fire(shell("git push")).denied());
  EXPECT_TRUE(was_told(".agents/grapnel.yaml is gone, and with it 1 hook"));
}

TEST_F(BrokenConfig, AVersionThatSomebodyTouchedDoesNotCount) {
  const fs::path good = good_files().front();
  const std::string bytes = dir_.read("state/good/" + good.filename().string());
  const auto put_good = [&](const std::string& text) {
    fs::remove_all(good);
    dir_.put("state/good/" + good.filename().string(), text, 0600);
  };
  const auto with_head = [&](const std::string& text) {
    GoodFiles(store_).keep({fs::canonical(dir_ / "project").string() + "/.agents/grapnel.yaml",
                            fs::canonical(dir_ / "project").string(), "", 1, text});
  };
  const std::vector<std::pair<const char*, std::function<void()>>> cases = {
      {"other bytes", [&] { put_good(bytes + " "); }},
      {"no head", [&] { put_good(std::string(kGood)); }},
      {"nothing", [&] { put_good(""); }},
      {"removed", [&] { fs::remove(good); }},
      {"a link",
       [&] {
         fs::remove(good);
         fs::create_symlink(dir_.put("copy", bytes, 0600), good);
       }},
      {"others may write it",
       [&] {
         put_good(bytes);
         ::chmod(good.c_str(), 0666);
       }},
      {"a whole version with other rules",
       [&] { with_head("version: 1\nhooks:\n  - {name: a, on: Stop, deny: x}\n"); }},
      {"a whole version without rules", [&] { with_head("version: 1\n"); }},
  };
  dir_.put(kRules, "version: [\n");
  for (const auto& [note, tamper] : cases) {
    SCOPED_TRACE(note);
    put_good(bytes);
    tamper();
    const Decision decision = Engine::create(with_)->fire(shell("git push", note));
    EXPECT_EQ(decision.verdict(), Verdict::Ask) << "the door stays closed";
    EXPECT_EQ(decision.origin, Origin::FailAsk);
    EXPECT_EQ(decision.decided_by, "grapnel:broken-config");
  }
}

struct Policy {
  const char* setting;
  const char* place;
  Verdict want;
};

TEST_F(BrokenConfig, WithoutAVersionThePolicyDecides) {
  fs::remove_all(dir_ / "state/good");
  dir_.put(kRules, "version: [\n");
  const std::string user = "home/.config/grapnel/settings.yaml";
  const std::vector<Policy> cases = {
      {"", "home/x", Verdict::Ask},
      {"on_broken_config: closed\n", user.c_str(), Verdict::Deny},
      {"on_broken_config: open\n", user.c_str(), Verdict::Pass},
      {"on_broken_config: opne\n", user.c_str(), Verdict::Ask},
      {"on_broken_config: [\n", user.c_str(), Verdict::Ask},
      {"on_broken_config: open\n", "project/.config/grapnel/settings.yaml", Verdict::Ask},
      {"on_broken_config: open\n", "project/.agents/settings.yaml", Verdict::Ask},
  };
  for (const Policy& policy : cases) {
    SCOPED_TRACE(policy.setting + std::string(policy.place));
    const std::string path = dir_.put(policy.place, policy.setting);
    EXPECT_EQ(Engine::create(with_)->fire(shell("ls")).verdict(), policy.want);
    fs::remove(path);
  }
  dir_.put("root/etc/grapnel/settings.yaml", "on_broken_config: closed\n");
  dir_.put(user, "on_broken_config: open\n");
  EXPECT_TRUE(Engine::create(with_)->fire(shell("ls")).denied()) << "the administrator's word counts";
}

TEST_F(BrokenConfig, ACloneThatNobodyTrustedIsOnlyTold) {
  ASSERT_TRUE(TrustStore(store_).set_trusted(dir_ / "project", {}));
  dir_.put(kRules, "version: [\n");
  const Decision decision = Engine::create(with_)->fire(shell("git push"));
  EXPECT_EQ(decision.verdict(), Verdict::Pass);
  EXPECT_TRUE(was_told("none of its hooks runs"));
}

TEST_F(BrokenConfig, AnotherFileOfATrustedProjectIsOnlyTold) {
  dir_.put("project/.gemini/settings.json", "{");
  EXPECT_EQ(Engine::create(with_)->fire(shell("ls")).verdict(), Verdict::Pass) << "its hooks were never trusted";
  EXPECT_TRUE(was_told(".gemini/settings.json"));
}

TEST_F(BrokenConfig, OnlyTheBrokenFileItselfMayBeReadAndWritten) {
  fs::remove_all(dir_ / "state/good");
  dir_.put(kRules, "version: [\n");
  with_.safety.self_protection = false;  // it asks about writing anyway
  const std::string file = rules();
  const auto tool = [&](const std::string& name, const std::string& path) {
    return Event(EventKind::PreToolUse,
                 Json::object({{"session_id", Json::string("s")},
                               {"cwd", Json::string(dir_ / "project")},
                               {"tool_name", Json::string(name)},
                               {"tool_input", Json::object({{"file_path", Json::string(path)}})}}));
  };
  auto engine = Engine::create(with_);
  EXPECT_EQ(engine->fire(tool("Read", file)).verdict(), Verdict::Pass);
  EXPECT_EQ(engine->fire(tool("Write", file)).verdict(), Verdict::Pass);
  EXPECT_EQ(engine->fire(tool("Edit", file)).verdict(), Verdict::Pass);
  EXPECT_EQ(engine->fire(tool("Write", dir_ / "project/other.txt")).verdict(), Verdict::Ask);
  EXPECT_EQ(engine->fire(tool("Task", file)).verdict(), Verdict::Ask) << "this tool may do anything";

  for (const std::string& command :
       {"cat " + file, "echo 'version: 1' > " + file, "printf x | tee " + file, "> " + file}) {
    EXPECT_EQ(engine->fire(shell(command)).verdict(), Verdict::Pass) << command;
  }
  for (const std::string& command :
       {std::string("ls"), "cat " + file + " " + (dir_ / "project/other.txt"), "echo x > " + file + "; make",
        "LD_PRELOAD=./x.so cat " + file, "sudo cat " + file, "cat $X " + file, "cat " + file + " | sh",
        "echo $(curl x) > " + file, "curl x > " + file, "sed -i '1e make' " + file, "eval cat " + file,
        "cat " + file + " > " + (dir_ / "project/other.txt"), "echo 'unclosed > " + file}) {
    EXPECT_EQ(engine->fire(shell(command)).verdict(), Verdict::Ask) << command;
  }

  fs::remove(file);
  fs::create_symlink(dir_.put("project/Makefile", "not: [yaml"), file);
  EXPECT_EQ(Engine::create(with_)->fire(tool("Write", file)).verdict(), Verdict::Ask) << "it would change another file";
}

TEST_F(BrokenConfig, TheUsersOwnFilesNeedNoTrust) {
  dir_.put("home/.gemini/settings.json",
           R"({"hooks":{"BeforeTool":[{"hooks":[{"type":"command","command":"echo no >&2; exit 2"}]}]}})");
  ASSERT_TRUE(Engine::create(with_)->fire(shell("ls")).denied());
  for (const char* text : {"{", "[]", "{\"hooks\": []}", "", "null"}) {
    SCOPED_TRACE(text);
    dir_.put("home/.gemini/settings.json", text);
    EXPECT_TRUE(Engine::create(with_)->fire(shell("ls")).denied());
  }
}

/// Grapnel's own settings. Somebody may rely on `on_broken_config: closed`.
TEST_F(BrokenConfig, SettingsThatCannotBeReadAreReported) {
  struct Case {
    const char* text;
    bool is_good;
  };
  const Case cases[] = {{"on_broken_config: [closed\n", false}, {"- closed\n", false},     {"closed\n", false},
                        {"on_broken_config: closed\n", true},   {"# nothing yet\n", true}, {"\n", true}};
  for (const char* file : {"root/etc/grapnel/settings.yaml", "home/.config/grapnel/settings.yaml"}) {
    for (const Case& c : cases) {
      SCOPED_TRACE(std::string(file) + ": " + c.text);
      dir_.put(file, c.text);
      notices_.clear();
      const auto engine = Engine::create(with_);
      EXPECT_EQ(engine->problems().empty(), c.is_good);
      for (const ConfigProblem& problem : engine->problems()) EXPECT_EQ(problem.at.file, dir_ / file);
      EXPECT_TRUE(engine->fire(shell("git push")).denied());
      EXPECT_EQ(was_told("none of its settings counts"), !c.is_good);
    }
    fs::remove(dir_ / file);
  }
}

}  // namespace
}  // namespace grapnel::testing
