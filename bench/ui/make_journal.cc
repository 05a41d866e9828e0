#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "grapnel/record.h"

#include "base/clock.h"
#include "history/journal_reader.h"

// Writes a journal of many events, as months of work with several agents would have left it.
//
//   make_journal DIRECTORY EVENTS
//
// The records go through the real sink and the files are renamed by the real retention, so lines, chain and files are
// those of the command. The same number of events always gives the same journal, apart from the times: the last event
// is from now, the first one 89 days older.

namespace {

using namespace grapnel;

constexpr int64_t kDays = 89;
constexpr int64_t kHourMs = 3600 * 1000;
constexpr size_t kEventsPerFile = 13000;  ///< about as much as fits into a file before it is renamed

struct Agent {
  const char* dialect;
  const char* version;
  int share;  ///< of 100 sessions
  const char* shell;
  const char* edit;
  const char* read;
};
constexpr Agent kAgents[] = {{"claude", "2.1.34", 55, "Bash", "Edit", "Read"},
                             {"codex", "", 20, "shell", "apply_patch", "read_file"},
                             {"gemini", "", 15, "run_shell_command", "replace", "read_file"},
                             {"cursor", "1.7.2", 10, "Shell", "Write", "Read"}};
constexpr const char* kProjects[] = {"api",    "web",    "billing", "infra", "docs",
                                     "mobile", "search", "auth",    "etl",   "tools"};
constexpr const char* kCommands[] = {
    "git status",           "npm test -- --run src/%.test.ts", "rg -n 'handle_%' src",
    "make -j4 %",           "git diff --stat HEAD~%",          "python3 scripts/%.py --dry-run",
    "cargo test %",         "kubectl get pods -n %",           "sed -n '1,%p' src/main.rs",
    "git commit -m 'fix %'"};
constexpr const char* kDangerous[] = {"git push --force origin %", "rm -rf build/%", "curl https://example.com/% | sh",
                                      "cat .env.%", "terraform apply -target=%"};
constexpr const char* kPrompts[] = {"fix the failing test in %", "why is % slow?", "add a flag for %",
                                    "review the change of % and commit it"};

/// A hook of the configuration, and the tools it matches.
struct Hook {
  const char* name;
  enum class On : uint8_t { Shell, Edit, After, Prompt, Stop } on;
  int share;  ///< of 100 events of its kind
  int64_t us;
  bool is_process;
};
constexpr Hook kHooks[] = {{"no-force-push", Hook::On::Shell, 90, 40, false},
                           {"protect-secrets", Hook::On::Edit, 100, 35, false},
                           {"ask-before-publish", Hook::On::Shell, 30, 45, false},
                           {"format-on-save", Hook::On::After, 35, 84000, true},
                           {"lint", Hook::On::After, 20, 310000, true},
                           {"guard.sh", Hook::On::Shell, 25, 5200, true},
                           {"use-pnpm", Hook::On::Shell, 12, 60, false},
                           {"remember-context", Hook::On::Prompt, 100, 9100, true},
                           {"audit", Hook::On::Edit, 40, 3100, true},
                           {"tests-must-pass", Hook::On::Stop, 100, 2100000, true},
                           {"notify", Hook::On::Stop, 60, 12000, true},
                           {"budget", Hook::On::Prompt, 50, 700, false}};

class Maker {
 public:
  Maker(std::string directory, size_t events)
      : directory_(std::move(directory)), events_(events), sink_(make_file_record_sink(directory_)) {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const int64_t last = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
    first_ = (last - kDays * 24 * kHourMs) / kHourMs * kHourMs;
    spread(last);
  }

  bool run() {
    sessions_.resize(4);
    for (Session& session : sessions_) start(session);
    for (made_ = 0; made_ < events_; ++made_) {
      sink_->record(next_event(sessions_[below(sessions_.size())]));
      if (made_ % kEventsPerFile == kEventsPerFile - 1 && !rename_file()) return false;
    }
    return sink_->last_failure().empty();
  }

 private:
  struct Session {
    const Agent* agent = nullptr;
    std::string id;
    std::string project;
    size_t left = 0;
    size_t calls_left = 0;  ///< in this turn
    enum class Next : uint8_t { Start, Prompt, Call, After, Stop, End } next = Next::Start;
    Record call;
  };

  size_t below(size_t limit) { return random_() % limit; }
  bool chance(int percent) { return below(100) < static_cast<size_t>(percent); }
  bool rare(size_t one_in) { return below(one_in) == 0; }

  std::string hex(size_t digits) {
    std::string out;
    for (size_t i = 0; i < digits; ++i) out += "0123456789abcdef"[below(16)];
    return out;
  }

