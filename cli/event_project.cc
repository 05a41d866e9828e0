#include "cli/event_project.h"

#include <vector>

#include "cli/hook_source.h"
#include "dialect/dialect.h"
#include "dialect/payload.h"
#include "discover/find/root.h"
#include "session/deferred.h"

namespace grapnel::cli {

namespace {

/// Adds a directory that an agent named. Anything but an absolute path is ignored.
void add_said(std::vector<std::string>& to, std::string_view said) {
  if (said.starts_with('/')) to.push_back(absolute_path(std::string(said), ""));
}

/// The directories that the agent calls its project, from its variables and from the payload.
std::vector<std::string> projects_said(const Event& event, const Environment& env) {
  std::vector<std::string> out;
  const DialectProject& names = event.dialect().project;
  for (const std::string_view variable : names.variables) add_said(out, env.get(variable));
  for (const std::string_view pointer : names.members) {
    const Json value = event.payload().at_pointer(pointer);
    add_said(out, value.as_string().value_or(""));
    for (const Json& element : value.elements()) add_said(out, element.as_string().value_or(""));
  }
  return out;
}

/// The project that the session keeps, or nothing for a new one. State that cannot be read counts as new: then the
/// event's own directories apply, and the session's own errors are reported when its hooks need the state.
ProjectDirs kept_project(const std::string& session, SessionStore& sessions) {
  if (session.empty()) return {};
  auto state = sessions.load(session);
  if (!state || state->project.empty()) return {};
  return {state->project.front(), {state->project.begin() + 1, state->project.end()}};
}

/// Keeps the project for the session, unless another event of it was faster. The end of a session keeps nothing.
void keep_project(const Event& event, const std::string& session, const ProjectDirs& project, SessionStore& sessions) {
  if (session.empty() || event.kind() == EventKind::SessionEnd) return;
  static_cast<void>(sessions.update(session, [&](SessionState& state) {
    if (!state.project.empty()) return;
    state.project = project.parts;
    if (state.started_ms == 0) state.started_ms = now_ms();
    state.project.insert(state.project.begin(), project.root);
  }));
}

}  // namespace

Result<ProjectDirs> project_of_event(const Event& event, const EventPlace& place) {
  auto named = named_project(place.args, place.cwd);
  if (!named) return std::unexpected(named.error());
  if (*named) return std::move(**named);

  const std::string home = place.env.home();
  const std::string session = event.text(Field::SessionId);
  const std::string own = event.text(Field::ProjectDir);
  const std::string cwd = event.text(Field::Cwd);
  ProjectDirs project = kept_project(session, place.sessions);
  const bool is_new = project.root.empty();
  if (is_new) project = find_project(absolute_path(!own.empty() ? own : cwd.empty() ? "." : cwd, place.cwd), home);
  if (!cwd.empty()) add_directory(project, absolute_path(cwd, place.cwd), home);
  for (const std::string& directory : projects_said(event, place.env)) add_directory(project, directory, home);
  if (is_new && place.keeps) keep_project(event, session, project, place.sessions);
  return project;
}

// In the root itself nothing is added, so that hooks get the bytes of the host.
Event placed_event(Event event, const ProjectDirs& project, const std::string& cwd) {
  if (!event.text(Field::Cwd).empty() || !event.text(Field::ProjectDir).empty()) return event;
  const std::string here = absolute_path(".", cwd);
  return here == project.root ? event : with_field(event, Field::Cwd, Json::string(here));
}

}  // namespace grapnel::cli
