#include "abi/open_engine.h"

#include <pthread.h>

#include <new>
#include <shared_mutex>
#include <unordered_map>

#include "abi/texts.h"
#include "base/environment.h"
#include "record/own_records.h"

namespace grapnel::abi {

namespace {

thread_local int inside_depth = 0;

/// All open engines. A fork copies the table; the child keeps it, to recognise the engines of its parent.
struct Table {
  struct Row {
    std::shared_ptr<OpenEngine> engine;
    uint64_t process;  ///< the value of `process` when it was opened
  };
  std::shared_mutex mutex;
  // `mutex` guards the rest.
  std::unordered_map<uintptr_t, Row> rows;
  uintptr_t last = 0;
  uint64_t process = 0;  ///< how many forks lie between this process and the first one
  /// Engines of the parent that the child closed. Nothing of them may run here, not even a destructor.
  std::vector<std::shared_ptr<OpenEngine>> forgotten;
};

/// Never destroyed: threads of the host may still fire events while the process ends.
Table& table() {
  static auto* const the_table = [] {
    auto* made = new Table;
    // Nobody else may hold the lock at the moment of the fork, or the child would find it locked for ever.
    ::pthread_atfork([] { table().mutex.lock(); }, [] { table().mutex.unlock(); },
                     [] {
                       // A fresh lock: the old one still counts the threads that waited for it, and they are not here.
                       ++table().process;
                       new (&table().mutex) std::shared_mutex;
                     });
    return made;
  }();
  return *the_table;
}

uintptr_t key_of(const grapnel_engine* handle) {
  return reinterpret_cast<uintptr_t>(handle);
}

}  // namespace

OpenEngine::OpenEngine(OpenOptions options) {
  options.engine.recording.sink = journal_;
  engine_ = Engine::create(std::move(options.engine));
  if (options.journal) set_journal(true, options.journal_dir);
}

void OpenEngine::set_journal(bool on, const std::string& directory) {
  if (!on) return journal_->set(nullptr);
  const Environment env = Environment::of_process();
  journal_->set(directory.empty() ? open_records(env)
                                  : make_file_record_sink(directory, {.secrets = secret_patterns(env)}));
  engine_->reload();  // so that the journal gets a snapshot of the hooks
}

void OpenEngine::post(std::function<void()> work) {
  enter();
  try {
    pool_.post([this, work = std::move(work)] {
      work();
      leave();
    });
  } catch (...) {
    leave();
    throw;
  }
}

void OpenEngine::enter() {
  const std::lock_guard lock(mutex_);
  ++users_;
}

void OpenEngine::leave() {
  const std::lock_guard lock(mutex_);
  if (--users_ == 0) idle_.notify_all();
}

void OpenEngine::shut_down() {
  closing_.request_stop();
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [&] { return users_ == 0; });
}

Inside::Inside() {
  ++inside_depth;
}
Inside::~Inside() {
  --inside_depth;
}

bool Use::is_inside() {
  return inside_depth > 0;
}

Use::Use(std::shared_ptr<OpenEngine> engine) : engine_(std::move(engine)) {
  if (engine_) engine_->enter();
}

Use::~Use() {
  if (engine_) engine_->leave();
}

grapnel_engine* add_engine(std::shared_ptr<OpenEngine> engine) {
  Table& all = table();
  const std::lock_guard lock(all.mutex);
  const uintptr_t key = ++all.last;
  all.rows.emplace(key, Table::Row{std::move(engine), all.process});
  return reinterpret_cast<grapnel_engine*>(key);
}

Use find_engine(const grapnel_engine* handle, std::string_view& why) {
  Table& all = table();
  const std::shared_lock lock(all.mutex);
  const auto found = all.rows.find(key_of(handle));
  if (found == all.rows.end()) {
    why = kClosed;
    return {};
  }
  if (found->second.process != all.process) {
    why = kForked;
    return {};
  }
  return Use(found->second.engine);
}

std::shared_ptr<OpenEngine> remove_engine(const grapnel_engine* handle) {
  Table& all = table();
  const std::lock_guard lock(all.mutex);
  const auto found = all.rows.find(key_of(handle));
  if (found == all.rows.end()) return nullptr;
  std::shared_ptr<OpenEngine> engine = std::move(found->second.engine);
  const bool is_ours = found->second.process == all.process;
  all.rows.erase(found);
  if (is_ours) return engine;
  all.forgotten.push_back(std::move(engine));
  return nullptr;
}

}  // namespace grapnel::abi
