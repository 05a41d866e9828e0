#include <gtest/gtest.h>

#include "bridge/codex_trust.h"
#include "bridge/install_support.h"
#include "discover/formats/toml_document.h"

namespace grapnel {
namespace {

using namespace testing;

const Adapter& codex() {
  return *find_adapter("codex");
}

Wiring wiring_for(const std::string& program) {
  return {&codex(), program, OnMissing::Pass, usual_events(codex())};
}

/// What Codex 0.166.0 says in `hooks/list` about a file with our entries.
struct Recorded {
  const char* event;
  const char* hash;
};
constexpr Recorded kRecorded[] = {
    {"pre_tool_use", "sha256:2ad7f550d37b6dd04307ba8a02470f2385ceba529d5f36c7818ca97b9a8f585d"},
    {"permission_request", "sha256:c3f69aeece5c0b4f9c5fe1c23136073b5b2b6a82e5537f2b3eb7bb32d90eda10"},
    {"post_tool_use", "sha256:9bd5fa7bedc756b296beaa91fef37fc83529b19a950578a1839987a8b4331673"},
    {"pre_compact", "sha256:8e297c4bcbf5f4e25df64af4535a934c8dcf98e38558bdd58da3f148673e0abd"},
    {"post_compact", "sha256:9ef12e3510c117ddfe1c79387d41b8c2da7b39bfa2db3495dc9147128b435fec"},
    {"session_start", "sha256:2f7fcedc3dd2780f105af474b4d93eda8150e1186ed3df13aa012ad18aa6db18"},
    {"session_end", "sha256:7d61f48123a6e1f81e8d1fbbf5bda0949725c1b51ae11de4908e6123e99b14e0"},
    {"user_prompt_submit", "sha256:7f47e1f91e9506ef3c1bd841ef0025bebd9aefaaef047f1b72643603924da903"},
    {"subagent_start", "sha256:b3ad4f28d223454205b0608bf000e68abbd48782a03240e8e1035d9b897a2704"},
    {"subagent_stop", "sha256:5915a87ab3f777dd2dea7ddd4535c5aecf53efb94d7105db1e264b2c5f5daa12"},
    {"stop", "sha256:ad81d3975ede880bfcc93fd1fdca039ec3c516cc6a19aeb4e4864c798b753842"},
};

TEST(CodexTrust, digests_are_those_of_codex) {
  const auto written = add_json_entries("", wiring_for("/opt/our töols/grapnel"));
  const auto consents = codex_consents(written->text, "/home/me/.codex/hooks.json");
  // `Interrupt` is newer than the recording.
  ASSERT_EQ(consents.size(), std::size(kRecorded) + 1);
  EXPECT_EQ(consents.back().key, "/home/me/.codex/hooks.json:interrupt:0:0");
  for (size_t i = 0; i < std::size(kRecorded); ++i) {
    EXPECT_EQ(consents[i].key, std::string("/home/me/.codex/hooks.json:") + kRecorded[i].event + ":0:0");
    EXPECT_EQ(consents[i].hash, kRecorded[i].hash) << kRecorded[i].event;
  }
}

TEST(CodexTrust, places_count_the_groups_in_front) {
  Wiring wiring = wiring_for("/usr/bin/grapnel");
  wiring.events = {codex().dialect->find_event(EventKind::Stop)};
  const auto written = add_json_entries(R"({"hooks": {"Stop": [{"hooks": []}, {"hooks": []}]}})", wiring);
  EXPECT_EQ(codex_consents(written->text, "/f").front().key, "/f:stop:2:0");
}

const std::vector<CodexConsent> kTwo = {{"/f:stop:0:0", "sha256:aa"}, {"/f \"x\":stop:0:1", "sha256:bb"}};

struct ConfigCase {
  const char* note;
  const char* before;
  const char* after;
};

TEST(CodexTrust, notes_are_added_and_taken_out_again) {
  const ConfigCase cases[] = {
      {"an empty file", "",
       "[hooks.state.\"/f:stop:0:0\"]\ntrusted_hash = \"sha256:aa\"\n\n"
       "[hooks.state.\"/f \\\"x\\\":stop:0:1\"]\ntrusted_hash = \"sha256:bb\"\n"},
      {"behind what is there", "model = \"o\"\n\n[tui]\ntheme = \"x\" # dark\n",
       "model = \"o\"\n\n[tui]\ntheme = \"x\" # dark\n\n[hooks.state.\"/f:stop:0:0\"]\ntrusted_hash = \"sha256:aa\"\n\n"
       "[hooks.state.\"/f \\\"x\\\":stop:0:1\"]\ntrusted_hash = \"sha256:bb\"\n"},
      {"CRLF", "a = 1\r\n",
       "a = 1\r\n\r\n[hooks.state.\"/f:stop:0:0\"]\r\ntrusted_hash = \"sha256:aa\"\r\n\r\n"
       "[hooks.state.\"/f \\\"x\\\":stop:0:1\"]\r\ntrusted_hash = \"sha256:bb\"\r\n"},
      {"beside those of others", "[hooks.state.\"/g:stop:0:0\"]\ntrusted_hash = \"sha256:cc\"\n",
       "[hooks.state.\"/g:stop:0:0\"]\ntrusted_hash = \"sha256:cc\"\n\n"
       "[hooks.state.\"/f:stop:0:0\"]\ntrusted_hash = \"sha256:aa\"\n\n"
       "[hooks.state.\"/f \\\"x\\\":stop:0:1\"]\ntrusted_hash = \"sha256:bb\"\n"},
  };
  for (const ConfigCase& c : cases) {
    SCOPED_TRACE(c.note);
    const auto added = add_codex_consents(c.before, kTwo);
    ASSERT_TRUE(added) << added.error().to_string();
    EXPECT_EQ(*added, c.after);
    EXPECT_EQ(add_codex_consents(*added, kTwo).value(), *added);
    const auto less = remove_codex_consents(*added, "/f", kTwo);
    EXPECT_EQ(remove_codex_consents(*less, "/f \"x\"", kTwo).value(), c.before);
  }
}

TEST(CodexTrust, a_note_of_another_digest_is_replaced) {
  const auto added =
      add_codex_consents("[hooks.state.\"/f:stop:0:0\"]\ntrusted_hash = \"sha256:old\"\n", {kTwo.front()});
  EXPECT_EQ(added.value(), "[hooks.state.\"/f:stop:0:0\"]\ntrusted_hash = \"sha256:aa\"\n");
}

TEST(CodexTrust, what_cannot_be_added_to_is_said) {
  const ConfigCase cases[] = {{"a table in braces", "hooks = { state = {} }\n", ""},
                              {"another value", "[hooks]\nstate = 1\n", ""}};
  for (const ConfigCase& c : cases) {
    SCOPED_TRACE(c.note);
    const auto added = add_codex_consents(c.before, kTwo);
    ASSERT_FALSE(added);
    EXPECT_FALSE(added.error().at);
  }
}

TEST(CodexTrust, installing_notes_them_in_the_user_s_configuration) {
  for (const Scope scope : {Scope::User, Scope::Project}) {
    SCOPED_TRACE(static_cast<int>(scope));
    Home home;
    const std::string config = home.dir() / "home/.codex/config.toml";
    home.write(config, "model = \"o\" # mine\n");
    ASSERT_TRUE(home.install(usual_wiring(codex()), scope));
    const auto root = read_toml(home.read(config));
    ASSERT_TRUE(root);
    const Json states = root->root["hooks"]["state"];
    EXPECT_EQ(states.size(), usual_events(codex()).size());
    const auto notes = codex_consents(home.read(home.settings(codex(), scope)), home.settings(codex(), scope));
    for (const CodexConsent& note : notes) EXPECT_TRUE(states[note.key]["trusted_hash"].equals_string(note.hash));
    ASSERT_TRUE(home.uninstall(codex(), scope));
    EXPECT_EQ(home.read(config), "model = \"o\" # mine\n");
  }
}

TEST(CodexTrust, what_codex_adds_meanwhile_stays) {
  Home home;
  const std::string config = home.dir() / "home/.codex/config.toml";
  ASSERT_TRUE(home.install(usual_wiring(codex())));
  home.write(config, "model = \"o\"\n" + home.read(config) + "\n[projects.\"/p\"]\ntrust_level = \"trusted\"\n");
  ASSERT_TRUE(home.uninstall(codex()));
  EXPECT_EQ(home.read(config), "model = \"o\"\n\n[projects.\"/p\"]\ntrust_level = \"trusted\"\n");
}

TEST(CodexTrust, a_configuration_that_cannot_be_read_stops_everything) {
  Home home;
  const std::string config = home.dir() / "home/.codex/config.toml";
  home.write(config, "a = 1\nb = \n");
  const auto done = home.install(usual_wiring(codex()));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().at.value().file, config);
  EXPECT_EQ(done.error().at.value().line, 2U);
  EXPECT_FALSE(std::filesystem::exists(home.settings(codex())));
}

}  // namespace
}  // namespace grapnel
