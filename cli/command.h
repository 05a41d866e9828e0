#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/environment.h"
#include "base/joined.h"
#include "cli/arguments.h"
#include "cli/console.h"

/// The `grapnel` command: a table of verbs.
///
/// A verb is one row: its name, what `--help` says about it, which options it takes, and the function that does it.
/// The parser, the help texts and the shell completions read the same rows, so they cannot disagree. Only the options
/// of the verb that was chosen are ever handed to the parser.
///
///   main.cc          the table and the way into it
///   cmd_<verb>.cc    one verb each
///   arguments.h      words of the command line → values
///   event_input.h    an event from stdin or a file
///   hook_source.h    which hooks are meant: files, project, dialect
///   console.h        what is printed, and how
namespace grapnel::cli {

/// How a verb ends. `fire --as` is the exception: it ends as its agent's table says.
enum ExitStatus : int {
  kOk = 0,
  kNo = 1,        ///< the answer is no: denied, problems found, not trusted
  kBadUsage = 2,  ///< usage or input error; nothing was changed
  kInternal = 3,
};

/// What a verb works with.
struct Invocation {
  const Arguments& args;
  Console& console;
  const Environment& env;
  std::span<const std::string> words;  ///< of the verb, as they were given
};

struct Command {
  std::string_view name;
  std::string_view summary;  ///< one line
  std::string_view about;    ///< one paragraph
  std::span<const ArgumentRow> arguments;
  std::span<const OptionRow> options;
  std::string_view examples;
  int (*run)(Invocation& in);
};

/// Every verb, in the order in which help shows them.
std::span<const Command* const> all_commands();

extern const Command kAgent;
extern const Command kFire;
extern const Command kList;
extern const Command kCheck;
extern const Command kExplain;
extern const Command kNew;
extern const Command kAgents;
extern const Command kInstall;
extern const Command kUninstall;
extern const Command kConvert;
extern const Command kSchema;
extern const Command kEnable;
extern const Command kDisable;
extern const Command kTrust;
extern const Command kUntrust;
extern const Command kLog;
extern const Command kStats;
extern const Command kWhy;
extern const Command kTest;
extern const Command kRecord;
extern const Command kDoctor;
extern const Command kCompletion;
extern const Command kServe;

/// What `grapnel --help` and `grapnel VERB --help` print.
std::string overview_text(std::span<const Command* const> commands, const Console& console);
std::string help_text(const Command& command, const Console& console);

/// Says what cannot be used of what was given, or what is wrong with how a verb ("" for none) was called.
int report_input(Console& console, std::string_view message);
int report_usage(Console& console, std::string_view verb, std::string_view message);

/// Runs a verb, or prints its help when that is asked for.
int run_verb(const Command& command, Invocation in);

/// What every program does first: it keeps the standard descriptors taken, and it survives readers that go away.
/// Returns the words of its command line.
std::vector<std::string> begin_program(int argc, char** argv);

/// The body of a program. Nothing when it threw or what it printed could not be written; that is said then.
std::optional<int> run_guarded(Console& console, const std::function<int()>& body);

}  // namespace grapnel::cli
