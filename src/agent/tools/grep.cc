#include <optional>
#include <string>
#include <vector>

#include <sys/stat.h>

#include "agent/tools/file_walk.h"
#include "agent/tools/text_file.h"
#include "agent/tools/tool_answer.h"
#include "agent/tools/tools.h"
#include "agent/workspace.h"
#include "base/error.h"
#include "base/text.h"
#include "match/glob.h"
#include "match/regex.h"
#include "os/files.h"

namespace grapnel::agent {

namespace {

constexpr size_t kMaxLines = 500;
/// Longer lines are cut; minified files have lines of many kilobytes.
constexpr size_t kMaxLine = 400;
constexpr size_t kMaxSearched = size_t{8} << 20;  // larger files are rarely source code

constexpr const char* kGrepSchema = R"({
  "type": "object",
  "properties": {
    "pattern": {"type": "string", "minLength": 1, "description": "Regular expression in JavaScript syntax; it may match anywhere in a line"},
    "path": {"type": "string", "description": "File or directory to search; the workspace's root by default"},
    "glob": {"type": "string", "description": "Only files whose name or path matches, for example *.cc or src/**"},
    "-i": {"type": "boolean", "description": "Ignore the difference between upper and lower case"}
  },
  "required": ["pattern"]
})";

/// A pattern without a slash is compared with the file's name alone, as in ripgrep. Hidden files are included, and a
/// leading `#` is an ordinary character.
constexpr match::GlobStyle kFileStyle = [] {
  match::GlobStyle style = match::kMinimatchBase;
  style.dot = true;
  style.comments = false;
  return style;
}();

/// Collects the matching lines. Lines on which the pattern hit its step limit are counted, because the model must know
/// that the search is incomplete.
class Search {
 public:
  Search(const match::Regex& pattern, const Workspace& workspace) : pattern_(pattern), workspace_(workspace) {}

  /// Searches one file. Returns false when there are enough lines.
  bool look_into(const std::string& path) {
    const auto content = os::read_file(path, kMaxSearched);
    // Files that are too large, unreadable or binary are skipped silently; the tool's description says so.
    if (!content || is_binary(*content)) return true;
    size_t number = 0;
    for (std::string_view line : text::split(*content, '\n')) {
      ++number;
      if (line.ends_with('\r')) line.remove_suffix(1);
      const MatchOutcome outcome = pattern_.match(line);
      undecided_ += outcome == MatchOutcome::Limit ? 1 : 0;
      if (outcome != MatchOutcome::Yes) continue;
      if (lines_.size() == kMaxLines) return false;
      lines_.push_back(workspace_.shown(path) + ':' + std::to_string(number) + ':' +
                       text::cap(text::to_valid_utf8(line), kMaxLine));
    }
    return true;
  }

  size_t count() const { return lines_.size(); }

  /// The lines, followed by notes on everything that makes the search incomplete.
  std::string report(WalkEnd end) && {
    if (lines_.empty()) lines_.emplace_back("no line matches");
    if (undecided_ > 0) lines_.push_back("[the pattern was too complex for " + count_of(undecided_, "line") + "]");
    if (end != WalkEnd::Complete) lines_.push_back(note_of(end));
    return text::join(lines_, "\n");
  }

 private:
  const match::Regex& pattern_;
  const Workspace& workspace_;
  std::vector<std::string> lines_;
  size_t undecided_ = 0;
};

bool is_directory(const std::string& path) {
  struct stat st;
  return ::stat(path.c_str(), &st) == 0 && S_ISDIR(st.st_mode);
}

/// The regular expression of the call. Fails: InvalidPattern.
Result<match::Regex> compile_pattern(const Json& input) {
  const bool ignores_case = input["-i"].as_bool().value_or(false);
  const std::string pattern = (ignores_case ? "(?i)" : "") + text_argument(input, "pattern");
  auto regex = match::Regex::compile(pattern, match::Regex::Anchor::Search);
  if (!regex) return fail(Errc::InvalidPattern, "the pattern cannot be used: " + regex.error().message);
  return *std::move(regex);
}

/// The filter for file names; nothing when the call has none.
Result<std::optional<match::Glob>> compile_filter(const Json& input) {
  const std::string text = text_argument(input, "glob");
  if (text.empty()) return std::nullopt;
  return match::Glob::compile(text, kFileStyle);
}

ToolResult search_lines(const Json& input, const ToolContext& context) {
  const auto path = path_argument(input, "path", context);
  if (!path) return failure(path.error());
  const auto pattern = compile_pattern(input);
  if (!pattern) return failure(ToolFailure::InvalidInput, pattern.error().message);
  const auto filter = compile_filter(input);
  if (!filter) return failure(ToolFailure::InvalidInput, filter.error().message);
  if (!os::stamp(*path)) return failure(ToolFailure::Failed, context.workspace->shown(*path) + " does not exist");
  Search search(*pattern, *context.workspace);
  WalkEnd end = WalkEnd::Complete;
  if (!is_directory(*path)) {
    // The filter does not apply to a file that the call names itself.
    if (!search.look_into(*path)) end = WalkEnd::Enough;
  } else {
    end = walk_files(*path, context, [&](const WalkedFile& file) {
      // The target of a link may lie outside the workspace. If it lies inside the directory, it is searched anyway.
      const bool is_wanted = !file.is_link && (!*filter || (*filter)->matches(file.relative));
      return !is_wanted || search.look_into(file.path);
    });
  }
  if (end == WalkEnd::Cancelled) return failure(ToolFailure::Interrupted, note_of(end));
  const Json data = Json::object({{"match_count", Json::number(static_cast<int64_t>(search.count()))},
                                  {"complete", Json::boolean(end == WalkEnd::Complete)}});
  return answer(std::move(search).report(end), context, data);
}

}  // namespace

Tool make_grep_tool() {
  return make_tool(ToolKind::Grep,
                   "Searches the text files of the workspace for a regular expression and returns the lines that "
                   "match, as file:line:text. Binary and very large files are skipped.",
                   kGrepSchema, search_lines);
}

}  // namespace grapnel::agent
