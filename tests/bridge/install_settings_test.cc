#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "base/text.h"
#include "bridge/install_corpus.h"
#include "bridge/install_support.h"
#include "bridge/json_entries.h"
#include "discover/formats/settings_file.h"
#include "discover/formats/toml_document.h"
#include "json/edit.h"

namespace grapnel {
namespace {

using namespace testing;

bool is_toml(const Adapter& adapter) {
  return adapter.form == EntryForm::Tables;
}

std::vector<SettingsCase> settings_for(const Adapter& adapter) {
  if (is_toml(adapter)) return toml_settings();
  if (adapter.form == EntryForm::Plugin) return {};
  std::vector<SettingsCase> out = json_settings();
  std::erase_if(out, [&](const SettingsCase& c) { return !adapter.reads_comments && !c.plain; });
  return out;
}

Json parse(const std::string& text, const Adapter& adapter) {
  if (text::trim(text).empty()) return Json::object();
  return parse_settings(text, is_toml(adapter) ? PlaceFormat::Toml : PlaceFormat::Settings).value_or(Json());
}

std::vector<std::string> sorted(std::vector<std::string> texts) {
  std::ranges::sort(texts);
  return texts;
}

std::vector<std::string> spellings(const Wiring& wiring) {
  std::vector<std::string> out;
  for (const EventRow* row : wiring.events) out.emplace_back(spelling_of(*wiring.adapter->dialect, *row));
  return out;
}

/// Every settings file of the corpus with an agent that has such files; with its cousins every fifth.
template <typename Check>
void for_each_settings(Check check) {
  std::set<EntryForm> seen;
  for (const Adapter& adapter : all_adapters()) {
    SCOPED_TRACE(adapter.agent);
    const bool is_first = seen.insert(adapter.form).second;
    size_t count = 0;
    for (const SettingsCase& c : settings_for(adapter)) {
      if (!is_first && count++ % 5 != 0) continue;
      SCOPED_TRACE(c.note);
      Home home;
      home.write(home.settings(adapter), c.text);
      check(adapter, c.text, home);
    }
  }
}

TEST(InstallSettings, corpus_is_large) {
  EXPECT_GE(json_settings().size() + toml_settings().size(), 60U);
}

TEST(InstallSettings, entries_are_there_and_every_other_byte_stays) {
  for_each_settings([](const Adapter& adapter, const std::string& before, const Home& home) {
    const Wiring wiring = usual_wiring(adapter);
    const auto done = home.install(wiring);
    ASSERT_TRUE(done) << done.error().to_string();
    const std::string after = home.read(home.settings(adapter));
    EXPECT_TRUE(parse(after, adapter).is_object()) << after;
    EXPECT_TRUE(is_subsequence(text::trim(before).empty() ? "" : before, after)) << after;
    EXPECT_EQ(sorted(wired_events(adapter, home.settings(adapter)).value()), sorted(spellings(wiring))) << after;
  });
}

TEST(InstallSettings, the_agent_s_own_reader_finds_them) {
  for_each_settings([](const Adapter& adapter, const std::string& before, const Home& home) {
    const Wiring wiring = usual_wiring(adapter);
    const SettingsOrigin origin{adapter.dialect, Scope::User, "",
                                is_toml(adapter) ? PlaceFormat::Toml : PlaceFormat::Settings};
    const auto known = read_settings(before, origin).hooks.size();
    ASSERT_TRUE(home.install(wiring));
    const SettingsFile file = read_settings(home.read(home.settings(adapter)), origin);
    EXPECT_EQ(file.hooks.size(), known + wiring.events.size());
    const auto is_usual = [](const auto& hook) { return hook.timeout == std::chrono::minutes(10); };
    EXPECT_TRUE(std::ranges::any_of(file.hooks, is_usual));
  });
}

TEST(InstallSettings, twice_is_once) {
  for_each_settings([](const Adapter& adapter, const std::string&, const Home& home) {
    ASSERT_TRUE(home.install(usual_wiring(adapter)));
    const auto once = home.everything();
    ASSERT_TRUE(home.install(usual_wiring(adapter)));
    EXPECT_EQ(home.everything(), once);
    const BridgeTarget target = home.target(adapter);
    EXPECT_FALSE(plan_install(target, usual_wiring(adapter), home.manifest())->is_change());
  });
}

/// People may change the timeout that we wrote, and agents wait as long as their settings say.
TEST(InstallSettings, the_timeout_is_that_of_the_entry) {
  for (const Adapter& adapter : all_adapters()) {
    SCOPED_TRACE(adapter.agent);
    Home home;
    ASSERT_TRUE(home.install(usual_wiring(adapter)));
    const std::string path = home.settings(adapter);
    const auto unit = adapter.dialect->timeouts.unit;
    const int64_t usual = entry_timeout(adapter, EventKind::PreToolUse);
    EXPECT_EQ(wired_timeout(adapter, path, EventKind::PreToolUse).value(), usual * unit);
    const std::string key(adapter.dialect->key_of(HookKey::Timeout));
    std::string text = home.read(path);
    const std::string written = std::to_string(usual);
    if (adapter.form == EntryForm::Plugin || key.empty() || !text.contains(written)) continue;
    for (size_t at = 0; (at = text.find(written, at)) != std::string::npos;) text.replace(at, written.size(), "20");
    home.write(path, text);
    EXPECT_EQ(wired_timeout(adapter, path, EventKind::PreToolUse).value(), 20 * unit) << text;
  }
}

TEST(InstallSettings, uninstalling_restores_the_bytes) {
  for_each_settings([](const Adapter& adapter, const std::string&, const Home& home) {
    const auto before = home.everything();
    ASSERT_TRUE(home.install(usual_wiring(adapter)));
    EXPECT_NE(home.everything(), before);
    ASSERT_TRUE(home.uninstall(adapter));
    EXPECT_EQ(home.everything(), before);
    EXPECT_TRUE(home.manifest().load()->empty());
  });
}

TEST(InstallSettings, uninstalling_restores_the_bytes_after_installing_otherwise) {
  for_each_settings([](const Adapter& adapter, const std::string&, const Home& home) {
    const auto before = home.everything();
    Wiring wiring = usual_wiring(adapter);
    ASSERT_TRUE(home.install(wiring));
    wiring.events.resize(2);
    wiring.program = "/usr/bin/grapnel";
    wiring.on_missing = OnMissing::Block;
    ASSERT_TRUE(home.install(wiring));
    EXPECT_EQ(wired_events(adapter, home.settings(adapter))->size(), 2U);
    ASSERT_TRUE(home.uninstall(adapter));
    EXPECT_EQ(home.everything(), before);
  });
}

/// Without what every file of the agent must have, which stays while there are hooks.
Json own_settings(const std::string& text, const Adapter& adapter) {
  Json root = parse(text, adapter);
  for (const ConstantRow& row : adapter.dialect->files.constants) root = root.without(row.pointer.substr(1));
  return root;
}

/// Somebody adds a setting of their own.
std::string add_setting(const std::string& text, const Adapter& adapter) {
  if (is_toml(adapter)) return text + (text.ends_with('\n') || text.empty() ? "" : "\n") + "[mine]\nadded = true\n";
  return json::set_value(text, "/mine", Json::string("added")).value();
}

TEST(InstallSettings, what_was_changed_meanwhile_stays) {
  for_each_settings([](const Adapter& adapter, const std::string& before, const Home& home) {
    const std::string path = home.settings(adapter);
    ASSERT_TRUE(home.install(usual_wiring(adapter)));
    home.write(path, add_setting(home.read(path), adapter));
    ASSERT_TRUE(home.uninstall(adapter));
    const std::string after = home.read(path);
    EXPECT_EQ(own_settings(after, adapter), own_settings(add_setting(before, adapter), adapter)) << after;
    EXPECT_TRUE(is_subsequence(text::trim(before) == "{}" ? "" : text::trim(before), after)) << after;
    EXPECT_FALSE(after.contains(kProgram)) << after;
  });
}

TEST(InstallSettings, what_was_changed_meanwhile_survives_a_second_installing) {
  for_each_settings([](const Adapter& adapter, const std::string& before, const Home& home) {
    const std::string path = home.settings(adapter);
    ASSERT_TRUE(home.install(usual_wiring(adapter)));
    home.write(path, add_setting(home.read(path), adapter));
    ASSERT_TRUE(home.install(usual_wiring(adapter)));
    EXPECT_EQ(wired_events(adapter, path)->size(), usual_events(adapter).size());
    ASSERT_TRUE(home.uninstall(adapter));
    EXPECT_EQ(own_settings(home.read(path), adapter), own_settings(add_setting(before, adapter), adapter));
  });
}

TEST(InstallSettings, entries_go_without_a_record_of_them) {
  for_each_settings([](const Adapter& adapter, const std::string&, const Home& home) {
    ASSERT_TRUE(home.install(usual_wiring(adapter)));
    std::filesystem::remove_all(home.env().state_dir());
    ASSERT_TRUE(home.uninstall(adapter));
    EXPECT_FALSE(home.read(home.settings(adapter)).contains(kProgram));
  });
}

TEST(InstallSettings, broken_files_are_left_alone) {
  for (const Adapter& adapter : all_adapters()) {
    SCOPED_TRACE(adapter.agent);
    if (adapter.form == EntryForm::Plugin) continue;
    for (const BrokenCase& c : is_toml(adapter) ? broken_toml_settings() : broken_json_settings()) {
      SCOPED_TRACE(c.note);
      Home home;
      home.write(home.settings(adapter), c.text);
      const auto before = home.everything();
      const auto done = home.install(usual_wiring(adapter));
      ASSERT_FALSE(done);
      EXPECT_EQ(done.error().code, Errc::BadConfig);
      ASSERT_TRUE(done.error().at) << done.error().to_string();
      EXPECT_EQ(*done.error().at, (SourcePos{home.settings(adapter), c.line, c.column})) << done.error().to_string();
      EXPECT_EQ(home.everything(), before);
      EXPECT_TRUE(home.manifest().load()->empty());
    }
  }
}

TEST(InstallSettings, what_an_agent_cannot_read_is_left_alone) {
  for (const Adapter& adapter : all_adapters()) {
    if (adapter.reads_comments || adapter.form == EntryForm::Plugin) continue;
    SCOPED_TRACE(adapter.agent);
    for (const SettingsCase& c : json_settings()) {
      if (c.plain) continue;
      SCOPED_TRACE(c.note);
      Home home;
      home.write(home.settings(adapter), c.text);
      const auto done = home.install(usual_wiring(adapter));
      ASSERT_FALSE(done);
      EXPECT_TRUE(done.error().at);
      EXPECT_EQ(home.read(home.settings(adapter)), c.text);
    }
  }
}

}  // namespace
}  // namespace grapnel
