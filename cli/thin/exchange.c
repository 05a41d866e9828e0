#define _GNU_SOURCE
#include "exchange.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>

enum { kFirstTexts = 1 << 14 };

static const char* value_of(char** env, const char* name) {
  const size_t length = strlen(name);
  for (; *env != NULL; ++env) {
    if (strncmp(*env, name, length) == 0 && (*env)[length] == '=') return *env + length + 1;
  }
  return "";
}

/* The same place as Environment::runtime_dir() names. False when its name is too long for a socket. */
static int socket_path(char** env, char* path, size_t room) {
  const char* parts[4] = {value_of(env, "XDG_RUNTIME_DIR"), "/grapnel", SERVE_SOCKET, ""};
  if (parts[0][0] != '/') {
    const char* state = value_of(env, "XDG_STATE_HOME");
    const char* home = value_of(env, "HOME");
    parts[0] = state[0] == '/' ? state : home[0] == '\0' ? "/" : home;
    parts[1] = state[0] == '/' ? "" : "/.local/state";
    parts[2] = "/grapnel/sessions";
    parts[3] = SERVE_SOCKET;
  }
  size_t at = 0;
  for (int i = 0; i < 4; ++i) {
    const size_t length = strlen(parts[i]);
    if (at + length >= room) return 0;
    memcpy(path + at, parts[i], length);
    at += length;
  }
  path[at] = '\0';
  return 1;
}

int connect_to_server(char** env) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (!socket_path(env, address.sun_path, sizeof address.sun_path)) return -1;
  const int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (server < 0) return -1;
  struct ucred peer;
  socklen_t size = sizeof peer;
  const int is_ours = server > STDERR_FILENO && connect(server, (struct sockaddr*)&address, sizeof address) == 0 &&
                      getsockopt(server, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
  if (is_ours) return server;
  close(server);
  return -1;
}

static int wait_for(int server, short what) {
  for (;;) {
    struct pollfd peer = {server, what, 0};
    const int ready = poll(&peer, 1, SERVE_PATIENCE_MS);
    if (ready >= 0 || errno != EINTR) return ready > 0;
  }
}

static int send_all(int server, struct iovec* parts, int count) {
  while (count > 0) {
    const struct msghdr message = {.msg_iov = parts, .msg_iovlen = (size_t)count};
    const ssize_t sent = sendmsg(server, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN) {
      if (!wait_for(server, POLLOUT)) return 0;
      continue;
    }
    if (sent < 0) return 0;
    size_t left = (size_t)sent;
    for (; count > 0 && left >= parts->iov_len; ++parts, --count) left -= parts->iov_len;
    if (count > 0) {
      parts->iov_base = (char*)parts->iov_base + left;
      parts->iov_len -= left;
    }
  }
  return 1;
}

static int receive_all(int server, char* into, size_t size) {
  for (size_t at = 0; at < size;) {
    const ssize_t count = recv(server, into + at, size - at, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) {
      if (!wait_for(server, POLLIN)) return 0;
      continue;
    }
    if (count <= 0) return 0;
    at += (size_t)count;
  }
  return 1;
}

/* Puts strings behind each other, each with its NUL. Returns how many bytes, or -1 when there is no room. */
static long join(char** strings, char* into, size_t room) {
  size_t at = 0;
  for (; *strings != NULL; ++strings) {
    const size_t length = strlen(*strings) + 1;
    if (at + length > room) return -1;
    memcpy(into + at, *strings, length);
    at += length;
  }
  return (long)at;
}

static int send_request(int server, char** words, char** env, const struct EngineIdentity* engine,
                        const struct Input* input) {
  static char texts[SERVE_MAX_HEAD];
  struct RequestHead head = {.magic = SERVE_MAGIC, .payload = input->object, .engine = *engine};
  const long word_bytes = join(words, texts, sizeof texts);
  if (word_bytes < 0) return 0;
  char* rest = texts + word_bytes;
  const long env_bytes = join(env, rest, (size_t)(texts + sizeof texts - rest));
  if (env_bytes < 0) return 0;
  rest += env_bytes;
  if (getcwd(rest, (size_t)(texts + sizeof texts - rest)) == NULL || rest[0] != '/') return 0;
  head.words = (uint32_t)word_bytes;
  head.env = (uint32_t)env_bytes;
  head.cwd = (uint32_t)strlen(rest) + 1;
  struct iovec parts[] = {
      {&head, sizeof head}, {texts, head.words + head.env + head.cwd}, {input->bytes, input->object}};
  return send_all(server, parts, 3);
}

static int receive_answer(int server, struct Answer* answer) {
  static char first[kFirstTexts];
  struct ReplyHead* head = &answer->head;
  do {
    if (!wait_for(server, POLLIN) || !receive_all(server, (char*)head, sizeof *head)) return 0;
    if (head->magic != SERVE_MAGIC) return 0;
  } while (head->kind == kReplyAlive);
  if (head->kind != kReplyAnswer) return 0;
  const size_t size = (size_t)head->out + head->err + head->lost;
  answer->texts = first;
  if (size > sizeof first) {
    answer->texts = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (answer->texts == MAP_FAILED) return 0;
  }
  return receive_all(server, answer->texts, size);
}

int ask_server(int server, char** words, char** env, const struct EngineIdentity* engine, const struct Input* input,
               struct Answer* answer) {
  return send_request(server, words, env, engine, input) && receive_answer(server, answer);
}
