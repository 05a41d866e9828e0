#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/error.h"
#include "grapnel/project.h"

#include "base/environment.h"
#include "bridge/manifest.h"
#include "cli/command.h"
#include "model/registry.h"

/// `grapnel doctor`: finds what keeps hooks from working although their files are correct.
///
/// Each check looks for one kind of trouble and adds its findings; `all_checks` is the table of checks. Nothing is
/// changed. Of the user's programs only shells are started, with a command that does nothing, to find out whether they
/// print something at startup.
///
///   command_checks.cc   programs, interpreters, scripts, relative paths
///   script_checks.cc    exit codes and pipelines that do not block although they are meant to
///   agent_checks.cc     agents that do not call Grapnel, the same hook twice
///   bridge_checks.cc    the entries that `grapnel install` wrote into agents' settings
///   pack_checks.cc      packs that are not what was added
///   sandbox_check.cc    what this machine can do about hooks that get away
///   speed_checks.cc     hooks that people wait for longer than they need to
///   state_checks.cc     journal, trust, switches, models
///   build_check.cc      what this build lacks
///
/// A new check is a function here and a row in checks.cc.
namespace grapnel::cli {

/// Larger scripts are not read.
inline constexpr size_t kMaxScript = size_t{4} << 20;

/// Everything that the checks examine.
struct DoctorContext {
  const Environment& env;
  std::string project;  ///< with links resolved
  std::string state_dir;
  std::string program_dir;  ///< the directory of this program and its helper programs
  Registry registry;
};

/// The hooks that apply in a project, with those of the user and the administrator. Hooks of the project are included
/// whether they are trusted or not, and hooks that `grapnel disable` switched off are marked.
Registry registry_of(const Invocation& in, const ProjectDirs& project);

enum class Severity : uint8_t { Error, Warning, Note };
std::string_view to_string(Severity severity);

/// One problem, or something worth knowing. `what` is wrong, `why` it matters, and how to `fix` it are sentences for
/// people.
struct Finding {
  std::string_view check;  ///< the name of the check, for scripts that read JSON
  Severity severity = Severity::Error;
  std::string what;
  SourcePos at;
  std::string why;
  std::string fix;
};
using Findings = std::vector<Finding>;

/// A row of the table.
struct Check {
  std::string_view name;
  void (*look)(const DoctorContext& patient, Findings& findings);
};
std::span<const Check> all_checks();

/// The command that makes the agent of a bridge call Grapnel again.
std::string install_command(const Installed& bridge);

void check_configuration(const DoctorContext& patient, Findings& findings);
void check_programs(const DoctorContext& patient, Findings& findings);
void check_guards(const DoctorContext& patient, Findings& findings);
void check_shells(const DoctorContext& patient, Findings& findings);
void check_duplicates(const DoctorContext& patient, Findings& findings);
void check_agents(const DoctorContext& patient, Findings& findings);
void check_bridges(const DoctorContext& patient, Findings& findings);
void check_switched_off(const DoctorContext& patient, Findings& findings);
void check_packs(const DoctorContext& patient, Findings& findings);
void check_sandboxes(const DoctorContext& patient, Findings& findings);
void check_trust(const DoctorContext& patient, Findings& findings);
void check_journal(const DoctorContext& patient, Findings& findings);
void check_speed(const DoctorContext& patient, Findings& findings);
void check_models(const DoctorContext& patient, Findings& findings);
void check_build(const DoctorContext& patient, Findings& findings);
void check_fleet(const DoctorContext& patient, Findings& findings);

/// The first program that a command hook starts, found without running anything.
struct Start {
  std::string program;       ///< as it is written, with variables for the project filled in
  std::string program_path;  ///< its full path, or "" when it does not exist
  std::string script;        ///< the script that an interpreter gets, as it is written, or ""
  std::string script_path;   ///< the full path of the script, or of a program that may be a script itself; or ""
  bool is_known = false;     ///< false: only a running shell knows what is started
  bool is_direct = false;    ///< the program is started by its path, without an interpreter
  bool is_relative = false;  ///< the path is relative to the working directory
};
Start start_of(const HookSpec& hook, const DoctorContext& patient);

/// What keeps the command of a hook from being started, whatever the machine: a path that leads nowhere, a script that
/// is not executable or whose interpreter is missing, a misspelled interpreter. Programs that are only not installed
/// here are not among these.
Findings check_start(const HookSpec& hook, const DoctorContext& patient);

/// Whether a hook may be meant to stop something: it listens to an event that can be denied, and the agent waits for
/// it.
bool is_guard(const HookSpec& hook);

}  // namespace grapnel::cli
