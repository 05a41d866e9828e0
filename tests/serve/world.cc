#include "serve/world.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <ostream>
#include <regex>

#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "run/supervisor.h"

namespace grapnel::testing {

namespace {

const std::vector<std::string> kFire = {"fire", "--as", "gemini"};

Ended ended_from(const RunOutcome& outcome) {
  const auto* exited = std::get_if<Exited>(&outcome.ending);
  return {exited == nullptr ? -1 : exited->code, outcome.out.bytes, outcome.err.bytes};
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Ended& ended) {
  return out << "status " << ended.status << "\nout: " << ended.out << "\nerr: " << ended.err;
}

World::World() : program_(GRAPNEL_COMMAND) {
  for (const char* name : {"home", "project", "run"}) std::filesystem::create_directories(dir_ / name);
  std::filesystem::permissions(dir_ / "run", std::filesystem::perms::owner_all);
}

std::vector<std::string> World::environment() const {
  std::vector<std::string> env = {"HOME=" + (dir_ / "home"), "XDG_RUNTIME_DIR=" + (dir_ / "run"), "PATH=/usr/bin:/bin"};
  env.insert(env.end(), env_.begin(), env_.end());
  return env;
}

void World::configure_hook(const std::string& command) const {
  const Json hook = Json::object({{"type", Json::string("command")},
                                  {"command", Json::string(command)},
                                  {"timeout", Json::number(int64_t{300'000})}});
  const Json matcher = Json::object({{"hooks", Json::array({hook})}});
  const Json settings = Json::object({{"hooks", Json::object({{"BeforeTool", Json::array({matcher})}})}});
  dir_.put("home/.gemini/settings.json", settings.dump());
}

Ended World::run(std::vector<std::string> words, std::string input, std::vector<std::string> env) const {
  return run_program(program_, std::move(words), std::move(input), std::move(env));
}

Ended World::run_program(const std::string& program, std::vector<std::string> words, std::string input,
                         std::vector<std::string> env) const {
  words.insert(words.begin(), program);
  ChildSpec child;
  child.path = program;
  child.argv = std::move(words);
  std::vector<std::string> all = environment();
  all.insert(all.end(), env.begin(), env.end());
  child.env = std::move(all);
  child.cwd = project();
  child.stdin_bytes = std::make_shared<const std::string>(std::move(input));
  child.timeout = kLong;
  return ended_from(run_children({&child, 1}, 1, {}, {}).front());
}

Ended World::fire() const {
  return run(kFire, tool_call());
}

Ended World::fire_alone() const {
  return run(kFire, tool_call(), {"GRAPNEL_SERVE=off"});
}

std::vector<Ended> World::fire_many(size_t count) const {
  std::vector<Ended> all(count);
  std::vector<std::thread> threads;
  for (Ended& one : all) threads.emplace_back([&] { one = fire(); });
  for (std::thread& thread : threads) thread.join();
  return all;
}

Json World::status() const {
  return Json::parse(run({"serve", "--status", "--json"}).out).value_or(Json());
}

World::Started World::start(std::vector<std::string> words) const {
  words.insert(words.begin(), "grapnel");
  return start_program(program_, std::move(words));
}

World::Started World::start_program(const std::string& program, std::vector<std::string> argv) const {
  const std::vector<std::string> env = environment();
  const std::string cwd = project();
  int in[2], out[2];
  if (::pipe2(in, O_CLOEXEC) != 0 || ::pipe2(out, O_CLOEXEC) != 0) return {};
  const std::vector<char*> words = pointers(argv), envp = pointers(env);
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::dup2(in[0], STDIN_FILENO);
    ::dup2(out[1], STDOUT_FILENO);
    if (::chdir(cwd.c_str()) == 0) ::execve(program.c_str(), words.data(), envp.data());
    ::_exit(127);
  }
  ::close(in[0]);
  ::close(out[1]);
  return {pid, UniqueFd(in[1]), UniqueFd(out[0])};
}

RunningServer::RunningServer(const World& world, std::vector<std::string> options) {
  options.insert(options.begin(), "serve");
  pid_ = world.start(std::move(options)).pid;
  const auto has_ended = [&] {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_;
  };
  becomes_true([&] { return world.status().is_object() || has_ended(); });
}

RunningServer::~RunningServer() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  wait();
}

void RunningServer::send(int signal) const {
  ::kill(pid_, signal);
}

int RunningServer::wait() {
  int status = 0;
  ::waitpid(std::exchange(pid_, -1), &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Impostor::Impostor(const World& world, Behaviour behaviour)
    : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  std::filesystem::create_directories(std::filesystem::path(world.socket()).parent_path());
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, world.socket().c_str(), sizeof address.sun_path - 1);
  ::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address);
  ::listen(socket_.get(), 8);
  thread_ = std::thread([this, behaviour = std::move(behaviour)] {
    for (;;) {
      const UniqueFd connection(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!connection) return;
      behaviour(connection.get());
    }
  });
}

Impostor::~Impostor() {
  ::shutdown(socket_.get(), SHUT_RDWR);
  thread_.join();
}

std::string without_ids(const std::string& text) {
  static const std::regex id("[0-9a-f]{16}-[0-9a-f]{12}"), time("\"milliseconds\":[0-9.]+");
  return std::regex_replace(std::regex_replace(text, id, "ID"), time, "\"milliseconds\":0");
}

std::string tool_call(size_t size) {
  return R"({"hook_event_name":"BeforeTool","session_id":"s","tool_name":"run_shell_command","tool_input":{"command":")" +
         std::string(size, 'x') + "\"}}";
}

}  // namespace grapnel::testing
