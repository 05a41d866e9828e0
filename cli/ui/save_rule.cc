#include "cli/ui/save_rule.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/text.h"
#include "cli/helper_program.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/init/job_plan.h"
#include "cli/journal/journal_verbs.h"
#include "cli/rule_of_ask.h"
#include "cli/ui/gate.h"
#include "cli/ui/replay.h"
#include "discover/formats/frontmatter.h"
#include "discover/formats/rule_file.h"
#include "os/files.h"

namespace grapnel::cli {

namespace {

constexpr std::chrono::seconds kCheckPatience{30};
constexpr size_t kMaxTests = 50;

/// A file that the engine can check, because it looks at the name. It goes with the object.
class ScratchRules {
 public:
  ScratchRules(const Environment& env, const std::string& yaml)
      : path_(env.runtime_dir() + "/ui-" + random_hex(16) + ".yaml") {
    written_ = os::make_parent_dirs(path_, 0700);
    if (written_) written_ = os::write_file_atomic(path_, yaml, 0600);
  }
  ScratchRules(const ScratchRules&) = delete;
  ScratchRules& operator=(const ScratchRules&) = delete;
  ~ScratchRules() { ::unlink(path_.c_str()); }

  const std::string& path() const { return path_; }
  const Result<void>& written() const { return written_; }

