#include <string>

#include "agent/tools/text_file.h"
#include "agent/tools/tool_answer.h"
#include "agent/tools/tools.h"
#include "agent/workspace.h"

namespace grapnel::agent {

namespace {

constexpr const char* kWriteSchema = R"({
  "type": "object",
  "properties": {
    "file_path": {"type": "string", "minLength": 1, "description": "Absolute, or relative to the workspace"},
    "content": {"type": "string", "description": "The whole new content"},
    "mode": {"type": "string", "enum": ["overwrite", "append"], "description": "Overwrite by default"}
  },
  "required": ["file_path", "content"]
})";

/// Replaces the file or appends to it. A file that exists but cannot be read as text can be replaced, but not appended
/// to.
ToolResult write_content(const Json& input, const ToolContext& context) {
  const auto path = path_argument(input, "file_path", context);
  if (!path) return failure(path.error());
  std::string content = text_argument(input, "content");
  const bool appends = input["mode"].equals_string("append");
  const auto before = read_text_file(*path);
  // Any error other than NotFound means that something is there.
  const bool exists = before || before.error().code != Errc::NotFound;
  if (appends && exists) {
    if (!before) return failure(before.error());
    // Appending rewrites the whole file, so that it is replaced in one step like any other.
    content = *before + content;
  }
  if (auto written = write_text_file(*path, content); !written) return failure(written.error());
  // The model learns whether the file was there before, in case it did not expect that.
  const char* done = !exists ? "created " : appends ? "extended " : "replaced ";
  return answer(done + context.workspace->shown(*path) + " (" + count_of(content.size(), "byte") + ")", context,
                Json::object({{"created", Json::boolean(!exists)}}));
}

}  // namespace

Tool make_write_tool() {
  return make_tool(ToolKind::Write,
                   "Writes a file of the workspace: creates it and its directories, or replaces its content. To "
                   "change part of a file, edit it instead.",
                   kWriteSchema, write_content);
}

}  // namespace grapnel::agent
