#include "cli/verbs/bridging.h"

#include <algorithm>
#include <filesystem>

#include "grapnel/engine.h"

#include "base/error.h"
#include "base/line_diff.h"
#include "base/text.h"
#include "cli/account.h"
#include "cli/believed.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "os/resolve.h"
#include "trust/trust_store.h"

namespace grapnel::cli {

namespace {

/// What happened to a file, in one word.
std::string_view action_of(const FileChange& file) {
  if (!file.is_change()) return "unchanged";
  if (!file.before) return "made";
  return file.after ? "changed" : "removed";
}

/// One file as JSON. A file that existed and was changed has a backup.
Json file_json(const FileChange& file, const Manifest& manifest) {
  const bool has_backup = file.is_change() && file.before;
  return Json::object({{"path", Json::string(file.path)},
                       {"action", Json::string(action_of(file))},
                       {"backup", has_backup ? Json::string(manifest.backup_path(file.path)) : Json()}});
}

/// All plans together as one object. They are for the same agent, in different scopes.
Json plans_json(const std::vector<BridgePlan>& plans, const Manifest& manifest, bool is_dry_run) {
  std::vector<Json> files;
  std::vector<Json> events;
  std::vector<Json> notes;
  for (const BridgePlan& plan : plans) {
    for (const FileChange& file : plan.files) files.push_back(file_json(file, manifest));
    for (const std::string& note : plan.notes) notes.push_back(Json::string(note));
    // A plan that takes entries out leaves nothing to record.
    if (!plan.record) continue;
    for (const std::string& event : plan.record->events) events.push_back(Json::string(event));
  }
  return Json::object({{"agent", Json::string(plans.front().adapter->agent)},
                       {"dry_run", Json::boolean(is_dry_run)},
                       {"events", Json::array(events)},
                       {"files", Json::array(files)},
                       {"notes", Json::array(notes)}});
}

/// The lines about one file; "" when it did not change.
std::string file_lines(const FileChange& file, const Manifest& manifest) {
  if (!file.is_change()) return "";
  std::string out = "  " + std::string(action_of(file)) + "  " + printable(short_path(file.path)) + "\n";
  if (file.before) out += "  backup   " + printable(short_path(manifest.backup_path(file.path))) + "\n";
  return out;
}

/// The path of `grapnel` to write into the agent's settings. If PATH leads to this program, that path is used, even if
/// it is a link: it still works after an update, when the link points to a new version.
std::string command_path(const Environment& env) {
  std::error_code error;
  const std::filesystem::path running = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string beside = running.parent_path() / "grapnel";
  const auto found = os::find_executable("grapnel", env.get("PATH"), "/");
  const bool is_same = found && found->starts_with('/') && canonical_directory(*found) == canonical_directory(beside);
  return is_same ? *found : beside;
}

}  // namespace

// Without a similar name, the message lists all agents.
Result<const Adapter*> adapter_named(const std::string& name) {
  if (const Adapter* adapter = find_adapter(name)) return adapter;
  std::vector<std::string_view> known;
  for (const Adapter& adapter : all_adapters()) known.push_back(adapter.agent);
  const std::string_view near = text::nearest(name, known);
  if (name.contains('/'))
    return fail(Errc::BadInput, "'" + printable(name) + "' is not an agent; `grapnel add` adds a pack of rules");
  return fail(Errc::BadInput, "no agent is called '" + printable(name) + "'" +
                                  (near.empty() ? "; there are " + text::join({known.begin(), known.end()}, ", ")
                                                : "; did you mean '" + std::string(near) + "'?"));
}

Result<const Adapter*> adapter_of(const Arguments& args) {
  return adapter_named(args.text("AGENT"));
}

std::vector<const EventRow*> wanted_events(const Invocation& in, const Adapter& adapter) {
  std::vector<const EventRow*> rows = usual_events(adapter);
  if (adapter.on_request.empty()) return rows;
  auto options = hook_source(in.args, in.env, find_project(absolute_path(".", ""), in.env.home()));
  if (!options) return rows;
  const auto counts = Engine::create(std::move(*options))->hook_counts();
  for (const EventRow* row : wirable_events(adapter)) {
    const bool is_new = std::ranges::find(rows, row) == rows.end();
    if (is_new && counts.contains(row->kind)) rows.push_back(row);
  }
  return rows;
}

Result<Wiring> wiring_with(const Environment& env, const BridgeTarget& target, OnMissing on_missing,
                           std::vector<const EventRow*> events) {
  const bool is_shared = target.scope == Scope::Project;
  Wiring wiring{target.adapter, is_shared ? std::string(kProgramName) : command_path(env), on_missing,
                std::move(events)};
  const std::string why = unusable_program(wiring);
  if (!why.empty()) return fail(Errc::BadInput, printable(wiring.program) + " cannot be installed: " + why);
  return wiring;
}

Result<BridgeTarget> target_of(const Invocation& in, const Adapter& adapter, Scope scope) {
  auto project = scope == Scope::Project ? project_dirs(in) : ProjectDirs{absolute_path(".", "")};
  if (!project) return std::unexpected(project.error());
  return BridgeTarget{&adapter, scope, {.root = "/", .project_dir = std::move(project->root), .env = &in.env}};
}

Result<void> note_own_places(const Environment& env) {
  return note_places(env, own_account_home(env.home()));
}

Result<void> carry_out_wanted(const Invocation& in, const BridgePlan& plan) {
  return in.args.has("--dry-run") ? Result<void>{} : carry_out(plan, Manifest(in.env));
}

// A dry run shows a diff instead of the files, because nothing has been written yet.
int tell_plans(Invocation& in, const std::vector<BridgePlan>& plans, const std::string& sentence) {
  const Manifest manifest(in.env);
  const bool is_dry_run = in.args.has("--dry-run");
  if (in.args.has("--json")) {
    in.console.out(plans_json(plans, manifest, is_dry_run).dump(JsonStyle::Pretty) + "\n");
    return kOk;
  }
  if (!is_dry_run) in.console.out(sentence + "\n");
  for (const BridgePlan& plan : plans) {
    for (const FileChange& file : plan.files) {
      in.console.out(is_dry_run ? text::line_diff(file.path, file.before.value_or(""), file.after.value_or(""))
                                : file_lines(file, manifest));
    }
    for (const std::string& note : plan.notes) in.console.out("note: " + printable(note) + "\n");
  }
  return kOk;
}

// Everything but a system error can be put right by the user: a changed file, a wrong scope, broken settings.
int report_bridge_error(Invocation& in, const Error& error) {
  Error shown = error;
  if (shown.at) shown.at->file = short_path(shown.at->file);
  in.console.say(printable(shown.to_string()));
  return error.code == Errc::System ? kInternal : kBadUsage;
}

}  // namespace grapnel::cli
