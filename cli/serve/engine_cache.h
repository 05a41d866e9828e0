#pragma once

#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "cli/fire_event.h"
#include "engine/thread_pool.h"

/// The engines a server keeps, so that registries, compiled patterns and workers stay warm.
///
/// An engine is made for a project, the options of the command line and all variables of its caller, since hooks
/// inherit these; whoever comes with the same gets the same engine. Those that were not asked for longest go first.
namespace grapnel::cli {

/// An engine with what belongs to it. Thread: any.
class KeptEngine {
 public:
  KeptEngine(EngineOptions options, const Environment& env, ThreadPool& background);

  Engine& engine() { return *engine_; }
  RecordSink& records() { return *records_; }

  /// While it lives, what the engine says in this thread goes to these remarks.
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
  void hear(const Notice& notice);

  std::shared_ptr<RecordSink> records_;
  std::mutex lock_;
  std::map<std::thread::id, Remarks*> listeners_;
  std::unique_ptr<Engine> engine_;
};

class EngineCache {
 public:
  explicit EngineCache(ThreadPool& background) : background_(background) {}

  /// The engine for these options and variables, up to date with its files.
  std::shared_ptr<KeptEngine> find(EngineOptions options, const Environment& env);
  size_t size() const;
  /// The workers of all of them.
  size_t worker_count() const;

 private:
  using Entry = std::pair<std::string, std::shared_ptr<KeptEngine>>;
  std::shared_ptr<KeptEngine> look_up(const std::string& key);
  void keep(std::string key, std::shared_ptr<KeptEngine> made);

  ThreadPool& background_;
  mutable std::mutex lock_;
  std::list<Entry> recent_;  ///< used last comes first
  std::map<std::string_view, std::list<Entry>::iterator> by_key_;
};

/// One request's view of the cache.
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
