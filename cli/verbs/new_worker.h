#pragma once

#include <string>
#include <vector>

#include "grapnel/error.h"

#include "cli/verbs/new_rule.h"

/// Workers to fill in, for `grapnel new --worker`: a program that answers events, line by line, with a function that
/// judges one of them, and a test of it.
namespace grapnel::cli {

/// A file to write, relative to the directory of the rule file.
struct WorkerFile {
  std::string name;
  std::string text;
  bool is_program = false;
};

struct NewWorker {
  std::string command;            ///< for `worker:` in the rule
  std::vector<WorkerFile> files;  ///< the program comes first
};

/// The worker of a rule in `python`, `node` or `sh`. A test comes with it if the rule is about shell commands. Fails:
/// BadInput for another language.
Result<NewWorker> new_worker(const NewRule& rule, const std::string& language);

}  // namespace grapnel::cli
