#include "mcp/tool_list.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "json/pointer.h"
#include "mcp/header_value.h"

namespace grapnel::mcp {

namespace {

constexpr size_t kMaxName = 128;
constexpr size_t kMaxCursor = 4096;
constexpr int kMaxNesting = 16;  ///< of properties in a schema
constexpr std::string_view kHeaderMark = "x-mcp-header";

std::string shown(std::string_view name) {
  return "the tool '" + text::cap(name, kMaxName) + "'";
}

/// `1*tchar` of RFC 9110.
bool is_token(std::string_view text) {
  constexpr std::string_view kSigns = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || kSigns.contains(c);
  });
}

/// Collects the properties that are sent as headers. False if one of them breaks the rules.
bool collect_headers(const Json& schema, const std::string& place, int depth, ServerTool& tool) {
  if (depth > kMaxNesting) return false;
  for (const JsonMember& property : schema["properties"].members()) {
    const std::string at = json::below(place, property.key);
    const Json mark = property.value[kHeaderMark];
    const std::string type = property.value["type"].as_string().value_or("");
    if (mark) {
      const std::string name = mark.as_string().value_or("");
      const bool is_primitive = type == "string" || type == "integer" || type == "boolean";
      const auto is_same = [&](const auto& other) { return text::to_lower(other.second) == text::to_lower(name); };
      if (!is_token(name) || !is_primitive || std::ranges::any_of(tool.headers, is_same)) return false;
      tool.headers.emplace_back(at, name);
    }
    if (type == "object" && !collect_headers(property.value, at, depth + 1, tool)) return false;
  }
  return true;
}

bool is_schema(const Json& schema, int depth = 0);

bool are_schemas(const Json& named, int depth) {
  return !named || (named.is_object() && std::ranges::all_of(named.members(), [&](const JsonMember& one) {
                      return is_schema(one.value, depth);
                    }));
}

bool are_strings(const Json& list) {
  return !list || (list.is_array() && std::ranges::all_of(list.elements(), &Json::is_string));
}

/// Whether models can be given this. They refuse a whole conversation because of one schema that is none, so the common
/// mistakes are found here.
bool is_schema(const Json& schema, int depth) {
  if (schema.as_bool()) return true;
  if (!schema.is_object() || depth > kMaxNesting) return false;
  const Json type = schema["type"];
  const Json items = schema["items"];
  return (!type || type.is_string() || are_strings(type)) && are_strings(schema["required"]) &&
         (!schema["enum"] || schema["enum"].is_array()) && are_schemas(schema["properties"], depth + 1) &&
         are_schemas(schema["$defs"], depth + 1) && (!items || items.is_array() || is_schema(items, depth + 1));
}

/// What a model reads of a tool.
size_t size_of(const ServerTool& tool) {
  return tool.name.size() + tool.description.size() + tool.input_schema.raw().size();
}

/// Why a tool cannot be used; "" if it can. What a server says about its tools is read by the model and decides what it
/// may send, so nothing is guessed.
std::string take_tool(const Json& said, const Limits& limits, ServerTool& tool) {
  tool.name = said["name"].as_string().value_or("");
  if (tool.name.empty()) return "a tool has no name";
  if (tool.name.size() > kMaxName) return shown(tool.name) + " is left out: its name is too long";
  const Json schema = said["inputSchema"];
  if (!schema.is_object() || !schema["type"].equals_string("object")) {
    return shown(tool.name) + " is left out: its schema does not describe an object";
  }
  if (schema.raw().size() > limits.max_schema) return shown(tool.name) + " is left out: its schema is too large";
  if (!is_schema(schema)) return shown(tool.name) + " is left out: its schema is no JSON Schema";
  if (!collect_headers(schema, "", 0, tool)) {
    return shown(tool.name) + " is left out: a header that it wants cannot be sent";
  }
  tool.title = text::cap(said["title"].as_string().value_or(""), kMaxName);
  tool.description = text::cap(said["description"].as_string().value_or(""), limits.max_description);
  tool.input_schema = *Json::parse(schema.dump());
  const Json output = said["outputSchema"];
  if (output.is_object() && output.raw().size() <= limits.max_schema) tool.output_schema = *Json::parse(output.dump());
  return "";
}

}  // namespace

Answer<ToolList> list_tools(Client& client, const CallOptions& options) {
  ToolList out;
  if (!client.capabilities()["tools"]) return out;
  const Limits& limits = client.limits();
  std::set<std::string> names;
  size_t bytes = 0;
  std::set<std::string> cursors;
  std::string cursor;
  // The time is for all pages together: a server that is slow with each must not hold a session up.
  const Deadline due = SteadyClock::now() + options.timeout;
  CallOptions rest = options;
  for (size_t page = 0; page < limits.max_pages && SteadyClock::now() < due; ++page) {
    const Json params = page == 0 ? Json() : Json::object({{"cursor", Json::string(cursor)}});
    rest.timeout = std::chrono::ceil<std::chrono::milliseconds>(due - SteadyClock::now());
    const auto result = client.request("tools/list", params, rest);
    if (!result) return std::unexpected(result.error());
    if (!(*result)["tools"].is_array()) {
      return std::unexpected(Failure{Failure::Kind::BadAnswer, "its list of tools is no list"});
    }
    for (const Json& said : (*result)["tools"].elements()) {
      if (out.tools.size() + out.remarks.size() >= limits.max_tools) {
        out.remarks.push_back("it has more than " + std::to_string(limits.max_tools) +
                              " tools; the others are left out");
        return out;
      }
      ServerTool tool;
      std::string why = take_tool(said, limits, tool);
      if (why.empty() && !names.insert(tool.name).second) why = shown(tool.name) + " is listed twice";
      if (why.empty() && (bytes += size_of(tool)) > limits.max_tool_bytes) {
        out.remarks.push_back("its tools take more than " + std::to_string(limits.max_tool_bytes) +
                              " bytes; those from '" + text::cap(tool.name, kMaxName) + "' on are left out");
        return out;
      }
      why.empty() ? out.tools.push_back(std::move(tool)) : out.remarks.push_back(std::move(why));
    }
    const auto next = (*result)["nextCursor"].as_string();
    if (!next) return out;
    cursor = *next;
    if (cursor.size() > kMaxCursor || !cursors.insert(cursor).second) break;
  }
  out.remarks.push_back("its list of tools does not end");
  return out;
}

std::vector<Header> headers_of_call(const ServerTool& tool, const Json& arguments) {
  std::vector<Header> out;
  for (const auto& [pointer, name] : tool.headers) {
    const Json value = arguments.at_pointer(pointer);
    if (!value || value.is_null()) continue;
    out.push_back({"Mcp-Param-" + name, header_value(value.as_string().value_or(value.dump()))});
  }
  return out;
}

}  // namespace grapnel::mcp
