#include <algorithm>
#include <string>
#include <vector>

#include "agent/tools/text_file.h"
#include "agent/tools/tool_answer.h"
#include "agent/tools/tools.h"
#include "agent/workspace.h"
#include "base/text.h"

namespace grapnel::agent {

namespace {

constexpr int64_t kDefaultLines = 2000;

constexpr const char* kReadSchema = R"({
  "type": "object",
  "properties": {
    "file_path": {"type": "string", "minLength": 1, "description": "Absolute, or relative to the workspace"},
    "offset": {"type": "integer", "description": "First line to read, counting from 1; a negative number counts from the end"},
    "limit": {"type": "integer", "minimum": 1, "description": "How many lines; 2000 by default"}
  },
  "required": ["file_path"]
})";

/// A line feed at the end of a file does not begin another line.
std::vector<std::string_view> lines_of(std::string_view content) {
  if (content.empty()) return {};
  if (content.ends_with('\n')) content.remove_suffix(1);
  return text::split(content, '\n');
}

/// The index of the first line, counting from 0. The offsets 0 and 1 both mean the first line.
size_t first_line(int64_t offset, size_t count) {
  if (offset < 0) return count - std::min(static_cast<size_t>(-offset), count);
  return offset == 0 ? 0 : static_cast<size_t>(offset) - 1;
}

/// The lines that are shown, and their number.
struct Excerpt {
  std::string text;
  size_t lines = 0;
};

/// As many whole lines as fit, but at least one, so that the model always makes progress. A single line that is too
/// long is cut.
Excerpt excerpt(std::span<const std::string_view> lines, size_t max_bytes) {
  Excerpt out;
  for (const std::string_view line : lines) {
    if (out.lines > 0 && out.text.size() + line.size() + 1 > max_bytes) break;
    out.text += text::cap(text::to_valid_utf8(line), max_bytes) + '\n';
    ++out.lines;
  }
  return out;
}

/// An empty file gets a text of its own, because an empty result would look like a failure. The result is not passed
/// through `answer`: `excerpt` has limited it to whole lines already, which cutting the middle would destroy.
ToolResult read_lines(const Json& input, const ToolContext& context) {
  const auto path = path_argument(input, "file_path", context);
  if (!path) return failure(path.error());
  const auto content = read_text_file(*path);
  if (!content) return failure(content.error());
  const auto lines = lines_of(*content);
  if (lines.empty()) return answer("(the file is empty)", context);
  const size_t first = first_line(input["offset"].as_integer().value_or(1), lines.size());
  if (first >= lines.size()) {
    return failure(ToolFailure::Failed,
                   context.workspace->shown(*path) + " has only " + count_of(lines.size(), "line"));
  }
  const auto limit = static_cast<size_t>(input["limit"].as_integer().value_or(kDefaultLines));
  const size_t wanted = std::min(limit, lines.size() - first);
  Excerpt shown = excerpt(std::span(lines).subspan(first, wanted), context.max_output);
  const size_t end = first + shown.lines;
  // The file may end without a line feed, and its text must not seem to have one: the model may copy it.
  if (end == lines.size() && !content->ends_with('\n')) shown.text.pop_back();
  // The note tells the model how to get the rest.
  if (end < lines.size()) {
    shown.text += "[lines " + std::to_string(first + 1) + " to " + std::to_string(end) + " of " +
                  std::to_string(lines.size()) + "; continue with offset " + std::to_string(end + 1) + "]\n";
  }
  const auto number = [](size_t value) { return Json::number(static_cast<int64_t>(value)); };
  return {.text = std::move(shown.text),
          .data = Json::object({{"first_line", number(first + 1)},
                                {"line_count", number(shown.lines)},
                                {"total_lines", number(lines.size())}})};
}

}  // namespace

Tool make_read_tool() {
  return make_tool(ToolKind::Read,
                   "Reads a text file of the workspace. A long file is returned in part; the last line then "
                   "says how to continue.",
                   kReadSchema, read_lines);
}

}  // namespace grapnel::agent
