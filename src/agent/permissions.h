#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "call/permission_rule.h"
#include "grapnel_agent/agent.h"

namespace grapnel::agent {

/// Decides about a tool call from rules, the approval mode and earlier approvals, before any person is asked. The first
/// line that applies decides:
///
///   a deny rule             Deny
///   plan mode               Deny, except for harmless tools
///   approved "always"       Allow
///   an ask rule             Ask, with the rule as the reason
///   an allow rule           Allow
///   yolo mode               Allow
///   harmless tools          Allow: tools that only read, and subagents, because each of their calls is checked itself
///   auto-edit mode, writing Allow
///   otherwise               Ask, without a reason
///
/// Deny and ask rules apply when they *may* match (a command line that cannot be fully understood counts as a match);
/// allow rules apply only when they *surely* match. Thread: any.
class Permissions {
 public:
  using Call = call::JudgedCall;
  struct Ruling {
    Verdict verdict = Verdict::Ask;
    std::string reason;  ///< which rule or mode decided; "" when none did explicitly
  };

  /// `home` replaces `~` in path rules. Fails: BadConfig for a rule that cannot be parsed.
  static Result<std::unique_ptr<Permissions>> create(ApprovalMode mode, const PermissionRules& rules,
                                                     std::string_view home = {});

  Ruling judge(const Call& call) const;
  /// Records that a person approved this tool and subject for the rest of the session.
  void remember(const Call& call);
  bool is_remembered(const Call& call) const;
  ApprovalMode mode() const { return mode_; }

 private:
  explicit Permissions(ApprovalMode mode) : mode_(mode) {}

  ApprovalMode mode_;
  std::vector<call::PermissionRule> allow_;
  std::vector<call::PermissionRule> ask_;
  std::vector<call::PermissionRule> deny_;
  mutable std::mutex mutex_;
  std::set<std::pair<std::string, std::string>> approved_;  ///< tool and subject
};

}  // namespace grapnel::agent
