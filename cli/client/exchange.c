#include "exchange.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>

#include "descriptors.h"

/* The value of a variable, or "" when it is not set. */
static const char* value_of(const char* name) {
  const char* value = getenv(name);
  return value == NULL ? "" : value;
}

/* Joins the parts. False when there is not enough room. */
static bool join_path(char* path, size_t room, const char* const* parts, size_t count) {
  size_t at = 0;
  for (size_t i = 0; i < count; ++i) {
    const size_t length = strlen(parts[i]);
    if (at + length >= room) return false;
    memcpy(path + at, parts[i], length);
    at += length;
  }
  path[at] = '\0';
  return true;
}

/* The path of the server's socket, in the directory that Environment::runtime_dir() names; the two must agree. False
 * when the path is too long for a socket. */
static bool socket_path(char* path, size_t room) {
  const char* runtime = value_of("XDG_RUNTIME_DIR");
  if (runtime[0] == '/') return join_path(path, room, (const char*[]){runtime, "/grapnel", SERVE_SOCKET}, 3);
  const char* state = value_of("XDG_STATE_HOME");
  const char* home = value_of("HOME");
  const bool has_state = state[0] == '/';
  const char* base = has_state ? state : home[0] == '\0' ? "/" : home;
  const char* below = has_state ? "" : "/.local/state";
  return join_path(path, room, (const char*[]){base, below, "/grapnel/sessions", SERVE_SOCKET}, 4);
}

/* Whether the server runs as the same user, according to the kernel. The answer of anybody else must not be believed.
 * */
