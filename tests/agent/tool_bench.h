#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "agent/json_schema.h"
#include "agent/workspace.h"
#include "grapnel_agent/tool.h"
#include "os/patience.h"
#include "os/temp_dir.h"

namespace grapnel::agent {

inline Json parse(std::string text) {
  auto parsed = Json::parse(std::move(text));
  EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : parsed.error().to_string());
  return parsed.value_or(Json());
}

/// How a call ends that does not fail.
inline constexpr auto kNone = ToolFailure::None;

/// The built-in tools in a workspace of their own, with a directory beside it that is not theirs.
class ToolBench {
 public:
  ToolBench() {
    dir.put("work/.keep", "");
    dir.put("outside/secret.txt", "secret\n");
    workspace.emplace(dir / "work");
    context.workspace = &*workspace;
    context.tasks = &tasks;
  }

  static Tool tool(ToolKind kind) {
    const std::vector<Tool> tools = built_in_tools();
    const auto found = std::ranges::find(tools, kind, &Tool::kind);
    EXPECT_NE(found, tools.end());
    return *found;
  }

  /// A call as the pipeline makes it: what does not fit the schema does not run.
  ToolResult call(ToolKind kind, const Json& input) const {
    const Tool called = tool(kind);
    if (auto wrong = violation(input, called.schema)) return {ToolFailure::InvalidInput, *wrong};
    return called.run(input, context);
  }
  ToolResult call(ToolKind kind, std::string input) const { return call(kind, parse(std::move(input))); }

  std::string content(std::string_view name) const {
    std::ifstream file(dir / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  bool exists(std::string_view name) const { return std::filesystem::exists(dir / name); }

  testing::TempDir dir;
  std::optional<Workspace> workspace;
  std::vector<TaskItem> tasks;
  ToolContext context;
};

}  // namespace grapnel::agent
