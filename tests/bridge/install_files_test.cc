#include <unistd.h>

#include <gtest/gtest.h>

#include "bridge/entry.h"
#include "bridge/install_support.h"

namespace grapnel {
namespace {

using namespace testing;
namespace fs = std::filesystem;

const Adapter& claude() {
  return *find_adapter("claude");
}

mode_t mode_of(const std::string& path) {
  struct stat st;
  return ::stat(path.c_str(), &st) == 0 ? st.st_mode & 07777 : 0;
}

TEST(InstallFiles, a_file_that_was_not_there_goes_again_with_its_directory) {
  for (const Adapter& adapter : all_adapters()) {
    for (const Scope scope : {Scope::User, Scope::Project}) {
      SCOPED_TRACE(adapter.agent);
      Home home;
      if (!settings_path(home.target(adapter, scope))) continue;
      ASSERT_TRUE(home.install(usual_wiring(adapter), scope));
      EXPECT_FALSE(home.everything().empty());
      EXPECT_EQ(mode_of(home.settings(adapter, scope)), scope == Scope::User ? 0600U : 0644U);
      ASSERT_TRUE(home.uninstall(adapter, scope));
      EXPECT_TRUE(home.everything().empty());
    }
  }
}

TEST(InstallFiles, a_directory_that_holds_something_else_by_then_stays) {
  Home home;
  ASSERT_TRUE(home.install(usual_wiring(claude())));
  const std::string other = fs::path(home.settings(claude())).parent_path() / "history";
  home.write(other, "x");
  ASSERT_TRUE(home.uninstall(claude()));
  EXPECT_FALSE(fs::exists(home.settings(claude())));
  EXPECT_TRUE(fs::exists(other));
}

TEST(InstallFiles, a_new_file_that_the_user_added_to_stays) {
  Home home;
  ASSERT_TRUE(home.install(usual_wiring(claude())));
  const std::string path = home.settings(claude());
  std::string text = home.read(path);
  home.write(path, text.insert(1, "\n  \"model\": \"opus\","));
  ASSERT_TRUE(home.uninstall(claude()));
  EXPECT_EQ(home.read(path), "{\n  \"model\": \"opus\"\n}\n");
}

TEST(InstallFiles, a_new_file_of_which_nothing_else_is_left_goes) {
  Home home;
  ASSERT_TRUE(home.install(usual_wiring(claude())));
  const std::string path = home.settings(claude());
  home.write(path, home.read(path) + "\n");
  ASSERT_TRUE(home.uninstall(claude()));
  EXPECT_FALSE(fs::exists(path));
}

TEST(InstallFiles, links_stay_and_their_targets_change) {
  Home home;
  const std::string target = home.dir() / "dotfiles/claude.json";
  home.write(target, "{}\n");
  const std::string path = home.settings(claude());
  fs::create_directories(fs::path(path).parent_path());
  fs::create_symlink(target, path);
  ASSERT_TRUE(home.install(usual_wiring(claude())));
  EXPECT_TRUE(fs::is_symlink(path));
  EXPECT_FALSE(fs::is_symlink(target));
  EXPECT_TRUE(home.read(target).contains(kProgram));
  ASSERT_TRUE(home.uninstall(claude()));
  EXPECT_TRUE(fs::is_symlink(path));
  EXPECT_EQ(home.read(target), "{}\n");
}

TEST(InstallFiles, links_of_directories_are_followed) {
  Home home;
  fs::create_directories(home.dir() / "dotfiles");
  const fs::path settings = home.settings(claude());
  fs::create_directory_symlink(home.dir() / "dotfiles", settings.parent_path());
  ASSERT_TRUE(home.install(usual_wiring(claude())));
  EXPECT_TRUE(fs::exists(home.dir() / "dotfiles/settings.json"));
  ASSERT_TRUE(home.uninstall(claude()));
  EXPECT_TRUE(fs::is_symlink(settings.parent_path()));
  EXPECT_TRUE(fs::is_empty(home.dir() / "dotfiles"));
}

TEST(InstallFiles, modes_stay) {
  for (const mode_t mode : {0600U, 0644U, 0664U, 0640U, 0755U}) {
    SCOPED_TRACE(mode);
    Home home;
    const std::string path = home.settings(claude());
    home.write(path, "{}");
    fs::permissions(path, static_cast<fs::perms>(mode));
    ASSERT_TRUE(home.install(usual_wiring(claude())));
    EXPECT_EQ(mode_of(path), mode);
    ASSERT_TRUE(home.uninstall(claude()));
    EXPECT_EQ(mode_of(path), mode);
  }
}

TEST(InstallFiles, an_owner_stays) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can have files of others";
  Home home;
  const std::string path = home.settings(claude());
  home.write(path, "{}");
  ASSERT_EQ(::chown(path.c_str(), 1234, 2345), 0);
  ASSERT_TRUE(home.install(usual_wiring(claude())));
  struct stat st;
  ASSERT_EQ(::stat(path.c_str(), &st), 0);
  EXPECT_EQ(st.st_uid, 1234U);
  EXPECT_EQ(st.st_gid, 2345U);
}

TEST(InstallFiles, a_plug_in_comes_and_goes) {
  const Adapter& opencode = *find_adapter("opencode");
  Home home;
  ASSERT_TRUE(home.install(usual_wiring(opencode)));
  const std::string path = home.settings(opencode);
  EXPECT_EQ(wired_events(opencode, path)->size(), usual_events(opencode).size());
  home.write(path, home.read(path) + "// mine\n");
  fs::remove_all(home.env().state_dir());
  ASSERT_TRUE(home.uninstall(opencode));
  EXPECT_FALSE(fs::exists(path));
}

TEST(InstallFiles, somebody_else_s_plug_in_stays) {
  const Adapter& opencode = *find_adapter("opencode");
  Home home;
  home.write(home.settings(opencode), "export const Other = async () => ({});\n");
  const auto done = home.install(usual_wiring(opencode));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Errc::BadConfig);
  EXPECT_EQ(home.read(home.settings(opencode)), "export const Other = async () => ({});\n");
}