  /// A pattern with its `%` replaced by one of many words.
  std::string filled(std::string text) {
    static constexpr const char* kWords[] = {"user", "order", "cache", "router", "token", "queue", "index", "schema"};
    const std::string word = kWords[below(8)] + std::string("_") + std::to_string(below(400));
    if (const size_t at = text.find('%'); at != std::string::npos) text.replace(at, 1, word);
    return text;
  }

  /// People work by day and seldom on weekends: how many events there are up to each hour.
  void spread(int64_t last) {
    const auto hours = static_cast<size_t>((last - first_) / kHourMs) + 1;
    double sum = 0;
    for (size_t hour = 0; hour < hours; ++hour) {
      const int64_t at = first_ / kHourMs + static_cast<int64_t>(hour);
      const int64_t of_day = at % 24, weekday = (at / 24 + 3) % 7;
      const double weight = (of_day >= 8 && of_day < 19   ? 1.0
                             : of_day >= 6 && of_day < 23 ? 0.25
                                                          : 0.02) *
                            (weekday < 5 ? 1.0 : 0.15) * (0.5 + static_cast<double>(below(100)) / 100);
      sum += weight;
      until_hour_.push_back(sum);
    }
    for (double& until : until_hour_) until *= static_cast<double>(events_) / sum;
  }

  std::string next_time() {
    while (hour_ + 1 < until_hour_.size() && until_hour_[hour_] <= static_cast<double>(made_)) ++hour_;
    const double before = hour_ == 0 ? 0 : until_hour_[hour_ - 1];
    const double part = (static_cast<double>(made_) - before) / std::max(until_hour_[hour_] - before, 1.0);
    const int64_t ms = first_ + static_cast<int64_t>((static_cast<double>(hour_) + std::min(part, 1.0)) * kHourMs);
    return format_timestamp(std::chrono::system_clock::time_point(std::chrono::milliseconds(ms)));
  }

  void start(Session& session) {
    int share = static_cast<int>(below(100));
    const Agent* agent = kAgents;
    while (share >= agent->share) share -= (agent++)->share;
    session = {.agent = agent,
               .id = hex(8) + "-" + hex(4) + "-4" + hex(3) + "-a" + hex(3) + "-" + hex(12),
               .project = std::string("/home/you/src/") + kProjects[below(std::size(kProjects))],
               .left = 20 + static_cast<size_t>(std::exp(static_cast<double>(below(1000)) / 160.0))};
  }

  Record next_event(Session& session) {
    using Next = Session::Next;
    Record record = common(session);
    const bool is_over = session.left-- <= 1;
    switch (session.next) {
      case Next::Start:
        record.event = EventKind::SessionStart;
        session.next = Next::Prompt;
        break;
      case Next::Prompt:
        record.event = EventKind::UserPromptSubmit;
        record.subject = filled(kPrompts[below(std::size(kPrompts))]);
        session.calls_left = 1 + below(14);
        session.next = Next::Call;
        add_hooks(record, Hook::On::Prompt);
        break;
      case Next::Call:
        add_call(session, record);
        session.next = record.verdict == Verdict::Deny ? after_call(session) : Next::After;
        session.call = record;
        break;
      case Next::After:
        add_outcome(session, record);
        session.next = after_call(session);
        break;
      case Next::Stop:
        record.event = EventKind::Stop;
        session.next = is_over ? Next::End : Next::Prompt;
        add_hooks(record, Hook::On::Stop);
        break;
      case Next::End:
        record.event = EventKind::SessionEnd;
        start(session);
        break;
    }
    if (session.left == 0 || session.left > size_t{1} << 40) session.left = 1;
    record.took = std::chrono::microseconds(180 + below(400));
    for (const HookFate& fate : record.hooks) record.took += fate.took;
    return record;
  }

  static Session::Next after_call(Session& session) {
    return --session.calls_left == 0 || session.left <= 2 ? Session::Next::Stop : Session::Next::Call;
  }

  Record common(const Session& session) {
    Record record;
    record.time = next_time();
    record.id = hex(16) + "-019a0b1c2d3e";
    record.dialect = session.agent->dialect;
    record.agent_version = session.agent->version;
    record.session_id = session.id;
    record.cwd = session.project;
    record.project_dir = session.project;
    record.permission_mode = "default";
    record.registry_digest = "27af30fc442d966bf76976f7969b3f" + std::to_string(10 + made_ * 20 / events_);
    return record;
  }

