#include "agent/declarations.h"

namespace grapnel::agent {

namespace {

constexpr std::string_view kCanonical = "canonical";

}  // namespace

std::vector<llm::ToolDeclaration> declare(const std::vector<Tool>& tools, std::string_view dialect) {
  std::vector<llm::ToolDeclaration> out;
  for (const Tool& tool : tools) {
    // Only the name is needed here, so the call has no input.
    const std::string name = in_dialect({std::string(kCanonical), tool.name, {}}, dialect).name;
    out.push_back({name, tool.description, schema_in_dialect(tool.name, tool.schema, dialect)});
  }
  return out;
}

}  // namespace grapnel::agent
