#include "cli/doctor/doctor.h"

#include <algorithm>
#include <filesystem>

#include "cli/command.h"
#include "cli/display_width.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/project_hooks.h"

namespace grapnel::cli {

namespace {

// The verb only collects what the checks need, runs them in order and prints their findings. The checks themselves are
// in cli/doctor.

constexpr auto kDoctorOptions = std::to_array<OptionRow>({
    kJsonOption,
    {"--project", "-p", "DIR",
     "the project whose hooks are checked (default: found upwards from the current directory)", ValueKind::Directory},
});

/// Collects everything that the checks examine. Hooks of the project are included whether they are trusted or not.
Result<DoctorContext> find_patient(const Invocation& in) {
  const auto project = project_dirs(in);
  if (!project) return std::unexpected(project.error());
  std::error_code error;
  DoctorContext patient{in.env,
                        canonical_directory(project->root),
                        in.env.state_dir(),
                        std::filesystem::read_symlink("/proc/self/exe", error).parent_path().string(),
                        {}};
  patient.registry = registry_of(in, *project);
  return patient;
}

Style style_of(Severity severity) {
  return severity == Severity::Error ? Style::Red : severity == Severity::Warning ? Style::Yellow : Style::Dim;
}

/// The width of `  why: `.
constexpr size_t kDoctorIndent = 7;

/// A finding for people: what is wrong, why it matters, and how to fix it.
std::string finding_block(const Finding& finding, const Console& console) {
  const std::string place = place_text(finding.at);
  std::string out = place.empty() ? "" : console.styled(Style::Bold, place) + ": ";
  const std::string severity = std::string(to_string(finding.severity)) + ": ";
  const auto wrapped = [&](std::string_view text) {
    return wrap_words(printable(text), kDoctorIndent, console.width()) + "\n";
  };
  // The first line is not wrapped: editors find the place in it.
  out += console.styled(style_of(finding.severity), severity) + printable(finding.what) + "\n";
  if (!finding.why.empty()) out += "  why: " + wrapped(finding.why);
  return out + "  fix: " + wrapped(finding.fix) + "\n";
}

Json finding_json(const Finding& finding) {
  return Json::object({{"check", Json::string(finding.check)},
                       {"severity", Json::string(to_string(finding.severity))},
                       {"what", Json::string(finding.what)},
                       {"at", finding.at.file.empty() ? Json() : to_json(finding.at)},
                       {"why", finding.why.empty() ? Json() : Json::string(finding.why)},
                       {"fix", Json::string(finding.fix)}});
}

int run_doctor(Invocation& in) {
  const auto patient = find_patient(in);
  if (!patient) return report_input(in.console, patient.error().message);
  Findings findings;
  for (const Check& check : all_checks()) check.look(*patient, findings);
  // Errors come first; within one severity the order of the checks stays.
  std::ranges::stable_sort(findings, {}, &Finding::severity);
  // Notes are worth knowing, but nothing is wrong.
  const auto wrong = static_cast<size_t>(
      std::ranges::count_if(findings, [](const Finding& finding) { return finding.severity != Severity::Note; }));
  if (in.args.has("--json")) {
    std::vector<Json> list;
    for (const Finding& finding : findings) list.push_back(finding_json(finding));
    in.console.out(Json::object({{"ok", Json::boolean(wrong == 0)},
                                 {"project", Json::string(patient->project)},
                                 {"findings", Json::array(list)}})
                       .dump(JsonStyle::Pretty) +
                   "\n");
    return wrong == 0 ? kOk : kNo;
  }
  for (const Finding& finding : findings) in.console.out(finding_block(finding, in.console));
  const std::string looked = count_text(patient->registry.hooks.size(), "hook");
  in.console.out(wrong == 0 ? "No problems; checked " + looked + ".\n"
                            : count_text(wrong, "problem") + "; checked " + looked + ".\n");
  return wrong == 0 ? kOk : kNo;
}

}  // namespace

const Command kDoctor{
    .name = "doctor",
    .summary = "find what keeps hooks from working",
    .about =
        "Checks every configured hook and everything around it: programs and scripts that do not exist or cannot be "
        "started, paths that break, guards that cannot deny, shells that print at startup, hooks that run twice, "
        "agents that do not call Grapnel, the trust store, the journal. Each finding says where it is, why it "
        "matters, and what to do. Nothing is changed, and no hook is run. The exit status is 1 when something is "
        "wrong; notes do not count.",
    .arguments = {},
    .options = kDoctorOptions,
    .examples = R"(  grapnel doctor
  grapnel doctor --project ~/src/app
  grapnel doctor --json | jq -r '.findings[] | .what'
)",
    .run = run_doctor,
};

}  // namespace grapnel::cli
