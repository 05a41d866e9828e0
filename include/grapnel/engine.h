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
#include "grapnel/record.h"
#include "grapnel/session_store.h"

namespace grapnel {

/// Everything read from outside has a limit; over it is a failure like any other.
struct Limits {
  size_t max_output = size_t{1} << 20;    ///< bytes kept of a hook's stdout and of its stderr
  size_t max_context = size_t{64} << 10;  ///< bytes of context handed to the model
  size_t max_file = size_t{16} << 20;     ///< bytes of a settings file
  uint32_t gate_blocks = 5;               ///< how often a gate may close in one turn
  uint32_t judge_depth = 1;               ///< what so many judges do above each other is judged no further
  std::chrono::milliseconds term_grace{500};
  std::chrono::milliseconds drain_grace{100};
};

/// A settings file the user named, or a settings object of the host. Neither needs trust.
struct HookConfig {
  std::string dialect;  ///< "" on a file: told by its content
  std::string path;     ///< a file…
  Json object;          ///< …or an object
};

/// A text for people: a hook failed, a project is not trusted, a file has a mistake.
struct Notice {
  std::string hook;  ///< "" when no single hook is meant
  std::string text;
};

/// One hook's run from end to end, for those who watch.
struct HookRun {
  std::string event_id;
  EventKind event{};
  std::string hook;
  std::string source;
  std::string dialect;
  std::string command;  ///< "" for callbacks
  std::string input;    ///< what it read on stdin
  std::string output;   ///< what it wrote, as far as it was kept
  std::string errors;
  std::optional<int> exit_code;  ///< nothing when it did not exit by itself
  HookFate fate;
};

/// Watches hooks run. Thread: any of those that fire. Changes nothing, not even when it throws.
class HookObserver {
 public:
  virtual ~HookObserver() = default;
  /// These start now, side by side; labels are status messages or names.
  virtual void hooks_started(const Event& event, const std::vector<std::string>& labels) = 0;
  virtual void hook_finished(const HookRun& run) = 0;
};

/// Which hook files an engine reads, and when it looks at them again.
struct DiscoveryOptions {
  bool use_hook_files = true;  ///< read the files of all dialects at managed, user and project level
  /// The agent whose events these are, when it calls us as a hook of its own. Files it runs itself are left out, and a
  /// call that it tells more than once is decided once. "": nobody's.
  std::string bridged_agent = {};
  /// The only event the engine is made for. Hooks that cannot concern it may then be left out, also of `hooks()` and
  /// `explain()`.
  std::optional<Event> only_event = {};
  std::chrono::milliseconds reload_interval{250};  ///< how often files may be looked at for changes; negative: never
};

/// Where an engine reads and keeps files of its own.
struct PlaceOptions {
  std::string managed_root = "/";  ///< prefix of managed files
  std::string trust_store = {};    ///< "" for the standard place
  std::string switches = {};       ///< file of `grapnel disable`; "" for the standard place
  std::string long_texts = {};     ///< texts too long for a model, until their session ends; "" for the standard place
  std::string cache_dir = {};      ///< where what hook files say is kept for the next process; "": nowhere
};

/// What is written down about events.
struct RecordingOptions {
  std::shared_ptr<RecordSink> sink = {};  ///< nothing: nothing is recorded
  bool unmatched = false;                 ///< also record events for which nothing ran
};

/// What the host does for its hooks. These, the record sink and the session store are the only ways by which an event
/// that is under way calls back into the host.
struct HostOptions {
  std::shared_ptr<Judge> judge = {};                 ///< nothing: `prompt` and `agent` hooks fail
  std::shared_ptr<HttpHookClient> http_client = {};  ///< nothing: `http` hooks fail
  std::shared_ptr<HookObserver> observer = {};       ///< nothing: nobody watches
  std::function<void(const Notice&)> notices = {};   ///< Thread: any of those that fire
  /// Runs what no event waits for (hooks marked async). Nothing: a thread of the engine, whose destructor waits for it.
  std::function<void(std::function<void()> work)> background = {};
};

/// What hooks, and the agents they watch, are kept from.
struct SafetyOptions {
  /// Tool calls that would write hook settings or Grapnel's own files need a person (`Ask`). Nothing: where hook files
  /// are used, unless the user's or a managed configuration says otherwise.
  std::optional<bool> self_protection = {};
  bool filter_secrets = false;  ///< hooks do not see variables that look secret
};

/// How an engine is made. Everything has a default: `Engine::create({.project_dir = "."})` is enough for a host whose
/// users keep their hooks in files.
struct EngineOptions {
  std::string project_dir = {};          ///< whose hook files apply; "" for none
  std::vector<HookConfig> configs = {};  ///< hooks the host names itself, besides those of files
  /// Variables hooks inherit, `NAME=value`. Nothing: this process's, taken when the engine is made.
  std::optional<std::vector<std::string>> env = {};
  std::shared_ptr<SessionStore> sessions = {};  ///< nothing: in memory
  DiscoveryOptions discovery = {};
  PlaceOptions places = {};
  RecordingOptions recording = {};
  HostOptions host = {};
  SafetyOptions safety = {};
  Limits limits = {};
};

/// A configured hook, for lists.
struct HookInfo {
  std::string name;
  std::string group;
  std::string description;
  std::string dialect;
  std::string scope;
  SourcePos source;
  std::vector<EventKind> events;
  std::string unsupported_event;  ///< its dialect's name for a moment Grapnel has none for; it never runs
  std::string matcher;            ///< for people; "" matches all
  std::string handler;  ///< `command`, `rule`, `worker`, `http`, `prompt`, `agent`, `callback`, or other words
  std::string command;  ///< of command hooks, else ""
  std::string action;   ///< what it does, for people; "" for callbacks and what cannot run here
  std::chrono::milliseconds timeout{0};
  bool sequential = false;
  bool async = false;
  int priority = 100;
  bool enabled = true;
  bool trusted = true;
  std::string digest;  ///< of a project hook, over its definition and scripts
};
/// A hook's share in an event, without running anything.
struct HookExplanation {
  HookInfo hook;
  bool runs = false;
  size_t stage = 0;    ///< from 1, when it runs
  std::string reason;  ///< `runs`, `no match`, `disabled`, `untrusted`, `duplicate`, `other event`
  std::string detail;
};

/// The hook engine: events in, decisions out.
///
/// Thread: any, for every member. A guest in the host's process: no signal handlers, no output, no change of directory,
/// no exceptions. Owns its callbacks, registry and, while events run, their child processes.
class Engine {
 public:
  /// Never fails: what is wrong with the configuration is in `problems()`.
  static std::unique_ptr<Engine> create(EngineOptions options);
  virtual ~Engine() = default;

