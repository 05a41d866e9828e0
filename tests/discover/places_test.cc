#include "discover/find/places.h"

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "os/temp_dir.h"

namespace grapnel {
namespace {

/// The places of one dialect: `scope path`, one a line.
std::string places(const Dialect& dialect, const PlaceRoots& roots) {
  std::string out;
  for (const HookFile& file : hook_file_places(roots)) {
    if (file.dialect == &dialect) out += std::string(to_string(file.scope)) + " " + file.path + "\n";
  }
  return out;
}

TEST(Places, AreThoseOfTheAgents) {
  const Environment env({"HOME=/home/u"});
  const PlaceRoots roots{"/", "/src/p", &env};
  EXPECT_EQ(places(kClawdDialect, roots),
            "user /home/u/.clawdcode/config.json\n"
            "user /home/u/.clawdcode/settings.json\n"
            "project /src/p/.clawdcode/config.json\n"
            "project /src/p/.clawdcode/settings.json\n"
            "local /src/p/.clawdcode/settings.local.json\n");
  EXPECT_EQ(places(kGeminiDialect, roots),
            "managed /etc/gemini-cli/system-defaults.json\n"
            "user /home/u/.gemini/settings.json\n"
            "extension /home/u/.gemini/extensions\n"
            "project /src/p/.gemini/settings.json\n"
            "managed /etc/gemini-cli/settings.json\n");
}

/// What the administrator has holds whatever a variable says.
TEST(Places, FollowTheEnvironment) {
  const Environment env({"HOME=/home/u", "GEMINI_CLI_HOME=/g", "GEMINI_CLI_SYSTEM_SETTINGS_PATH=/m.json",
                         "GEMINI_CLI_SYSTEM_DEFAULTS_PATH=/d.json"});
  EXPECT_EQ(places(kGeminiDialect, {"/root", "/p", &env}),
            "managed /root/etc/gemini-cli/system-defaults.json\n"
            "managed /d.json\n"
            "user /g/.gemini/settings.json\n"
            "extension /g/.gemini/extensions\n"
            "project /p/.gemini/settings.json\n"
            "managed /root/etc/gemini-cli/settings.json\n"
            "managed /m.json\n");
}

TEST(Places, WithoutAProjectThereAreNone) {
  const Environment env({"HOME=/home/u"});
  EXPECT_EQ(places(kClawdDialect, {"/", "", &env}),
            "user /home/u/.clawdcode/config.json\nuser /home/u/.clawdcode/settings.json\n");
}

TEST(Places, EveryDirectoryOfPacksHasSome) {
  const testing::TempDir dir;
  const std::string home = std::filesystem::canonical(dir.path());
  for (const char* name :
       {"p/.agents/packs/b", "p/.agents/packs/a", "p/.agents/packs/.new-1", ".config/agents/packs/u"})
    std::filesystem::create_directories(dir / name);
  const Environment env({"HOME=" + home});
  const PlaceRoots roots{"/none", home + "/p", &env};
  EXPECT_EQ(places(kGrapnelDialect, roots),
            "managed /none/etc/grapnel/grapnel.yaml\n"
            "managed " +
                home +
                "/.local/state/grapnel/fleet/policy/now/grapnel.yaml\n"
                "user " +
                home +
                "/.config/agents/grapnel.yaml\n"
                "user " +
                home +
                "/.config/agents/packs/u/grapnel.yaml\n"
                "project " +
                home +
                "/p/.agents/grapnel.yaml\n"
                "project " +
                home +
                "/p/.agents/packs/a/grapnel.yaml\n"
                "project " +
                home + "/p/.agents/packs/b/grapnel.yaml\n");
  // A pack that is only in the lock file has to be missed.
  dir.put("p/.agents/packs.lock", R"({"version": 1, "packs": {"a": {}, "gone": {}, "../x": {}, ".y": {}}})");
  EXPECT_TRUE(places(kGrapnelDialect, roots)
                  .ends_with("packs/b/grapnel.yaml\nproject " + home + "/p/.agents/packs/gone/grapnel.yaml\n"));
  std::vector<std::string> probed;
  hook_file_places(roots, &probed);
  EXPECT_NE(std::ranges::find(probed, home + "/p/.agents/packs"), probed.end()) << "a new pack would not be seen";
}

TEST(Places, AFileThatIsTheUsersIsNotTheProjectsToo) {
  const testing::TempDir dir;
  const std::string home = std::filesystem::canonical(dir.path());
  dir.put(".clawdcode/settings.json", "{}");
  dir.put("work/.clawdcode/settings.local.json", "{}");
  std::filesystem::create_symlink(home, dir / "alias");
  std::filesystem::create_symlink("../../.clawdcode/settings.json", dir / "work/.clawdcode/settings.json");
  const Environment env({"HOME=" + home});
  struct Case {
    const char* note;
    std::string project;
  };
  const Case cases[] = {
      {"the same directory", home},
      {"with a slash behind it", home + "/"},
      {"through a link", home + "/alias"},
      {"another directory, whose file is a link to the user's", home + "/work"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    size_t existing = 0;
    for (const HookFile& file : hook_file_places({"/none", c.project, &env})) {
      const bool counts = file.dialect == &kClawdDialect && file.scope == Scope::Project;
      if (counts && std::filesystem::exists(file.path)) ++existing;
    }
    EXPECT_EQ(existing, 0u) << "a project place that exists is the user's own";
  }
}

}  // namespace
}  // namespace grapnel
