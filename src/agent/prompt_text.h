#pragma once

#include <string>

#include "grapnel/json.h"

#include "call/permission_rule.h"

namespace grapnel::agent {

/// The texts of a permission prompt, for people and for Notification hooks.
struct PromptText {
  std::string title;    ///< `run: rm -r build`, `write: src/a.cc`; otherwise the tool's name
  std::string message;  ///< `Tool run: rm -r build requires execution`
  /// `type`, `title`, and more members depending on the type:
  ///   exec  command, rootCommand
  ///   edit  fileName, filePath, fileDiff, originalContent, newContent, isModifying; diff and contents are missing when
  ///         the file is not text or larger than one megabyte
  ///   mcp   serverName, toolName, toolDisplayName
  ///   info  prompt, urls
  Json details;
};

/// `tool` is the tool's name in the session's dialect; `input` is the canonical input.
PromptText prompt_text(const std::string& tool, const call::JudgedCall& call, const Json& input);

}  // namespace grapnel::agent
