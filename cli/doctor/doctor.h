#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/error.h"

#include "base/environment.h"
#include "model/registry.h"

/// `grapnel doctor`: what keeps hooks from working although their files are right.
///
/// A check looks at one kind of trouble and adds what it finds; `all_checks` is the table. Nothing is changed, and of
/// the user's programs only shells are started, without a command, to hear whether they print something by themselves.
///
///   command_checks.cc   programs, interpreters, scripts, relative paths
///   script_checks.cc    what a script says that will not do what it is meant to
///   agent_checks.cc     agents' settings and Grapnel, the same hook twice
///   bridge_checks.cc    what `grapnel install` wrote into agents' settings
///   state_checks.cc     journal, trust, switches, models, this build
namespace grapnel::cli {

/// Nothing beyond this many bytes of a script is read.
inline constexpr size_t kMaxScript = size_t{4} << 20;

/// What is looked at.
struct DoctorContext {
  const Environment& env;
  std::string project;  ///< by its true name
  std::string state_dir;
  std::string program_dir;  ///< where this program lies, with its siblings
  Registry registry;
};

enum class Severity : uint8_t { Error, Warning, Note };
std::string_view to_string(Severity severity);

/// Something that is wrong, or worth knowing.
struct Finding {
  std::string_view check;  ///< its name, for those who read JSON
  Severity severity = Severity::Error;
  std::string what;
  SourcePos at;
  std::string why;
  std::string fix;
};
using Findings = std::vector<Finding>;

struct Check {
  std::string_view name;
  void (*look)(const DoctorContext& patient, Findings& findings);
};
std::span<const Check> all_checks();

void check_configuration(const DoctorContext& patient, Findings& findings);
void check_programs(const DoctorContext& patient, Findings& findings);
void check_guards(const DoctorContext& patient, Findings& findings);
void check_shells(const DoctorContext& patient, Findings& findings);
void check_duplicates(const DoctorContext& patient, Findings& findings);
void check_agents(const DoctorContext& patient, Findings& findings);
void check_bridges(const DoctorContext& patient, Findings& findings);
void check_switched_off(const DoctorContext& patient, Findings& findings);
void check_trust(const DoctorContext& patient, Findings& findings);
void check_journal(const DoctorContext& patient, Findings& findings);
void check_models(const DoctorContext& patient, Findings& findings);
void check_build(const DoctorContext& patient, Findings& findings);

/// What a command hook starts first.
struct Start {
  std::string program;       ///< as it is written, with the project in place of its variables
  std::string program_path;  ///< where it is, or ""
  std::string script;        ///< what an interpreter is given, as it is written, or ""
  std::string script_path;   ///< where that is, or ""; of a program that is a script itself the program
  bool is_known = false;     ///< false: only the running shell knows
  bool is_direct = false;    ///< the program is the script
  bool is_relative = false;  ///< found from the working directory
};
Start start_of(const HookSpec& hook, const DoctorContext& patient);

/// Whether a hook may be meant to stop something: it listens to an event that can be denied, and waits.
bool is_guard(const HookSpec& hook);

}  // namespace grapnel::cli
