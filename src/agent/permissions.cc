#include "agent/permissions.h"

#include <algorithm>

namespace grapnel::agent {

namespace {

/// One bad rule fails them all: leaving out a deny rule silently would be dangerous.
Result<std::vector<call::PermissionRule>> read_rules(const std::vector<std::string>& texts, std::string_view home) {
  std::vector<call::PermissionRule> out;
  for (const std::string& text : texts) {
    auto rule = call::PermissionRule::parse(text, home);
    if (!rule) return std::unexpected(rule.error());
    out.push_back(std::move(*rule));
  }
  return out;
}

/// A subagent does nothing by itself; each of its calls is checked when it makes it.
bool is_harmless(ToolKind kind) {
  return access_of(kind) == ToolAccess::ReadOnly || kind == ToolKind::Task;
}

}  // namespace

Result<std::unique_ptr<Permissions>> Permissions::create(ApprovalMode mode, const PermissionRules& rules,
                                                         std::string_view home) {
  auto allow = read_rules(rules.allow, home);
  if (!allow) return std::unexpected(allow.error());
  auto ask = read_rules(rules.ask, home);
  if (!ask) return std::unexpected(ask.error());
  auto deny = read_rules(rules.deny, home);
  if (!deny) return std::unexpected(deny.error());
  std::unique_ptr<Permissions> out(new Permissions(mode));
  out->allow_ = std::move(*allow);
  out->ask_ = std::move(*ask);
  out->deny_ = std::move(*deny);
  return out;
}

/// The order of the checks is the table in the header. A ruling without a reason means that only the mode decided; a
/// hook's Allow can replace such an Ask, but not that of a rule.
Permissions::Ruling Permissions::judge(const Call& call) const {
  const auto may_hold = [&](const call::PermissionRule& rule) { return rule.may_hold(call); };
  const auto surely_holds = [&](const call::PermissionRule& rule) { return rule.surely_holds(call); };
  if (const auto rule = std::ranges::find_if(deny_, may_hold); rule != deny_.end()) {
    return {Verdict::Deny, "the rule '" + rule->text() + "' denies it"};
  }
  // Plan mode comes before remembered approvals and allow rules, so that neither can make it write.
  if (mode_ == ApprovalMode::Plan && !is_harmless(call.kind)) {
    return {Verdict::Deny, "plan mode only runs read-only tools"};
  }
  // A person approved exactly this call, so an ask rule need not ask about it again.
  if (is_remembered(call)) return {Verdict::Allow, "approved earlier in this session"};
  if (const auto rule = std::ranges::find_if(ask_, may_hold); rule != ask_.end()) {
    return {Verdict::Ask, "the rule '" + rule->text() + "' requires approval"};
  }
  if (const auto rule = std::ranges::find_if(allow_, surely_holds); rule != allow_.end()) {
    return {Verdict::Allow, "the rule '" + rule->text() + "' allows it"};
  }
  const bool may_edit = mode_ == ApprovalMode::AutoEdit && access_of(call.kind) == ToolAccess::Write;
  if (mode_ == ApprovalMode::Yolo || is_harmless(call.kind) || may_edit) return {Verdict::Allow, ""};
  return {Verdict::Ask, ""};
}

/// The subject is part of the key: approving `npm test` does not approve other commands.
void Permissions::remember(const Call& call) {
  const std::lock_guard lock(mutex_);
  approved_.emplace(call.name, call.subject);
}

bool Permissions::is_remembered(const Call& call) const {
  const std::lock_guard lock(mutex_);
  return approved_.contains({call.name, call.subject});
}

}  // namespace grapnel::agent
