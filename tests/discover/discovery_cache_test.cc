#include "discover/cache/discovery_cache.h"

#include <algorithm>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "discover/cache/registry_bytes.h"
#include "os/temp_dir.h"

namespace grapnel {
namespace {

using Texts = std::vector<std::string>;

constexpr const char* kRules = R"(version: 1
hooks:
  - name: force-push
    on: PreToolUse
    when: { tool: shell, command: git push, flag: [--force, -f], not: { path: '**/x' } }
    deny: No.
  - name: input
    on: PreToolUse
    when: { any: [{ input: { command: /a.*b/ } }, { tool: 'mcp__.*' }] }
    ask: Sure?
  - name: shorten
    on: PostToolUse
    when: { output: /x+/ }
    rewrite: { output: { max_lines: 5 } }
  - name: remind
    on: SessionStart
    inject: { text: Mind the gap., once: session }
  - name: tests
    on: Stop
    when: { changed: '**/*.cc' }
    run: make test
    max_blocks: 3
    timeout: 9s
)";
constexpr const char* kSettings = R"({"hooks": {"PreToolUse": [
  {"matcher": "Edit|Write", "hooks": [{"type": "command", "command": "./a"}, {"type": "http", "url": "https://a.b/c"}]},
  {"matcher": "B.sh", "hooks": [{"type": "prompt", "prompt": "Is $ARGUMENTS fine?"}]}]}, "x": })";

ReadHooks pieces_of(const std::string& hooks) {
  return [hooks](size_t from, size_t size) {
    return from + size <= hooks.size() ? std::optional(hooks.substr(from, size)) : std::nullopt;
  };
}

class DiscoveryCacheTest : public ::testing::Test {
 protected:
  void SetUp() override {
    options_.roots = {dir_ / "root", dir_ / "project", &env_};
    options_.trust_store = dir_ / "state/trust.json";
    options_.cache_dir = dir_ / "cache";
  }

  void put_hook(const std::string& name, const std::string& tool) {
    const std::string hook = "home/.config/agents/hooks/" + name;
    dir_.put(hook + "/HOOK.md",
             "---\nname: " + name + "\ndescription: d\ntrigger: pre-tool-call\nmatcher:\n  tool: " + tool + "\n---\n");
    dir_.put(hook + "/scripts/run.sh", "#!/bin/sh\n");
  }

  /// Stamps of files that have just changed do not count yet.
  static void settle() { std::this_thread::sleep_for(std::chrono::milliseconds(40)); }

  Texts names(const Event* only_event = nullptr) {
    options_.only_event = only_event;
    Texts out;
    for (const HookSpec& hook : discover(options_).registry.hooks) out.push_back(hook.name);
    return out;
  }

  testing::TempDir dir_;
  Environment env_{{"HOME=" + (dir_ / "home")}};
  DiscoverOptions options_;
};

TEST_F(DiscoveryCacheTest, ReadsBackWhatItWrote) {
  dir_.put("home/.config/agents/grapnel.yaml", kRules);
  dir_.put("home/.claude/settings.json", kSettings);
  put_hook("guard", "Bash");
  options_.cache_dir = "";
  const Discovered read = discover(options_);
  ASSERT_GE(read.registry.hooks.size(), 6u);
  const RegistryBytes bytes = write_bytes(read);
  const auto back = read_bytes(bytes.front, pieces_of(bytes.hooks));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(write_bytes(*back).front, bytes.front);
  EXPECT_EQ(write_bytes(*back).hooks, bytes.hooks);
  EXPECT_EQ(back->registry.digest, read.registry.digest);
  EXPECT_EQ(back->registry.problems.size(), read.registry.problems.size());
  for (size_t i = 0; i < read.registry.hooks.size(); ++i) {
    SCOPED_TRACE(read.registry.hooks[i].name);
    EXPECT_EQ(back->registry.hooks[i].condition_text(), read.registry.hooks[i].condition_text());
    EXPECT_EQ(back->registry.hooks[i].action_text(), read.registry.hooks[i].action_text());
    EXPECT_EQ(back->registry.hooks[i].source_text(), read.registry.hooks[i].source_text());
  }
}

