#pragma once

#include <optional>
#include <string>

#include "agent/conversation.h"
#include "agent/core.h"

namespace grapnel::agent {

/// Both limits are percentages of `AgentOptions::context_tokens`.
inline constexpr int64_t kCompactAt = 80;  ///< automatic compaction starts
inline constexpr int64_t kHardLimit = 95;  ///< above this share, hooks can no longer prevent it

/// Whether the conversation should be summarised before the next model call.
bool needs_compaction(const Messages& messages, const AgentOptions& options);

struct CompactionResult {
  bool done = false;
  std::string reason;                    ///< why it did not happen, when `done` is false
  std::optional<std::string> stop = {};  ///< a hook stops the agent: its reason
};

/// Replaces the conversation with a summary that the model writes. In order: the PreCompact hooks may refuse, the model
/// summarises (and the hooks of that model call may refuse as well), PostCompact fires, then SessionStart fires with
/// source `compact` and its context is added to the summary. If a step fails, the conversation stays as it is. A hook
/// that stops the agent also prevents the summary, unless the summary has been made already. `trigger` is `auto` or
/// `manual`; only `auto` overrides a refusal, and only above `kHardLimit`.
CompactionResult compact_conversation(Messages& messages, std::string_view trigger, Core& core,
                                      const std::stop_token& cancel);

}  // namespace grapnel::agent
