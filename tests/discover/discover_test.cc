#include "discover/discover.h"

#include <unistd.h>

#include <filesystem>

#include <gtest/gtest.h>
#include <sys/fsuid.h>
#include <sys/stat.h>

#include "os/temp_dir.h"
#include "trust/trust_store.h"

namespace grapnel {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

constexpr const char* kStop = R"({"hooks": {"Stop": [{"name": "a", "hooks": [{"type": "command", "command": "x"}]}]}})";
constexpr const char* kBeforeTool =
    R"({"hooks": {"BeforeTool": [{"hooks": [{"type": "command", "command": "x", "name": "b"}]}]}})";

class DiscoverTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(dir_ / "home");
    fs::create_directories(dir_ / "project");
    options_.roots = {dir_ / "root", dir_ / "project", &env_};
    options_.trust_store = dir_ / "state/trust.json";
  }

  std::string names(const Discovered& found) {
    std::string out;
    for (const HookSpec& hook : found.registry.hooks) {
      out += (out.empty() ? "" : " ") + std::string(to_string(hook.scope)) + ":" + hook.name +
             (hook.trust == Trust::Untrusted ? "?" : "");
    }
    return out;
  }

  Texts problems(const Discovered& found) {
    Texts out;
    for (const ConfigProblem& problem : found.registry.problems) {
      std::string text = problem.to_string();
      for (size_t at = text.find(dir_.path() + "/"); at != std::string::npos; at = text.find(dir_.path() + "/")) {
        text.erase(at, dir_.path().size() + 1);
      }
      out.push_back(std::move(text));
    }
    return out;
  }

  testing::TempDir dir_;
  Environment env_{{"HOME=" + (dir_ / "home")}};
  DiscoverOptions options_;
};

TEST_F(DiscoverTest, ReadsEveryPlaceInOrder) {
  EXPECT_EQ(names(discover(options_)), "");
  dir_.put("project/.clawdcode/settings.json", kStop);
  dir_.put("home/.clawdcode/settings.json", kStop);
  dir_.put("project/.gemini/settings.json", kBeforeTool);
  dir_.put("home/.gemini/settings.json", kBeforeTool);
  dir_.put("root/etc/gemini-cli/settings.json", kBeforeTool);
  const Discovered found = discover(options_);
  EXPECT_EQ(names(found), "managed:b user:b user:a project:b? project:a?");
  EXPECT_EQ(problems(found), Texts{});
  options_.use_standard_places = false;
  EXPECT_EQ(names(discover(options_)), "");
}

TEST_F(DiscoverTest, ReadsRuleFilesOfEveryScopeBeforeOthers) {
  const auto rules = [](std::string_view name, std::string_view action) {
    return "version: 1\nhooks:\n  - {name: " + std::string(name) + ", on: Stop, " + std::string(action) + "}\n";
  };
  dir_.put("root/etc/grapnel/grapnel.yaml", rules("m", "deny: no"));
  dir_.put("home/.config/agents/grapnel.yaml", rules("u", "deny: no"));
  dir_.put("project/.agents/grapnel.yaml", rules("p", "worker: sh guard.sh"));
  dir_.put("project/guard.sh", "cat\n");
  dir_.put("home/.clawdcode/settings.json", kStop);
  options_.files = {{dir_.put("mine.yaml", rules("named", "run: x, priority: 200"))}};
  options_.objects = {
      {"grapnel", *Json::parse(R"({"version": 1, "hooks": [{"name": "o", "on": "Stop", "deny": "no"}]})")}};
  const Discovered found = discover(options_);
  EXPECT_EQ(names(found), "user:named managed:m user:u user:a project:p? callback:o");
  EXPECT_EQ(problems(found), Texts{});
  const std::string digest = found.registry.hooks[4].digest;
  dir_.put("project/guard.sh", "cat; rm -rf /\n");
  EXPECT_NE(discover(options_).registry.hooks[4].digest, digest) << "a worker's script is trusted with it";
}

TEST_F(DiscoverTest, TakesNamedFilesAndObjects) {
  options_.use_standard_places = false;
  options_.files = {{dir_.put("named.json", kBeforeTool)},
                    {dir_.put("project/.clawdcode/settings.json", kStop), "clawd"},
                    {dir_ / "nowhere.json"},
                    {dir_.put("neither.json", R"({"hooks": {"Nonsense": []}})")},
                    {dir_.put("broken.json", "{")},
                    {dir_.put("odd.json", kStop), "klingon"}};
  options_.objects = {{"clawd", *Json::parse(kStop)}, {"klingon", Json::object()}};
  const Discovered found = discover(options_);
  EXPECT_EQ(names(found), "user:b user:a callback:a") << "named by the user, so trusted, even in the project";
  EXPECT_EQ(
      problems(found),
      (Texts{"nowhere.json: error: cannot open nowhere.json: No such file or directory",
             "neither.json: error: this file names no event of any known agent; name its dialect",
             "broken.json:1:2: error: expected a key in double quotes, found the end of the "
             "text (the '{' at line 1:1 is not closed) (no hook in this file is loaded)",
             "odd.json: error: unknown dialect 'klingon'", "configuration object: error: unknown dialect 'klingon'"}));
}

