#include <unistd.h>

#include <array>
#include <vector>

#include "base/text.h"
#include "cli/hook_source.h"
#include "cli/mcp/mcp_server.h"
#include "json/rpc.h"

namespace grapnel::cli {

namespace {

constexpr auto kOwnMcpOptions = std::to_array<OptionRow>({
    {"--json", "", "", "print the tools that agents are offered, and end"},
});
constexpr auto kMcpOptions = joined(kOwnMcpOptions, kHookSourceOptions);

constexpr std::string_view kNobodyThere =
    "grapnel: an agent starts this and sends it messages, for example after `claude mcp add grapnel -- grapnel mcp`; "
    "Ctrl-D ends it\n";
constexpr size_t kMaxLine = size_t{4} << 20;
constexpr uint32_t kMaxNesting = 64;

/// Answers one line. The answer is a line, too, and leaves at once, because the client waits for it.
void answer_line(std::string line, Invocation& in) {
  if (text::trim(line).empty()) return;
  const auto message = Json::parse(std::move(line), {.max_depth = kMaxNesting});
  const auto answer = message ? answer_mcp(*message, in) : rpc::error({}, rpc::kParseError, message.error().message);
  if (!answer) return;
  in.console.out(answer->dump() + "\n");
  in.console.flush();
}

int print_tools(Invocation& in) {
  std::vector<Json> tools;
  for (const McpToolRow& tool : mcp_tools()) {
    tools.push_back(Json::object({{"name", Json::string(tool.name)},
                                  {"title", Json::string(tool.title)},
                                  {"description", Json::string(tool.description)}}));
  }
  in.console.out(Json::object({{"tools", Json::array(tools)}}).dump(JsonStyle::Pretty) + "\n");
  return kOk;
}

/// Reads lines until the client closes its end.
int run_mcp(Invocation& in) {
  if (in.args.has("--json")) return print_tools(in);
  if (::isatty(STDIN_FILENO) == 1) in.console.err(kNobodyThere);
  std::string pending;
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count <= 0) break;
    pending.append(buffer.data(), static_cast<size_t>(count));
    size_t begin = 0;
    for (size_t end = 0; (end = pending.find('\n', begin)) != std::string::npos; begin = end + 1) {
      answer_line(pending.substr(begin, end - begin), in);
    }
    pending.erase(0, begin);
    if (pending.size() > kMaxLine) return report_input(in.console, "a message is larger than 4 MiB");
  }
  answer_line(std::move(pending), in);
  return kOk;
}

}  // namespace

const Command kMcp{
    .name = "mcp",
    .summary = "answer an agent without hooks, as an MCP server",
    .about =
        "Speaks the Model Context Protocol on standard input and output, with three tools that only read: "
        "check_command says what the rules decide about a shell command, explain says which hooks an event would run, "
        "why says what hooks did at a recorded event. An agent starts it; it ends when its input does. An agent is "
        "free not to ask: only hooks can stop it.",
    .arguments = {},
    .options = kMcpOptions,
    .examples = R"(  claude mcp add grapnel -- grapnel mcp
  grapnel mcp --project ~/src/app
)",
    .run = run_mcp,
};

}  // namespace grapnel::cli
