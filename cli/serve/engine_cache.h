#pragma once

#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cli/fire_event.h"
#include "engine/resident.h"
#include "engine/thread_pool.h"

/// The engines that a server keeps, so that registries, compiled patterns and worker processes are reused.
///
/// An engine is made for a project, the options of the command line and all variables of the caller, because hooks
/// inherit these variables. A caller with the same values gets the same engine. When there are too many engines, the
/// one that was not used for the longest time is removed.
///
///   EngineCache     all engines of the server; finds or makes one
///   KeptEngine      one engine, with its sink for records and its listeners
///   ServedRequest   what `fire_event` sees of the cache during one request
namespace grapnel::cli {

/// An engine, its sink for records, and the requests that listen to its notices. Thread: any.
class KeptEngine {
 public:
  KeptEngine(EngineOptions options, const Environment& env, ThreadPool& background,
             const std::shared_ptr<WarmSeats>& seats);

  Engine& engine() { return *engine_; }
  RecordSink& records() { return *records_; }

  /// As long as this object lives, notices that the engine sends in this thread go to these remarks.
  class Listening {
   public:
    Listening(KeptEngine& kept, Remarks& remarks);
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;
    ~Listening();

   private:
    KeptEngine& kept_;
  };

 private:
  /// Passes a notice on to the request that runs in this thread.
  void hear(const Notice& notice);

  std::shared_ptr<RecordSink> records_;
  std::mutex lock_;
  std::map<std::thread::id, Remarks*> listeners_;
  std::unique_ptr<Engine> engine_;
};

/// All engines of a server. Thread: any.
class EngineCache {
 public:
  explicit EngineCache(ThreadPool& background);

  /// The engine for these options and variables, up to date with its files. It is made when there is none yet.
  std::shared_ptr<KeptEngine> find(EngineOptions options, const Environment& env);
  size_t size() const;
  /// How many worker processes all engines have together.
  size_t worker_count() const;
  /// The processes of all engines that wait for an event.
  WarmCounts warm_counts() const;
  /// How many runs of hooks such processes have answered.
  size_t warm_used() const { return warm_seats_->used; }
  /// Ends those that have waited for too long, in the background.
  void sweep_warm() const;

 private:
  using Entry = std::pair<std::string, std::shared_ptr<KeptEngine>>;
  std::shared_ptr<KeptEngine> look_up(const std::string& key);
  void keep(std::string key, std::shared_ptr<KeptEngine> made);
  std::vector<std::shared_ptr<KeptEngine>> all() const;

  ThreadPool& background_;
  const std::shared_ptr<WarmSeats> warm_seats_;
  mutable std::mutex lock_;
  std::list<Entry> recent_;  ///< the most recently used comes first
  std::map<std::string_view, std::list<Entry>::iterator> by_key_;
};

/// The host of one request: it takes the engine from the cache and keeps it alive until the request is done. Thread:
/// one.
class ServedRequest final : public FireHost {
 public:
  explicit ServedRequest(EngineCache& cache) : cache_(cache) {}

  std::shared_ptr<Engine> engine_for(EngineOptions options, const Environment& env, Remarks& remarks) override;
  RecordSink& records_of(const Environment& env) override;

 private:
  EngineCache& cache_;
  std::shared_ptr<KeptEngine> kept_;
  std::optional<KeptEngine::Listening> listening_;
  std::unique_ptr<RecordSink> own_records_;
};

}  // namespace grapnel::cli
