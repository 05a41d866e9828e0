#include "cli/mcp/mcp_server.h"

#include <algorithm>
#include <array>

#include "json/rpc.h"

namespace grapnel::cli {

namespace {

/// Versions with a handshake, the newest first, and the one without.
constexpr auto kHandshakes = std::to_array<std::string_view>({"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"});
constexpr std::string_view kWithout = "2026-07-28";
constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr std::string_view kServerKey = "io.modelcontextprotocol/serverInfo";
constexpr int64_t kUnsupportedVersion = -32022;
constexpr int64_t kListTtl = 3'600'000;  ///< milliseconds; the list never changes

constexpr std::string_view kInstructions =
    "Grapnel guards what agents do, with rules and hooks that the user has configured. Ask check_command before you "
    "run a shell command, and do not run what it denies. Nothing here changes anything.";

Json server_info() {
  return Json::object({{"name", Json::string("grapnel")},
                       {"title", Json::string("Grapnel")},
                       {"version", Json::string(GRAPNEL_VERSION)}});
}

Json capabilities() {
  return Json::object({{"tools", Json::object()}});
}

Json strings(std::span<const std::string_view> texts) {
  std::vector<Json> out;
  for (const std::string_view text : texts) out.push_back(Json::string(text));
  return Json::array(out);
}

Json all_versions() {
  std::vector<std::string_view> all = {kWithout};
  all.insert(all.end(), kHandshakes.begin(), kHandshakes.end());
  return strings(all);
}

/// A client that asks for a version which we do not have gets our newest, and decides whether it can use that.
Json initialize(const Json& params) {
  const std::string wanted = params["protocolVersion"].as_string().value_or("");
  const bool is_known = std::ranges::find(kHandshakes, wanted) != kHandshakes.end();
  return Json::object({{"protocolVersion", Json::string(is_known ? std::string_view(wanted) : kHandshakes.front())},
                       {"capabilities", capabilities()},
                       {"serverInfo", server_info()},
                       {"instructions", Json::string(kInstructions)}});
}

Json discovered() {
  return Json::object({{"supportedVersions", all_versions()},
                       {"capabilities", capabilities()},
                       {"instructions", Json::string(kInstructions)},
                       {"ttlMs", Json::number(kListTtl)},
                       {"cacheScope", Json::string("public")}});
}

Json listed() {
  const Json only_reads =
      Json::object({{"readOnlyHint", Json::boolean(true)}, {"openWorldHint", Json::boolean(false)}});
  std::vector<Json> tools;
  for (const McpToolRow& tool : mcp_tools()) {
    tools.push_back(Json::object({{"name", Json::string(tool.name)},
                                  {"title", Json::string(tool.title)},
                                  {"description", Json::string(tool.description)},
                                  {"inputSchema", *Json::parse(std::string(tool.schema))},
                                  {"annotations", only_reads}}));
  }
  return Json::object(
      {{"tools", Json::array(tools)}, {"ttlMs", Json::number(kListTtl)}, {"cacheScope", Json::string("public")}});
}

Json called(const McpToolAnswer& answer) {
  const Json text = Json::object({{"type", Json::string("text")}, {"text", Json::string(answer.text)}});
  return Json::object({{"content", Json::array({text})},
                       {"structuredContent", answer.data},
                       {"isError", Json::boolean(answer.is_error)}});
}

Json not_a_message() {
  return rpc::error({}, rpc::kInvalidRequest, "this is no message of JSON-RPC 2.0");
}

/// What is wrong with the input of a tool, compared with the tool's own schema; "" if nothing is.
std::string mistake_in(const Json& input, const McpToolRow& tool) {
  const Json schema = *Json::parse(std::string(tool.schema));
  for (const JsonMember& property : schema["properties"].members()) {
    const Json value = input[property.key];
    const bool is_text = property.value["type"].equals_string("string");
    if (value && !(is_text ? value.is_string() : value.is_object())) {
      return "'" + property.key + "' must be " + (is_text ? "a text" : "an object");
    }
  }
  return "";
}

/// Results of the version without a handshake say that they are complete, and who answers.
Json finished(const Json& result, bool has_handshake) {
  if (has_handshake) return result.without("ttlMs").without("cacheScope");
  return result.with("resultType", Json::string("complete")).with("_meta", Json::object({{kServerKey, server_info()}}));
}

}  // namespace

std::optional<Json> answer_mcp(const Json& message, Invocation& in) {
  // The version 2025-03-26 has several messages at once.
  if (message.is_array() && message.size() > 0) {
    std::vector<Json> answers;
    for (const Json& one : message.elements()) {
      const auto answer = one.is_array() ? not_a_message() : answer_mcp(one, in);
      if (answer) answers.push_back(*answer);
    }
    return answers.empty() ? std::nullopt : std::optional(Json::array(answers));
  }
  const auto kind = rpc::kind_of(message);
  if (kind == rpc::MessageKind::Invalid) return not_a_message();
  if (kind != rpc::MessageKind::Request) return std::nullopt;
  const Json id = message["id"];
  const Json params = message["params"];
  const std::string method = *message["method"].as_string();
  const auto version = params["_meta"][kVersionKey].as_string();
  if (version && *version != kWithout) {
    return rpc::error(id, kUnsupportedVersion, "Unsupported protocol version",
                      Json::object({{"supported", all_versions()}, {"requested", Json::string(*version)}}));
  }
  const auto answer = [&](const Json& result) { return rpc::result(id, finished(result, !version)); };
  if (method == "initialize") return answer(initialize(params));
  if (method == "server/discover" && version) return answer(discovered());
  if (method == "ping") return answer(Json::object());
  if (method == "tools/list") return answer(listed());
  if (method != "tools/call") return rpc::error(id, rpc::kMethodNotFound, "unknown method: " + method);
  const std::string name = params["name"].as_string().value_or("");
  const auto tools = mcp_tools();
  const auto tool = std::ranges::find(tools, name, &McpToolRow::name);
  if (tool == tools.end()) return rpc::error(id, rpc::kInvalidParams, "unknown tool: " + name);
  const Json input = params["arguments"] ? params["arguments"] : Json::object();
  if (!input.is_object()) return rpc::error(id, rpc::kInvalidParams, "the arguments must be an object");
  if (std::string mistake = mistake_in(input, *tool); !mistake.empty()) {
    return answer(called({.text = std::move(mistake), .data = {}, .is_error = true}));
  }
  return answer(called(tool->run(input, in)));
}

}  // namespace grapnel::cli
