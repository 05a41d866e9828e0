#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "grapnel/engine.h"
#include "grapnel/record.h"

#include "base/environment.h"
#include "cli/arguments.h"
#include "cli/believed.h"

/// Fires one event: from its payload to the answer.
///
/// `grapnel fire` calls this once with the data of its own process, `grapnel serve` once per request with the data that
/// the client sent. For that reason nothing here asks the process for its directory, its variables or its standard
/// input, and nothing here prints.
///
///   payload ──▶ event ──▶ whose hooks (options) ──▶ engine of the host ──▶ decision ──▶ answer
namespace grapnel::cli {

/// The input of one event. Relative paths are below `cwd`.
struct FireRequest {
  const Arguments& args;  ///< of the verb `fire`
  Environment env;
  std::string cwd;
  std::string payload;
  bool for_terminal = false;  ///< print JSON in a form for people
  std::stop_token cancel;
  std::string remark = {};                ///< something odd about the payload, to be shown to people
  pid_t caller = 0;                       ///< the process that asks a server; 0: this one
  std::optional<Believed> believed = {};  ///< of a bridge: what became of its environment
};

/// The request with the environment that a bridge believes (cli/believed.h), if it is one. Every request goes through
/// this before anything is read from its environment.
FireRequest with_believed_environment(FireRequest request);

/// The output of one event. Standard error is printed first.
struct FireAnswer {
  int status = 0;
  std::string out;
  std::string err;
  /// The status and the text to use when `out` cannot be written: a lost "deny" must not look like consent.
  int lost_status = 0;
  std::string lost_text;
};

/// Collects what people should know about an event. Notices of the engine are always shown, notices about a hook only
/// if the hook failed; `verbose` shows all of them, and the hooks' standard error too.
class Remarks {
 public:
  void add(const Notice& notice) { notices_.push_back(notice); }
  std::string text(const Decision& decision, bool verbose) const;

 private:
  std::vector<Notice> notices_;
};

/// Provides the engine for an event: a process that creates one, or a server that keeps many. Thread: as its owner uses
/// it.
class FireHost {
 public:
  virtual ~FireHost() = default;
  /// An engine for one event, up to date with its files. It lives at least as long as the event. The host adds
  /// services, records, notices and background work to the options; notices about this event go to `remarks`.
  virtual std::shared_ptr<Engine> engine_for(EngineOptions options, const Environment& env, Remarks& remarks) = 0;
  /// Whether the engine is used for this event only. It may then leave out hooks that cannot listen to the event.
  virtual bool makes_engine_per_event() const { return false; }
  /// Where the record of this event goes, and the records of the same user's other events.
  virtual RecordSink& records_of(const Environment& env) = 0;
};

/// Adds the services that every engine of the command has: sessions in files, delegated tasks for HTTP requests and
/// models, and a person who answers elsewhere. `reader` is a pipe to whoever reads the decision, or -1.
void add_services(EngineOptions& options, const Environment& env, int reader = -1);

/// Fires the event and returns the answer. It never fails: problems become part of the answer.
FireAnswer fire_event(FireRequest request, FireHost& host);

/// The answer for input that cannot be used as an event.
FireAnswer refuse_event(const FireRequest& request, const std::string& why, FireHost& host);

}  // namespace grapnel::cli
