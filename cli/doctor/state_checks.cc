#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include <sys/stat.h>

#include "base/shell_word.h"
#include "base/text.h"
#include "cli/doctor/doctor.h"
#include "cli/hook_text.h"
#include "dialect/dialect.h"
#include "os/files.h"
#include "os/resolve.h"
#include "record/lost_records.h"
#include "trust/trust_store.h"

namespace grapnel::cli {

namespace {

/// A larger file of records is not read for this check.
constexpr size_t kMaxRecords = size_t{64} << 20;

/// What is wrong with the records: lines that are not JSON, and lost records that a later record mentions.
struct RecordCount {
  size_t bad_lines = 0;
  uint32_t first_bad = 0;
  int64_t lost = 0;
};

/// Counts bad lines and lost records in the text of a record file.
RecordCount count_records(const std::string& content) {
  RecordCount out;
  uint32_t number = 0;
  for (const std::string_view line : text::split(content, '\n')) {
    ++number;
    if (line.empty()) continue;
    const auto record = Json::parse(std::string(line));
    if (record && record->is_object()) {
      out.lost += (*record)["lost_before"].as_integer().value_or(0);
    } else if (out.bad_lines++ == 0) {
      out.first_bad = number;
    }
  }
  return out;
}

}  // namespace

// The same problems as in `grapnel check`, so that one command shows everything that is wrong.
void check_configuration(const DoctorContext& patient, Findings& findings) {
  for (const ConfigProblem& problem : patient.registry.problems) {
    const bool is_error = problem.severity == ConfigProblem::Severity::Error;
    const bool is_whole_file = std::ranges::any_of(
        patient.registry.broken, [&](const BrokenFile& file) { return file.at.file == problem.at.file; });
    const std::string lost = is_whole_file ? "nothing of this file, as it is now, is used"
                                           : "this entry is left out; the rest of the file is used";
    findings.push_back({"configuration", is_error ? Severity::Error : Severity::Warning, problem.message, problem.at,
                        is_error ? lost : "",
                        problem.hint.empty() ? "run `grapnel check` to see the line" : problem.hint});
  }
}

void check_switched_off(const DoctorContext& patient, Findings& findings) {
  for (const HookSpec& hook : patient.registry.hooks) {
    if (hook.enabled) continue;
    findings.push_back({"switches", Severity::Note, "hook '" + hook.name + "' is switched off", hook.source,
                        "its own file, a file with higher priority or `grapnel disable` switched it off",
                        "run `grapnel enable " + shell_word(hook.name) + "`"});
  }
}

// A store that others can write cannot be believed; the engine then treats all project hooks as untrusted, so listing
// every single one would only hide the cause.
void check_trust(const DoctorContext& patient, Findings& findings) {
  const std::string path = patient.state_dir + "/trust.json";
  if (const auto trusted = TrustStore(path).trusted(patient.project); !trusted) {
    findings.push_back(
        {"trust",
         Severity::Error,
         "the trust store cannot be used: " + trusted.error().message,
         {path, 0, 0},
         "whoever can write it decides what runs on this machine, so no project's hooks run",
         "find out who changed it; then run `chmod 600 " + shell_word(path) + "`, or remove it and trust again"});
    return;
  }
  for (const HookSpec& hook : patient.registry.hooks) {
    if (hook.trust != Trust::Untrusted) continue;
    findings.push_back({"trust", Severity::Warning, "hook '" + hook.name + "' is not trusted: it is skipped",
                        hook.source, "it came with the project, or it or its script changed since you trusted it",
                        "run `grapnel trust`, which shows it first"});
  }
}

void check_journal(const DoctorContext& patient, Findings& findings) {
  const std::string path = patient.state_dir + "/records.jsonl";
  struct stat info{};
  // Before the first event there is no state directory, and nothing is wrong with that.
  if (::stat(patient.state_dir.c_str(), &info) != 0) return;
  // The file need not exist yet; then it is enough that it can be created.
  const bool can_write = ::access(patient.state_dir.c_str(), W_OK | X_OK) == 0 &&
                         (::access(path.c_str(), F_OK) != 0 || ::access(path.c_str(), W_OK) == 0);
  if (!can_write) {
    findings.push_back({"journal",
                        Severity::Error,
                        "the journal cannot be written",
                        {path, 0, 0},
                        "hooks still run and decide, but you cannot find out later what happened",
                        "give yourself write permission in " + patient.state_dir});
  }
  // Lost records are noted in a file of their own. If not even that could be written, the next record that could be
  // written has their number, in its member "lost_before".
  if (const LostReport lost = read_lost(patient.state_dir); lost.count > 0) {
    findings.push_back({"journal",
                        Severity::Warning,
                        count_text(lost.count, "record") + " lost since " + time_text(lost.since),
                        {path, 0, 0},
                        lost.why,
                        "make sure that " + path + " can be written"});
  }
  const auto content = os::read_file(path, kMaxRecords);
  if (!content) return;
  const RecordCount count = count_records(*content);
  if (count.bad_lines > 0) {
    findings.push_back({"journal",
                        Severity::Warning,
                        count_text(count.bad_lines, "line") + " of the records cannot be read",
                        {path, count.first_bad, 1},
                        "these events are missing in `log`, `why` and `stats`",
                        "run `grapnel log --verify` to see what was removed or changed"});
  }
  if (count.lost > 0) {
    findings.push_back({"journal",
                        Severity::Warning,
                        count_text(static_cast<size_t>(count.lost), "record") + " could not be written",
                        {path, 0, 0},
                        "the disk was full or read-only at that time",
                        "make room in " + patient.state_dir});
  }
}

// Only reported if a hook needs a model. One finding is enough, at the first of these hooks.
void check_models(const DoctorContext& patient, Findings& findings) {
  const auto asks_model = [](const HookSpec& hook) {
    return std::holds_alternative<PromptHandler>(hook.handler) || std::holds_alternative<AgentHandler>(hook.handler);
  };
  const auto hook = std::ranges::find_if(patient.registry.hooks, asks_model);
  if (hook == patient.registry.hooks.end()) return;
  const std::string path = patient.program_dir + ":" + std::string(patient.env.get("PATH"));
  if (!os::find_executable("grapnel-agent", path, ".")) {
    findings.push_back({"models", Severity::Error, "hooks that ask a model need grapnel-agent, which is not installed",
                        hook->source, "these hooks fail every time", "install it in the same directory as grapnel"});
  }
  // Any key will do here: which provider is used is decided when a hook asks.
  const bool has_key = std::ranges::any_of(patient.env.entries(), [](const std::string& entry) {
    return name_of_entry(entry).ends_with("_API_KEY") && !value_of_entry(entry).empty();
  });
  if (has_key) return;
  findings.push_back({"models", Severity::Error, "no model is set up for hooks that ask one", hook->source,
                      "these hooks fail every time",
                      "set the environment variable with your model's key (docs/models.md)"});
}

}  // namespace grapnel::cli
