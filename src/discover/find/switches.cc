#include "discover/find/switches.h"

#include <algorithm>
#include <functional>

#include "grapnel/json.h"

#include "base/error.h"

// The file is `{"version": 1, "disabled": {"<name>": <seconds since the epoch, or null for good>}}`.
namespace grapnel {

namespace {

constexpr size_t kMaxBytes = size_t{1} << 20;
/// How long to wait for another process that changes the file.
constexpr std::chrono::milliseconds kLockTimeout{10000};

int64_t seconds_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// The file is written by us alone, so anything unexpected in it is reported and never guessed at.
std::unexpected<Error> unreadable(const std::string& path) {
  return fail(Errc::BadInput, path + ": the list of disabled hooks cannot be read");
}

/// Reads, edits and writes the file under a lock, so that two processes do not undo each other's change. Expired
/// switches are dropped while reading and thus disappear from the file.
Result<void> change(const std::string& path, const std::function<void(Switches&)>& edit) {
  if (auto made = os::make_parent_dirs(path, 0700); !made) return made;
  auto lock = os::lock_file(path + ".lock", kLockTimeout);
  if (!lock) return std::unexpected(lock.error());
  auto switches = load_switches(path);
  if (!switches) return std::unexpected(switches.error());
  edit(*switches);
  std::vector<std::pair<std::string, Json>> off;
  for (const auto& [name, until] : *switches) off.emplace_back(name, until ? Json::number(*until) : Json::null());
  const Json file = Json::object({{"version", Json::number(int64_t{1})}, {"disabled", Json::object(off)}});
  return os::write_file_atomic(path, file.dump(JsonStyle::Pretty) + "\n", 0600);
}

}  // namespace

Result<Switches> load_switches(const std::string& path) {
  Switches out;
  auto text = os::read_file(path, kMaxBytes);
  if (!text && text.error().code == Errc::NotFound) return out;
  if (!text) return std::unexpected(text.error());
  auto json = Json::parse(std::move(*text));
  if (!json || !(*json)["disabled"].is_object()) return unreadable(path);
  for (const JsonMember& member : (*json)["disabled"].members()) {
    const auto until = member.value.as_integer();
    if (!until && !member.value.is_null()) return unreadable(path);
    // Expired switches are left out.
    if (!until || *until > seconds_now()) out[member.key] = until;
  }
  return out;
}

Result<void> switch_off(const std::string& path, const std::string& name,
                        std::optional<std::chrono::seconds> for_how_long) {
  return change(path, [&](Switches& switches) {
    switches[name] = for_how_long ? std::optional<int64_t>(seconds_now() + for_how_long->count()) : std::nullopt;
  });
}

Result<void> switch_on(const std::string& path, const std::string& name) {
  return change(path, [&](Switches& switches) { switches.erase(name); });
}

bool apply_switches(const std::string& path, Discovered& discovered) {
  Sources& sources = discovered.sources;
  sources.stamps.emplace_back(path, os::stamp(path));
  // No file: nothing is switched off.
  if (!sources.stamps.back().second) return false;
  const auto switches = load_switches(path);
  if (!switches) {
    discovered.registry.problems.push_back({ConfigProblem::Severity::Error,
                                            switches.error().message,
                                            {path, 0, 0},
                                            "until it can be read, no hook is switched off"});
    return true;  // the new problem is part of the digest
  }
  for (HookSpec& hook : discovered.registry.hooks) {
    // An administrator's hooks cannot be switched off by the user.
    if (hook.scope != Scope::Managed && switches->contains(hook.name)) hook.enabled = false;
  }
  for (const auto& [name, until] : *switches) {
    if (until) sources.good_until = std::min(sources.good_until.value_or(*until), *until);
  }
  return !switches->empty();
}

}  // namespace grapnel
