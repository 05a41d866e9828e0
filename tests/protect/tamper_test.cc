#include <algorithm>

#include "engine/fixture.h"

/// Ways to tamper with the guards, and harmless calls that look like them. The lists are JSON lines: a tool and its
/// input, in the project `/home/me/project` of a person whose home is `/home/me`. A row that is knowingly not seen says
/// why in `missed`, and has to be missed; docs/security.md describes those.
namespace grapnel::testing {
namespace {

struct Row {
  size_t line = 0;
  std::string tool;
  Json input;
  std::string text;  ///< of the whole row, for messages
  std::string missed;
};

class TamperTest : public EngineTest {
 protected:
  void SetUp() override {
    dir_.put("home/me/project/.git/HEAD", "ref: refs/heads/main\n");
    dir_.put("home/me/project/.git/index",
             std::string("DIRC\0\0\0\2", 8) + "....agents/grapnel.yaml" + std::string(1, '\0'));
    dir_.put("home/me/project/.agents/grapnel.yaml", "version: 1\nhooks: []\n");
    dir_.put("home/me/project/.agents/hooks/guard/HOOK.md", "");
    dir_.put("home/me/project/.agents/hooks/no-force-push/HOOK.md", "");
    dir_.put("home/me/project/.agents/hooks/no-force-push/scripts/run.sh", "exit 2\n");
    dir_.put("home/me/project/src/trust.py", "");
    for (const char* agent : {".claude", ".gemini", ".qwen"}) {
      dir_.put("home/me/project/" + std::string(agent) + "/settings.json", "{}");
      dir_.put("home/me/" + std::string(agent) + "/settings.json", "{}");
    }
    dir_.put("home/me/.config/agents/grapnel.yaml", "version: 1\nhooks: []\n");
    dir_.put("home/me/.config/opencode/plugin/grapnel.js", "");
    dir_.put("home/me/.local/bin/grapnel", "#!/bin/sh\n", 0755);
    dir_.put("home/me/.local/state/grapnel/trust.json", R"({"version":1,"projects":{}})", 0600);
    dir_.put("home/me/.local/state/grapnel/bridge/0-settings.json", "{}", 0600);
    dir_.put("home/me/.codex/config.toml", "");
    EngineOptions made = options();
    made.project_dir = dir_ / "home/me/project";
    made.env = {"PATH=" + (dir_ / "home/me/.local/bin") + ":/usr/local/bin:/usr/bin:/bin", "HOME=" + (dir_ / "home/me"),
                "XDG_RUNTIME_DIR=" + (dir_ / "run")};
    // The lists name the real places of the administrator.
    made.places.managed_root = "/";
    engine_ = Engine::create(std::move(made));
  }

  /// The same text with the test's own home.
  std::string moved(std::string text) const {
    const std::string home = "/home/me";
    for (size_t at = text.find(home); at != std::string::npos; at = text.find(home, at + 1)) {
      text.replace(at, home.size(), dir_ / "home/me");
      at += (dir_ / "home/me").size() - 1;
    }
    return text;
  }

  std::vector<Row> rows_of(const std::string& name) const {
    std::vector<Row> out;
    std::ifstream file(std::string(GRAPNEL_CASES) + "/" + name);
    size_t number = 0;
    for (std::string line; std::getline(file, line);) {
      const Json row = json(moved(line));
      out.push_back(
          {++number, row["tool"].as_string().value_or(""), row["input"], line, row["missed"].as_string().value_or("")});
    }
    return out;
  }

  Decision decide(const Row& row) {
    return engine_->fire(Event(EventKind::PreToolUse, Json::object({{"tool_name", Json::string(row.tool)},
                                                                    {"cwd", Json::string(dir_ / "home/me/project")},
                                                                    {"tool_input", row.input}})));
  }

  std::unique_ptr<Engine> engine_;
};

TEST_F(TamperTest, AreSeen) {
  const auto rows = rows_of("tamper.jsonl");
  ASSERT_GE(rows.size(), 150U);
  for (const Row& row : rows) {
    const Decision decision = decide(row);
    const bool is_seen = decision.verdict() == Verdict::Ask || decision.verdict() == Verdict::Deny;
    EXPECT_EQ(is_seen, row.missed.empty()) << "line " << row.line << ": " << row.text << "\n" << decision.reason();
  }
  EXPECT_LE(std::ranges::count_if(rows, [](const Row& row) { return !row.missed.empty(); }), 8);
}

TEST_F(TamperTest, HarmlessLookAlikesPass) {
  const auto rows = rows_of("tamper_benign.jsonl");
  ASSERT_GE(rows.size(), 20U);
  for (const Row& row : rows) {
    const Decision decision = decide(row);
    EXPECT_EQ(decision.verdict(), Verdict::Pass) << "line " << row.line << ": " << row.text << "\n"
                                                 << decision.reason();
  }
}

}  // namespace
}  // namespace grapnel::testing
