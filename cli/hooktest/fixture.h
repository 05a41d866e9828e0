#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "grapnel/engine.h"

#include "model/registry.h"

/// Tests of hooks: a file says which events come and what shall become of them (docs/testing-hooks.md).
///
///   fixture.h        a `*.hooktest.yaml` file → cases
///   find_fixtures.h  which files, and the project each is about
///   scratch.h        a project and a home that go with their case
///   run_case.h       cases → results, by an engine like that of `grapnel fire`
///   expectation.h    does it hold?
///   update.h         the file with what really happened in place of what was expected
///   report.h         results as text, TAP, JUnit XML, JSON
///
///   file  ::= { version: 1, project?, copy?, setup…, cases: [case…] }
///   case  ::= { name, setup…, step | steps: [step…] }
///   setup ::= files?, env?, hooks?, answers?          a case's own on top of its file's
///   step  ::= { name?, event?, as?, input?, expect? }
namespace grapnel::cli {

/// One thing that shall hold, and where the file says so.
struct Expectation {
  std::string name;  ///< `verdict`, `hooks.guard`
  Json want;
  SourcePos at;  ///< of its key
};

/// One event and what shall become of it.
struct Step {
  std::string name;  ///< "" when there is one only
  std::string event;
  std::string dialect;
  std::string input;  ///< the payload, JSON
  std::vector<Expectation> expect;
  SourcePos at;
};

/// A file to be made in the scratch project, or below `~/` in the scratch home.
struct ScratchFile {
  std::string content;
  std::string symlink;  ///< what it is a link to, or ""
  mode_t mode = 0644;
};

/// What is around an event.
struct Setup {
  std::map<std::string, ScratchFile> files;
  std::map<std::string, std::string> env;
  std::optional<std::vector<HookConfig>> hooks;  ///< instead of the project's; relative paths are in its directory
  std::optional<std::string> model_answer;       ///< what `prompt` and `agent` hooks are told
  std::optional<HttpHookReply> server_answer;    ///< what `http` hooks are told
};

struct Case {
  std::string name;
  Setup setup;
  std::vector<Step> steps;
  SourcePos at;
};

struct Fixture {
  std::string path;
  std::string text;
  std::string project;            ///< relative to the file's directory, or ""
  std::vector<std::string> copy;  ///< what of the project is needed; empty: all of it
  std::vector<Case> cases;
};

struct FixtureReading {
  Fixture fixture;
  std::vector<ConfigProblem> problems;  ///< any: the fixture must not be used
};

/// The fixture in a text. Never fails: what is wrong is in the problems.
FixtureReading read_fixture(std::string path, std::string text);

/// The JSON Schema of such files.
Json fixture_schema();

/// What may be expected.
enum class Comparison : uint8_t { Word, Text, Flag, Value, Fates };
struct ExpectationRow {
  std::string_view name;
  Comparison comparison;
  std::string_view about;
};
std::span<const ExpectationRow> expectation_rows();

}  // namespace grapnel::cli
