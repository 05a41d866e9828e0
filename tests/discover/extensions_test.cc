#include "discover/find/extensions.h"

#include <gtest/gtest.h>

#include "os/temp_dir.h"

namespace grapnel {
namespace {

constexpr const char* kHooks =
    R"({"hooks": {"BeforeTool": [{"hooks": [{"type": "command",
        "command": "${extensionPath}${/}x.sh ${workspacePath} ${KEY} ${other}",
        "env": {"KEY": "own", "AT": "${extensionPath}"}}]}]}})";

class ExtensionsTest : public ::testing::Test {
 protected:
  ExtensionHooks read() const { return read_extensions({kGeminiDialect, dir_ / "e", "/work/p", size_t{1} << 20}); }

  void put_extension(const std::string& directory, const std::string& name, const std::string& hooks) const {
    dir_.put("e/" + directory + "/gemini-extension.json", R"({"name": ")" + name + R"(", "version": "1"})");
    dir_.put("e/" + directory + "/hooks/hooks.json", hooks);
  }

  /// The first hook's command and variables.
  std::string first_hook(const ExtensionHooks& found) const {
    const CommandHandler& handler = *found.files.at(0).hooks.at(0).spec.command();
    std::string out = handler.command;
    for (const auto& [name, value] : handler.env) out += " " + name + "=" + value;
    for (size_t at = out.find(dir_.path()); at != std::string::npos; at = out.find(dir_.path())) {
      out.replace(at, dir_.path().size(), "@");
    }
    return out;
  }

  testing::TempDir dir_;
};

TEST_F(ExtensionsTest, NoneAreNoProblem) {
  const ExtensionHooks found = read();
  EXPECT_TRUE(found.files.empty());
  EXPECT_TRUE(found.problems.empty());
}

TEST_F(ExtensionsTest, FillsInWhatItKnows) {
  put_extension("one", "one", kHooks);
  EXPECT_EQ(first_hook(read()), "@/e/one/x.sh /work/p ${KEY} ${other} KEY=own AT=@/e/one");
}

TEST_F(ExtensionsTest, SettingsAreVariablesThatItAskedFor) {
  put_extension("one", "one", kHooks);
  dir_.put("e/one/gemini-extension.json", R"({"name": "one", "settings": [{"name": "Key", "envVar": "KEY"}]})");
  dir_.put("e/one/.env", "# a comment\nPATH=/evil\n KEY = \"v 1\"\nno assignment\n");
  EXPECT_EQ(first_hook(read()), "@/e/one/x.sh /work/p v 1 ${other} AT=@/e/one KEY=v 1");
}

TEST_F(ExtensionsTest, WhatIsNoExtensionIsPassedOver) {
  dir_.put("e/no-manifest/hooks/hooks.json", kHooks);
  dir_.put("e/no-hooks/gemini-extension.json", R"({"name": "no-hooks"})");
  dir_.put("e/file", "x");
  const ExtensionHooks found = read();
  EXPECT_TRUE(found.files.empty());
  EXPECT_TRUE(found.problems.empty());
}

TEST_F(ExtensionsTest, CannotSwitchOthersOff) {
  put_extension("one", "one", R"({"hooksConfig": {"enabled": false, "disabled": ["guard"]}, "hooks": {}})");
  const ExtensionHooks found = read();
  ASSERT_EQ(found.files.size(), 1u);
  EXPECT_FALSE(found.files[0].toggles.enabled.has_value());
  EXPECT_TRUE(found.files[0].toggles.disabled_names.empty());
}

TEST_F(ExtensionsTest, AreSwitchedOffByPlace) {
  struct Case {
    const char* note;
    const char* overrides;
    bool on;
  };
  const Case cases[] = {
      {"no rule", R"({})", true},
      {"another's", R"({"two": {"overrides": ["!/*"]}})", true},
      {"everywhere", R"({"one": {"overrides": ["!/*"]}})", false},
      {"here and below", R"({"one": {"overrides": ["!/work/*"]}})", false},
      {"exactly here", R"({"one": {"overrides": ["!/work/p/"]}})", false},
      {"above, and not below", R"({"one": {"overrides": ["!/work/"]}})", true},
      {"elsewhere", R"({"one": {"overrides": ["!/other/*"]}})", true},
      {"a name that only begins like it", R"({"one": {"overrides": ["!/work/p2/*", "!/wor/*"]}})", true},
      {"off, and on again here", R"({"one": {"overrides": ["!/*", "/work/p/*"]}})", true},
      {"the last rule counts", R"({"one": {"overrides": ["/work/p/*", "!/*"]}})", false},
      {"rules that are none", R"({"one": {"overrides": [7, null, ""]}})", true},
  };
  put_extension("directory", "one", kHooks);
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    dir_.put("e/extension-enablement.json", c.overrides);
    EXPECT_EQ(read().files.size(), c.on ? 1u : 0u);
  }
}

TEST_F(ExtensionsTest, MistakesHaveTheirPlace) {
  put_extension("one", "one", kHooks);
  dir_.put("e/two/gemini-extension.json", "{}");
  dir_.put("e/extension-enablement.json", "[");
  const ExtensionHooks found = read();
  EXPECT_EQ(found.files.size(), 1u);
  ASSERT_EQ(found.problems.size(), 2u);
  EXPECT_EQ(found.problems[0].at.file, dir_ / "e/extension-enablement.json");
  EXPECT_EQ(found.problems[1].at.file, dir_ / "e/two/gemini-extension.json");
}

}  // namespace
}  // namespace grapnel
