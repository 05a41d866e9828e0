#include <string>

#include "agent/tools/text_file.h"
#include "agent/tools/tool_answer.h"
#include "agent/tools/tools.h"
#include "agent/workspace.h"
#include "base/error.h"
#include "base/line_diff.h"

/// The edit tool replaces text that the model quotes from the file. It never guesses: white space must match exactly,
/// and the number of occurrences must be the one that the model expects.
namespace grapnel::agent {

namespace {

constexpr const char* kEditSchema = R"({
  "type": "object",
  "properties": {
    "file_path": {"type": "string", "minLength": 1, "description": "Absolute, or relative to the workspace"},
    "old_string": {"type": "string", "description": "The text to replace, exactly as it is in the file; empty to create a file"},
    "new_string": {"type": "string", "description": "The text to put in its place"},
    "replace_all": {"type": "boolean", "description": "Replace every occurrence instead of the only one"},
    "expected_replacements": {"type": "integer", "minimum": 1, "description": "Replace exactly this many; fails if the text occurs more or less often"}
  },
  "required": ["file_path", "old_string", "new_string"]
})";

/// The change that the model asks for.
struct Change {
  std::string old_text;
  std::string new_text;
  bool all = false;
  std::optional<int64_t> expected;
};

/// Occurrences that do not overlap, as `replace_each` finds them.
size_t count(std::string_view content, std::string_view part) {
  size_t found = 0;
  for (size_t at = content.find(part); at != std::string_view::npos; at = content.find(part, at + part.size())) {
    ++found;
  }
  return found;
}

/// Returns how many replacements to make. The model must say which occurrence it means: an ambiguous `old_string` is an
/// error, not a guess. Fails: BadInput, with a text that tells the model what to do.
Result<size_t> check(const Change& change, std::string_view content, const std::string& file) {
  if (change.old_text == change.new_text) return fail(Errc::BadInput, "old_string and new_string are the same");
  const size_t found = count(content, change.old_text);
  if (found == 0) {
    return fail(Errc::BadInput, "old_string is not in " + file +
                                    "; it must be there exactly as given, white space included. Read the file again.");
  }
  const std::string times = count_of(found, "time");
  if (change.expected) {
    if (*change.expected == static_cast<int64_t>(found)) return found;
    return fail(Errc::BadInput, "old_string is in " + file + ' ' + times + ", not " + std::to_string(*change.expected));
  }
  if (found == 1 || change.all) return found;
  return fail(Errc::BadInput,
              "old_string is in " + file + ' ' + times + "; give more of the text around it, or set replace_all");
}

/// An edit with an empty `old_string` creates a file, because other agents' edit tools work like that.
ToolResult create(const std::string& path, const Change& change, const ToolContext& context) {
  if (auto written = write_text_file(path, change.new_text); !written) return failure(written.error());
  return answer("created " + context.workspace->shown(path), context);
}

ToolResult edit_file(const Json& input, const ToolContext& context) {
  const auto path = path_argument(input, "file_path", context);
  if (!path) return failure(path.error());
  const Change change{text_argument(input, "old_string"), text_argument(input, "new_string"),
                      input["replace_all"].as_bool().value_or(false), input["expected_replacements"].as_integer()};
  const auto content = read_text_file(*path);
  // A file that exists but cannot be read as text is an error, not a new file.
  const bool is_absent = !content && content.error().code == Errc::NotFound;
  if (is_absent && change.old_text.empty()) return create(*path, change, context);
  if (!content) return failure(content.error());
  const std::string file = context.workspace->shown(*path);
  // An empty text would match everywhere, so it cannot mean an edit of an existing file.
  if (change.old_text.empty()) {
    return failure(ToolFailure::Failed, file + " exists; an empty old_string can only create a new file");
  }
  const auto times = check(change, *content, file);
  if (!times) return failure(times.error());
  if (auto written = write_text_file(*path, text::replace_each(*content, change.old_text, change.new_text)); !written)
    return failure(written.error());
  return answer("edited " + file + " (" + count_of(*times, "replacement") + ")", context,
                Json::object({{"replacements", Json::number(static_cast<int64_t>(*times))}}));
}

}  // namespace

Tool make_edit_tool() {
  return make_tool(ToolKind::Edit,
                   "Replaces text in a file of the workspace. The old text must occur in the file exactly once, unless "
                   "replace_all or expected_replacements is set.",
                   kEditSchema, edit_file);
}

}  // namespace grapnel::agent
