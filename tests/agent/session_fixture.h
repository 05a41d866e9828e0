#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "agent/recording_ui.h"
#include "llm/replay.h"
#include "os/temp_dir.h"

/// A session over a scripted model, with nothing of the machine's own.
namespace grapnel::agent::testing {

inline Json json(std::string text) {
  auto parsed = Json::parse(std::move(text));
  EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : parsed.error().to_string());
  return parsed.value_or(Json());
}

/// A model that says what the script says; see llm/replay_script.h.
inline std::shared_ptr<llm::ModelClient> scripted(std::string_view script) {
  auto turns = llm::parse_replay(script, "script");
  EXPECT_TRUE(turns.has_value()) << (turns ? "" : turns.error().to_string());
  return std::make_shared<llm::ReplayModel>(turns.value_or(std::vector<llm::ReplayTurn>{}), "script");
}

class SessionTest : public ::testing::Test {
 protected:
  AgentOptions options(std::string_view script) {
    AgentOptions out;
    out.model = scripted(script);
    out.cwd = dir_ / "project";
    std::filesystem::create_directories(out.cwd);
    out.engine_options.env = {"PATH=/usr/bin:/bin", "HOME=" + (dir_ / "home"), "XDG_STATE_HOME=" + (dir_ / "state")};
    out.engine_options.places.managed_root = dir_ / "root";
    out.engine_options.discovery.use_hook_files = false;
    out.approval = ApprovalMode::Yolo;
    out.transcripts = dir_ / "sessions";
    out.ui = ui_;
    return out;
  }

  std::unique_ptr<Session> start(AgentOptions wanted) {
    auto session = create_session(std::move(wanted));
    EXPECT_TRUE(session.has_value()) << (session ? "" : session.error().to_string());
    return session ? std::move(*session) : nullptr;
  }

  /// A session whose hooks are this function, for these events.
  std::unique_ptr<Session> start_with(std::string_view script, std::vector<EventKind> events,
                                      std::function<Effects(const Event&)> hook) {
    AgentOptions wanted = options(script);
    return start_hooked(std::move(wanted), std::move(events), std::move(hook));
  }

  std::unique_ptr<Session> start_hooked(AgentOptions wanted, std::vector<EventKind> events,
                                        std::function<Effects(const Event&)> hook) {
    EngineOptions engine = wanted.engine_options;
    engine.project_dir = wanted.cwd;
    wanted.engine = Engine::create(std::move(engine));
    EXPECT_TRUE(wanted.engine->register_callback(
        {.name = "hook",
         .events = std::move(events),
         .call = [hook = std::move(hook)](const Event& event, std::stop_token) { return hook(event); }}));
    return start(std::move(wanted));
  }

  ::grapnel::testing::TempDir dir_;
  std::shared_ptr<RecordingUi> ui_ = std::make_shared<RecordingUi>();
};

inline Effects deny(std::string reason) {
  return {.verdict = Verdict::Deny, .reasons = {{"hook", std::move(reason)}}};
}
inline Effects stop(std::string reason) {
  return {.stop = true, .stop_reasons = {{"hook", std::move(reason)}}};
}
inline Effects inject(std::string text) {
  return {.context = {{"hook", std::move(text)}}};
}

}  // namespace grapnel::agent::testing
