#include <algorithm>

#include "base/text.h"
#include "cli/agent/slash.h"
#include "cli/session_ids.h"

namespace grapnel::cli {

namespace {

std::vector<std::string> hook_names(const Conversation& conversation) {
  std::vector<std::string> names;
  for (const HookInfo& hook : conversation.session->engine().hooks()) names.push_back(hook.name);
  return names;
}

/// The words that may follow `before`, the words of the line so far.
std::vector<std::string> words_after(const Conversation& conversation, const std::vector<std::string_view>& before) {
  if (before.empty()) {
    std::vector<std::string> names;
    for (const SlashCommand& command : slash_commands()) names.push_back("/" + std::string(command.name));
    return names;
  }
  if (before.front() == "/resume" && before.size() == 1) {
    std::vector<std::string> ids = agent_sessions(conversation.options.transcripts);
    std::erase(ids, conversation.session->id());
    return ids;
  }
  if (before.front() == "/mcp") {
    if (before.size() == 1) return {"reconnect"};
    std::vector<std::string> names;
    for (const agent::McpServerState& server : conversation.session->mcp_servers()) names.push_back(server.name);
    return before.size() == 2 ? names : std::vector<std::string>{};
  }
  if (before.front() != "/hooks") return {};
  if (before.size() == 1) return {"status", "list", "enable", "disable", "enable-all", "disable-all"};
  const bool names_one = before.size() == 2 && (before[1] == "enable" || before[1] == "disable");
  return names_one ? hook_names(conversation) : std::vector<std::string>{};
}

}  // namespace

std::vector<std::string> complete_slash_command(const Conversation& conversation, std::string_view line) {
  std::vector<std::string> lines;
  if (!line.starts_with('/')) return lines;
  std::vector<std::string_view> words = text::split(line, ' ');
  const std::string_view last = words.back();
  words.pop_back();
  std::erase(words, std::string_view());
  const std::string_view start = line.substr(0, line.size() - last.size());
  for (const std::string& word : words_after(conversation, words)) {
    const bool is_new = std::ranges::find(lines, std::string(start) + word) == lines.end();
    if (word.starts_with(last) && printable(word) == word && is_new) lines.push_back(std::string(start) + word);
  }
  return lines;
}

}  // namespace grapnel::cli
