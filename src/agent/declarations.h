#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel_agent/model.h"
#include "grapnel_agent/tool.h"

/// How the agent's tools are presented to a model.
namespace grapnel::agent {

/// What the agent of the dialect calls the tool.
std::string native_name(const Tool& tool, std::string_view dialect);

/// Describes the tools to a model. Names and argument names are those of `dialect`, so the model sees the tools that it
/// knows from that agent; the pipeline translates its calls back.
std::vector<llm::ToolDeclaration> declare(const std::vector<Tool>& tools, std::string_view dialect);

}  // namespace grapnel::agent