TEST_F(DiscoveryCacheTest, TakesNothingThatIsCutOffOrChanged) {
  dir_.put("home/.config/agents/grapnel.yaml", kRules);
  put_hook("guard", "Bash");
  options_.cache_dir = "";
  const RegistryBytes bytes = write_bytes(discover(options_));
  const auto is_read = [](const std::string& front, const std::string& hooks) {
    return read_bytes(front, pieces_of(hooks)).has_value();
  };
  EXPECT_TRUE(is_read(bytes.front, bytes.hooks));
  for (size_t size = 0; size < bytes.front.size(); ++size) {
    EXPECT_FALSE(is_read(bytes.front.substr(0, size), bytes.hooks)) << size;
  }
  EXPECT_FALSE(is_read(bytes.front + "x", bytes.hooks));
  for (size_t at = 0; at < bytes.hooks.size(); ++at) {
    std::string other = bytes.hooks;
    other[at] ^= 1;
    EXPECT_FALSE(is_read(bytes.front, other)) << at;
  }
  EXPECT_FALSE(is_read(bytes.front, bytes.hooks.substr(1)));
}

TEST_F(DiscoveryCacheTest, KeepsNothingThatHasJustChanged) {
  put_hook("guard", "Bash");
  EXPECT_EQ(names(), Texts{"guard"});
  EXPECT_FALSE(DiscoveryCache(options_).load().has_value());
  settle();
  EXPECT_EQ(names(), Texts{"guard"});
  EXPECT_TRUE(DiscoveryCache(options_).load().has_value());
}

TEST_F(DiscoveryCacheTest, LeavesOutWhatCannotConcernTheEvent) {
  put_hook("for-shell", "Shell");  // as this dialect calls it
  put_hook("for-read", "ReadFile");
  put_hook("for-any", "'[A-Z].*'");
  dir_.put("home/.config/agents/grapnel.yaml", kRules);
  settle();
  const Event call(EventKind::PreToolUse, *Json::parse(R"({"tool_name":"Bash","tool_input":{}})"));
  const Texts all = {"force-push", "input", "shorten", "remind", "tests", "for-any", "for-read", "for-shell"};
  EXPECT_EQ(names(&call), all) << "read from files, they are all there";
  EXPECT_EQ(names(&call), (Texts{"force-push", "input", "for-any", "for-shell"}));
  EXPECT_EQ(names(), all);

  options_.only_event = &call;
  const Discovered found = discover(options_);
  EXPECT_FALSE(found.is_whole);
  EXPECT_FALSE(found.sources.have_changed());
  dir_.put("home/.config/agents/hooks/for-read/HOOK.md", "---\nname: for-read\n---\n");
  EXPECT_TRUE(found.sources.have_changed()) << "what is left out may concern it when it changes";
}

TEST_F(DiscoveryCacheTest, AProjectsHooksAreAllThere) {
  put_hook("for-read", "Read");
  dir_.put("project/.agents/grapnel.yaml", kRules);
  settle();
  const Event call(EventKind::PreToolUse, *Json::parse(R"({"tool_name":"Bash","tool_input":{}})"));
  const Texts before = names(&call);
  EXPECT_EQ(names(&call), before);
  options_.only_event = &call;
  EXPECT_TRUE(discover(options_).is_whole);
}

TEST_F(DiscoveryCacheTest, LooksOnceForAllThatIsMissing) {
  const Discovered found = discover(options_);
  std::set<std::string> watched;
  for (const auto& [path, stamp] : found.sources.stamps) {
    EXPECT_FALSE(stamp.has_value()) << path;
    if (!path.ends_with("/.agents")) watched.insert(path);  // of the project and what it is in
  }
  // The state directory is made with the first record, and must not make the cache look stale.
  const std::string fleet = dir_ / "home/.local/state/grapnel/fleet";
  EXPECT_EQ(watched, (std::set{dir_ / "project", dir_ / "root", dir_ / "home", fleet}));
}

}  // namespace
}  // namespace grapnel
