#include <poll.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <deque>
#include <mutex>
#include <thread>

#include <sys/eventfd.h>

#include "base/environment.h"
#include "base/error.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "mcp/message.h"
#include "mcp/transport.h"
#include "os/resolve.h"
#include "run/secret_filter.h"
#include "run/worker_process.h"

namespace grapnel::mcp {

namespace {

/// Bytes of standard error that are kept for people.
constexpr uint64_t kMaxWords = 2000;
/// A server that closed its output is about to exit, and its exit code says more. On a busy machine that takes a while.
constexpr std::chrono::milliseconds kExitPatience{2000};
/// What every message contains, and logs do not.
constexpr std::string_view kEveryMessage = "\"jsonrpc\"";

/// One process and the thread that alone touches it. Other threads queue messages and ring the bell.
class StdioServer final : public Transport {
 public:
  StdioServer(std::unique_ptr<WorkerProcess> process, UniqueFd bell, const Limits& limits, Sink sink)
      : process_(std::move(process)), bell_(std::move(bell)), limits_(limits), sink_(std::move(sink)) {
    thread_ = std::thread([this] { run(); });
  }
  ~StdioServer() override { close(); }

  void send(const Json& message, std::vector<Header> /*only HTTP has headers*/) override {
    {
      const std::lock_guard lock(mutex_);
      queue_.push_back(message.dump() + '\n');
    }
    ring();
  }
  /// A process reads all requests from one stream, so there is nothing to take back.
  void forget(int64_t) override {}
  void set_headers(std::vector<Header>) override {}
  void listen() override {}

  void close() override {
    {
      const std::lock_guard lock(mutex_);
      is_closing_ = true;
    }
    ring();
    // Two threads may want the end at the same time, and only one can join.
    const std::lock_guard lock(ending_);
    if (thread_.joinable()) thread_.join();
  }

  std::string last_words() const override {
    const std::lock_guard lock(mutex_);
    return words_;
  }

 private:
  void ring() const {
    const uint64_t one = 1;
    static_cast<void>(::write(bell_.get(), &one, sizeof one) == sizeof one);
  }

  /// Moves queued messages to the process. True if the connection shall end.
  bool take_queue() {
    std::deque<std::string> queue;
    bool is_closing = false;
    {
      const std::lock_guard lock(mutex_);
      queue.swap(queue_);
      is_closing = is_closing_;
    }
    for (std::string& line : queue) {
      if (!process_->is_condemned()) process_->send(0, std::move(line));
    }
    if (process_->unsent_bytes() > limits_.max_unsent) process_->condemn("it does not read what it is sent");
    return is_closing;
  }

  /// Waits until a descriptor is ready, and reads what is there.
  void turn() {
    std::array<pollfd, std::size(WorkerProcess::kSources) + 1> polls{};
    size_t count = 0;
    for (const WorkerProcess::Source source : WorkerProcess::kSources) {
      const short events = source == WorkerProcess::Source::Stdin ? POLLOUT : POLLIN;
      polls[count++] = {process_->fd_of(source), events, 0};
    }
    polls[count++] = {bell_.get(), POLLIN, 0};
    const Deadline due = std::min(process_->closed_due(), process_->end_due());
    const timespec left = timeout_until(due);
    if (::ppoll(polls.data(), count, due == Deadline::max() ? nullptr : &left, nullptr) < 0) return;
    if (polls[count - 1].revents != 0) {
      uint64_t rung = 0;
      static_cast<void>(::read(bell_.get(), &rung, sizeof rung) == sizeof rung);
    }
    process_->feed();
    process_->read_errors();
    process_->read_output([this](std::string_view line, bool is_whole) { take_line(line, is_whole); });
    process_->on_closed_due();
  }

  void take_line(std::string_view line, bool is_whole) {
    if (is_closed_ || process_->is_condemned()) return;
    if (!is_whole) {
      process_->condemn("it sent a message of more than " + std::to_string(limits_.max_message) + " bytes");
      return;
    }
    line = text::trim(line);
    if (line.empty()) return;
    const auto message = read_message(line);
    if (!message) {
      if (++garbage_ > limits_.max_garbage) return process_->condemn("it prints too much that is no message");
      if (line.contains(kEveryMessage)) sink_.unreadable(message.error().message);
      return;
    }
    // Servers of the version 2025-03-26 may put several messages into one line.
    if (message->is_array()) {
      for (const Json& one : message->elements()) sink_.message(one);
    } else {
      sink_.message(*message);
    }
  }

  void keep_words() {
    const uint64_t end = process_->errors().end();
    const std::string words = process_->errors().since(end > kMaxWords ? end - kMaxWords : 0).bytes;
    const std::lock_guard lock(mutex_);
    words_ = text::to_valid_utf8(text::trim(words));
  }

  void run() {
    bool is_closing = false;
    while (!(is_closing = take_queue()) && !process_->has_exited() && !process_->is_condemned()) turn();
    // What it wrote before it ended may still be an answer.
    process_->read_errors();
    process_->read_output([this](std::string_view line, bool is_whole) { take_line(line, is_whole); });
    is_closed_ = true;
    const std::string why = process_->why_condemned();
    // A server that is not wanted any more gets the chance to end by itself, step by step.
    while (is_closing && !process_->has_exited() && !process_->is_killed()) {
      process_->end(SteadyClock::now());
      turn();
    }
    const Ending ending = process_->finish();
    keep_words();
    if (!is_closing) sink_.closed(why.empty() ? "it ended: " + describe(ending) : why);
  }

  std::unique_ptr<WorkerProcess> process_;
  UniqueFd bell_;
  const Limits limits_;
  const Sink sink_;
  size_t garbage_ = 0;
  bool is_closed_ = false;
  mutable std::mutex mutex_;
  std::deque<std::string> queue_;
  bool is_closing_ = false;
  std::string words_;
  std::mutex ending_;
  std::thread thread_;
};

}  // namespace

/// Variables that look like secrets stay with us, as with hooks, unless the configuration names them.
Result<std::unique_ptr<Transport>> start_stdio_server(const McpServer& server, const std::string& project,
                                                      const Limits& limits, Sink sink) {
  Environment env = without_secrets(Environment::of_process());
  for (const auto& [name, value] : server.env) env.set(name, value);
  const std::string cwd = server.cwd.empty() ? project : server.cwd;
  const auto program = os::find_executable(server.command, env.get("PATH"), cwd);
  if (!program) {
    const bool has_words = server.args.empty() && server.command.contains(' ');
    return fail(Errc::NotFound, "there is no program '" + server.command + "'" +
                                    (has_words ? "; what it is started with belongs into 'args'" : ""));
  }
  ChildSpec child{
      .path = *program, .argv = {server.command}, .env = std::move(env), .cwd = cwd, .stdin_bytes = nullptr};
  child.argv.insert(child.argv.end(), server.args.begin(), server.args.end());
  UniqueFd bell(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!bell) return fail_errno("cannot start the server");
  auto process =
      WorkerProcess::start(child, {.max_output = limits.max_message, .drain_grace = kExitPatience}, os::real_calls());
  if (!process) return std::unexpected(process.error());
  return std::make_unique<StdioServer>(std::move(*process), std::move(bell), limits, std::move(sink));
}

}  // namespace grapnel::mcp
