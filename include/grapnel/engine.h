#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grapnel/decision.h"
#include "grapnel/error.h"
#include "grapnel/event.h"
#include "grapnel/hook.h"
#include "grapnel/person.h"
#include "grapnel/record.h"
#include "grapnel/session_store.h"

/// The engine: events go in, decisions come out.
///
/// A host is a program that runs an AI agent. It creates one `Engine` at its start and calls `fire` at every moment at
/// which hooks may have something to say. The engine finds the hooks in files and among the host's own callbacks, runs
/// those that match, and combines their answers into one `Decision`:
///
///   const std::unique_ptr<Engine> engine = Engine::create({.project_dir = "."});
///   for (const ConfigProblem& problem : engine->problems()) std::cerr << problem.to_string() << "\n";
///
///   const Event event(EventKind::PreToolUse,
///                     Json::object({{"tool_name", Json::string("Bash")},
///                                   {"tool_input", Json::object({{"command", Json::string("make")}})}}));
///   const Decision decision = engine->fire(event);
///   if (decision.denied()) return refuse(decision.reason());
///
/// This header has the options first, then the types that lists and explanations use, then the engine itself. Hosts
/// that prefer one typed function per moment use `HookService` (grapnel/hook_service.h), which calls the engine.
namespace grapnel {

/// Limits on everything that comes from outside. A hook that exceeds one does not harm the host: the excess is cut off,
/// or the hook counts as failed.
struct Limits {
  /// Bytes kept of a hook's standard output, and as many of its standard error. The rest is read but dropped. For a
  /// long event it is twice the length of the event's payload.
  size_t max_output = size_t{1} << 20;
  /// Bytes of context that the model receives for one event. Longer texts are cut with a visible mark.
  size_t max_context = size_t{64} << 10;
  /// Bytes of a settings file.
  size_t max_file = size_t{16} << 20;
  /// How often hooks may deny a gate such as Stop in one turn. After that it opens (`Origin::LoopCap`), so that an
  /// agent cannot be kept working for ever.
  uint32_t gate_blocks = 5;
  /// How deeply judges may be nested. A judge is a model that answers for a hook; the tool calls that it makes are
  /// events, too. At this depth hooks that ask a judge are skipped.
  uint32_t judge_depth = 1;
  /// How long a hook that ran out of time may take to end after SIGTERM, before it gets SIGKILL.
  std::chrono::milliseconds term_grace{500};
  /// How long the pipes of a hook that has exited are still read, if a child of it keeps them open.
  std::chrono::milliseconds drain_grace{100};
};

/// A settings file that the user named, or a settings object of the host. Both are trusted, because a person chose
/// them.
struct HookConfig {
  /// The agent whose format it is. If it is "", a file's format is recognised by its content.
  std::string dialect;
  /// A file, or "" if `object` is set.
  std::string path;
  /// The settings themselves, or missing if `path` is set.
  Json object;
  /// The agent whose format a file probably has. It decides if the content fits several formats equally well.
  std::string likely_dialect = {};
};

/// A text that the host should show to people: a hook failed, a project is not trusted, a file has a mistake.
struct Notice {
  std::string hook;  ///< "" if the text is not about one hook
  std::string text;
};

/// A complete run of one hook, for observers. Its input and output may be confidential.
struct HookRun {
  std::string event_id;
  EventKind event{};
  std::string hook;
  std::string source;
  std::string dialect;
  std::string command;  ///< "" for callbacks
  std::string input;    ///< what the hook read on its standard input
  std::string output;   ///< what it wrote, up to the limit
  std::string errors;
  std::optional<int> exit_code;  ///< nothing if it did not exit by itself
  HookFate fate;
};

/// Watches hooks while they run, for example for a progress line. It is the host's own class.
///
/// An observer cannot change a decision, not even by throwing: exceptions are dropped. Thread: called from every thread
/// that fires events, so it needs a lock if several do.
class HookObserver {
 public:
  virtual ~HookObserver() = default;
  /// These hooks start now, at the same time. A label is a hook's status message, or its name if it has none.
  virtual void hooks_started(const Event& event, const std::vector<std::string>& labels) = 0;
  /// Called once for each hook that ran or failed.
  virtual void hook_finished(const HookRun& run) = 0;
};

/// Which hook files an engine reads, and how often it checks them for changes.
struct DiscoveryOptions {
  /// Whether the files of all dialects are read: the administrator's, the user's and the project's.
  bool use_hook_files = true;
  /// The agent that calls Grapnel as one of its own hooks, or "" if there is none. The hook files that this agent runs
  /// itself are left out, and a call that it reports more than once is decided once.
  std::string bridged_agent = {};
  /// The only event that this engine will be asked about, if that is known. The engine may then skip reading hooks that
  /// cannot concern it; `hooks()` and `explain()` do not show them either.
  std::optional<Event> only_event = {};
  /// How often files may be checked for changes. Negative: never, unless the host calls `refresh`.
  std::chrono::milliseconds reload_interval{250};
};

/// Where an engine keeps its own files. A host usually leaves this alone; tests point it at a temporary directory.
struct PlaceOptions {
  /// The prefix of the administrator's files, such as `/etc/grapnel/grapnel.yaml`.
  std::string managed_root = "/";
  /// What people have trusted; "" for the standard place.
  std::string trust_store = {};
  /// The file of `grapnel disable`; "" for the standard place.
  std::string switches = {};
  /// Texts that are too long for a model are kept here until their session ends; "" for the standard place.
  std::string long_texts = {};
  /// A further file that tools may not change: what was noted about the person's own places; "" if there is none.
  std::string noted_places = {};
  /// What people did that makes guards weaker, until somebody was told; "" for the standard place.
  std::string weakenings = {};
  /// Processes that hooks left running, until they have ended; "" for the standard place.
  std::string leftovers = {};
  /// Where the contents of hook files are cached for the next process; "" for no cache.
  std::string cache_dir = {};
};

/// What is recorded about events (grapnel/record.h).
struct RecordingOptions {
  std::shared_ptr<RecordSink> sink = {};  ///< null: nothing is recorded
  bool unmatched = false;                 ///< also record events for which no hook ran
};

/// Services that the host provides for hooks. While an event is being decided, the engine calls back into the host only
/// through these members, the record sink and the session store.
struct HostOptions {
  /// Answers `prompt` and `agent` hooks; without it they fail.
  std::shared_ptr<Judge> judge = {};
  /// Is asked when hooks asked for a person (`Verdict::Ask`); without it the decision stays Ask (grapnel/person.h).
  std::shared_ptr<Person> person = {};
  /// Sends the requests of `http` hooks; without it they fail.
  std::shared_ptr<HttpHookClient> http_client = {};
  /// Watches hooks run; may be null.
  std::shared_ptr<HookObserver> observer = {};
  /// Receives texts for people; may be empty. Thread: called from every thread that fires events.
  std::function<void(const Notice&)> notices = {};
  /// Runs hooks that are marked async, for which no event waits. If it is empty, a thread of the engine runs them, and
  /// the engine's destructor waits for that thread.
  std::function<void(std::function<void()> work)> background = {};
};

/// What is hidden from hooks, and what agents may not change.
struct SafetyOptions {
  /// Whether a person must approve (`Ask`) tool calls that would change hook settings or Grapnel's own files. If it is
  /// not set, this is on whenever hook files are used, unless the user's or the administrator's configuration says
  /// otherwise.
  std::optional<bool> self_protection = {};
  /// Whether environment variables that look like secrets are hidden from hooks.
  bool filter_secrets = false;
  /// Only rules answer. Every other hook is skipped, because it would start a program, call the host, or ask a model or
  /// a server. With this a host can find out what rules would decide about an event without any effect.
  bool rules_only = false;
  /// What the processes of hooks may do at most, by the hooks' names; `*` stands for all others. The values are those
  /// of `sandbox:` (docs/contain.md): `guard`, `{ network: false }`. One that cannot be read is a problem, and counts
  /// as `guard`.
  std::map<std::string, std::string> sandboxes = {};
  /// What people have to be told once in each session about how the engine was started.
  std::vector<std::string> cautions = {};
};

/// How to create an engine. Everything has a default: `Engine::create({.project_dir = "."})` is enough for a host whose
/// users keep their hooks in files. A host that wants no hooks but its own switches the files off:
///
///   Engine::create({.configs = {{.dialect = "claude", .object = settings}}, .discovery = {.use_hook_files = false}});
struct EngineOptions {
  /// The project whose hook files apply, once they are trusted; "" for none.
  std::string project_dir = {};
  /// Further directories of the project whose hook files apply, the outer first: those between the root of the project
  /// and the directory that the agent works in. `find_project` (grapnel/project.h) finds them.
  std::vector<std::string> project_parts = {};
  /// Hooks that the host adds to those from files.
  std::vector<HookConfig> configs = {};
  /// The environment of hooks, `NAME=value`. If it is not set, hooks inherit a copy of this process's environment that
  /// is taken when the engine is created.
  std::optional<std::vector<std::string>> env = {};
  /// State that lives as long as a session; null: in memory (grapnel/session_store.h).
  std::shared_ptr<SessionStore> sessions = {};
  DiscoveryOptions discovery = {};
  PlaceOptions places = {};
  RecordingOptions recording = {};
  HostOptions host = {};
  SafetyOptions safety = {};
  Limits limits = {};
};

/// A configured hook as `Engine::hooks` lists it.
struct HookInfo {
  std::string name;
  std::string group;
  std::string description;
  std::string dialect;
  std::string scope;
  SourcePos source;
  std::vector<EventKind> events;
  /// The same events as its own file or dialect calls them.
  std::vector<std::string> triggers;
  /// The file that describes the hook to a model, for a hook in a format that has one (HOOK.md); "" for others.
  std::string document;
  /// The events of the kind `Other` to which it listens, as their agent calls them.
  std::vector<std::string> other_events;
  std::string matcher;  ///< in words for people; "" matches everything
  /// How it runs: `command`, `rule`, `worker`, `http`, `prompt`, `agent`, `callback`, or the dialect's own word for a
  /// kind that cannot run here.
  std::string handler;
  /// The command line, or `POST` and the URL; "" for other kinds of hooks.
  std::string command;
  /// What it does, in words for people; "" for callbacks and for hooks that cannot run here.
  std::string action;
  std::chrono::milliseconds timeout{0};
  bool sequential = false;
  bool async = false;
  int priority = 100;
  bool enabled = true;
  bool trusted = true;
  std::string sandbox;    ///< what its processes may do, in words; "" for the usual
  bool observes = false;  ///< it runs and is recorded, but its answer has no effect (`mode: observe`)
  bool warm = false;      ///< a server starts its next process before the event (`warm: true`)
  std::string digest;     ///< of a project hook: covers its definition and its scripts
};
/// The names, purposes and events of those hooks that can run, as a model is told about them at the start of a session.
/// What is in their files is not part of it.
std::string describe_to_model(const std::vector<HookInfo>& hooks);

/// Whether one hook would run for an event, and why; nothing is run to find out.
struct HookExplanation {
  HookInfo hook;
  bool runs = false;
  /// Stages run one after the other, the hooks of one stage at the same time. They are counted from 1; 0 means that the
  /// hook is in no stage, because it does not run or runs in the background.
  size_t stage = 0;
  std::string reason;  ///< `runs`, `no match`, `disabled`, `untrusted`, `duplicate`, `other event`
  /// More about the reason, for people.
  std::string detail;
  /// Why it cannot be told for sure whether the rule applies, or "".
  std::string doubt;
};

/// The hook engine.
///
/// The library is a guest in the host's process: it installs no signal handlers, prints nothing, does not change the
/// directory, and lets no exception out.
///
/// Owns: its callbacks, the hooks that it read from files and, while events run, their child processes. Thread: any,
/// for every member.
class Engine {
 public:
  /// Creates an engine and reads the hook files. It never fails: `problems()` lists the mistakes in the configuration,
  /// and everything else works.
  static std::unique_ptr<Engine> create(EngineOptions options);
  virtual ~Engine() = default;

