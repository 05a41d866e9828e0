#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "bridge/fire_support.h"

/// `fixtures/<agent>/<event>-<what>.json`: a payload as the agent sends it, one rule, and what the agent must be told.
///
///   as, event    how it is called        payload   an object, a text as it is, or a file of tests/agents/payloads
///                /home/you/project in it is a directory that is there
///   rule         of the user's           verdict   on record; null: nothing is, or an error
///   degraded     [effect, to] on record  stdout    an object, or "" for nothing
///   stderr       where it is looked at   exit
namespace grapnel::testing {

namespace {

namespace fs = std::filesystem;

const std::string kProject = "/home/you/project";

std::string read_text(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> fixture_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(GRAPNEL_FIXTURES)) {
    if (entry.path().extension() == ".json") names.push_back(fs::relative(entry.path(), GRAPNEL_FIXTURES).string());
  }
  std::ranges::sort(names);
  return names;
}

std::string payload_of(const Json& fixture) {
  const Json payload = fixture["payload"];
  const auto text = payload.as_string();
  if (!text) return payload.dump();
  const fs::path recorded = fs::path(GRAPNEL_PAYLOADS) / (*text + ".json");
  return fs::exists(recorded) ? read_text(recorded) : *text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string losses_of(const Json& record) {
  std::string out;
  for (const Json& loss : record["degraded"].elements()) {
    out += loss["effect"].as_string().value_or("") + " -> " + loss["to"].as_string().value_or("") + "\n";
  }
  return out;
}

std::string wanted_losses(const Json& fixture) {
  std::string out;
  for (const Json& loss : fixture["degraded"].elements()) {
    out += loss.at(0).as_string().value_or("") + " -> " + loss.at(1).as_string().value_or("") + "\n";
  }
  return out;
}

class Fixture : public ::testing::TestWithParam<std::string> {};

TEST_P(Fixture, TheAgentIsToldWhatItUnderstands) {
  const auto fixture = Json::parse(read_text(fs::path(GRAPNEL_FIXTURES) / GetParam()));
  ASSERT_TRUE(fixture) << fixture.error().to_string();
  const BridgeWorld world;
  // JSON is YAML, too.
  world.put_rules("version: 1\nhooks: [" + (*fixture)["rule"].with("name", Json::string("rule")).dump() + "]\n");
  std::vector<std::string> args = {"--as", (*fixture)["as"].as_string().value_or("")};
  if (const auto event = (*fixture)["event"].as_string()) args.push_back(*event);
  const std::string project = world.dir() / "project";
  Fired fired = world.run_one(args, replaced(payload_of(*fixture), kProject, project));
  fired.out = replaced(fired.out, project, kProject);

  EXPECT_EQ(fired.exit, (*fixture)["exit"].as_integer()) << fired.err;
  const Json want = (*fixture)["stdout"];
  const auto said = Json::parse(fired.out);
  if (want.is_string()) {
    EXPECT_EQ(fired.out, *want.as_string());
  } else if (want["message"].equals_string("…")) {
    ASSERT_TRUE(said) << fired.out;
    EXPECT_NE((*said)["message"].as_string().value_or("").find("grapnel: "), std::string::npos);
    EXPECT_EQ(said->without("message"), want.without("message"));
  } else {
    EXPECT_TRUE(said && *said == want) << fired.out << "\nwanted " << want.dump();
  }
  EXPECT_EQ(fired.err, (*fixture)["stderr"].as_string().value_or(fired.err));

  const std::vector<Json> records = world.records();
  const auto verdict = (*fixture)["verdict"].as_string();
  if (!verdict) return;
  ASSERT_EQ(records.size(), 1U) << fired.err;
  EXPECT_EQ(records.front()["verdict"].as_string(), verdict);
  EXPECT_EQ(losses_of(records.front()), wanted_losses(*fixture));
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param.substr(0, info.param.rfind('.'));
  std::ranges::replace_if(name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Bridge, Fixture, ::testing::ValuesIn(fixture_names()), test_name);

TEST(Fixtures, EveryAgentHasSome) {
  for (const char* agent :
       {"claude", "gemini", "codex", "qwen", "kimi", "cursor", "copilot", "copilot-vscode", "opencode"}) {
    const auto names = fixture_names();
    const auto is_its = [&](const std::string& name) { return name.starts_with(std::string(agent) + "/"); };
    EXPECT_GE(std::ranges::count_if(names, is_its), 6) << agent;
  }
}

}  // namespace

}  // namespace grapnel::testing
