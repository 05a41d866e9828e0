#include "agent/prompt_text.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/line_diff.h"
#include "base/text.h"
#include "os/files.h"

namespace grapnel::agent {

namespace {

/// Larger files get a prompt without a diff.
constexpr size_t kMaxShownFile = size_t{1} << 20;

using Members = std::vector<std::pair<std::string, Json>>;

/// The wording of a prompt, by the kind of tool. `type` tells Notification hooks which details to expect.
struct Sort {
  std::string_view type;
  std::string_view verb;   ///< before the subject: `run`: …
  std::string_view needs;  ///< the end of the message
};

/// A new kind of tool needs a case here, unless the general wording is good enough for it.
Sort sort_of(ToolKind kind) {
  switch (kind) {
    case ToolKind::Shell:
      return {"exec", "run", "requires execution"};
    case ToolKind::Write:
      return {"edit", "write", "requires editing"};
    case ToolKind::Edit:
      return {"edit", "edit", "requires editing"};
    case ToolKind::Delete:
      return {"edit", "delete", "requires editing"};
    case ToolKind::Mcp:
      return {"mcp", "", "requires MCP"};
    case ToolKind::Fetch:
    case ToolKind::Search:
      return {"info", "fetch", "requires information"};
    case ToolKind::Read:
    case ToolKind::Glob:
    case ToolKind::Grep:
      return {"info", "read", "requires information"};
    case ToolKind::Task:
    case ToolKind::Todo:
    case ToolKind::Other:
      break;
  }
  return {"other", "", "requires confirmation"};
}

/// The distinct names of the commands in a line, without commands that only run inside a wrapper such as sudo; the
/// first word of the line when it cannot be parsed.
std::string root_commands(const call::JudgedCall& call) {
  const std::string& line = call.subject;
  std::vector<std::string> names;
  for (const call::SimpleCommand& command : call.commands().commands) {
    if (!command.wrappers.empty() || command.words.empty()) continue;
    const call::Word& word = command.words[0];
    std::string name = word.is_dynamic() ? line.substr(word.begin, word.end - word.begin) : word.text;
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return names.empty() ? line.substr(0, line.find(' ')) : text::join(names, ", ");
}

/// The file's content after the call, as far as the input determines it; missing when it does not.
Json content_after(ToolKind kind, const Json& input, const std::string& before) {
  if (kind == ToolKind::Delete) return Json::string("");
  if (kind == ToolKind::Write) return input["content"];
  const auto from = input["old_string"].as_string();
  const auto to = input["new_string"].as_string();
  if (!from || !to) return {};
  return Json::string(from->empty() ? *to : text::replace_each(before, *from, *to));
}

/// Adds the file and, if both contents are text, the diff that the person is asked to approve.
void add_file(Members& details, const call::JudgedCall& call, const Json& input) {
  details.emplace_back("fileName", Json::string(std::filesystem::path(call.absolute).filename().string()));
  details.emplace_back("filePath", Json::string(call.absolute));
  const auto read = os::read_file(call.absolute, kMaxShownFile);
  const bool exists = read || read.error().code != Errc::NotFound;
  const std::string before = read.value_or("");
  // A file that exists but could not be read (too large, no permission) gets no diff. A file that does not exist counts
  // as empty.
  const bool is_shown = (read || !exists) && text::is_valid_utf8(before);
  const auto after = is_shown ? content_after(call.kind, input, before).as_string() : std::nullopt;
  if (after) {
    details.emplace_back("fileDiff", Json::string(text::line_diff(call.subject, before, *after)));
    details.emplace_back("originalContent", Json::string(before));
    details.emplace_back("newContent", Json::string(*after));
  }
  details.emplace_back("isModifying", Json::boolean(exists));
}

/// Splits `mcp__server__tool` or `mcp_server_tool`; agents use both spellings.
void add_mcp(Members& details, const std::string& tool) {
  const std::string_view join = tool.starts_with("mcp__") ? "__" : "_";
  const size_t server = std::min(tool.find(join) + join.size(), tool.size());
  const size_t end = std::min(tool.find(join, server), tool.size());
  details.emplace_back("serverName", Json::string(tool.substr(server, end - server)));
  details.emplace_back("toolName", Json::string(tool.substr(std::min(end + join.size(), tool.size()))));
  details.emplace_back("toolDisplayName", Json::string(tool));
}

/// The list of URLs is present even if it is empty.
void add_info(Members& details, const Json& input) {
  details.emplace_back("prompt", input["prompt"]);
  const Json url = input["url"];
  details.emplace_back("urls", url ? Json::array({url}) : Json::array());
}

}  // namespace

PromptText prompt_text(const std::string& tool, const call::JudgedCall& call, const Json& input) {
  const Sort sort = sort_of(call.kind);
  // Fetches have neither a command nor a path; people recognise them by their address.
  const std::string subject = call.subject.empty() ? input["url"].as_string().value_or("") : call.subject;
  const bool has_title = !sort.verb.empty() && !subject.empty();
  PromptText out{.title = has_title ? std::string(sort.verb) + ": " + subject : tool, .message = {}, .details = {}};
  out.message = "Tool " + out.title + ' ' + std::string(sort.needs);
  Members details = {{"type", Json::string(sort.type)}, {"title", Json::string(out.title)}};
  if (sort.type == "exec") {
    details.emplace_back("command", Json::string(call.subject));
    details.emplace_back("rootCommand", Json::string(root_commands(call)));
  } else if (sort.type == "edit" && !call.absolute.empty()) {
    add_file(details, call, input);
  } else if (sort.type == "mcp") {
    add_mcp(details, tool);
  } else if (sort.type == "info") {
    add_info(details, input);
  }
  out.details = Json::object(details);
  return out;
}

}  // namespace grapnel::agent