TEST_F(DiscoverTest, WhatIsNoReadableFileIsAProblemAndNothingElse) {
  dir_.put("home/.clawdcode/config.json", std::string(2000, ' '));
  dir_.put("home/.clawdcode/settings.json", kStop);
  fs::create_directories(dir_ / "home/.gemini/settings.json");
  fs::create_directories(dir_ / "project/.clawdcode");
  ASSERT_EQ(::mkfifo((dir_ / "project/.clawdcode/settings.json").c_str(), 0600), 0);
  fs::create_symlink("nothing", dir_ / "project/.clawdcode/config.json");
  options_.max_file_bytes = 1000;
  const Discovered found = discover(options_);
  EXPECT_EQ(names(found), "user:a");
  EXPECT_EQ(problems(found),
            (Texts{"home/.gemini/settings.json: error: home/.gemini/settings.json is not a regular file",
                   "home/.clawdcode/config.json: error: home/.clawdcode/config.json is larger than 1000 bytes",
                   "project/.clawdcode/settings.json: error: project/.clawdcode/settings.json is not a regular file"}));
}

TEST_F(DiscoverTest, AFileWeMayNotReadIsAProblem) {
  dir_.put("home/.clawdcode/settings.json", kStop, 0000);
  if (::geteuid() == 0) {  // root may read anything, unless it looks at files as somebody else
    ::chmod(dir_.path().c_str(), 0755);
    ::setfsuid(65534);
  }
  const Discovered found = discover(options_);
  if (::geteuid() == 0) ::setfsuid(0);
  EXPECT_EQ(names(found), "");
  EXPECT_EQ(problems(found), (Texts{"home/.clawdcode/settings.json: error: cannot open home/.clawdcode/settings.json: "
                                    "Permission denied"}));
}

TEST_F(DiscoverTest, ProjectHooksAreTrustedByDigest) {
  dir_.put("project/.clawdcode/settings.json", kStop);
  dir_.put("project/.clawdcode/settings.local.json", R"({"hooks": {"SessionEnd": [{"name": "l", "hooks": [
      {"type": "command", "command": "y"}]}]}})");
  Discovered found = discover(options_);
  EXPECT_EQ(names(found), "project:a? local:l?");
  const std::string digest = found.registry.hooks[0].digest;
  EXPECT_EQ(digest.size(), 64u);
  ASSERT_TRUE(TrustStore(options_.trust_store).set_trusted(dir_ / "project", {digest}));
  EXPECT_TRUE(found.sources.have_changed()) << "trust given or taken is noticed";
  EXPECT_EQ(names(discover(options_)), "project:a local:l?");

  ::chmod(options_.trust_store.c_str(), 0644);
  found = discover(options_);
  EXPECT_EQ(names(found), "project:a? local:l?");
  EXPECT_EQ(problems(found),
            (Texts{"state/trust.json: error: state/trust.json: this file is open to others; run `chmod 600` on "
                   "it after checking it; no project hook is trusted"}));
}

TEST_F(DiscoverTest, NoticesChangesOfEveryFileItLookedFor) {
  const Sources nothing = discover(options_).sources;
  EXPECT_FALSE(nothing.have_changed());
  dir_.put("home/.clawdcode/settings.json", kStop);
  EXPECT_TRUE(nothing.have_changed()) << "a file that was not there";
  const Sources one = discover(options_).sources;
  EXPECT_FALSE(one.have_changed());
  fs::remove(dir_ / "home/.clawdcode/settings.json");
  EXPECT_TRUE(one.have_changed()) << "a file that is gone";
}

TEST_F(DiscoverTest, TheDigestNamesTheRegistry) {
  dir_.put("home/.clawdcode/settings.json", kStop);
  const std::string digest = discover(options_).registry.digest;
  EXPECT_EQ(discover(options_).registry.digest, digest);
  Discovered changed = discover(options_);
  changed.registry.hooks[0].enabled = false;
  arrange(changed.registry);
  EXPECT_NE(changed.registry.digest, digest) << "switched off is another state";
  dir_.put("home/.gemini/settings.json", kBeforeTool);
  EXPECT_NE(discover(options_).registry.digest, digest);
}

}  // namespace
}  // namespace grapnel
