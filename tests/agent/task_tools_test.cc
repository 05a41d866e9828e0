#include "agent/tool_bench.h"

namespace grapnel::agent {

namespace {

using Status = TaskItem::Status;

struct TaskToolCase {
  const char* note;
  const char* todos;
  std::vector<TaskItem> want;
  const char* text;
};

TEST(TodoTool, TheListIsReplaced) {
  ToolBench bench;
  const TaskToolCase cases[] = {
      {"a first list gets ids",
       R"([{"content": "a", "status": "in_progress"}, {"content": "b", "status": "pending"}])",
       {{"1", "a", Status::InProgress}, {"2", "b", Status::Pending}},
       "[>] 1. a\n[ ] 2. b"},
      {"the same text is the same task, wherever it stands",
       R"([{"content": "b", "status": "in_progress"}, {"content": "c", "status": "pending"},
           {"content": "a", "status": "completed"}])",
       {{"2", "b", Status::InProgress}, {"3", "c", Status::Pending}, {"1", "a", Status::Completed}},
       "[>] 2. b\n[ ] 3. c\n[x] 1. a"},
      {"an id keeps a task with another text",
       R"([{"id": "2", "content": "B", "status": "in_progress"}, {"id": 3, "content": "c", "status": "cancelled"}])",
       {{"2", "B", Status::InProgress}},
       "[>] 2. B"},
      {"a model's own ids",
       R"([{"id": "x", "content": "y", "status": "pending"}])",
       {{"x", "y", Status::Pending}},
       "[ ] x. y"},
      {"nothing left", R"([])", {}, "the list is empty"},
  };
  for (const TaskToolCase& c : cases) {
    SCOPED_TRACE(c.note);
    const ToolResult result = bench.call(ToolKind::Todo, Json::object({{"todos", parse(c.todos)}}));
    EXPECT_TRUE(result.success());
    EXPECT_EQ(bench.tasks, c.want);
    EXPECT_EQ(result.text, c.text);
  }
}

TEST(TodoTool, ATaskIsDoneWhenThatIsAccepted) {
  ToolBench bench;
  std::vector<std::string> asked;
  bench.context.complete_task = [&](const TaskItem& task) -> std::optional<std::string> {
    asked.push_back(task.id + task.description);
    EXPECT_EQ(task.status, Status::Completed);
    if (task.description == "b") return "tests fail";
    return std::nullopt;
  };
  const std::string todos =
      R"({"todos": [{"content": "a", "status": "completed"}, {"content": "b", "status": "completed"},
                                          {"content": "c", "status": "pending"}]})";
  const ToolResult result = bench.call(ToolKind::Todo, todos);
  EXPECT_TRUE(result.success());
  EXPECT_EQ(result.text, "[x] 1. a\n[>] 2. b\n[ ] 3. c\nItem 2 is not done yet and stays in progress: tests fail");
  EXPECT_EQ(result.data, parse(R"({"todos": [{"id": "1", "content": "a", "status": "completed"},
                                             {"id": "2", "content": "b", "status": "in_progress"},
                                             {"id": "3", "content": "c", "status": "pending"}]})"));
  EXPECT_EQ(asked, (std::vector<std::string>{"1a", "2b"}));
  bench.call(ToolKind::Todo, todos);
  EXPECT_EQ(asked, (std::vector<std::string>{"1a", "2b", "2b"})) << "what is done is not asked about again";
}

TEST(TodoTool, Refusals) {
  ToolBench bench;
  EXPECT_EQ(bench.call(ToolKind::Todo, R"({"todos": [{"content": "a", "status": "soon"}]})").text,
            R"(/todos/0/status must be one of "pending", "in_progress", "completed", "cancelled")");
  bench.context.tasks = nullptr;
  EXPECT_EQ(bench.call(ToolKind::Todo, R"({"todos": []})").failure, ToolFailure::Failed);
}

TEST(SubagentTool, HandsTheWorkOver) {
  ToolBench bench;
  std::vector<SubagentTask> tasks;
  bench.context.run_subagent = [&](const SubagentTask& task) {
    tasks.push_back(task);
    return ToolResult{ToolFailure::Interrupted, "half done"};
  };
  const ToolResult result =
      bench.call(ToolKind::Task, R"({"description": "look", "prompt": "find it", "subagent_type": "explore"})");
  EXPECT_EQ(result.failure, ToolFailure::Interrupted);
  EXPECT_EQ(result.text, "half done");
  bench.call(ToolKind::Task, R"({"prompt": "do it"})");
  ASSERT_EQ(tasks.size(), 2U);
  EXPECT_EQ(tasks[0].type + '/' + tasks[0].description + '/' + tasks[0].prompt, "explore/look/find it");
  EXPECT_EQ(tasks[1].type + '/' + tasks[1].description + '/' + tasks[1].prompt, "general//do it");
}

TEST(SubagentTool, NotFromEverywhere) {
  const ToolBench bench;
  EXPECT_EQ(bench.call(ToolKind::Task, R"({"prompt": "do it"})").failure, ToolFailure::Failed);
}

TEST(BuiltInTools, AreCanonicalAndWellDescribed) {
  for (const Tool& tool : built_in_tools()) {
    SCOPED_TRACE(tool.name);
    EXPECT_EQ(tool.name, tool_name(tool.kind, "canonical"));
    EXPECT_FALSE(tool.description.empty());
    EXPECT_EQ(tool.schema["type"].as_string(), "object");
    for (const JsonMember& property : tool.schema["properties"].members()) {
      EXPECT_TRUE(property.value["description"].is_string()) << property.key;
      EXPECT_TRUE(property.value["type"].is_string()) << property.key;
    }
  }
  EXPECT_EQ(built_in_tools().size(), 9U);
}

TEST(BuiltInTools, NoWorkspaceNoFiles) {
  ToolBench bench;
  bench.context.workspace = nullptr;
  EXPECT_EQ(bench.call(ToolKind::Read, R"({"file_path": "/etc/hostname"})").text, "there is no workspace");
}

}  // namespace

}  // namespace grapnel::agent
