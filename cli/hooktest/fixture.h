#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "grapnel/engine.h"

#include "model/registry.h"

/// Tests of hooks: a file says which events happen and what must come of them (docs/testing-hooks.md).
///
///   fixture.h        a `*.hooktest.yaml` file → cases
///   find_fixtures.h  which files, and the project of each
///   scratch.h        a temporary project and home for one case
///   run_case.h       cases → results, with an engine like the one of `grapnel fire`
///   expectation.h    compares the outcome with the expectations
///   update.h         writes what really happened into the file
///   report.h         results as text, TAP, JUnit XML, JSON
///
///   file  ::= { version: 1, project?, copy?, setup…, cases: [case…] }
///   case  ::= { name, setup…, step | steps: [step…] }
///   setup ::= files?, env?, hooks?, answers?          a case adds its own to that of the file
///   step  ::= { name?, event?, as?, input?, expect? }
namespace grapnel::cli {

/// One thing that must be true, and where the file says so.
struct Expectation {
  std::string name;  ///< `verdict`, `hooks.guard`
  Json want;
  SourcePos at;  ///< the place of its key
};

/// One event and what is expected of it.
struct Step {
  std::string name;  ///< "" when it is the only step
  std::string event;
  std::string dialect;
  std::string input;  ///< the payload, JSON
  std::vector<Expectation> expect;
  SourcePos at;
};

/// A file to create in the scratch project, or in the scratch home if its path starts with `~/`.
struct ScratchFile {
  std::string content;
  std::string symlink;  ///< the target if it is a link, or ""
  mode_t mode = 0644;
};

/// Everything around an event.
struct Setup {
  std::map<std::string, ScratchFile> files;
  std::map<std::string, std::string> env;
  std::optional<std::vector<HookConfig>> hooks;  ///< replace the project's hooks; paths are relative to the test file
  std::optional<std::string> model_answer;       ///< the model's answer to `prompt` and `agent` hooks
  std::optional<HttpHookReply> server_answer;    ///< the reply that `http` hooks get
};

/// One test: a setup, and one or more events in it.
struct Case {
  std::string name;
  Setup setup;
  std::vector<Step> steps;
  SourcePos at;
};

/// A test file.
struct Fixture {
  std::string path;
  std::string text;
  std::string project;            ///< relative to the file's directory, or ""
  std::vector<std::string> copy;  ///< the parts of the project that are needed; empty: all of it
  std::vector<Case> cases;
};

/// A test file as it was read, and its mistakes.
struct FixtureReading {
  Fixture fixture;
  std::vector<ConfigProblem> problems;  ///< if there are any, the fixture must not be used
};

/// Reads a test file. It never fails: mistakes are in the problems.
FixtureReading read_fixture(std::string path, std::string text);

/// The JSON Schema of test files.
Json fixture_schema();

/// What a test can expect: a row for each key of `expect`.
enum class Comparison : uint8_t { Word, Text, Flag, Value, Fates };
struct ExpectationRow {
  std::string_view name;
  Comparison comparison;
  std::string_view about;
};
std::span<const ExpectationRow> expectation_rows();

}  // namespace grapnel::cli
