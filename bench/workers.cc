#include "workers.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>

#include <sys/wait.h>

#include "run/supervisor.h"
#include "run/worker_pool.h"

extern char** environ;

namespace grapnel::bench {

namespace {

std::string sibling(const char* name) {
  return std::filesystem::read_symlink("/proc/self/exe").replace_filename(name).string();
}

}  // namespace

std::string native_hook() {
  return sibling("native_hook");
}

std::vector<std::string> native_worker() {
  return {sibling("native_worker")};
}

std::vector<std::string> python_worker() {
  return {"/usr/bin/python3", "-c",
          "import json, sys\nfor line in sys.stdin:\n  print(json.dumps({'id': json.loads(line)['id']}), flush=True)"};
}

struct DirectWorker::State {
  std::vector<std::string> argv;
  WorkerPool pool{ChildLimits{}};
};

DirectWorker::DirectWorker(std::vector<std::string> argv) : state_(new State{std::move(argv)}) {}
DirectWorker::~DirectWorker() = default;

void DirectWorker::ask(const std::shared_ptr<const std::string>& payload) {
  const std::vector<std::string>& argv = state_->argv;
  WorkerRequest request;
  request.command = argv[0];
  request.start = [&]() -> Result<WorkerStart> {
    return WorkerStart{{.path = argv[0], .argv = argv, .env = {}, .cwd = "/", .stdin_bytes = nullptr}, {}};
  };
  request.payload = payload;
  request.timeout = std::chrono::seconds(60);
  request.idle = std::chrono::hours(1);
  std::vector<std::unique_ptr<Pollable>> calls;
  calls.push_back(state_->pool.call(std::move(request)));
  run_children({}, 0, {}, {}, {}, calls);
  if (!std::holds_alternative<Answered>(calls.front()->take_outcome().ending)) std::abort();
}

BareWorker::BareWorker(const std::vector<std::string>& argv) {
  std::array<int, 2> in{}, out{};
  if (::pipe2(in.data(), O_CLOEXEC) != 0 || ::pipe2(out.data(), O_CLOEXEC) != 0) std::abort();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  std::vector<char*> words;
  for (const std::string& word : argv) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  if (::posix_spawn(&pid_, words[0], &actions, nullptr, words.data(), environ) != 0) std::abort();
  posix_spawn_file_actions_destroy(&actions);
  ::close(in[0]);
  ::close(out[1]);
  to_ = in[1];
  from_ = out[0];
}

BareWorker::~BareWorker() {
  ::close(to_);
  ::close(from_);
  ::waitpid(pid_, nullptr, 0);
}

void BareWorker::ask(const std::string& line) const {
  if (::write(to_, line.data(), line.size()) < 0) std::abort();
  std::array<char, 4096> buffer;
  ssize_t got = 0;
  do {
    got = ::read(from_, buffer.data(), buffer.size());
    if (got <= 0) std::abort();
  } while (buffer[static_cast<size_t>(got) - 1] != '\n');
}

}  // namespace grapnel::bench
