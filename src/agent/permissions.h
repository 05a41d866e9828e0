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

/// What rules, the mode and earlier approvals say about a tool call, before anybody is asked. The first line that holds
/// counts:
///
///   a deny rule            Deny
///   plan mode              Deny for all but harmless tools
///   approved for good      Allow
///   an ask rule            Ask, with the rule as reason
///   an allow rule          Allow
///   yolo                   Allow
///   harmless tools         Allow: those that only read, and subagents, whose own calls are judged one by one
///   auto-edit, and writing Allow
///   otherwise              Ask, without a reason
/// Thread: any.
class Permissions {
 public:
  using Call = call::JudgedCall;
  struct Ruling {
    Verdict verdict = Verdict::Ask;
    std::string reason;  ///< the rule or the mode; "" by default
  };

  /// `home` is what `~` in a path means. Fails: BadConfig for a rule that cannot be read.
  static Result<std::unique_ptr<Permissions>> create(ApprovalMode mode, const PermissionRules& rules,
                                                     std::string_view home = {});

  Ruling judge(const Call& call) const;
  /// The same tool and subject needs no question again in this session.
  void remember(const Call& call);
  ApprovalMode mode() const { return mode_; }

 private:
  explicit Permissions(ApprovalMode mode) : mode_(mode) {}
  bool is_remembered(const Call& call) const;

  ApprovalMode mode_;
  std::vector<call::PermissionRule> allow_;
  std::vector<call::PermissionRule> ask_;
  std::vector<call::PermissionRule> deny_;
  mutable std::mutex mutex_;
  std::set<std::pair<std::string, std::string>> approved_;  ///< tool and subject
};

}  // namespace grapnel::agent
