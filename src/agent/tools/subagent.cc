#include <string>

#include "agent/tools/tool_answer.h"
#include "agent/tools/tools.h"

namespace grapnel::agent {

namespace {

/// The names of the types are in src/agent/subagent.cc.
constexpr const char* kDefaultType = "general";

constexpr const char* kSubagentSchema = R"({
  "type": "object",
  "properties": {
    "description": {"type": "string", "description": "The work in a few words, for the person watching"},
    "prompt": {"type": "string", "minLength": 1, "description": "Everything the subagent needs to know; it sees nothing else"},
    "subagent_type": {"type": "string", "description": "Explore and Plan can only read; Bash can only run commands; general, the default, can use all tools"}
  },
  "required": ["prompt"]
})";

/// The tool only passes the task on; the session provides the function that runs it. A host that runs this tool by
/// itself may not provide one.
ToolResult delegate(const Json& input, const ToolContext& context) {
  if (!context.run_subagent) return failure(ToolFailure::Failed, "subagents are not available here");
  const SubagentTask task{.type = input["subagent_type"].as_string().value_or(kDefaultType),
                          .description = text_argument(input, "description"),
                          .prompt = text_argument(input, "prompt")};
  return context.run_subagent(task);
}

}  // namespace

Tool make_subagent_tool() {
  return make_tool(ToolKind::Task,
                   "Hands a piece of work to a subagent with a conversation of its own and returns its answer.",
                   kSubagentSchema, delegate);
}

}  // namespace grapnel::agent
