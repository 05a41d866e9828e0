#include "cli/ui/replay.h"

#include <unistd.h>

#include <algorithm>

#include "base/error.h"
#include "cli/journal/journal_verbs.h"
#include "cli/ui/past_call.h"
#include "dialect/dialect.h"
#include "discover/formats/rule_file.h"
#include "os/files.h"

namespace grapnel::cli {

namespace {

constexpr size_t kMaxEngines = 64;

bool is_rule(const HookSpec& hook) {
  return std::holds_alternative<RuleHandler>(hook.handler);
}

/// A file of this user's with the text; it goes with the object.
Result<std::shared_ptr<os::TemporaryFile>> write_temporary(const Environment& env, const std::string& text) {
  const std::string prefix = env.runtime_dir() + "/ui-rules-";
  if (auto made = os::make_parent_dirs(prefix, 0700); !made) return std::unexpected(made.error());
  auto file = std::make_shared<os::TemporaryFile>(prefix);
  if (!file->is_open()) return fail_errno("cannot write " + prefix);
  const bool is_written = ::write(file->fd(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (!is_written) return fail_errno("cannot write " + file->path());
  return file;
}

}  // namespace

std::vector<HookSpec> rules_in(const std::string& yaml) {
  return read_rules(yaml, {Scope::User, "grapnel.yaml", std::nullopt}).hooks;
}

Result<RuleTrial> RuleTrial::prepare(const Environment& env, const std::string& yaml) {
  RuleTrial trial;
  trial.rules_ = rules_in(yaml);
  for (const HookSpec& hook : trial.rules_) {
    if (!is_rule(hook)) trial.left_out_.push_back(hook.name);
  }
  std::erase_if(trial.rules_, [](const HookSpec& hook) { return !is_rule(hook); });
  if (trial.rules_.empty()) return fail(Errc::BadInput, "there is no rule here that can be tried out");
  auto file = write_temporary(env, yaml);
  if (!file) return std::unexpected(file.error());
  trial.path_ = (*file)->path();
  trial.file_ = std::move(*file);
  trial.env_ = env;
  // Nothing of this person's settings takes part.
  trial.env_.remove_prefixed("GRAPNEL_");
  return trial;
}

Engine& RuleTrial::engine_for(const std::string& project) {
  const auto known = engines_.find(project);
  if (known != engines_.end()) return *known->second;
  if (engines_.size() >= kMaxEngines) engines_.clear();
  const std::string nowhere = path_ + ".none/";
  EngineOptions options{.project_dir = project,
                        .configs = {{.dialect = std::string(kGrapnelDialect.name), .path = path_, .object = {}}},
                        .env = env_.entries(),
                        .discovery = {.use_hook_files = false, .reload_interval = std::chrono::milliseconds(-1)},
                        .places = {.managed_root = nowhere,
                                   .trust_store = nowhere + "trust.json",
                                   .switches = nowhere + "switches",
                                   .long_texts = nowhere + "texts",
                                   .weakenings = nowhere + "weakened",
                                   .leftovers = nowhere + "leftovers"},
                        .safety = {.self_protection = false}};
  std::unique_ptr<Engine>& engine = engines_[project];
  engine = Engine::create(std::move(options));
  for (const std::string& name : left_out_) engine->set_enabled(name, false);
  return *engine;
}

std::optional<RuleTrial::Outcome> RuleTrial::decide(const Json& record) {
  const EventKind kind = event_kind_from(text_of(record, "event")).value_or(EventKind::Other);
  // Most events are of kinds that no rule here listens to.
  const auto listens = [&](const HookSpec& rule) { return rule.listens_to(kind); };
  if (kind != EventKind::Other && std::ranges::none_of(rules_, listens)) return Outcome{};
  const auto event = rebuild_event(record, RuleNeeds::of(rules_, kind));
  if (!event) return std::nullopt;
  return decide(*event, text_of(record, "project"));
}

RuleTrial::Outcome RuleTrial::decide(const Event& event, const std::string& project) {
  const Decision decision = engine_for(project).fire(event);
  Outcome out{.verdict = decision.verdict(),
              .by = decision.decided_by,
              .changes_input = decision.effects.input || decision.effects.output || decision.effects.prompt,
              .tells_model = !decision.context().empty()};
  if (decision.would && out.verdict == Verdict::Pass) {
    out.verdict = decision.would->verdict;
    out.by = decision.would->decided_by;
  }
  return out;
}

}  // namespace grapnel::cli
