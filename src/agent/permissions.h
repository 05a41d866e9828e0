#pragma once

#include <memory>
#include <string>

#include "grapnel_agent/agent.h"

namespace grapnel::agent {

/// What rules, the mode and earlier approvals say about a tool call, before anybody is asked.
///
///   a deny rule            Deny, whatever else
///   plan mode              Deny for all but read-only tools
///   an ask rule            Ask
///   an allow rule          Allow
///   approved for good      Allow
///   yolo                   Allow
///   read-only tools        Allow
///   auto-edit, and writing Allow
///   otherwise              Ask
/// Thread: any.
class Permissions {
 public:
  struct Call {
    std::string name;  ///< canonical
    ToolKind kind = ToolKind::Other;
    std::string subject;  ///< the command or the path; "" when there is neither
  };
  struct Answer {
    Verdict verdict = Verdict::Ask;
    std::string reason;  ///< the rule or the mode; "" by default
  };

  /// Fails: BadConfig for a rule that cannot be read.
  static Result<std::unique_ptr<Permissions>> create(ApprovalMode mode, const PermissionRules& rules);

  Answer judge(const Call& call) const;
  /// The same tool and subject needs no question again in this session.
  void remember(const Call& call);
  ApprovalMode mode() const { return mode_; }

 private:
  explicit Permissions(ApprovalMode mode) : mode_(mode) {}

  ApprovalMode mode_;
};

}  // namespace grapnel::agent
