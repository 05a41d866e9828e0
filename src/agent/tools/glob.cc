#include "match/glob.h"

#include <string>
#include <vector>

#include "agent/tools/file_walk.h"
#include "agent/tools/tool_answer.h"
#include "agent/tools/tools.h"
#include "agent/workspace.h"
#include "base/text.h"
#include "os/files.h"

namespace grapnel::agent {

namespace {

/// More files than this would not help the model; it should narrow its pattern.
constexpr size_t kMaxMatches = 1000;

constexpr const char* kGlobSchema = R"({
  "type": "object",
  "properties": {
    "pattern": {"type": "string", "minLength": 1, "description": "For example src/**/*.cc; * stays within a directory, ** does not"},
    "path": {"type": "string", "description": "Directory to search; the workspace's root by default"}
  },
  "required": ["pattern"]
})";

/// Picomatch's syntax, but `*` also finds hidden files: many configuration files are hidden.
constexpr match::GlobStyle kStyle = [] {
  match::GlobStyle style = match::kPicomatch;
  style.dot = true;
  return style;
}();

/// Makes the pattern relative to `dir`: models often repeat the directory, or begin with `./`.
std::string_view below(std::string_view pattern, std::string_view dir) {
  if (pattern.starts_with(dir) && pattern.substr(dir.size()).starts_with('/')) pattern.remove_prefix(dir.size() + 1);
  while (pattern.starts_with("./")) pattern.remove_prefix(2);
  return pattern;
}

/// Lists matching files relative to the workspace, whatever directory was searched, so that the model can pass the
/// names on to other tools.
ToolResult find_files(const Json& input, const ToolContext& context) {
  const auto dir = path_argument(input, "path", context);
  if (!dir) return failure(dir.error());
  const std::string pattern = text_argument(input, "pattern");
  const auto glob = match::Glob::compile(below(pattern, *dir), kStyle);
  if (!glob) return failure(ToolFailure::InvalidInput, glob.error().to_string());
  // A walk of a missing directory finds nothing, which the model would take for "no file matches".
  if (!os::stamp(*dir)) return failure(ToolFailure::Failed, context.workspace->shown(*dir) + " does not exist");
  std::vector<std::string> found;
  const WalkEnd end = walk_files(*dir, context, [&](const WalkedFile& file) {
    if (!glob->matches(file.relative)) return true;
    // The walk ends at the first match too many, so exactly `kMaxMatches` files are still a complete result.
    if (found.size() == kMaxMatches) return false;
    found.push_back(context.workspace->shown(file.path));
    return true;
  });
  if (end == WalkEnd::Cancelled) return failure(ToolFailure::Interrupted, note_of(end));
  std::vector<Json> files;
  for (const std::string& file : found) files.push_back(Json::string(file));
  if (found.empty()) found.push_back("no file matches " + pattern);
  if (end != WalkEnd::Complete) found.push_back(note_of(end));
  return answer(text::join(found, "\n"), context,
                Json::object({{"files", Json::array(files)}, {"complete", Json::boolean(end == WalkEnd::Complete)}}));
}

}  // namespace

Tool make_glob_tool() {
  return make_tool(ToolKind::Glob, "Lists the files of the workspace whose path matches a pattern, one per line.",
                   kGlobSchema, find_files);
}

}  // namespace grapnel::agent
