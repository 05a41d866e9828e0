#include "cli/hooktest/run_case.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <thread>

#include "base/error.h"
#include "cli/hooktest/scratch.h"
#include "discover/discover.h"
#include "trust/trust_store.h"

namespace grapnel::cli {

namespace fs = std::filesystem;

namespace {

/// The session of events that name none. Steps of a case need one to share their state.
constexpr std::string_view kSession = "hooktest";

/// Gives the answer of the fixture in place of a model.
class ScriptedJudge final : public Judge {
 public:
  explicit ScriptedJudge(std::string answer) : answer_(std::move(answer)) {}
  Result<std::string> judge(const Judgement&, std::stop_token) override { return answer_; }

 private:
  std::string answer_;
};

/// Gives the reply of the fixture in place of a web server.
class ScriptedServer final : public HttpHookClient {
 public:
  explicit ScriptedServer(HttpHookReply reply) : reply_(std::move(reply)) {}
  Result<HttpHookReply> send(const HttpHookRequest&, std::stop_token) override { return reply_; }

 private:
  HttpHookReply reply_;
};

/// One case, from its empty scratch directories to its result.
class CaseRun {
 public:
  CaseRun(const CaseToRun& run, const Environment& env, const std::map<std::string, std::string>& sandboxes)
      : run_(run), host_env_(env), scratch_(env) {
    options_.safety.sandboxes = sandboxes;
  }

  /// Fills the scratch directories. No hook of any case may be starting at that time: between fork and exec a child
  /// holds copies of the descriptors to which we write, and a script that is open for writing cannot be started.
  void prepare() {
    result_.fixture = run_.fixture;
    result_.test = run_.test;
    if (auto ready = fill_scratch(); !ready) note(ready.error(), run_.test->at);
  }

  /// Runs the steps one after another. An error ends the case; a wrong value does not.
  void run() {
    const auto start = std::chrono::steady_clock::now();
    for (const Step& step : run_.test->steps) {
      if (!result_.error.empty()) break;
      if (auto done = run_step(step); !done) note(done.error(), step.at);
    }
    const auto took = std::chrono::steady_clock::now() - start;
    result_.took = std::chrono::duration_cast<std::chrono::microseconds>(took);
  }

  CaseResult take_result() { return std::move(result_); }

 private:
  const Setup& setup() const { return run_.test->setup; }

  /// Keeps the first error, without the random paths of the scratch directories.
  void note(const Error& error, const SourcePos& at) {
    if (!result_.error.empty()) return;
    result_.error = scratch_.take_out(error.to_string());
    result_.error_at = at;
  }

  /// The order matters: files of the test replace those of the project, and the environment names both.
  Result<void> fill_scratch() {
    if (!scratch_.is_made()) return fail(Errc::System, "cannot create a scratch directory");
    if (auto copied = copy_project(); !copied) return copied;
    for (const auto& [path, file] : setup().files) {
      if (auto put = scratch_.put(path, file); !put) return put;
    }
    env_ = scratch_.environment(host_env_);
    for (const auto& [name, value] : setup().env) env_.set(name, scratch_.fill_in(value));
    if (auto options = make_options(); !options) return options;
    return run_.project.is_trusted ? trust_hooks() : Result<void>();
  }

  /// If the fixture says what to copy, the project's hook files are needed as well, unless the test replaces the hooks.
  Result<void> copy_project() const {
    std::vector<std::string> only = run_.fixture->copy;
    if (!only.empty() && !setup().hooks) {
      for (const std::string& file : hook_files_of(run_.project.directory, host_env_)) {
        only.push_back(fs::path(file).lexically_relative(run_.project.directory).string());
      }
    }
    return scratch_.copy_project(run_.project.directory, only);
  }

  /// Options like those of `grapnel fire`, but for the scratch directories. Hook files of the test have to be in a
  /// directory that the user named, because they run with the user's rights.
  Result<void> make_options() {
    options_.project_dir = scratch_.project();
    options_.places.managed_root = scratch_.managed_root();
    options_.env = env_.entries();
    options_.sessions = make_file_session_store(env_.runtime_dir());
    options_.discovery.reload_interval = std::chrono::milliseconds(-1);
    if (setup().model_answer) options_.host.judge = std::make_shared<ScriptedJudge>(*setup().model_answer);
    if (setup().server_answer) options_.host.http_client = std::make_shared<ScriptedServer>(*setup().server_answer);
    options_.discovery.use_hook_files = !setup().hooks;
    for (HookConfig config : setup().hooks.value_or(std::vector<HookConfig>{})) {
      if (!config.path.empty()) {
        const fs::path own = fs::path(run_.fixture->path).parent_path() / config.path;
        config.path = canonical_directory(own.lexically_normal().string());
        const auto holds_it = [&](const std::string& root) { return is_inside(config.path, root); };
        if (std::ranges::none_of(run_.named, holds_it)) {
          return fail(Errc::Refused, config.path + " is not inside a directory that you named");
        }
      } else {
        auto object = Json::parse(scratch_.fill_in(config.object.dump()));
        if (object) config.object = *object;
      }
      options_.configs.push_back(std::move(config));
    }
    return {};
  }

