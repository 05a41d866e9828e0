#include "cli/serve/engine_cache.h"

#include "cli/hook_source.h"
#include "engine/worker_count.h"

namespace grapnel::cli {

namespace {

constexpr size_t kMaxEngines = 32;

std::string key_of(const EngineOptions& options, const Environment& env) {
  std::string key = options.project_dir;
  key += options.discovery.use_hook_files ? '\1' : '\2';
  key += options.discovery.bridged_agent + '\0';
  for (const HookConfig& config : options.configs) (key += config.dialect + '\0') += config.path + '\0';
  for (const std::string& entry : env.entries()) (key += '\0') += entry;
  return key;
}

}  // namespace

KeptEngine::KeptEngine(EngineOptions options, const Environment& env, ThreadPool& background)
    : records_(open_records(env)) {
  add_services(options, env);
  options.recording.sink = records_;
  options.host.notices = [this](const Notice& notice) { hear(notice); };
  options.host.background = [&background](std::function<void()> work) { background.post(std::move(work)); };
  engine_ = Engine::create(std::move(options));
}

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
    if (by_key_.contains(key)) return;  // somebody was faster; this one serves its request and goes
    recent_.emplace_front(std::move(key), std::move(made));
    by_key_[recent_.front().first] = recent_.begin();
    if (recent_.size() <= kMaxEngines) return;
    by_key_.erase(recent_.back().first);
    oldest = std::move(recent_.back().second);
    recent_.pop_back();
  }
  // Its workers get time to end; no request waits for that.
  background_.post([engine = std::move(oldest)]() mutable { engine.reset(); });
}

std::shared_ptr<KeptEngine> EngineCache::find(EngineOptions options, const Environment& env) {
  std::string key = key_of(options, env);
  if (auto kept = look_up(key)) {
    kept->engine().refresh();
    return kept;
  }
  auto made = std::make_shared<KeptEngine>(std::move(options), env, background_);
  keep(std::move(key), made);
  return made;
}

size_t EngineCache::size() const {
  const std::lock_guard lock(lock_);
  return recent_.size();
}

size_t EngineCache::worker_count() const {
  const std::lock_guard lock(lock_);
  size_t count = 0;
  for (const auto& [key, kept] : recent_) count += grapnel::worker_count(kept->engine());
  return count;
}

std::shared_ptr<Engine> ServedRequest::engine_for(EngineOptions options, const Environment& env, Remarks& remarks) {
  kept_ = cache_.find(std::move(options), env);
  listening_.emplace(*kept_, remarks);
  return {kept_, &kept_->engine()};
}

RecordSink& ServedRequest::records_of(const Environment& env) {
  if (kept_) return kept_->records();
  if (!own_records_) own_records_ = open_records(env);
  return *own_records_;
}

}  // namespace grapnel::cli
