#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/error.h"
#include "grapnel/project.h"

#include "base/environment.h"

/// Which variables an installed bridge believes.
///
/// Agents load `.env` and the `env` of a project's settings into their own environment, so whatever a variable says to
/// `grapnel fire --bridge` may come from a repository. `grapnel install` notes the values that hold for the person, in
/// a private file below the account's own home directory; `fire --bridge` uses these, and tells people about others.
/// All other commands are started by people, and hear the environment as it is.
///
///   kVariables     what each variable can do, and what the bridge does with it
///   note_places    what `install` notes
///   believed       what `fire --bridge` makes of its environment
namespace grapnel::cli {

/// What the bridge does with a variable.
enum class Belief : uint8_t {
  Noted,   ///< it has the value that was noted, or none
  Same,    ///< it is dropped unless its value is the one that was noted
  Never,   ///< it is dropped
  Anyway,  ///< it is heard as it is: it can weaken nothing
};

/// One variable, or all that begin with a text.
struct BridgeVariable {
  std::string_view name;
  Belief belief;
  bool is_told = false;    ///< people are told if its value is not used
  bool is_prefix = false;  ///< stands for all variables that begin so
};

std::span<const BridgeVariable> known_variables();

/// The environment to use, and what people have to be told about it.
struct Believed {
  Environment env;
  std::vector<std::string> unused;  ///< names of variables whose values are not used
  std::string noted_path;           ///< PATH as it was noted
  std::string account_home;         ///< under which the notes are
};

/// The file with the noted values, below the home directory of the account.
std::string noted_places_file(const std::string& account_home);

/// Notes the values of this environment as those of the person. Values for another home directory stay noted. Fails:
/// Refused when the file is not private, System.
Result<void> note_places(const Environment& env, const std::string& account_home);

/// What the bridge believes of an environment.
Believed believed(const Environment& said, const std::string& account_home);

/// Takes directories of the project, and relative ones, out of PATH, unless they were noted. What was noted, and the
/// directories of the system's programs, are in it in any case.
void leave_project_out_of_path(Believed& believed, const ProjectDirs& project);

/// The sentence for people about values that are not used; "" if all are.
std::string told_about(const std::vector<std::string>& unused);

}  // namespace grapnel::cli
