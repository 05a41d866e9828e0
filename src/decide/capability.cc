#include "decide/capability.h"

namespace grapnel {

/// A new kind of event needs a row here only if it is not a plain one, which hooks can deny and nothing else.
const Capability& capability(EventKind kind) {
  static constexpr Capability kPlain{};
  static constexpr Capability kObserved{.can_deny = false};
  static constexpr Capability kGate{.is_gate = true};
  static constexpr Capability kTool{.can_ask = true, .can_allow = true, .can_rewrite_input = true};
  switch (kind) {
    case EventKind::PreToolUse:
    case EventKind::PermissionRequest:
      return kTool;
    case EventKind::Stop:
    case EventKind::SubagentStop:
    case EventKind::TaskCompleted:
    case EventKind::PreCompact:
    case EventKind::TeammateIdle:
      return kGate;
    case EventKind::SessionEnd:
    case EventKind::BeforeToolSelection:
    case EventKind::PostCompact:
    case EventKind::PermissionDenied:
    case EventKind::StopFailure:
    case EventKind::Interrupt:
    case EventKind::InstructionsLoaded:
    case EventKind::CwdChanged:
    case EventKind::DirectoryAdded:
    case EventKind::FileChanged:
    case EventKind::WorktreeRemove:
    case EventKind::PostModelSwitch:
    case EventKind::Setup:
    case EventKind::MessageDisplay:
    case EventKind::Other:
      return kObserved;
    default:
      return kPlain;
  }
}

}  // namespace grapnel
