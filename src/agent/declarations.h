#pragma once

#include <string_view>
#include <vector>

#include "grapnel_agent/model.h"
#include "grapnel_agent/tool.h"

namespace grapnel::agent {

/// The tools as a model is told of them, in the words of a dialect.
std::vector<llm::ToolDeclaration> declare(const std::vector<Tool>& tools, std::string_view dialect);

}  // namespace grapnel::agent