 private:
  std::string path_;
  Result<void> written_;
};

Json rule_json(const HookSpec& hook) {
  std::vector<Json> events;
  for (const EventKind kind : all_event_kinds()) {
    if (hook.listens_to(kind)) events.push_back(Json::string(to_string(kind)));
  }
  return Json::object({{"name", Json::string(hook.name)},
                       {"events", Json::array(events)},
                       {"when", hook.when ? Json::string(hook.when->describe()) : Json()},
                       {"handler", Json::string(hook.handler_word())},
                       {"observes", Json::boolean(hook.observes())},
                       {"line", Json::number(int64_t{hook.source.line})}});
}

/// The problem without the name of the scratch file.
Json without_file(const Json& problem, const std::string& path) {
  std::string text = problem.dump();
  text::replace_all(text, path, "grapnel.yaml");
  return Json::parse(std::move(text)).value_or(problem);
}

/// The entries of a rule file as text, each with the comment above it, indented by two columns. Fails: BadInput,
/// BadConfig.
Result<std::vector<JobRule>> entries_of(const std::string& yaml) {
  const RuleFile file = read_rules(yaml, {Scope::User, "grapnel.yaml", std::nullopt});
  for (const ConfigProblem& problem : file.problems) {
    if (problem.is_error()) return fail(Errc::BadInput, problem.to_string());
  }
  const auto document = read_yaml_fields(yaml, "grapnel.yaml");
  if (!document) return std::unexpected(document.error());
  const YamlNode* const hooks = document->root.find("hooks");
  if (hooks == nullptr || hooks->members.empty()) return fail(Errc::BadInput, "there is no rule to save");
  if (&document->root.members.back().value != hooks) {
    return fail(Errc::BadInput, "only the list 'hooks' is saved from here, so put it last");
  }
  const auto lines = text::split(yaml, '\n');
  std::vector<JobRule> rules;
  for (size_t i = 0; i < hooks->members.size(); ++i) {
    const YamlNode& entry = hooks->members[i].value;
    const size_t begin = entry.at.line;
    const size_t end = i + 1 < hooks->members.size() ? hooks->members[i + 1].value.at.line : lines.size() + 1;
    if (begin == 0 || begin > lines.size()) return fail(Errc::BadInput, "write one rule below the other");
    const size_t dash = lines[begin - 1].find_first_not_of(' ');
    if (dash == std::string_view::npos || !lines[begin - 1].substr(dash).starts_with("- ")) {
      return fail(Errc::BadInput, "write one rule below the other, each with a '- ' in front");
    }
    const YamlNode* const name = entry.find("name");
    JobRule rule{name == nullptr ? "" : name->text, ""};
    for (size_t line = begin; line < end; ++line) {
      std::string_view text = lines[line - 1];
      if (text.find_first_not_of(" \r") == std::string_view::npos) continue;
      text.remove_prefix(std::min(dash, text.find_first_not_of(' ')));
      rule.text += "  " + std::string(text) + "\n";
    }
    rules.push_back(std::move(rule));
  }
  return rules;
}

/// The records of the events that become tests, with what the rules say about them and nothing else.
Result<std::vector<Json>> tests_of(SharedJournal& journal, RuleTrial& trial, const std::vector<std::string>& ids) {
  std::vector<Json> out;
  for (const std::string& id : ids) {
    if (out.size() >= kMaxTests) break;
    const auto entries = journal.with([&](JournalReader& reader) { return reader.find({.id = id}); });
    if (!entries) return std::unexpected(entries.error());
    if (entries->empty() || !entries->front().record["payload"].is_object()) continue;
    const Json& record = entries->front().record;
    const auto outcome = trial.decide(record);
    if (!outcome) continue;
    out.push_back(record.with("verdict", Json::string(to_string(outcome->verdict)))
                      .without("reason")
                      .without("origin")
                      .without("decided_by")
                      .without("hooks"));
  }
  return out;
}

}  // namespace

Result<Json> check_yaml(const Environment& env, const std::string& yaml) {
  const ScratchRules scratch(env, yaml);
  if (!scratch.written()) return std::unexpected(scratch.written().error());
  const auto answers =
      ask_helper_program(env, "grapnel-engine", {{"check", "--json", "--", scratch.path()}}, kCheckPatience);
  if (!answers) return std::unexpected(answers.error());
  const Json report = Json::parse(answers->front().out).value_or(Json());
  if (!report["problems"].is_array()) return fail(Errc::Unavailable, answers->front().err);
  std::vector<Json> problems;
  for (const Json& problem : report["problems"].elements()) problems.push_back(without_file(problem, scratch.path()));
  std::vector<Json> rules;
  for (const HookSpec& hook : rules_in(yaml)) rules.push_back(rule_json(hook));
  return Json::object({{"problems", Json::array(problems)}, {"rules", Json::array(rules)}});
}

Result<Json> save_rule(const Environment& env, SharedJournal& journal, const RuleToSave& rule) {
  Job job{.name = "page", .title = "", .promise = "", .rules = {}, .files = {}};
  auto entries = entries_of(rule.yaml);
  if (!entries) return std::unexpected(entries.error());
  job.rules = std::move(*entries);
  const bool is_project = rule.scope == Scope::Project;
  const ProjectDirs project = find_project(rule.project.empty() ? absolute_path(".", "") : rule.project);
  const JobTarget target{.rule_file = place_for(project.root, env, rule.scope, PlaceFormat::Rules),
                         .scope = rule.scope,
                         .inside = is_project ? project.root : ""};
  if (target.rule_file.empty()) return fail(Errc::BadInput, std::string(kNoPlace));
  // The texts outlive the plan.
  std::string test_path, test_text;
  JobFile test_file;
  if (!rule.ids.empty()) {
    auto trial = RuleTrial::prepare(env, rule.yaml);
    if (!trial) return std::unexpected(trial.error());
    const auto records = tests_of(journal, *trial, rule.ids);
    if (!records) return std::unexpected(records.error());
    test_path = "tests/" + job.rules.front().name + ".hooktest.yaml";
    test_text = fixture_text(env, *records);
    test_file = {job.name, test_path, test_text};
    if (!records->empty()) job.files.push_back(&test_file);
  }
  const auto plan = plan_jobs({&job}, target);
  if (!plan) return std::unexpected(plan.error());
  if (!plan->there.empty()) {
    return fail(Errc::Cancelled, "a rule '" + plan->there.front() + "' is already in " + target.rule_file +
                                     "; give this one another name");
  }
  if (auto written = write_jobs(*plan); !written) return std::unexpected(written.error());
  for (const HookSpec& hook : rules_in(rule.yaml)) {
    const auto* const handler = std::get_if<RuleHandler>(&hook.handler);
    if (handler == nullptr || handler->verdict != Verdict::Allow) continue;
    if (auto noted = note_allowing_rule(env, hook.name, target.rule_file, "page"); !noted)
      return std::unexpected(noted.error());
  }
  const std::string tests = (std::filesystem::path(target.rule_file).parent_path() / test_path).string();
  return Json::object({{"file", Json::string(target.rule_file)},
                       {"tests_file", job.files.empty() ? Json() : Json::string(tests)},
                       {"needs_trust", Json::boolean(is_project)}});
}

}  // namespace grapnel::cli
