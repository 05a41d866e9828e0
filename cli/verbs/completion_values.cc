#include "cli/verbs/completion_values.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "cli/ask_journal.h"
#include "cli/hook_source.h"
#include "cli/hooktest/find_fixtures.h"
#include "cli/pack/pack_home.h"
#include "cli/session_ids.h"

namespace grapnel::cli {

namespace {

/// `last` is as good as the id of the newest event.
std::vector<std::string> event_ids(const Invocation& in) {
  std::vector<std::string> ids = recent_ids(in.env, "events");
  if (!ids.empty()) ids.insert(ids.begin(), "last");
  return ids;
}

std::vector<std::string> session_ids(const Invocation& in) {
  return recent_ids(in.env, "sessions");
}

std::vector<std::string> agent_session_ids(const Invocation& in) {
  return agent_sessions(transcripts_dir(in.env));
}

/// The hooks that apply in the current directory, each name once.
std::vector<std::string> hook_names(const Invocation& in) {
  std::vector<std::string> names;
  auto project = project_dirs(in);
  const auto options = project ? hook_source(in.args, in.env, std::move(*project)) : std::unexpected(project.error());
  if (!options) return names;
  for (const HookInfo& hook : Engine::create(*options)->hooks()) {
    if (std::ranges::find(names, hook.name) == names.end()) names.push_back(hook.name);
  }
  return names;
}

/// The test files below the current directory, and the directories in which they are.
std::vector<std::string> fixtures(const Invocation& /*in*/) {
  std::vector<std::string> out;
  const auto found = find_fixtures(".");
  if (!found) return out;
  for (const FoundFixture& fixture : *found) {
    const std::filesystem::path path = std::filesystem::path(fixture.path).lexically_proximate(fixture.root);
    const std::string directory = path.parent_path().string() + "/";
    if (path.has_parent_path() && std::ranges::find(out, directory) == out.end()) out.push_back(directory);
    out.push_back(path.string());
  }
  return out;
}

/// The packs of the project and the user, by name.
std::vector<std::string> packs(const Invocation& in) {
  std::vector<std::string> names;
  const auto project = project_dirs(in);
  for (const Scope scope : {Scope::Project, Scope::User}) {
    if (scope == Scope::Project && !project) continue;
    const auto lock = load_lock(pack_home(project ? project->root : "", in.env, scope).lock_path());
    for (const auto& [name, pack] : lock.value_or(PackLock{})) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return names;
}

struct ValuesRow {
  std::string_view word;
  ValueKind kind;
  std::vector<std::string> (*find)(const Invocation& in);
};
constexpr auto kValues = std::to_array<ValuesRow>({
    {"hooks", ValueKind::Hook, hook_names},
    {"sessions", ValueKind::Session, session_ids},
    {"agent-sessions", ValueKind::AgentSession, agent_session_ids},
    {"events", ValueKind::EventId, event_ids},
    {"fixtures", ValueKind::Fixture, fixtures},
    {"packs", ValueKind::Pack, packs},
});

}  // namespace

std::string_view values_word(ValueKind kind) {
  const auto* const row = std::ranges::find(kValues, kind, &ValuesRow::kind);
  return row == kValues.end() ? "" : row->word;
}

std::vector<std::string> values_of(const Invocation& in, std::string_view word) {
  const auto* const row = std::ranges::find(kValues, word, &ValuesRow::word);
  std::vector<std::string> values = row == kValues.end() ? std::vector<std::string>{} : row->find(in);
  std::erase_if(values, [](const std::string& value) { return value.empty() || printable(value) != value; });
  return values;
}

}  // namespace grapnel::cli