static bool is_own_peer(int server) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(server, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

/* Whether the server is the program that this client would start, according to the kernel. An agent's tools run as the
 * same user, so they could listen at the socket's path and approve everything. */
bool is_genuine_server(int server, const struct EngineIdentity* engine) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(server, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
  char digits[16], path[40];
  size_t at = sizeof digits - 1;
  digits[at] = '\0';
  for (unsigned long left = (unsigned long)peer.pid; left > 0 && at > 0; left /= 10)
    digits[--at] = (char)('0' + left % 10);
  struct stat program;
  return join_path(path, sizeof path, (const char*[]){"/proc/", digits + at, "/exe"}, 3) && stat(path, &program) == 0 &&
         program.st_dev == engine->device && program.st_ino == engine->inode;
}

int connect_to_server(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (!socket_path(address.sun_path, sizeof address.sun_path)) return -1;
  const int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (server < 0) return -1;
  /* A descriptor below 3 means that a standard stream is closed. The full program handles that case. */
  const bool is_ours = server > STDERR_FILENO &&
                       connect(server, (const struct sockaddr*)&address, sizeof address) == 0 && is_own_peer(server);
  if (is_ours) return server;
  close(server);
  return -1;
}

/* Sends all parts. The socket does not block, so a server that reads nothing is given up after a while. */
static bool send_all(int server, struct iovec* parts, int count) {
  while (count > 0) {
    const struct msghdr message = {.msg_iov = parts, .msg_iovlen = count};
    const ssize_t sent = sendmsg(server, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN && wait_ready(server, POLLOUT, now_ms() + SERVE_PATIENCE_MS)) continue;
    if (sent < 0) return false;
    size_t left = (size_t)sent;
    for (; count > 0 && left >= parts->iov_len; ++parts, --count) left -= parts->iov_len;
    if (count == 0) break;
    parts->iov_base = (char*)parts->iov_base + left;
    parts->iov_len -= left;
  }
  return true;
}

/* Receives until `room` holds at least `least` bytes; `*have` bytes are there already. False when the server closes the
 * connection, or says nothing for SERVE_PATIENCE_MS. */
static bool receive(int server, char* room, size_t size, size_t* have, size_t least) {
  while (*have < least) {
    if (!wait_ready(server, POLLIN, now_ms() + SERVE_PATIENCE_MS)) return false;
    const ssize_t count = recv(server, room + *have, size - *have, 0);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return false;
    *have += (size_t)count;
  }
  return true;
}

/* How many bytes the strings take, each with its NUL. */
static size_t bytes_of(char* const* strings) {
  size_t bytes = 0;
  for (; *strings != NULL; ++strings) bytes += strlen(*strings) + 1;
  return bytes;
}

/* Copies the strings, each with its NUL. Returns the place after the last one. */
static char* copy_strings(char* to, char* const* strings) {
  for (; *strings != NULL; ++strings) to = stpcpy(to, *strings) + 1;
  return to;
}

/* Sends the head, the strings and the payload with one system call, if the socket has room for them. */
static bool send_parts(int server, const struct RequestHead* head, const struct Process* process, const char* cwd,
                       char* strings, const struct Input* input) {
  char* end = copy_strings(copy_strings(strings, process->words), process->env);
  memcpy(end, cwd, head->cwd);
  struct iovec parts[] = {{(void*)head, sizeof *head},
                          {strings, (size_t)head->words + head->env + head->cwd},
                          {input->bytes, input->object}};
  return send_all(server, parts, (int)(sizeof parts / sizeof *parts));
}

/* Sends the request. False also when the strings are too long for a server; then the full program does the work. */
static bool send_request(int server, const struct Process* process, const struct EngineIdentity* engine,
                         const struct Input* input) {
  char cwd[PATH_MAX];
  if (getcwd(cwd, sizeof cwd) == NULL || cwd[0] != '/') return false;
  const size_t words = bytes_of(process->words), env = bytes_of(process->env), cwd_bytes = strlen(cwd) + 1;
  if (words > SERVE_MAX_HEAD || env > SERVE_MAX_HEAD || words + env + cwd_bytes > SERVE_MAX_HEAD) return false;
  const struct RequestHead head = {.magic = SERVE_MAGIC,
                                   .words = (uint32_t)words,
                                   .env = (uint32_t)env,
                                   .cwd = (uint32_t)cwd_bytes,
                                   .user = geteuid(),
                                   .payload = input->object,
                                   .engine = *engine};
  char few[1 << 14]; /* most environments fit, and the first malloc() of a process is slow */
  char* strings = words + env + cwd_bytes <= sizeof few ? few : malloc(words + env + cwd_bytes);
  if (strings == NULL) return false;
  const bool is_sent = send_parts(server, &head, process, cwd, strings, input);
  if (strings != few) free(strings);
  return is_sent;
}

/* Receives the head of the answer and skips the signs of life before it. Several frames may arrive in one piece, so
 * what
 * follows a head is moved to the front of the room. */
static bool receive_head(int server, struct Reply* answer, size_t* have) {
  struct ReplyHead* head = &answer->head;
  for (;;) {
    if (!receive(server, answer->room, sizeof answer->room, have, sizeof *head)) return false;
    memcpy(head, answer->room, sizeof *head);
    if (head->magic != SERVE_MAGIC) return false;
    *have -= sizeof *head;
    memmove(answer->room, answer->room + sizeof *head, *have);
    if (head->kind != kReplyAlive) return head->kind == kReplyAnswer;
  }
}

/* Makes more room for the texts, and keeps what arrived so far. */
static bool grow_texts(struct Reply* answer, size_t room, size_t have) {
  char* old = answer->texts == answer->room ? NULL : answer->texts;
  char* more = realloc(old, room);
  if (more == NULL) return false;
  if (old == NULL) memcpy(more, answer->room, have);
  answer->texts = more;
  return true;
}

/* Receives the answer. Memory grows while bytes arrive: a server that announces a huge answer has to send it first. */
static bool receive_answer(int server, struct Reply* answer) {
  size_t have = 0, room = sizeof answer->room;
  answer->texts = answer->room;
  if (!receive_head(server, answer, &have)) return false;
  const size_t size = (size_t)answer->head.out + answer->head.err + answer->head.lost;
  while (have < size) {
    if (have == room && !grow_texts(answer, room *= 2, have)) return false;
    if (!receive(server, answer->texts, room, &have, size < room ? size : room)) return false;
  }
  return true;
}

bool ask_server(int server, const struct Process* process, const struct EngineIdentity* engine,
                const struct Input* input, struct Reply* answer) {
  return send_request(server, process, engine, input) && receive_answer(server, answer);
}
