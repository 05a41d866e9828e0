#include "session/call_dedupe.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ranges>
#include <thread>

#include "grapnel/tool.h"

#include "dialect/payload.h"
#include "dialect/tools.h"
#include "session/deferred.h"
#include "trust/sha256.h"

namespace grapnel {

namespace {

// Finding the same call again needs two things. `call_key` makes a text that is the same in every agent's spelling.
// `take_part` then compares it with the calls that are noted in the session, in one locked update, so that of two
// processes that report a call at the same moment exactly one decides.

using Shared = SessionState::Shared;

constexpr std::chrono::milliseconds kShortTime{30000};  // between two reports, the agent's other hooks may be slow
constexpr std::chrono::milliseconds kLongestWait = std::chrono::minutes(10);  // a person may have to answer
constexpr std::chrono::milliseconds kPause{5};

/// EPERM means that the process exists but belongs to somebody else.
bool is_alive(int64_t process) {
  return ::kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM;
}

/// The input as text with sorted keys, because agents write the members in different orders.
std::string sorted_text(const Json& input) {
  std::vector<std::pair<std::string, Json>> members;
  for (const JsonMember& member : input.members()) members.emplace_back(member.key, member.value);
  std::ranges::sort(members, {}, &std::pair<std::string, Json>::first);
  return members.empty() ? input.dump() : Json::object(members).dump();
}

/// The tool and its input in a form that all spellings share. For shell commands, reads and finished writes, this is
/// only the command or the file, because some agents' events say no more than that.
std::string call_text(const Event& event) {
  const std::string tool = event.get(Field::ToolName).as_string().value_or("");
  const Json input = event.get(Field::ToolInput);
  const Json mcp = event.get(Field::McpContext);
  const ToolKind kind = tool_kinds(event.dialect(), event.text(Field::ToolName)).front();
  const auto command = event.get(Field::ToolCommand).as_string();
  if (kind == ToolKind::Shell && command) return "shell " + *command;
  const auto path = event.get(Field::ToolPath).as_string();
  const bool is_change = kind == ToolKind::Write || kind == ToolKind::Edit;
  if (path && kind == ToolKind::Read) return "read " + *path;
  if (path && is_change && event.kind() == EventKind::PostToolUse) return "change " + *path;
  return (mcp ? mcp_tool_of(mcp) : tool) + " " + sorted_text(input);
}

}  // namespace

std::string call_key(const Event& event) {
  // Events without a tool are the same if all of these fields are the same.
  constexpr auto kTold =
      std::to_array({Field::Prompt, Field::Source, Field::EndReason, Field::Trigger, Field::NotificationType,
                     Field::Message, Field::AgentId, Field::ToolPath, Field::Error, Field::Model});
  Sha256 digest;
  if (event.get(Field::ToolName)) {
    digest.add(call_text(event));
  } else {
    for (const Field field : kTold) digest.add(event.get(field).as_string().value_or(""));
  }
  return event.name() + ":" + digest.hex().substr(0, 32);
}

CallDedupe::CallDedupe(const Event& event, SessionStore& sessions)
    : event_(event),
      sessions_(sessions),
      session_id_(event.text(Field::SessionId)),
      call_(call_key(event)),
      use_id_(event.text(Field::ToolUseId)),
      route_(std::string(event.dialect_name()) + " " + std::string(row_of(event).wire_name)) {}

CallDedupe::Part CallDedupe::take_part(std::optional<Decision>& taken) {
  Part part = Part::None;
  // The texts must be equal, before or after rewriting: the second route may report the call as hooks changed it. Two
  // different ids mean two calls. A route reports a call once, so its second report is a new call, also under the same
  // id: some model providers count their ids from zero in every answer.
  const auto is_same_call = [&](const Shared& shared) {
    const bool is_told_so = shared.call == call_ || (!shared.changed_call.empty() && shared.changed_call == call_);
    const bool has_other_id = !use_id_.empty() && !shared.use_id.empty() && use_id_ != shared.use_id;
    const bool is_new_route = std::ranges::find(shared.routes, route_) == shared.routes.end();
    return is_told_so && !has_other_id && is_new_route;
  };
  const auto saved = sessions_.update(session_id_, [&](SessionState& state) {
    // Old entries are removed first, so a similar call later in the session is not mistaken for this one.
    std::erase_if(state.shared, [&](const Shared& shared) { return shared.time_ms + kShortTime.count() < now_ms(); });
    auto newest_first = std::views::reverse(state.shared);
    const auto found = std::ranges::find_if(newest_first, is_same_call);
    if (found == newest_first.end()) {
      state.shared.push_back({call_, "", use_id_, {route_}, now_ms(), ::getpid(), {}});
      if (state.shared.size() > SessionState::kMaxShared) state.shared.erase(state.shared.begin());
      part = Part::Decides;
      // Already decided: take the decision.
    } else if (found->decider == 0) {
      found->routes.push_back(route_);
      taken = found->decision;
      part = Part::Takes;
      // The process that wanted to decide has died. Take its place.
    } else if (!is_alive(found->decider)) {
      *found = {call_, "", use_id_, {route_}, now_ms(), ::getpid(), {}};
      part = Part::Decides;
    } else {
      part = Part::Waits;
    }
  });
  return saved ? part : Part::None;
}

/// Whether waiting makes no sense any more: the call is decided, its decider is dead, or the state cannot be read.
bool CallDedupe::is_decided() const {
  const auto state = sessions_.load(session_id_);
  if (!state) return true;
  return std::ranges::none_of(state->shared, [&](const Shared& shared) {
    return shared.call == call_ && shared.decider != 0 && is_alive(shared.decider);
  });
}

std::optional<Decision> CallDedupe::join(const std::stop_token& stop) {
  const auto deadline = std::chrono::steady_clock::now() + kLongestWait;
  std::optional<Decision> taken;
  // After waiting, `take_part` runs again and finds the decision. It may also find that the decider gave up, and then
  // this process decides.
  for (;;) {
    const Part part = take_part(taken);
    decides_ = part == Part::Decides;
    if (part != Part::Waits) return taken;
    while (!is_decided()) {
      if (stop.stop_requested() || std::chrono::steady_clock::now() > deadline) return std::nullopt;
      std::this_thread::sleep_for(kPause);
    }
  }
}

void CallDedupe::settle(const std::optional<Decision>& decision) {
  if (!decides_) return;
  std::string changed;
  // Another route may report the call with the rewritten input. Its key must lead to this entry, too.
  if (decision && decision->effects.input) {
    const Json input = decision->effects.input->apply(field_as(event_, event_.dialect(), Field::ToolInput));
    changed = call_key(with_field(event_, Field::ToolInput, input));
  }
  const int64_t self = ::getpid();
  static_cast<void>(sessions_.update(session_id_, [&](SessionState& state) {
    // Entries move when old ones are removed, so the entry is searched again.
    const auto is_own = [&](const Shared& shared) {
      return shared.call == call_ && shared.decider == self && shared.routes.front() == route_;
    };
    const auto own = std::ranges::find_if(state.shared, is_own);
    if (own == state.shared.end()) return;
    if (!decision) {
      state.shared.erase(own);
      return;
    }
    own->decider = 0;
    own->changed_call = changed;
    own->decision = *decision;
  }));
}

}  // namespace grapnel
