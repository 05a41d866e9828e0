#include <algorithm>
#include <charconv>
#include <thread>

#include "base/text.h"
#include "cli/ask.h"
#include "cli/command.h"
#include "cli/doctor/doctor.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/project_hooks.h"
#include "cli/table.h"
#include "cli/verbs/bench_events.h"
#include "cli/warm_text.h"
#include "run/runner.h"

namespace grapnel::cli {

namespace {

// `grapnel bench` runs the user's own hooks, so it asks first. The clock is that of the runner: from the start of the
// process, or from the moment at which a waiting process gets its event, to its end. What Grapnel adds is the subject
// of docs/performance.md.

constexpr auto kBenchOptions = std::to_array<OptionRow>({
    {"--hook", "", "NAME", "only the hook of that name", ValueKind::Hook},
    {"--runs", "-n", "N", "how often each hook runs in each way (default: 10)", ValueKind::Text},
    {"--yes", "-y", "", "run the hooks without asking"},
    {"--project", "-p", "DIR", "the project (default: found upwards from the current directory)", ValueKind::Directory},
    kJsonOption,
});

constexpr int kUsualRuns = 10;
constexpr int kMostRuns = 1000;
/// What is faster than this is nothing to people.
constexpr std::chrono::milliseconds kFast{5};

/// What one hook took. Nothing where it did not run in that way.
struct HookTimes {
  std::string name;
  std::chrono::microseconds cold{0};
  std::optional<std::chrono::microseconds> warm = {};
  std::string why_cold = {};  ///< why it is never warm, or ""
  bool is_marked = false;
};

std::string milliseconds_of(std::chrono::microseconds time) {
  const auto tenths = (time.count() + 50) / 100;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " ms";
}

Event harmless_event(const HookSpec& hook, const std::string& project) {
  EventKind kind = EventKind::PreToolUse;
  for (const EventKind own : all_event_kinds()) {
    if (hook.listens_to(kind)) break;
    kind = own;
  }
  return Event(kind, harmless_payload(project));
}

/// One hook, run again and again. Thread: one.
class HookBench {
 public:
  HookBench(const HookSpec& hook, const std::string& project, const Environment& env)
      : project_(project), env_(env), event_(harmless_event(hook, project)) {
    registry_.hooks.push_back(hook);
    registry_.hooks.front().warm = true;
  }
  HookBench(const HookBench&) = delete;
  HookBench& operator=(const HookBench&) = delete;
  ~HookBench() { pool_->close(); }

  RunOutcome run(bool is_warm) {
    RunContext context{.env = env_, .programs = programs_, .default_dir = project_};
    context.warm = is_warm ? pool_.get() : nullptr;
    PayloadCache payloads;
    RunOutcome outcome = run_stage(registry_, {{0}, 0}, event_, context, payloads).front();
    if (is_warm) pool_->restock();
    return outcome;
  }

