#include "cli/serve/start.h"

#include <unistd.h>

#include <array>
#include <filesystem>
#include <thread>

#include <sys/socket.h>
#include <sys/time.h>

#include "base/clock.h"
#include "base/error.h"
#include "cli/detach.h"
#include "cli/serve/socket.h"
#include "discover/find/grapnel_settings.h"

namespace grapnel::cli {

namespace {

/// How long to wait for a server that starts or answers.
constexpr std::chrono::seconds kPatience{30};

/// Turns this process into a server. It returns only when that is not possible.
void become_server(const std::string& program, const Environment& env) {
  ::close_range(STDERR_FILENO + 1, ~0U, 0);  // a pipe of the caller's would stay open as long as the server runs
  // A server must not keep the caller's directory, or the file system it is on, in use.
  if (::chdir("/") != 0) return;
  std::array<const char*, 3> argv{"grapnel", "serve", nullptr};
  // The server listens where this environment says, which need not be the environment of this process.
  if (auto variables = env.pointers())
    ::execve(program.c_str(), const_cast<char* const*>(argv.data()), variables->data());
}

}  // namespace

std::string own_program() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error).string();
}

// The variable is stronger than the settings: any value but "auto" means no.
bool wants_server(const Environment& env) {
  const std::string_view said = env.get("GRAPNEL_SERVE");
  if (!said.empty()) return said == "auto";
  return grapnel_setting({"/", "", &env}, "serve").equals_string("auto");
}

// If two callers get past this check at the same time, the lock of the socket lets only one of the servers live.
bool start_server(const Environment& env) {
  if (connect_to_server(env)) return true;
  return detach({[program = own_program(), env] { become_server(program, env); }});
}

Result<void> wait_for_server(const Environment& env) {
  const Deadline patience = SteadyClock::now() + kPatience;
  while (SteadyClock::now() < patience) {
    if (ask_server(env, "status")) return {};
    // There is nothing to wait on before the socket exists, so this asks again and again.
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return fail(Errc::Unavailable, "the server did not start; run `grapnel serve` to see why");
}

Result<std::string> ask_server(const Environment& env, std::string word) {
  const auto server = connect_to_server(env);
  if (!server) return std::unexpected(server.error());
  // A server that hangs must not hang us as well.
  const timeval patience{.tv_sec = kPatience.count(), .tv_usec = 0};
  ::setsockopt(server->get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ServeReply reply;
  const bool is_answered =
      send_request(server->get(), {.engine = {}, .user = ::geteuid(), .words = {std::move(word)}, .cwd = "/"}) &&
      receive_reply(server->get(), reply);
  if (!is_answered) return fail(Errc::Unavailable, "the server does not answer");
  return reply.out;
}

}  // namespace grapnel::cli