  /// Runs the hooks of this event and returns what the host should do; blocks until they have answered. With `cancel`
  /// the host can give up at any moment: child processes are killed, and the decision is neutral with the origin
  /// `Engine`.
  virtual Decision fire(const Event& event, std::stop_token cancel = {}) = 0;
  /// The same in a thread of the engine. Limit: 64 events at once; further ones wait in a queue.
  virtual std::future<Decision> fire_async(Event event, std::stop_token cancel = {}) = 0;

  /// Turns a function of the host into a hook (grapnel/hook.h). It stays registered when files are reloaded. Fails:
  /// BadConfig if the name is taken or `tools` does not compile.
  virtual Result<void> register_callback(CallbackHook hook) = 0;
  /// Removes it. False if there is no such callback.
  virtual bool unregister_callback(std::string_view name) = 0;

  /// Switches all hooks with that name on or off for the life of this engine. False if there is none. The
  /// administrator's hooks stay on.
  virtual bool set_enabled(std::string_view name, bool enabled) = 0;
  /// Switches all hooks off or on. Events that are fired meanwhile get a neutral decision with the origin `Engine`.
  virtual void set_all_enabled(bool enabled) = 0;
  virtual bool is_enabled() const = 0;

  /// Reads all files again. Events that are running finish with the hooks they started with.
  virtual void reload() = 0;
  /// The same, but only if a file has changed. For hosts that set a negative `reload_interval` and choose the moment
  /// themselves.
  virtual void refresh() = 0;

  /// All configured hooks, also those that are disabled or not trusted.
  virtual std::vector<HookInfo> hooks() const = 0;
  /// How many hooks there are for each event.
  virtual std::map<EventKind, size_t> hook_counts() const = 0;
  /// The mistakes in hook files, as of the last time they were read.
  virtual std::vector<ConfigProblem> problems() const = 0;
  /// Which hooks would run for this event, which would not, and why. Runs nothing.
  virtual std::vector<HookExplanation> explain(const Event& event) const = 0;
  /// Identifies the current set of hooks; records refer to it.
  virtual std::string registry_digest() const = 0;
};

}  // namespace grapnel
