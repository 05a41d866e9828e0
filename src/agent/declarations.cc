#include "agent/declarations.h"

namespace grapnel::agent {

namespace {

constexpr std::string_view kCanonical = "canonical";

}  // namespace

/// Only the name is needed, so the call has no input.
std::string native_name(const Tool& tool, std::string_view dialect) {
  return in_dialect({std::string(kCanonical), tool.name, {}, tool.mcp_context}, dialect).name;
}

std::vector<llm::ToolDeclaration> declare(const std::vector<Tool>& tools, std::string_view dialect) {
  std::vector<llm::ToolDeclaration> out;
  for (const Tool& tool : tools) {
    out.push_back({native_name(tool, dialect), tool.description, schema_in_dialect(tool.name, tool.schema, dialect)});
  }
  return out;
}

}  // namespace grapnel::agent
