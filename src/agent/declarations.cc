#include "agent/declarations.h"

namespace grapnel::agent {

namespace {

constexpr std::string_view kCanonical = "canonical";

/// The names in `required`, renamed as members of an object are.
Json rename_required(const Tool& tool, std::string_view dialect) {
  std::vector<std::pair<std::string, Json>> members;
  for (const Json& name : tool.schema["required"].elements()) {
    members.emplace_back(name.as_string().value_or(""), Json::null());
  }
  std::vector<Json> names;
  const NamedCall renamed = in_dialect({std::string(kCanonical), tool.name, Json::object(members)}, dialect);
  for (const JsonMember& member : renamed.input.members()) names.push_back(Json::string(member.key));
  return Json::array(names);
}

}  // namespace

std::vector<llm::ToolDeclaration> declare(const std::vector<Tool>& tools, std::string_view dialect) {
  std::vector<llm::ToolDeclaration> out;
  for (const Tool& tool : tools) {
    const NamedCall renamed = in_dialect({std::string(kCanonical), tool.name, tool.schema["properties"]}, dialect);
    Json schema = tool.schema.with("properties", renamed.input);
    if (tool.schema["required"]) schema = schema.with("required", rename_required(tool, dialect));
    out.push_back({renamed.name, tool.description, schema});
  }
  return out;
}

}  // namespace grapnel::agent
