#include "ui/page.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/text.h"

namespace grapnel::testing {

namespace {

std::string read_some(int fd, int timeout_ms) {
  pollfd ready{fd, POLLIN, 0};
  if (::poll(&ready, 1, timeout_ms) <= 0) return "";
  std::string buffer(65536, '\0');
  const ssize_t got = ::read(fd, buffer.data(), buffer.size());
  buffer.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return buffer;
}

/// A process in a terminal of its own. The other end of the terminal is in `terminal`.
pid_t start_in_terminal(const World& world, std::vector<std::string> words, UniqueFd& terminal) {
  words.insert(words.begin(), "grapnel");
  const std::vector<std::string> env = world.environment();
  std::vector<char*> argv, envp;
  for (std::string& word : words) argv.push_back(word.data());
  for (const std::string& entry : env) envp.push_back(const_cast<char*>(entry.c_str()));
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  int fd = -1;
  winsize size{.ws_row = 50, .ws_col = 300, .ws_xpixel = 0, .ws_ypixel = 0};
  const pid_t pid = ::forkpty(&fd, nullptr, nullptr, &size);
  if (pid == 0) {
    if (::chdir(world.project().c_str()) == 0) ::execve(GRAPNEL_COMMAND, argv.data(), envp.data());
    ::_exit(127);
  }
  terminal = UniqueFd(fd);
  return pid;
}

}  // namespace

Page::Page(const World& world, With with, std::vector<std::string> options) {
  std::vector<std::string> words = {"ui", "--json"};
  words.insert(words.end(), options.begin(), options.end());
  if (with == With::Pipes) {
    World::Started started = world.start(words);
    pid_ = started.pid;
    input_ = std::move(started.input);
    output_ = std::move(started.output);
  } else {
    pid_ = start_in_terminal(world, words, output_);
  }
  becomes_true([&] { return screen().contains("\"address\"") && shown_.contains('\n'); });
  const size_t at = shown_.find("http://127.0.0.1:");
  const size_t mark = shown_.find("/#ticket=", at);
  if (mark == std::string::npos) return;
  port_ = std::atoi(shown_.c_str() + at + 17);
  ticket_ = shown_.substr(mark + 9, shown_.find('"', mark) - mark - 9);
}

Page::~Page() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

std::string Page::screen() {
  for (std::string piece; !(piece = read_some(output_.get(), 20)).empty();) shown_ += piece;
  return shown_;
}

void Page::type(std::string_view text) const {
  const int fd = input_ ? input_.get() : output_.get();
  static_cast<void>(::write(fd, text.data(), text.size()));
}

void Page::hang_up() {
  input_.reset();
  output_.reset();
}

bool Page::has_ended() const {
  siginfo_t info{};
  return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid_;
}

std::string Page::code() {
  const std::string_view before = "enter this code there: ";
  becomes_true([&] { return screen().contains(before); });
  return shown_.substr(shown_.rfind(before) + before.size(), 6);
}

std::string Page::sign_in() {
  const Reply reply = post("/api/session", Json::object({{"ticket", Json::string(ticket_)}}));
  token_ = reply.json()["token"].as_string().value_or("");
  return token_;
}

int Page::connect() const {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port_));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return fd;
  ::close(fd);
  return -1;
}

Reply read_reply(int fd) {
  std::string bytes;
  Reply reply;
  size_t head = std::string::npos;
  const auto wanted = [&] {
    const auto length = reply.headers.find("content-length");
    return length == reply.headers.end() ? std::string::npos : head + 4 + std::stoul(length->second);
  };
  while (head == std::string::npos || bytes.size() < wanted()) {
    const std::string piece = read_some(fd, static_cast<int>(kLong.count()));
    if (piece.empty()) break;
    bytes += piece;
    if (head != std::string::npos || (head = bytes.find("\r\n\r\n")) == std::string::npos) continue;
    const std::string text = bytes.substr(0, head);
    for (std::string_view line : text::split(text, '\n')) {
      line = text::trim(line);
      if (line.starts_with("HTTP/1.1 ")) reply.status = std::stoi(std::string(line.substr(9, 3)));
      const size_t colon = line.find(": ");
      if (colon != std::string_view::npos) {
        reply.headers[text::to_lower(line.substr(0, colon))] = std::string(line.substr(colon + 2));
      }
    }
    if (reply.headers.contains("transfer-encoding")) break;
  }
  if (head != std::string::npos) reply.body = bytes.substr(head + 4);
  return reply;
}

UniqueFd Page::listen() const {
  UniqueFd fd(connect());
  std::string bytes = "GET /api/live HTTP/1.1\r\n";
  for (const std::string& header : headers()) bytes += header + "\r\n";
  bytes += "\r\n";
  EXPECT_EQ(::write(fd.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  EXPECT_EQ(read_reply(fd.get()).status, 200);
  return fd;
}

Reply Page::send(const std::string& bytes) const {
  const UniqueFd fd(connect());
  // A server that has heard enough closes the connection; the rest then cannot be sent.
  for (size_t sent = 0; sent < bytes.size();) {
    const ssize_t n = ::send(fd.get(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n <= 0) break;
    sent += static_cast<size_t>(n);
  }
  return read_reply(fd.get());
}

std::vector<std::string> Page::headers() const {
  std::vector<std::string> out = {"Host: " + host()};
  if (!token_.empty()) out.push_back("X-Grapnel-Token: " + token_);
  return out;
}

Reply Page::request(const std::string& method, const std::string& path, const std::vector<std::string>& headers,
                    const std::string& body) const {
  std::string bytes = method + " " + path + " HTTP/1.1\r\n";
  for (const std::string& header : headers) bytes += header + "\r\n";
  if (!body.empty()) bytes += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  return send(bytes + "\r\n" + body);
}

Reply Page::get(const std::string& path) const {
  return request("GET", path, headers());
}

Reply Page::post(const std::string& path, const Json& body) const {
  std::vector<std::string> all = headers();
  all.insert(all.end(), {"Origin: " + origin(), "Sec-Fetch-Site: same-origin", "Content-Type: application/json"});
  return request("POST", path, all, body.dump());
}

UiWorld::UiWorld() {
  dir().put("home/.config/agents/grapnel.yaml", R"(version: 1
hooks:
  - name: no-force-push
    on: PreToolUse
    when: { tool: shell, command: git push, flag: [--force, -f] }
    deny: Force pushes need a human.
)");
  set("GRAPNEL_SERVE=off");
  set("GRAPNEL_PAYLOADS=full");
  shell("ls -l");
  shell("git push --force origin");
  shell("git push origin");
}

Ended UiWorld::shell(const std::string& command, const std::string& session) const {
  const Json payload = Json::object({{"hook_event_name", Json::string("PreToolUse")},
                                     {"session_id", Json::string(session)},
                                     {"cwd", Json::string(project())},
                                     {"tool_name", Json::string("Bash")},
                                     {"tool_input", Json::object({{"command", Json::string(command)}})}});
  return run({"fire", "--as", "claude"}, payload.dump());
}

Json UiWorld::json(std::vector<std::string> words) const {
  words.push_back("--json");
  return Json::parse(run(std::move(words)).out).value_or(Json());
}

}  // namespace grapnel::testing
