#pragma once

#include <string>

#include "grapnel/json.h"

#include "call/permission_rule.h"

namespace grapnel::agent {

/// What a permission prompt says, to people and to Notification hooks.
struct PromptText {
  std::string title;    ///< `run: rm -r build`, `write: src/a.cc`; the tool's name when there is neither
  std::string message;  ///< `Tool run: rm -r build requires execution`
  /// `type` and `title`, and by type:
  ///   exec  command, rootCommand
  ///   edit  fileName, filePath, fileDiff, originalContent, newContent, isModifying; contents that are no text or over
  ///         a megabyte are left out
  ///   mcp   serverName, toolName, toolDisplayName
  ///   info  prompt, urls
  Json details;
};

/// `tool` is its name in the session's dialect, `input` the canonical input.
PromptText prompt_text(const std::string& tool, const call::JudgedCall& call, const Json& input);

}  // namespace grapnel::agent