  /// Trusts the project's hooks as `grapnel trust` does, but in the store of the scratch home.
  Result<void> trust_hooks() const {
    const TrustStore store(env_.state_dir() + "/trust.json");
    DiscoverOptions discovering;
    discovering.roots = {scratch_.managed_root(), scratch_.project(), &env_};
    discovering.trust_store = store.path();
    std::set<std::string> digests;
    for (const HookSpec& hook : discover(discovering).registry.hooks) digests.insert(hook.digest);
    digests.erase("");
    return digests.empty() ? Result<void>() : store.set_trusted(canonical_directory(scratch_.project()), digests);
  }

  /// The event of a step, with the placeholders replaced.
  Result<Event> event_of(const Step& step) const {
    auto payload = Json::parse(scratch_.fill_in(step.input));
    if (!payload) return fail(Errc::BadInput, "the input is not valid JSON: " + payload.error().to_string());
    auto event = Event::from_native(step.dialect, *payload, step.event);
    const bool needs_session =
        event && event->dialect_name() == "canonical" && !event->get(Field::SessionId) && payload->is_object();
    if (!needs_session) return event;
    return event->with_payload(payload->with(to_string(Field::SessionId), Json::string(kSession)));
  }

  /// Fires the event of a step and compares. Each step has a new engine, as each `grapnel fire` would.
  Result<void> run_step(const Step& step) {
    const auto event = event_of(step);
    if (!event) return std::unexpected(event.error());
    const auto engine = Engine::create(options_);
    for (const ConfigProblem& problem : engine->problems()) {
      // A single bad entry may be what the test is about. Only a configuration without any hook is an error.
      const bool is_whole_file = problem.is_error() && engine->hooks().empty();
      if (is_whole_file) return fail(Errc::BadConfig, problem.to_string());
    }
    Outcome outcome{engine->fire(*event), engine->explain(*event), event->get(Field::ToolInput)};
    for (const HookFate& fate : outcome.decision.hooks) {
      if (!fate.contained.means.empty()) result_.with_processes.insert(fate.name);
    }
    for (const Expectation& expectation : step.expect) {
      const Json got = readable(actual_value(expectation.name, outcome));
      if (holds(expectation.name, expectation.want, got)) continue;
      result_.mismatches.push_back({&expectation, step.name, got, note_about(expectation.name, outcome)});
    }
    if (step.expect.empty()) {
      auto worth = worth_expecting(outcome);
      for (auto& [name, value] : worth) value = readable(value);
      result_.unexpecting.push_back({&step, std::move(worth)});
    }
    return {};
  }

  /// A value with placeholders in place of the scratch paths, which differ in every run.
  Json readable(const Json& value) const {
    auto out = Json::parse(scratch_.take_out(value.dump()));
    return out ? *out : value;
  }

  const CaseToRun& run_;
  const Environment& host_env_;
  Scratch scratch_;
  Environment env_;
  EngineOptions options_;
  CaseResult result_;
};

}  // namespace

// Cases run in batches: first all of a batch are prepared, then all run at the same time (see `CaseRun::prepare`).
CaseResults run_cases(const std::vector<CaseToRun>& runs, const Environment& env, size_t threads,
                      const std::map<std::string, std::string>& sandboxes) {
  CaseResults results;
  for (size_t first = 0; first < runs.size(); first += threads) {
    std::vector<std::unique_ptr<CaseRun>> batch;
    for (size_t i = first; i < std::min(first + threads, runs.size()); ++i) {
      batch.push_back(std::make_unique<CaseRun>(runs[i], env, sandboxes));
      batch.back()->prepare();
    }
    std::vector<std::jthread> pool;
    for (const auto& run : batch) pool.emplace_back([&run] { run->run(); });
    pool.clear();  // waits for all threads
    for (const auto& run : batch) results.push_back(run->take_result());
  }
  return results;
}

}  // namespace grapnel::cli
