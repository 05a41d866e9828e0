#include <fstream>
#include <map>

#include "discover/formats/yaml_document.h"
#include "engine/fixture.h"

// The ten rules of examples/rules, with the cases beside them, as six agents would send the events: one rule, one
// verdict.

namespace grapnel::testing {
namespace {

constexpr const char* kJobs[] = {"approve-the-safe",     "audit-everything", "company-policy",  "format-after-edit",
                                 "inject-context",       "notify-me",        "protect-secrets", "rewrite-and-trim",
                                 "not-done-until-green", "stop-destruction"};
constexpr const char* kAgents[] = {"claude", "gemini", "codex", "kimi", "blade", "agenthooks"};

std::string content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Gallery : public EngineTest {
 protected:
  void put_files(const Json& files) {
    for (const JsonMember& file : files.members()) {
      const std::string path = dir_ / ("project/" + file.key);
      std::filesystem::create_directories(std::filesystem::path(path).parent_path());
      const auto target = file.value["symlink"].as_string();
      std::filesystem::remove(path);
      if (target) std::filesystem::create_symlink(*target, path);
      const std::string text = file.value.as_string().value_or("");
      if (!target) std::ofstream(path) << text;
      // As in `grapnel test`: such a text is a script.
      if (text.starts_with("#!")) std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    }
  }

  std::unique_ptr<Engine> engine_for(const std::string& job) {
    std::filesystem::remove_all(dir_ / "project");
    std::filesystem::copy(std::string(GRAPNEL_EXAMPLES) + "/rules/" + job, dir_ / "project",
                          std::filesystem::copy_options::recursive);
    EngineOptions out = options();
    out.configs.push_back({"", dir_ / "project/.agents/grapnel.yaml", {}});
    out.safety.self_protection = false;
    return Engine::create(std::move(out));
  }

  std::string verdict_of(Engine& engine, const Event& event) {
    return std::string(to_string(engine.fire(event).verdict()));
  }
};

TEST_F(Gallery, HoldsTheSameInEveryAgent) {
  std::map<std::string, size_t> decided;
  for (const char* job : kJobs) {
    SCOPED_TRACE(job);
    const auto engine = engine_for(job);
    const auto document = read_yaml(content(dir_ / ("project/.agents/tests/" + std::string(job) + ".hooktest.yaml")));
    ASSERT_TRUE(document.has_value());
    put_files(document->root["files"]);
    int session = 0;
    for (const Json& test : document->root["cases"].elements()) {
      SCOPED_TRACE(test["name"].as_string().value_or(""));
      if (!test["event"] || test["answers"]) continue;
      put_files(test["files"]);
      const auto kind = event_kind_from(test["event"].as_string().value_or(""));
      ASSERT_TRUE(kind.has_value());
      const auto event = [&] {  // each in a session of its own
        return Event(*kind, (test["input"] ? test["input"] : json("{}"))
                                .with("session_id", Json::string("s" + std::to_string(++session)))
                                .with("cwd", Json::string(dir_ / "project")));
      };
      // A case may say only which rule does not apply; then the canonical event has the verdict to compare with.
      const std::string own = verdict_of(*engine, event());
      const std::string want = test["expect"]["verdict"].as_string().value_or(own);
      EXPECT_EQ(own, want);
      for (const char* agent : kAgents) {
        SCOPED_TRACE(agent);
        const auto sent = event().in_dialect(agent);
        EXPECT_TRUE(sent.has_value() || *kind != EventKind::PreToolUse) << "every agent has tool calls";
        if (!sent) continue;
        EXPECT_EQ(verdict_of(*engine, *sent), want) << sent->payload().dump();
        ++decided[agent];
      }
      for (const JsonMember& file : test["files"].members()) std::filesystem::remove(dir_ / ("project/" + file.key));
    }
  }
  for (const char* agent : kAgents) EXPECT_GE(decided[agent], 30U) << agent;
}

}  // namespace
}  // namespace grapnel::testing
