#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "agent/tools/tool_answer.h"
#include "agent/tools/tools.h"
#include "base/text.h"

/// The model sends the whole list each time, so the tool has to find out what changed: it matches new items with old
/// ones by id or text, and asks the TaskCompleted hooks about each item that became completed.
namespace grapnel::agent {

namespace {

using Status = TaskItem::Status;

constexpr const char* kTodoSchema = R"({
  "type": "object",
  "properties": {
    "todos": {
      "type": "array",
      "description": "The whole list, in order; it replaces the old one",
      "items": {
        "type": "object",
        "properties": {
          "id": {"type": ["string", "integer"], "description": "Identifies the item when its text changes"},
          "content": {"type": "string", "minLength": 1, "description": "What is to be done"},
          "status": {"type": "string", "enum": ["pending", "in_progress", "completed", "cancelled"]}
        },
        "required": ["content", "status"]
      }
    }
  },
  "required": ["todos"]
})";

/// Both tables are in the order of `TaskItem::Status`. `cancelled` is missing on purpose: such items leave the list.
constexpr auto kStatusWords = std::to_array<std::string_view>({"pending", "in_progress", "completed"});
constexpr auto kBoxes = std::to_array<std::string_view>({"[ ]", "[>]", "[x]"});

std::string_view word_of(Status status) {
  return kStatusWords[static_cast<size_t>(status)];
}

/// Models send ids as text or as numbers; the list keeps them as text.
std::string id_of(const Json& id) {
  if (const auto text = id.as_string()) return *text;
  return id ? id.dump() : "";
}

/// Finds the same item in the old list: by its id, or by its text if it has no id.
const TaskItem* find_earlier(const std::vector<TaskItem>& tasks, const TaskItem& item) {
  const auto found = std::ranges::find_if(tasks, [&](const TaskItem& task) {
    return item.id.empty() ? task.description == item.description : task.id == item.id;
  });
  return found == tasks.end() ? nullptr : &*found;
}

/// The smallest number that neither list uses as an id.
std::string unused_id(const std::vector<TaskItem>& before, const std::vector<TaskItem>& now) {
  const auto is_used = [](const std::vector<TaskItem>& tasks, const std::string& id) {
    return std::ranges::find(tasks, id, &TaskItem::id) != tasks.end();
  };
  for (size_t number = 1;; ++number) {
    std::string id = std::to_string(number);
    if (!is_used(before, id) && !is_used(now, id)) return id;
  }
}

/// The new list as the model wrote it, without cancelled items. An item without an id keeps the one it had.
std::vector<TaskItem> read_list(const Json& todos, const std::vector<TaskItem>& before) {
  std::vector<TaskItem> now;
  for (const Json& todo : todos.elements()) {
    const auto* const word = std::ranges::find(kStatusWords, text_argument(todo, "status"));
    if (word == kStatusWords.end()) continue;
    TaskItem item{id_of(todo["id"]), text_argument(todo, "content"), static_cast<Status>(word - kStatusWords.begin())};
    const TaskItem* earlier = find_earlier(before, item);
    if (item.id.empty()) item.id = earlier == nullptr ? unused_id(before, now) : earlier->id;
    now.push_back(std::move(item));
  }
  return now;
}

/// Fires TaskCompleted for each item that is newly completed. An item that a hook refuses stays in progress; returns
/// the refusals, for the model.
std::vector<std::string> complete(std::vector<TaskItem>& now, const ToolContext& context) {
  std::vector<std::string> refusals;
  for (TaskItem& item : now) {
    const TaskItem* earlier = find_earlier(*context.tasks, item);
    const bool was_done = earlier != nullptr && earlier->status == Status::Completed;
    if (item.status != Status::Completed || was_done || !context.complete_task) continue;
    if (const auto reason = context.complete_task(item)) {
      item.status = Status::InProgress;
      refusals.push_back("Item " + item.id + " is not done yet and stays in progress: " + *reason);
    }
  }
  return refusals;
}

/// The list as the model sees it, one item per line, followed by the refusals.
std::string report(const std::vector<TaskItem>& tasks, const std::vector<std::string>& refusals) {
  std::vector<std::string> lines;
  for (const TaskItem& task : tasks) {
    lines.push_back(std::string(kBoxes[static_cast<size_t>(task.status)]) + ' ' + task.id + ". " + task.description);
  }
  if (lines.empty()) lines.emplace_back("the list is empty");
  lines.insert(lines.end(), refusals.begin(), refusals.end());
  return text::join(lines, "\n");
}

/// The list for hooks, in the shape of the tool's input.
Json data_of(const std::vector<TaskItem>& tasks) {
  std::vector<Json> todos;
  for (const TaskItem& task : tasks) {
    todos.push_back(Json::object({{"id", Json::string(task.id)},
                                  {"content", Json::string(task.description)},
                                  {"status", Json::string(word_of(task.status))}}));
  }
  return Json::object({{"todos", Json::array(todos)}});
}

ToolResult set_todos(const Json& input, const ToolContext& context) {
  if (context.tasks == nullptr) return failure(ToolFailure::Failed, "there is no task list here");
  std::vector<TaskItem> now = read_list(input["todos"], *context.tasks);
  // Hooks are asked before the list changes, and the list then contains their decisions.
  const std::vector<std::string> refusals = complete(now, context);
  *context.tasks = std::move(now);
  return answer(report(*context.tasks, refusals), context, data_of(*context.tasks));
}

}  // namespace

Tool make_todo_tool() {
  return make_tool(ToolKind::Todo,
                   "Keeps the task list for work in several steps: give the whole list each time something "
                   "changes, and mark the task you work on as in progress. Completing a task can be refused.",
                   kTodoSchema, set_todos);
}

}  // namespace grapnel::agent
