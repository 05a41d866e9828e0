#include "cli/verbs/switching.h"

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"
#include "cli/ask_journal.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/session_ids.h"
#include "discover/find/switches.h"

namespace grapnel::cli {

namespace {

/// All hooks of that name; there may be several, from different files.
std::vector<HookInfo> named(const std::vector<HookInfo>& hooks, const std::string& name) {
  std::vector<HookInfo> out;
  std::ranges::copy_if(hooks, std::back_inserter(out), [&](const HookInfo& hook) { return hook.name == name; });
  return out;
}

/// The error for a name that no hook has.
std::string unknown_name(const std::vector<HookInfo>& hooks, const std::string& name) {
  std::vector<std::string_view> names;
  for (const HookInfo& hook : hooks) names.push_back(hook.name);
  const std::string_view near = text::nearest(name, names);
  return "no hook is named '" + printable(name) + "'" +
         (near.empty() ? "; `grapnel list` shows them all" : "; did you mean '" + printable(near) + "'?");
}

/// The session that is meant: one on record whose id is or begins with what was given. A session that is not on record
/// yet is taken as it is. Fails: BadInput when several begin so.
Result<std::string> session_meant_by(const Invocation& in, const std::string& given) {
  if (given.empty()) return given;
  const auto meant = id_meant_by(given, recent_ids(in.env, "sessions"));
  if (!meant) return meant;
  return meant->empty() ? given : *meant;
}

/// Changes the switch: in the state of the session, or in the user's file of switches for all sessions.
Result<void> apply(const Invocation& in, const SwitchRequest& request) {
  if (!request.session.empty()) {
    return make_file_session_store(in.env.runtime_dir())->update(request.session, [&](SessionState& state) {
      if (request.on) {
        state.disabled.erase(request.name);
      } else {
        state.disabled.insert(request.name);
      }
    });
  }
  // Durations are kept in whole seconds, rounded up: a hook must not come back early.
  if (request.on) return switch_on(switches_path(in.env), request.name);
  std::optional<std::chrono::seconds> duration;
  if (request.duration) duration = std::chrono::ceil<std::chrono::seconds>(*request.duration);
  return switch_off(switches_path(in.env), request.name, duration);
}

/// One sentence about what was done.
std::string done_text(const SwitchRequest& request, size_t count) {
  std::string out = std::string(request.on ? "Enabled" : "Disabled") + " '" + printable(request.name) + "'";
  if (count > 1) out += " (" + count_text(count, "hook") + ")";
  if (!request.session.empty()) out += " for session " + printable(request.session);
  if (request.duration) out += " for " + duration_text(*request.duration);
  return out + ".\n";
}

/// The same as JSON.
Json done_json(const SwitchRequest& request, size_t count, bool is_on) {
  const auto until = [&] { return std::chrono::system_clock::now() + *request.duration; };
  return Json::object({{"name", Json::string(request.name)},
                       {"enabled", Json::boolean(is_on)},
                       {"hooks", Json::number(static_cast<int64_t>(count))},
                       {"session", request.session.empty() ? Json() : Json::string(request.session)},
                       {"until", request.duration ? Json::string(format_timestamp(until())) : Json()}});
}

/// Whether the hook is still off after it was enabled, because its file or the environment disables it.
bool is_held_off(const EngineOptions& options, const std::string& name) {
  return std::ranges::any_of(named(Engine::create(options)->hooks(), name),
                             [](const HookInfo& hook) { return !hook.enabled; });
}

}  // namespace

int switch_hooks(Invocation& in, SwitchRequest request) {
  auto project = project_dirs(in);
  if (!project) return report_input(in.console, project.error().message);
  const auto options = hook_source(in.args, in.env, std::move(*project));
  if (!options) return report_input(in.console, options.error().message);

  auto session = session_meant_by(in, request.session);
  if (!session) return report_input(in.console, session.error().message);
  request.session = std::move(*session);

  const auto all = Engine::create(*options)->hooks();
  const auto meant = named(all, request.name);
  if (meant.empty()) return report_input(in.console, unknown_name(all, request.name));
  // An administrator's hooks cannot be switched off. If others have the same name, those are.
  const auto managed = static_cast<size_t>(std::ranges::count(meant, "managed", &HookInfo::scope));
  if (!request.on && managed == meant.size()) {
    in.console.say("'" + printable(request.name) + "' is a managed hook (" + place_text(meant.front().source) +
                   ") and stays on");
    return kNo;
  }
  if (const auto applied = apply(in, request); !applied) {
    in.console.say(applied.error().to_string());
    return kInternal;
  }
  const size_t count = request.on ? meant.size() : meant.size() - managed;
  const bool held_off = request.on && is_held_off(*options, request.name);
  if (in.args.has("--json")) {
    in.console.out(done_json(request, count, request.on && !held_off).dump(JsonStyle::Pretty) + "\n");
  } else if (!held_off) {
    in.console.out(done_text(request, count));
  }
  if (held_off) {
    in.console.say("'" + printable(request.name) + "' stays off: its settings file or GRAPNEL_DISABLE disables it");
    return kNo;
  }
  if (!request.on && managed > 0) in.console.say("a managed hook of that name stays on");
  return kOk;
}

}  // namespace grapnel::cli