TEST(InstallFiles, an_agent_whose_exit_codes_all_block_is_told_in_words) {
  const Adapter& copilot = *find_adapter("copilot");
  const std::string command =
      bridge_command(usual_wiring(copilot), *copilot.dialect->find_event(EventKind::PreToolUse));
  EXPECT_TRUE(command.contains(" fire --bridge --as copilot preToolUse;")) << command;
  EXPECT_TRUE(command.contains(R"("type":"progress")")) << command;
  EXPECT_TRUE(command.ends_with("exit 0")) << command;
}

struct Refused {
  const char* note;
  void (*make)(const std::string& path);
};

void make_read_only(const std::string& path) {
  std::ofstream(path) << "{}\n";
  ::chmod(path.c_str(), 0444);
}
void make_directory(const std::string& path) {
  fs::create_directory(path);
}
void make_fifo(const std::string& path) {
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
}
void make_dangling_link(const std::string& path) {
  fs::create_symlink("/nowhere/at/all", path);
}
void make_loop(const std::string& path) {
  fs::create_symlink(path, path);
}

TEST(InstallFiles, what_cannot_be_written_is_left_alone) {
  const Refused cases[] = {{"a read-only file", make_read_only},
                           {"a directory", make_directory},
                           {"a pipe", make_fifo},
                           {"a link to nothing", make_dangling_link},
                           {"a link to itself", make_loop}};
  for (const Refused& c : cases) {
    SCOPED_TRACE(c.note);
    Home home;
    const std::string path = home.settings(claude());
    fs::create_directories(fs::path(path).parent_path());
    c.make(path);
    const auto type = fs::symlink_status(path).type();
    const auto done = home.install(usual_wiring(claude()));
    ASSERT_FALSE(done);
    EXPECT_TRUE(done.error().to_string().contains(path)) << done.error().to_string();
    EXPECT_EQ(fs::symlink_status(path).type(), type);
    EXPECT_TRUE(home.manifest().load()->empty());
    if (type == fs::file_type::regular) {
      EXPECT_EQ(home.read(path), "{}\n");
    }
  }
}

TEST(InstallFiles, a_plan_is_void_once_the_file_has_changed) {
  Home home;
  const std::string path = home.settings(claude());
  home.write(path, "{}\n");
  const BridgeTarget target = home.target(claude());
  const auto plan = plan_install(target, usual_wiring(claude()), home.manifest());
  home.write(path, "{\"a\": 1}\n");
  const auto done = carry_out(*plan, home.manifest());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Errc::Refused);
  EXPECT_EQ(home.read(path), "{\"a\": 1}\n");
}

TEST(InstallFiles, a_copy_is_kept) {
  Home home;
  const std::string path = home.settings(claude());
  home.write(path, "{ \"a\": 1 }\n");
  ASSERT_TRUE(home.install(usual_wiring(claude())));
  EXPECT_EQ(home.manifest().load_backup(path).value(), "{ \"a\": 1 }\n");
  EXPECT_EQ(mode_of(home.manifest().backup_path(path)), 0600U);
}

TEST(InstallFiles, a_lost_copy_is_made_up_for) {
  Home home;
  const std::string path = home.settings(claude());
  home.write(path, "{\n  \"a\": 1\n}\n");
  ASSERT_TRUE(home.install(usual_wiring(claude())));
  fs::remove(home.manifest().backup_path(path));
  ASSERT_TRUE(home.uninstall(claude()));
  EXPECT_EQ(home.read(path), "{\n  \"a\": 1\n}\n");
}

TEST(InstallFiles, a_record_that_cannot_be_read_stops_everything) {
  Home home;
  const std::string path = home.settings(claude());
  home.write(path, "{}\n");
  ASSERT_TRUE(home.install(usual_wiring(claude())));
  const std::string installed = home.read(path);
  home.write(home.env().state_dir() + "/bridge/installed.json", "{");
  ::chmod((home.env().state_dir() + "/bridge/installed.json").c_str(), 0600);
  EXPECT_FALSE(home.uninstall(claude()));
  EXPECT_EQ(home.read(path), installed);
}

TEST(InstallFiles, agents_and_scopes_are_apart) {
  Home home;
  ASSERT_TRUE(home.install(usual_wiring(claude()), Scope::User));
  ASSERT_TRUE(home.install(usual_wiring(claude()), Scope::Project));
  ASSERT_TRUE(home.install(usual_wiring(*find_adapter("gemini"))));
  EXPECT_EQ(home.manifest().load()->size(), 3U);
  ASSERT_TRUE(home.uninstall(claude(), Scope::Project));
  EXPECT_FALSE(fs::exists(home.settings(claude(), Scope::Project)));
  EXPECT_TRUE(fs::exists(home.settings(claude(), Scope::User)));
  EXPECT_EQ(home.manifest().load()->size(), 2U);
}

TEST(InstallFiles, entries_that_people_moved_are_found) {
  Home home;
  const std::string path = home.settings(claude());
  Wiring wiring = usual_wiring(claude());
  wiring.events = {claude().dialect->find_event(EventKind::Stop)};
  ASSERT_TRUE(home.install(wiring));
  const Json entry = bridge_entry(wiring, *wiring.events.front());
  home.write(path,
             R"({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}, )" + entry.dump() + "]}]}}");
  ASSERT_TRUE(home.uninstall(claude()));
  EXPECT_EQ(home.read(path), R"({"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]}})");
}

}  // namespace
}  // namespace grapnel
