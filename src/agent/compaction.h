#pragma once

#include <string>

#include "agent/conversation.h"
#include "agent/core.h"

namespace grapnel::agent {

/// Shares of the model's context, in percent.
inline constexpr int64_t kCompactAt = 80;  ///< automatic compaction starts
inline constexpr int64_t kHardLimit = 95;  ///< above it no hook can keep it from happening

/// Whether the conversation should be summarised before the next model call.
bool needs_compaction(const Messages& messages, const AgentOptions& options);

struct CompactionResult {
  bool done = false;
  std::string reason;  ///< why not
};

/// PreCompact gate → summary by the model → PostCompact → SessionStart with source `compact`, whose context is kept.
/// On any failure the conversation stays as it is. Trigger: `auto` or `manual`.
CompactionResult compact_conversation(Messages& messages, std::string_view trigger, Core& core,
                                      const std::stop_token& cancel);

}  // namespace grapnel::agent
