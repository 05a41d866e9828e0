#include "llm/wire_names.h"

#include <algorithm>
#include <set>

namespace grapnel::llm {

namespace {

constexpr size_t kMaxName = 64;

bool is_allowed(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

bool is_wire_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxName && std::ranges::all_of(name, is_allowed);
}

/// The beginning says which server a tool is from, and the end which tool it is; what is too much is in the middle.
std::string nearest_wire_name(std::string_view name, std::string_view end) {
  std::string out(name);
  std::ranges::replace_if(out, [](char c) { return !is_allowed(c); }, '_');
  const size_t room = kMaxName - end.size();
  if (out.size() > room) out.erase(room / 2, out.size() - room);
  out += end;
  return out.empty() ? "_" : out;
}

}  // namespace

WireNames::WireNames(const std::vector<ToolDeclaration>& tools) {
  std::set<std::string> taken;
  for (const ToolDeclaration& tool : tools) {
    if (is_wire_name(tool.name)) taken.insert(tool.name);
  }
  for (const ToolDeclaration& tool : tools) {
    if (is_wire_name(tool.name)) continue;
    std::string wire = nearest_wire_name(tool.name, "");
    for (int i = 2; !taken.insert(wire).second; ++i) wire = nearest_wire_name(tool.name, "_" + std::to_string(i));
    wire_of_[tool.name] = wire;
    name_of_[wire] = tool.name;
  }
}

/// A tool that was called before may not be offered any more, and still has its name in the conversation.
std::string WireNames::wire(const std::string& name) const {
  if (is_wire_name(name)) return name;
  const auto found = wire_of_.find(name);
  return found == wire_of_.end() ? nearest_wire_name(name, "") : found->second;
}

ModelRequest WireNames::outgoing(ModelRequest request) const {
  for (ToolDeclaration& tool : request.tools) tool.name = wire(tool.name);
  for (std::string& name : request.tool_choice.allowed) name = wire(name);
  for (ModelMessage& message : request.messages) {
    for (ModelPart& part : message.parts) {
      if (auto* call = std::get_if<ToolCallPart>(&part)) call->name = wire(call->name);
      if (auto* result = std::get_if<ToolResultPart>(&part)) result->name = wire(result->name);
    }
  }
  return request;
}

ToolCallPart WireNames::incoming(ToolCallPart call) const {
  if (const auto found = name_of_.find(call.name); found != name_of_.end()) call.name = found->second;
  return call;
}

}  // namespace grapnel::llm
