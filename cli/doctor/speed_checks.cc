#include <map>

#include "cli/doctor/doctor.h"
#include "cli/helper_program.h"
#include "cli/hook_text.h"
#include "cli/journal_commands.h"
#include "cli/warm_text.h"
#include "os/files.h"
#include "record/chain.h"

namespace grapnel::cli {

namespace {

/// A hook that is faster is not worth a word, and fewer runs say little.
constexpr std::chrono::milliseconds kSlow{10};
constexpr int64_t kFewRuns = 20;

/// What the journal knows about one hook of this week.
struct Timing {
  int64_t runs = 0;
  std::chrono::microseconds median{0};
};

/// By hook. Empty if there are no records, or if nobody can read them here.
std::map<std::string, Timing> timings(const Environment& env) {
  constexpr std::chrono::milliseconds kPatience{10000};
  std::map<std::string, Timing> out;
  if (!os::stamp(env.state_dir() + std::string(kRecordFile))) return out;
  auto answer = run_helper_program(env, kJournalProgram, {"stats", "--since", "7d", "--json"}, kPatience);
  const Json stats = answer ? Json::parse(std::move(*answer)).value_or(Json()) : Json();
  for (const Json& hook : stats["hooks"].elements()) {
    out[hook["name"].as_string().value_or("")] = {hook["runs"].as_integer().value_or(0),
                                                  std::chrono::microseconds(hook["p50_us"].as_integer().value_or(0))};
  }
  return out;
}

std::string milliseconds_text(std::chrono::microseconds time) {
  return std::to_string(std::chrono::round<std::chrono::milliseconds>(time).count()) + " ms";
}

}  // namespace

// The journal tells how long people waited for each hook; most of that is usually the start of an interpreter.
void check_speed(const DoctorContext& patient, Findings& findings) {
  std::optional<std::map<std::string, Timing>> known;
  for (const HookSpec& hook : patient.registry.hooks) {
    if (hook.command() == nullptr || !hook.enabled || hook.trust == Trust::Untrusted) continue;
    const std::string cold = why_always_cold(hook, patient.project, patient.env);
    if (hook.warm && !cold.empty()) {
      findings.push_back({"speed", Severity::Warning, "hook '" + hook.name + "' is marked warm and always runs cold",
                          hook.source, cold, "change the hook, or remove `warm`"});
    }
    if (hook.warm || !cold.empty()) continue;
    if (!known) known = timings(patient.env);
    const Timing& timing = (*known)[hook.name];
    if (timing.runs < kFewRuns || timing.median < kSlow) continue;
    const std::string lost = given_up_text(*hook.dialect);
    findings.push_back({"speed", Severity::Note,
                        "hook '" + hook.name + "' took " + milliseconds_text(timing.median) + " (the median of " +
                            std::to_string(timing.runs) + " runs this week)",
                        hook.source,
                        "most of that may be the start of its program, which could be over before the event",
                        "let `grapnel serve` run, and write `warm: ['" + hook.name +
                            "']` into ~/.config/grapnel/settings.yaml if the program reads its input before all else" +
                            (lost.empty() ? "" : "; it then runs without " + lost)});
  }
}

}  // namespace grapnel::cli
