#include "session/deferred.h"

#include "session/hook_history.h"

namespace grapnel {

namespace {

/// How late a waiter may be before it is taken for dead. A machine under load stops processes for a while.
constexpr int64_t kPatienceMs = 5000;

/// Removes the entry and returns its files.
std::set<std::string> take(SessionState& state, std::map<std::string, SessionState::Deferred>::iterator entry) {
  std::set<std::string> files = std::move(entry->second.files);
  state.deferred.erase(entry);
  return files;
}

}  // namespace

int64_t now_ms() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
}

Result<bool> collect(const HookSpec& hook, const std::vector<std::string>& files, const std::string& session_id,
                     SessionStore& store) {
  bool needs_waiter = false;
  const auto saved = store.update(session_id, [&](SessionState& state) {
    SessionState::Deferred& entry = state.deferred[session_key(hook)];
    for (const std::string& file : files) {
      if (entry.files.size() < SessionState::kMaxTouched) entry.files.insert(file);
    }
    if (hook.debounce.until_turn_ends) return;
    const int64_t now = now_ms();
    entry.due_ms = now + hook.debounce.quiet.count();
    needs_waiter = entry.lease_ms + kPatienceMs < now;
    if (needs_waiter) entry.lease_ms = entry.due_ms;
  });
  if (!saved) return std::unexpected(saved.error());
  return needs_waiter;
}

bool is_due(const HookSpec& hook, const SessionState& state, bool is_last) {
  const auto entry = state.deferred.find(session_key(hook));
  if (entry == state.deferred.end()) return false;
  return is_last || entry->second.due_ms == 0 || entry->second.lease_ms + kPatienceMs < now_ms();
}

std::optional<std::set<std::string>> take_deferred(const HookSpec& hook, const std::string& session_id,
                                                   SessionStore& store) {
  std::optional<std::set<std::string>> files;
  static_cast<void>(store.update(session_id, [&](SessionState& state) {
    const auto entry = state.deferred.find(session_key(hook));
    if (entry != state.deferred.end()) files = take(state, entry);
  }));
  return files;
}

Look take_if_quiet(const std::string& hook_key, const std::string& session_id, SessionStore& store) {
  Look look;
  static_cast<void>(store.update(session_id, [&](SessionState& state) {
    const auto entry = state.deferred.find(hook_key);
    if (entry == state.deferred.end()) return;
    if (now_ms() >= entry->second.due_ms) {
      look.files = take(state, entry);
    } else {
      look.look_again_ms = entry->second.lease_ms = entry->second.due_ms;
    }
  }));
  return look;
}

}  // namespace grapnel