  /// Runs the event's hooks and says what to do. `cancel` gives the event up at any moment: children are killed, and
  /// the decision is neutral with origin `Engine`.
  virtual Decision fire(const Event& event, std::stop_token cancel = {}) = 0;
  /// The same in a thread of the engine. Limit: 64 at once; the rest wait.
  virtual std::future<Decision> fire_async(Event event, std::stop_token cancel = {}) = 0;

  /// Registers a callback; it keeps its place until unregistered, also over reloads. Fails: BadConfig.
  virtual Result<void> register_callback(CallbackHook hook) = 0;
  virtual bool unregister_callback(std::string_view name) = 0;

  /// Switches every hook of that name on or off, until the engine ends. False when there is none. Managed hooks stay
  /// on.
  virtual bool set_enabled(std::string_view name, bool enabled) = 0;
  /// Switches all hooks off and on.
  virtual void set_all_enabled(bool enabled) = 0;
  virtual bool is_enabled() const = 0;

  /// Reads all files again, atomically: events that run finish with what they started with.
  virtual void reload() = 0;
  /// The same when a file changed since; for hosts that look by themselves, with a negative `reload_interval`.
  virtual void refresh() = 0;

  virtual std::vector<HookInfo> hooks() const = 0;
  virtual std::map<EventKind, size_t> hook_counts() const = 0;
  virtual std::vector<ConfigProblem> problems() const = 0;
  virtual std::vector<HookExplanation> explain(const Event& event) const = 0;
  virtual std::string registry_digest() const = 0;
};

}  // namespace grapnel
