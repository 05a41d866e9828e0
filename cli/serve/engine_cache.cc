#include "cli/serve/engine_cache.h"

#include "cli/hook_source.h"

namespace grapnel::cli {

namespace {

/// Each engine holds a registry and perhaps worker processes, so their number is limited.
constexpr size_t kMaxEngines = 32;
/// How many processes may wait for an event, for all engines together: an interpreter takes 10 to 50 MB.
constexpr std::ptrdiff_t kMaxWarm = 16;

/// The key of an engine: everything that makes two engines behave differently. Two callers share an engine only if
/// their options and all of their variables are the same. NUL bytes separate the parts, because no path and no variable
/// can contain one.
std::string key_of(const EngineOptions& options, const Environment& env) {
  std::string key = options.project_dir + '\0';
  for (const std::string& part : options.project_parts) key += part + '\0';
  key += options.discovery.use_hook_files ? '\1' : '\2';
  key += options.discovery.bridged_agent + '\0';
  for (const std::string& caution : options.safety.cautions) key += caution + '\0';
  for (const HookConfig& config : options.configs) (key += config.dialect + '\0') += config.path + '\0';
  for (const std::string& entry : env.entries()) (key += '\0') += entry;
  return key;
}

}  // namespace

KeptEngine::KeptEngine(EngineOptions options, const Environment& env, ThreadPool& background,
                       const std::shared_ptr<WarmSeats>& seats)
    : records_(open_records(env)) {
  add_services(options, env);
  options.recording.sink = records_;
  // The engine is shared by many requests, but a notice belongs to the request that caused it: see `hear`.
  options.host.notices = [this](const Notice& notice) { hear(notice); };
  // The pool belongs to the server, which waits for async hooks when it ends.
  const auto post = [&background](std::function<void()> work) { background.post(std::move(work)); };
  options.host.background = post;
  engine_ = Engine::create(std::move(options));
  keep_warm(*engine_, seats, post);
}

// An event runs in the thread of its request, so the thread tells which request a notice is for. A notice from a
// background thread has no listener and is dropped.
void KeptEngine::hear(const Notice& notice) {
  const std::lock_guard lock(lock_);
  const auto found = listeners_.find(std::this_thread::get_id());
  if (found != listeners_.end()) found->second->add(notice);
}

KeptEngine::Listening::Listening(KeptEngine& kept, Remarks& remarks) : kept_(kept) {
  const std::lock_guard lock(kept_.lock_);
  kept_.listeners_[std::this_thread::get_id()] = &remarks;
}

KeptEngine::Listening::~Listening() {
  const std::lock_guard lock(kept_.lock_);
  kept_.listeners_.erase(std::this_thread::get_id());
}

EngineCache::EngineCache(ThreadPool& background)
    : background_(background), warm_seats_(std::make_shared<WarmSeats>(kMaxWarm)) {}

// A hit moves the entry to the front of the list; the last entry is therefore the one that was unused the longest.
std::shared_ptr<KeptEngine> EngineCache::look_up(const std::string& key) {
  const std::lock_guard lock(lock_);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  recent_.splice(recent_.begin(), recent_, found->second);
  return recent_.front().second;
}

void EngineCache::keep(std::string key, std::shared_ptr<KeptEngine> made) {
  std::shared_ptr<KeptEngine> oldest;
  {
    const std::lock_guard lock(lock_);
    if (by_key_.contains(key)) return;  // another request was faster; this engine serves only its own request
    recent_.emplace_front(std::move(key), std::move(made));
    by_key_[recent_.front().first] = recent_.begin();
    if (recent_.size() <= kMaxEngines) return;
    by_key_.erase(recent_.back().first);
    oldest = std::move(recent_.back().second);
    recent_.pop_back();
  }
  // Ending its workers takes time. The background does it, so that no request has to wait.
  background_.post([engine = std::move(oldest)]() mutable { engine.reset(); });
}

// No lock is held while an engine is made, because that reads files. Two requests may therefore make the same engine at
// the same time; `keep` settles which one stays.
std::shared_ptr<KeptEngine> EngineCache::find(EngineOptions options, const Environment& env) {
  std::string key = key_of(options, env);
  if (auto kept = look_up(key)) {
    kept->engine().refresh();
    return kept;
  }
  auto made = std::make_shared<KeptEngine>(std::move(options), env, background_, warm_seats_);
  keep(std::move(key), made);
  return made;
}

size_t EngineCache::size() const {
  const std::lock_guard lock(lock_);
  return recent_.size();
}

std::vector<std::shared_ptr<KeptEngine>> EngineCache::all() const {
  const std::lock_guard lock(lock_);
  std::vector<std::shared_ptr<KeptEngine>> out;
  for (const auto& [key, kept] : recent_) out.push_back(kept);
  return out;
}

size_t EngineCache::worker_count() const {
  size_t count = 0;
  for (const auto& kept : all()) count += grapnel::worker_count(kept->engine());
  return count;
}

WarmCounts EngineCache::warm_counts() const {
  WarmCounts sum;
  for (const auto& kept : all()) {
    const WarmCounts own = grapnel::warm_counts(kept->engine());
    sum.waiting += own.waiting;
    sum.pending += own.pending;
  }
  return sum;
}

void EngineCache::sweep_warm() const {
  for (const auto& kept : all()) grapnel::sweep_warm(kept->engine());
}

std::shared_ptr<Engine> ServedRequest::engine_for(EngineOptions options, const Environment& env, Remarks& remarks) {
  kept_ = cache_.find(std::move(options), env);
  listening_.emplace(*kept_, remarks);
  // The pointer shares the ownership of the kept engine, which may leave the cache while the event still runs.
  return {kept_, &kept_->engine()};
}

// A request that is refused before it has an engine still needs a place for its record.
RecordSink& ServedRequest::records_of(const Environment& env) {
  if (kept_) return kept_->records();
  if (!own_records_) own_records_ = open_records(env);
  return *own_records_;
}

}  // namespace grapnel::cli
