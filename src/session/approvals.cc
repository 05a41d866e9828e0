#include "session/approvals.h"

#include <algorithm>

#include "call/command_pattern.h"
#include "dialect/payload.h"
#include "trust/sha256.h"

namespace grapnel {

namespace {

/// Shell tools let the model say what a command is for. It says it in other words each time.
constexpr std::string_view kDescription = "description";

/// A pattern covers a call if nothing but such commands would run, as for a rule that allows.
bool covers(const std::string& pattern, call::ToolCall& asked) {
  const call::ParsedCommand* parsed = asked.is_surely_shell() ? asked.commands() : nullptr;
  return parsed != nullptr && call::CommandPattern(pattern).covers(*parsed);
}

}  // namespace

std::string approval_key(const Event& event) {
  const Json input = field_as(event, event.dialect(), Field::ToolInput);
  Sha256 digest;
  for (const std::string& part : {std::string(event.dialect_name()), event.text(Field::ToolName),
                                  event.text(Field::Cwd), input.without(kDescription).dump()}) {
    digest.add(part).add(std::string_view("\0", 1));
  }
  return digest.hex();
}

const SessionState::Approved* find_approval(const SessionState& state, call::ToolCall& asked,
                                            const std::set<std::string>& askers) {
  if (state.approved.empty() || askers.empty()) return nullptr;
  const std::string key = approval_key(asked.event());
  const auto found = std::ranges::find_if(state.approved, [&](const SessionState::Approved& one) {
    return std::ranges::includes(one.askers, askers) &&
           (one.pattern.empty() ? one.call == key : covers(one.pattern, asked));
  });
  return found == state.approved.end() ? nullptr : &*found;
}

void add_approval(SessionState& state, SessionState::Approved approved) {
  state.approved.push_back(std::move(approved));
  if (state.approved.size() > SessionState::kMaxApproved) state.approved.erase(state.approved.begin());
}

}  // namespace grapnel