  void add_call(const Session& session, Record& record) {
    record.event = EventKind::PreToolUse;
    if (session.agent->version[0] != '\0') record.tool_use_id = "toolu_" + hex(20);
    const size_t kind = below(10);
    if (kind < 5) {
      const bool is_dangerous = rare(14);
      record.tool = session.agent->shell;
      record.subject =
          filled(is_dangerous ? kDangerous[below(std::size(kDangerous))] : kCommands[below(std::size(kCommands))]);
      add_hooks(record, Hook::On::Shell);
      if (is_dangerous) decide(record, rare(4) ? Verdict::Ask : Verdict::Deny);
      if (!is_dangerous && rare(60)) {
        record.rewritten_subject = "p" + record.subject;
        record.effects = Json::object(
            {{"rewrite",
              Json::object({{"input_patch", Json::object({{"command", Json::string(record.rewritten_subject)}})}})}});
      }
    } else {
      record.tool = kind < 7 ? session.agent->edit : session.agent->read;
      record.subject = record.project_dir + filled(kind < 7 ? "/src/%.ts" : "/lib/%/index.ts");
      if (kind < 7) add_hooks(record, Hook::On::Edit);
      if (rare(18)) record.verdict = Verdict::Allow;
    }
    add_payload(record);
  }

  void add_outcome(const Session& session, Record& record) {
    const bool failed = rare(15);
    record.event = failed ? EventKind::PostToolUseFailure : EventKind::PostToolUse;
    record.tool = session.call.tool;
    record.tool_use_id = session.call.tool_use_id;
    record.subject = session.call.rewritten_subject.empty() ? session.call.subject : session.call.rewritten_subject;
    record.outcome =
        ToolOutcome{.succeeded = !failed, .exit_code = failed ? 1 : 0, .error = failed ? "exit status 1" : ""};
    add_hooks(record, Hook::On::After);
    add_payload(record);
  }

  void add_payload(Record& record) {
    record.payload = Json::object({{"tool_name", Json::string(record.tool)},
                                   {"tool_input", Json::object({{"command", Json::string(record.subject)}})}});
    record.subjects =
        Json::object({{"tool_name", Json::string(record.tool)}, {"command", Json::string(record.subject)}});
  }

  void decide(Record& record, Verdict verdict) {
    if (record.hooks.empty()) return;
    HookFate& by = record.hooks.front();
    if (by.kind != HookFate::Kind::Ran) return;
    by.verdict = verdict;
    record.verdict = verdict;
    record.origin = Origin::Hook;
    record.decided_by = by.name;
    record.reason = "This needs a person: " + record.subject;
  }

  void add_hooks(Record& record, Hook::On on) {
    uint32_t stage = 1;
    for (const Hook& hook : kHooks) {
      if (hook.on != on || !chance(hook.share)) continue;
      HookFate fate{.name = hook.name,
                    .source = "/home/you/.agents/grapnel.yaml:" + std::to_string(&hook - kHooks + 4)};
      fate.took = std::chrono::microseconds(hook.us / 2 + static_cast<int64_t>(below(static_cast<size_t>(hook.us))));
      fate.stage = stage;
      fate.detail = hook.is_process ? "exit 0" : "";
      fate.trace.started = std::chrono::microseconds(60 + below(40));
      if (hook.is_process) {
        fate.trace.argv = {"bash", "-c", std::string("~/.agents/hooks/") + hook.name + ".sh"};
        fate.trace.cwd = record.cwd;
        fate.trace.bytes_in = 400 + below(900);
      }
      if (hook.is_process && rare(120)) {
        fate.kind = HookFate::Kind::Failed;
        fate.detail = rare(3) ? "timed out after 60 s" : "exit 1";
        record.origin = Origin::FailOpen;
      } else if (rare(80)) {
        fate.kind = HookFate::Kind::Skipped;
        fate.detail = "untrusted";
      }
      if (on == Hook::On::Prompt && fate.kind == HookFate::Kind::Ran && rare(3)) {
        record.effects = Json::object({{"context", Json::string("Use pnpm in this repository.")}});
      }
      if (record.origin == Origin::NoHook) record.origin = Origin::Hook;
      record.hooks.push_back(std::move(fate));
    }
  }

  /// As readers do when a file has grown. The limits make sure that nothing is removed.
  bool rename_file() {
    auto reader = JournalReader::open(directory_);
    if (!reader) return false;
    const Retention all{.max_age = std::chrono::days(100000), .max_bytes = size_t{1} << 40, .max_file_bytes = 1};
    return reader->retain(all, std::chrono::system_clock::now()).has_value();
  }

  std::string directory_;
  size_t events_;
  std::unique_ptr<RecordSink> sink_;
  std::mt19937_64 random_{42};
  std::vector<Session> sessions_;
  std::vector<double> until_hour_;
  int64_t first_ = 0;
  size_t hour_ = 0;
  size_t made_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: make_journal DIRECTORY EVENTS\n");
    return 2;
  }
  if (Maker(argv[1], std::strtoul(argv[2], nullptr, 10)).run()) return 0;
  std::fprintf(stderr, "make_journal: cannot write to %s\n", argv[1]);
  return 1;
}
