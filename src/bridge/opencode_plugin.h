#pragma once

#include <string>
#include <string_view>

/// OpenCode runs plug-ins in its own process instead of commands. This plug-in passes each event to `grapnel fire
/// --bridge` in the dialect `opencode` and does what the answer says:
///
///   deny      before a tool or a prompt: throws; after a tool: adds the reason to the output; when the session becomes
///             idle: prompts it again with the reason
///   args, output, prompt   are changed in place
///   context   is added to the prompt, the output, the instructions, or the text that a compaction keeps
///   env       is set in every shell of the session
///   stop      aborts the session
///   message   is shown as a toast
///
/// If Grapnel is missing or fails, a toast says so. Tool calls are blocked only if the user chose that.
namespace grapnel {

struct PluginOptions {
  std::string program;               ///< absolute
  bool blocks_when_missing = false;  ///< block tool calls when the program is missing
};

/// The plug-in's text, in JavaScript.
std::string opencode_plugin(const PluginOptions& options);

/// Whether a file is this plug-in, in any version.
bool is_opencode_plugin(std::string_view text);

}  // namespace grapnel
