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
#include "cli/for_people.h"

/// The `grapnel` command: a table of verbs.
///
/// A verb is one row: its name, its help text, the options it takes, and the function that runs it.
/// The parser, the help texts and the shell completions read the same rows, so they cannot disagree. The parser only
/// ever sees the options of the verb that was chosen.
///
///   main.cc          the table, and the way from the command line to a verb
///   verbs/<verb>.cc  one verb each
///   arguments.h      words of the command line → values
///   event_input.h    reads an event from standard input or a file
///   hook_source.h    which hooks a verb works with: files, project, dialect
///   console.h        standard output and standard error
namespace grapnel::cli {

/// The exit status of a verb. `fire --as` is the exception: it ends with the status that its agent expects.
enum ExitStatus : int {
  kOk = 0,
  kNo = 1,        ///< the answer is no: denied, problems found, not trusted
  kBadUsage = 2,  ///< usage or input error; nothing was changed
  kInternal = 3,
  kGateOpened = 4,  ///< hooks still object, but they closed the gate too often in one turn, so it opened
};

/// Everything that a verb gets from its caller.
struct Invocation {
  const Arguments& args;
  Console& console;
  const Environment& env;
  std::span<const std::string> words;  ///< the words after the verb, unparsed; helper programs get them
};

/// One verb: a row of the table.
struct Command {
  std::string_view name;
  std::string_view summary;  ///< one line
  std::string_view about;    ///< one paragraph
  std::span<const ArgumentRow> arguments;
  std::span<const OptionRow> options;
  std::string_view examples;
  int (*run)(Invocation& in);
  /// Who may use the verb with these options; null: everybody.
  ForPeople (*for_people)(const Arguments& args) = nullptr;
};

/// Every verb, in the order in which the help shows them.
std::span<const Command* const> all_commands();

extern const Command kAgent;
extern const Command kFire;
extern const Command kFleet;
extern const Command kList;
extern const Command kCheck;
extern const Command kExplain;
extern const Command kAdd;
extern const Command kInit;
extern const Command kRemove;
extern const Command kUpdate;
extern const Command kNew;
extern const Command kAgents;
extern const Command kInstall;
extern const Command kUninstall;
extern const Command kConvert;
extern const Command kSchema;
extern const Command kEnable;
extern const Command kDisable;
extern const Command kApprove;
extern const Command kTrust;
extern const Command kUntrust;
extern const Command kLog;
extern const Command kStats;
extern const Command kWhy;
extern const Command kTest;
extern const Command kRecord;
extern const Command kDoctor;
extern const Command kStatus;
extern const Command kCompletion;
extern const Command kServe;
extern const Command kBench;
extern const Command kMcp;
extern const Command kUi;

/// What `grapnel --help` and `grapnel VERB --help` print.
std::string overview_text(std::span<const Command* const> commands, const Console& console);
std::string help_text(const Command& command, const Console& console);

/// Prints an error and returns `kBadUsage`. `report_input` is for input that cannot be used; `report_usage` is for a
/// wrong command line and also points to the help of the verb ("" when no verb was recognised).
int report_input(Console& console, std::string_view message);
int report_usage(Console& console, std::string_view verb, std::string_view message);

/// Runs a verb, or prints its help when `--help` is given.
int run_verb(const Command& command, Invocation in);

/// The first thing that each of our programs does: it makes sure that the standard descriptors are open, and that it
/// survives when a reader closes the pipe. Returns the words of the command line, without the program's name.
std::vector<std::string> begin_program(int argc, char** argv);

/// Runs the body of a program and returns its exit status. Returns nothing when the body threw or its output could not
/// be written; an error is printed in both cases. A reader that has seen enough (`| head -1`) is no error. If the words
/// of the command line ask for `--json`, there is JSON in any case: an error that left nothing else to print is an
/// object, see docs/json.md.
std::optional<int> run_guarded(Console& console, std::span<const std::string> words, const std::function<int()>& body);

}  // namespace grapnel::cli
