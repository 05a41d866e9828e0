#pragma once

#include <string>
#include <string_view>

/// OpenCode has plug-ins in its own process instead of commands. This one hands each moment to `grapnel fire --bridge`
/// in the words of the dialect `opencode` and does what the answer says:
///
///   deny      throws, before a tool or a prompt; after a tool the reason stands behind its output; when the session is
///             idle it is prompted again with the reason
///   args, output, prompt   changed in place
///   context   behind the prompt or the output, among the instructions, or in what a compaction keeps
///   env       in every shell of the session
///   stop      aborts the session
///   message   a toast
///
/// A Grapnel that is gone or fails is told by a toast, and blocks tool calls only where the user wanted that.
namespace grapnel {

struct PluginOptions {
  std::string program;               ///< absolute
  bool blocks_when_missing = false;  ///< tool calls, when the program is gone
};

/// The text of the plug-in, JavaScript.
std::string opencode_plugin(const PluginOptions& options);

/// Whether a file is that plug-in, of whatever version.
bool is_opencode_plugin(std::string_view text);

}  // namespace grapnel
