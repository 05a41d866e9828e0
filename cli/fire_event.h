#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "grapnel/engine.h"
#include "grapnel/record.h"

#include "base/environment.h"
#include "cli/arguments.h"

/// One event from a payload to the answer, as a function of what is passed in.
///
/// `grapnel fire` calls it once with what its process was given, `grapnel serve` for each request with what the client
/// sent. So nothing here asks the process for its directory, its variables or its standard input, and nothing prints.
///
///   payload ──▶ event ──▶ whose hooks (options) ──▶ engine of the host ──▶ decision ──▶ answer
namespace grapnel::cli {

/// What an event is fired with. Relative paths are below `cwd`.
struct FireRequest {
  const Arguments& args;  ///< of the verb `fire`
  const Environment& env;
  std::string cwd;
  std::string payload;
  bool for_terminal = false;  ///< JSON for people
  std::stop_token cancel;
  std::string remark = {};  ///< what people are to know about the payload
};

/// What is printed, standard error first, and the exit status.
struct FireAnswer {
  int status = 0;
  std::string out;
  std::string err;
  /// When `out` cannot be written: a lost "deny" must not read as consent.
  int lost_status = 0;
  std::string lost_text;
};

/// What there is to tell people about an event: what the engine says always, and of hooks the failures.
class Remarks {
 public:
  void add(const Notice& notice) { notices_.push_back(notice); }
  std::string text(const Decision& decision, bool verbose) const;

 private:
  std::vector<Notice> notices_;
};

/// Who has engines: a process that makes one, or a server that keeps them. Thread: as its owner uses it.
class FireHost {
 public:
  virtual ~FireHost() = default;
  /// An engine for one event, up to date with its files; it lives as long as the event. Services, records, notices and
  /// background are the host's to add. Notices about this event go to `remarks`.
  virtual std::shared_ptr<Engine> engine_for(EngineOptions options, const Environment& env, Remarks& remarks) = 0;
  /// Whether an engine is for this event alone and need not know hooks that cannot concern it.
  virtual bool makes_engine_per_event() const { return false; }
  /// Where this event's record goes, and others of this user.
  virtual RecordSink& records_of(const Environment& env) = 0;
};

/// What every engine of the command has: sessions in files, delegated tasks for HTTP requests and models.
void add_services(EngineOptions& options, const Environment& env);

/// Fires it.
FireAnswer fire_event(FireRequest request, FireHost& host);

/// The answer when there is nothing to fire: what was given cannot be used.
FireAnswer refuse_event(const FireRequest& request, const std::string& why, FireHost& host);

}  // namespace grapnel::cli
