#include <filesystem>
#include <fstream>
#include <map>

#include "engine/fixture.h"
#include "mask/mask.h"

// Secrets of all kinds go through a real engine, as a command, as the content of a file and as the reason of a hook.
// Afterwards none of them may be in any file that Grapnel has written. Ordinary texts have to stay readable.
//
// cases/secrets.jsonl   {"place": …, "text": …, "secret": …}; "missed" says why a secret is known to stay readable
// cases/ordinary.jsonl  {"place": …, "text": …}; "missed" says why a part of it is known to be masked

namespace grapnel::testing {
namespace {

std::vector<Json> rows_of(const std::string& name) {
  std::vector<Json> rows;
  std::ifstream file(std::string(GRAPNEL_RECORD_CASES) + "/" + name);
  EXPECT_TRUE(file.is_open()) << name;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) rows.push_back(json(line));
  }
  return rows;
}

std::string text_of(const Json& row, const char* key) {
  return row[key].as_string().value_or("");
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The text as it stands inside of a JSON string.
std::string as_in_json(const std::string& text) {
  const std::string quoted = Json::string(text).dump();
  return quoted.substr(1, quoted.size() - 2);
}

class Secrets : public EngineTest {
 protected:
  /// An engine as `grapnel fire` has it, whose hooks refuse with the text in a file. Its rules say in records why they
  /// do not match, and name words of the command for that.
  std::unique_ptr<Engine> keeping_engine(KeepPayloads payloads) {
    EngineOptions with = options();
    with.recording.sink = make_file_record_sink(state(), {.payloads = payloads});
    with.recording.unmatched = true;
    with.sessions = make_file_session_store(state() + "/sessions");
    const std::string hook =
        R"([{"name":"refuses","hooks":[{"type":"command","command":"cat ')" + reason() + R"(' >&2; exit 2"}]}])";
    with.configs.push_back({"clawd", "", json(R"({"hooks":{"PreToolUse":)" + hook + R"(,"Stop":)" + hook + "}}")});
    with.configs.push_back({"",
                            dir_.put("rules/grapnel.yaml", R"(version: 1
hooks:
  - name: about-paths
    on: PreToolUse
    when: { path: "**/.never*" }
    deny: It reads {path}.
  - name: about-input
    on: PreToolUse
    when: { input: { command: "never*" } }
    deny: no
)"),
                            {}});
    return Engine::create(std::move(with));
  }

  std::string state() { return dir_ / "state/grapnel"; }
  std::string reason() { return dir_ / "reason"; }

  void say(const std::string& text) { std::ofstream(reason(), std::ios::binary) << text; }

  /// Fires the events that bring the text to its place.
  void fire(Engine& engine, const std::string& place, const std::string& text) {
    const Json quoted = Json::string(text);
    say(place == "reason" ? text : "no");
    const std::string id = "use-" + std::to_string(++count_);
    if (place == "content") {
      engine.fire(pre_tool("Write", R"({"file_path":"notes","content":)" + quoted.dump() + "}", id));
      engine.fire(pre_tool("Edit", R"({"file_path":"notes","old_string":"a","new_string":)" + quoted.dump() + "}", id));
    } else {
      const std::string command = place == "command" ? quoted.dump() : "\"true\"";
      EXPECT_TRUE(engine.fire(pre_tool("Bash", R"({"command":)" + command + "}", id)).denied());
    }
    engine.fire(Event(EventKind::Stop, json(R"({"session_id":"s1","stop_reason":"end_turn"})")));
  }

  /// The files in which the text stands, as it is or as JSON spells it.
  std::string files_with(const std::string& text) {
    std::string found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(state())) {
      if (!entry.is_regular_file()) continue;
      const std::string content = content_of(entry.path());
      if (content.contains(text) || content.contains(as_in_json(text))) found += " " + entry.path().filename().string();
    }
    return found;
  }

  void forget() { std::filesystem::remove_all(state()); }

  int count_ = 0;
};

TEST_F(Secrets, AreInNoFile) {
  std::map<std::string, int> asked;
  std::map<std::string, int> left;
  for (const Json& row : rows_of("secrets.jsonl")) {
    const std::string text = text_of(row, "text");
    const std::string secret = text_of(row, "secret");
    const std::string place = text_of(row, "place");
    SCOPED_TRACE(place + ": " + text);
    ASSERT_TRUE(text.contains(secret));
    fire(*keeping_engine(KeepPayloads::Full), place, text);
    const std::string files = files_with(secret);
    EXPECT_EQ(files.empty(), !row["missed"]) << files;
    EXPECT_FALSE(files_with("refuses").empty()) << "there are records";
    ++asked[place];
    left[place] += files.empty() ? 0 : 1;
    forget();
  }
  for (const auto& [place, count] : asked) {
    EXPECT_LE(left[place] * 100, count * 3) << place << ": at most three in a hundred may stay";
    RecordProperty(place, std::to_string(left[place]) + " of " + std::to_string(count));
  }
}

TEST_F(Secrets, AreInNoFileWithoutPayloads) {
  const auto engine = keeping_engine(KeepPayloads::Digest);
  std::vector<std::string> secrets;
  for (const Json& row : rows_of("secrets.jsonl")) {
    if (row["missed"]) continue;
    fire(*engine, text_of(row, "place"), text_of(row, "text"));
    secrets.push_back(text_of(row, "secret"));
  }
  for (const std::string& secret : secrets) EXPECT_EQ(files_with(secret), "") << secret;
}

TEST_F(Secrets, OrdinaryTextsStayReadable) {
  for (const Json& row : rows_of("ordinary.jsonl")) {
    const std::string text = text_of(row, "text");
    EXPECT_EQ(Mask().apply(text) == text, !row["missed"]) << text << "\n" << Mask().apply(text);
  }
}

/// A decision that is repeated has to be repeated byte by byte. If it contains a secret, it is not kept at all.
TEST_F(Secrets, ARewriteWithASecretIsNotKept) {
  const auto store = make_file_session_store(state() + "/sessions");
  Decision changed;
  changed.effects.input = Rewrite{Rewrite::Mode::Merge, json(R"({"command":"curl -u me:hunter2 https://h"})")};
  Decision plain;
  plain.effects.input = Rewrite{Rewrite::Mode::Merge, json(R"({"command":"ls"})")};
  plain.effects.reasons = {{"a", "PASSWORD=hunter2 was removed"}};
  ASSERT_TRUE(store->update("s", [&](SessionState& state) {
    state.remembered = {{"with", changed}, {"without", plain}};
    state.shared.push_back({.call = "with", .decision = changed});
    state.refusal = "PASSWORD=hunter2";
  }));
  EXPECT_EQ(files_with("hunter2"), "");
  const auto kept = store->load("s");
  ASSERT_TRUE(kept);
  ASSERT_EQ(kept->remembered.size(), 1U);
  EXPECT_EQ(kept->remembered.front().decision.effects.input, plain.effects.input);
  EXPECT_EQ(kept->remembered.front().decision.reason(), "PASSWORD=*** was removed");
  EXPECT_TRUE(kept->shared.empty());
}

}  // namespace
}  // namespace grapnel::testing
