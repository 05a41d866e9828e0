#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "grapnel/engine.h"

#include "os/patience.h"
#include "os/temp_dir.h"

/// An engine over settings written in the test, with nothing of the machine's own.
namespace grapnel::testing {

inline Json json(std::string text) {
  auto parsed = Json::parse(std::move(text));
  EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : parsed.error().to_string());
  return parsed.value_or(Json());
}

class RememberingSink final : public RecordSink {
 public:
  void record(const Record& record) noexcept override {
    const std::lock_guard lock(mutex_);  // hooks that nobody waits for end in threads of their own
    records.push_back(record);
  }
  void snapshot(const std::string& digest, const Json&) noexcept override {
    const std::lock_guard lock(mutex_);  // several engines may share the sink
    digests.push_back(digest);
  }
  std::vector<Record> records;
  std::vector<std::string> digests;

 private:
  std::mutex mutex_;
};

class EngineTest : public ::testing::Test {
 protected:
  /// Options that see nothing but the test's own directories.
  EngineOptions options() {
    EngineOptions out;
    out.project_dir = dir_ / "project";
    out.places.managed_root = dir_ / "root";
    out.env = {"PATH=/usr/bin:/bin", "HOME=" + (dir_ / "home"), "XDG_STATE_HOME=" + (dir_ / "state")};
    out.recording.sink = sink_;
    out.host.notices = [this](const Notice& notice) { notices_.push_back(notice.text); };
    out.discovery.reload_interval = std::chrono::milliseconds(0);
    std::filesystem::create_directories(out.project_dir);
    std::filesystem::create_directories(dir_ / "home");
    return out;
  }

  std::unique_ptr<Engine> engine_with(std::string dialect, std::string settings) {
    EngineOptions out = options();
    out.configs.push_back({std::move(dialect), "", json(std::move(settings))});
    return Engine::create(std::move(out));
  }

  static Event pre_tool(std::string tool, std::string input, std::string use_id = "") {
    return Event(EventKind::PreToolUse, Json::object({{"session_id", Json::string("s1")},
                                                      {"tool_name", Json::string(tool)},
                                                      {"tool_use_id", use_id.empty() ? Json() : Json::string(use_id)},
                                                      {"tool_input", json(std::move(input))}}));
  }

  static size_t lines_in(const std::string& path) {
    std::ifstream file(path);
    size_t count = 0;
    for (std::string line; std::getline(file, line);) ++count;
    return count;
  }

  TempDir dir_;
  std::shared_ptr<RememberingSink> sink_ = std::make_shared<RememberingSink>();
  std::vector<std::string> notices_;
};

}  // namespace grapnel::testing
