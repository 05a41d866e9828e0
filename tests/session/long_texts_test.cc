#include "engine/fixture.h"

// A text that is too long for a model is kept in a file of its session.

namespace grapnel::testing {
namespace {

class LongText : public EngineTest {
 protected:
  std::unique_ptr<Engine> engine() {
    return engine_with("claude", R"({"hooks":{"SessionStart":[{"hooks":[
        {"type":"command","command":"head -c 20000 /dev/zero | tr '\\0' x; echo; echo the end"}]}]}})");
  }

  static Event event(EventKind kind, const std::string& session) {
    return Event(kind, Json::object({{"session_id", Json::string(session)}}));
  }

  /// The files kept, below the standard place.
  std::vector<std::filesystem::path> kept() const {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(dir_ / "state/grapnel/texts", error)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
    return files;
  }
};

TEST_F(LongText, IsInAFileForItsOwnerAlone) {
  const Decision decision = engine()->fire(event(EventKind::SessionStart, "s"));
  ASSERT_EQ(kept().size(), 1u);
  const std::filesystem::path file = kept()[0];
  EXPECT_NE(decision.context().find(file.string()), std::string::npos);
  EXPECT_LT(decision.context().size(), 2400u);
  EXPECT_EQ(std::filesystem::file_size(file), 20008u);
  EXPECT_EQ(std::filesystem::status(file).permissions(), std::filesystem::perms(0600));
  EXPECT_EQ(std::filesystem::status(file.parent_path()).permissions(), std::filesystem::perms(0700));
}

TEST_F(LongText, GoesWithItsSession) {
  const auto engine = this->engine();
  engine->fire(event(EventKind::SessionStart, "s"));
  engine->fire(event(EventKind::SessionStart, "../other"));
  ASSERT_EQ(kept().size(), 2u);
  engine->fire(event(EventKind::SessionEnd, "s"));
  EXPECT_EQ(kept().size(), 1u);
  engine->fire(event(EventKind::SessionEnd, "../other"));
  EXPECT_TRUE(kept().empty());
}

TEST_F(LongText, IsCutWhereNoFileCanBe) {
  dir_.put("state/grapnel/texts", "a file where the directory should be");
  const Decision decision = engine()->fire(event(EventKind::SessionStart, "s"));
  EXPECT_TRUE(decision.context().ends_with("[10008 bytes cut]")) << decision.context().substr(9990);
}

}  // namespace
}  // namespace grapnel::testing