 private:
  const std::string& project_;
  const Environment& env_;
  const Event event_;
  Registry registry_;
  os::ProgramPaths programs_;
  const std::shared_ptr<WarmPool> pool_ =
      std::make_shared<WarmPool>(std::make_shared<WarmSeats>(1), [](const std::function<void()>& work) { work(); });
};

HookTimes measure(const HookSpec& hook, const std::string& project, const Environment& env, int runs) {
  HookTimes out{.name = hook.name, .why_cold = why_always_cold(hook, project, env), .is_marked = hook.warm};
  HookBench bench(hook, project, env);
  std::vector<std::chrono::microseconds> cold, warm;
  for (int i = 0; i < runs; ++i) cold.push_back(bench.run(false).took);
  out.cold = median(cold);
  if (!out.why_cold.empty()) return out;
  for (int i = 0; i <= runs; ++i) {
    const RunOutcome outcome = bench.run(true);
    if (outcome.was_warm) warm.push_back(outcome.took);
    if (i > 0 && !outcome.was_warm) out.why_cold = outcome.cold;
    // Until the next process has come to its input.
    std::this_thread::sleep_for(pause_after(out.cold));
  }
  if (!warm.empty()) out.warm = median(warm);
  if (out.warm) out.why_cold.clear();
  return out;
}

/// What would make it faster, if that is worth while.
std::string advice_for(const HookTimes& times) {
  if (times.cold < kFast) return "fast enough";
  const bool gains = times.warm && *times.warm * 2 < times.cold;
  if (gains && times.is_marked)
    return *times.warm < kFast ? "warm already" : "warm already; a worker has no start at all";
  if (gains && *times.warm < kFast) return "mark it warm";
  if (gains) return "mark it warm, or make it a worker";
  return times.why_cold.empty() ? "it works for that long; a start before the event saves little"
                                : "make it a worker or a rule; it is never warm: " + times.why_cold;
}

Json to_json(const HookTimes& times) {
  const auto number = [](std::chrono::microseconds time) { return Json::number(int64_t{time.count()}); };
  return Json::object({{"name", Json::string(times.name)},
                       {"cold_us", number(times.cold)},
                       {"warm_us", times.warm ? number(*times.warm) : Json::null()},
                       {"cold", times.why_cold.empty() ? Json() : Json::string(times.why_cold)},
                       {"advice", Json::string(advice_for(times))}});
}

Json to_json(const EventTimes& times) {
  return Json::object({{"event", Json::string(to_string(times.kind))},
                       {"hooks", Json::number(static_cast<int64_t>(times.hooks))},
                       {"alone_us", Json::number(int64_t{times.alone.count()})},
                       {"served_us", Json::number(int64_t{times.served.count()})}});
}

template <typename Times>
Json list_of(const std::vector<Times>& all) {
  std::vector<Json> list;
  for (const Times& times : all) list.push_back(to_json(times));
  return Json::array(list);
}

struct Subjects {
  std::vector<HookSpec> hooks;        ///< those that an agent waits for and that may run
  std::vector<std::string> left_out;  ///< names of others, which must not run beside them
};

Subjects hooks_to_measure(const Invocation& in, const ProjectDirs& project) {
  Subjects out;
  const std::string& only = in.args.text("--hook");
  for (HookSpec& hook : registry_of(in, project).hooks) {
    const bool is_meant = (only.empty() || hook.name == only) && !hook.async;
    const bool may_run = hook.enabled && hook.trust != Trust::Untrusted;
    if (!is_meant) out.left_out.push_back(hook.name);
    if (is_meant && may_run && hook.command() != nullptr) out.hooks.push_back(std::move(hook));
  }
  return out;
}

/// Running hooks has their effects, so a person decides about it.
bool may_run(Invocation& in, size_t hooks, int runs) {
  if (in.args.has("--yes")) return true;
  const std::string question = "Run " + count_text(hooks, "hook") + " " + std::to_string(4 * runs + 2) +
                               " times, with an event that does nothing? [y/N] ";
  return can_ask(in.console) && says_yes(in.console, question);
}

std::string tables_of(const std::vector<HookTimes>& hooks, const std::vector<EventTimes>& events,
                      const Console& console) {
  Table table({{"hook", 12}, {"cold", 0, Keep::Start, true}, {"warm", 0, Keep::Start, true}, {"advice"}});
  for (const HookTimes& times : hooks) {
    table.add({{times.name},
               {milliseconds_of(times.cold)},
               {times.warm ? milliseconds_of(*times.warm) : "-"},
               {advice_for(times)}});
  }
  Table waits({{"event", 12},
               {"hooks run", 0, Keep::Start, true},
               {"grapnel fire", 0, Keep::Start, true},
               {"with a server", 0, Keep::Start, true}});
  for (const EventTimes& times : events) {
    waits.add({{std::string(to_string(times.kind))},
               {std::to_string(times.hooks)},
               {milliseconds_of(times.alone)},
               {milliseconds_of(times.served)}});
  }
  return table.text(console) + "\n" + waits.text(console);
}

int run_bench(Invocation& in) {
  const auto project = project_dirs(in);
  if (!project) return report_input(in.console, project.error().message);
  int runs = kUsualRuns;
  if (const std::string text = in.args.text("--runs"); !text.empty()) {
    const auto read = std::from_chars(text.data(), text.data() + text.size(), runs);
    if (read.ptr != text.data() + text.size() || runs < 1 || runs > kMostRuns) {
      return report_input(in.console, "--runs takes a number from 1 to " + std::to_string(kMostRuns));
    }
  }
  const auto [hooks, left_out] = hooks_to_measure(in, *project);
  if (!hooks.empty() && !may_run(in, hooks.size(), runs)) {
    in.console.say("no hook was run; --yes runs them without asking");
    return kNo;
  }
  std::vector<HookTimes> all;
  for (const HookSpec& hook : hooks) all.push_back(measure(hook, project->root, in.env, runs));
  std::vector<EventTimes> events;
  if (!hooks.empty()) {
    auto measured = measure_events(hooks, left_out, project->root, in.env, runs);
    if (!measured) return report_input(in.console, measured.error().message);
    events = std::move(*measured);
  }
  if (in.args.has("--json")) {
    const Json runs_json = Json::number(int64_t{runs});
    in.console.out(Json::object({{"runs", runs_json}, {"hooks", list_of(all)}, {"events", list_of(events)}})
                       .dump(JsonStyle::Pretty) +
                   "\n");
    return kOk;
  }
  in.console.out(all.empty() ? "There are no command hooks here that an agent waits for.\n"
                             : tables_of(all, events, in.console));
  return kOk;
}

}  // namespace

const Command kBench{
    .name = "bench",
    .summary = "measure your own hooks, and say what would make them faster",
    .about =
        "Runs each command hook that an agent waits for several times, with an event that does nothing (a shell "
        "command "
        "`true`), and shows the median of its times: cold, started for the event, as every agent does it; and warm, "
        "started before the event, as `grapnel serve` does it for hooks that are marked. A second table shows what an "
        "agent waits for at such an event: `grapnel fire` with all that runs in it, without a server and with one. The "
        "hooks really run, so it asks first; without a terminal it needs --yes.",
    .arguments = {},
    .options = kBenchOptions,
    .examples = R"(  grapnel bench
  grapnel bench --hook guard --runs 50
  grapnel bench --yes --json | jq -r '.hooks[] | [.name, .cold_us, .warm_us] | @tsv'
)",
    .run = run_bench,
};

}  // namespace grapnel::cli
