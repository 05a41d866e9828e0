#include "exchange.h"

#include <errno.h>
#include <poll.h>

#include <linux/limits.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>

#include "kernel.h"

enum { kStandardError = 2 };

static const char* value_of(char** env, const char* name) {
  const size_t length = length_of(name);
  for (; *env != NULL; ++env) {
    if (starts_with(*env, name) && (*env)[length] == '=') return *env + length + 1;
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
    const size_t length = length_of(parts[i]);
    if (at + length >= room) return 0;
    copy_bytes(path + at, parts[i], length);
    at += length;
  }
  path[at] = '\0';
  return 1;
}

static int is_peer(int server, unsigned user) {
  struct ucred {
    int pid;
    unsigned uid, gid;
  } peer;
  socklen_t size = sizeof peer;
  return KERNEL5(getsockopt, server, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == user;
}

int connect_to_server(const struct Process* process) {
  struct sockaddr_un address;
  address.sun_family = AF_UNIX;
  if (!socket_path(process->env, address.sun_path, sizeof address.sun_path)) return -1;
  const int server = (int)KERNEL3(socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (server < 0) return -1;
  const int is_ours = server > kStandardError && KERNEL3(connect, server, &address, sizeof address) == 0 &&
                      is_peer(server, process->user);
  if (is_ours) return server;
  KERNEL2(close, server, 0);
  return -1;
}

static int send_all(int server, struct iovec* parts, size_t count) {
  while (count > 0) {
    const struct msghdr message = {.msg_iov = parts, .msg_iovlen = count};
    const long sent = KERNEL3(sendmsg, server, &message, MSG_NOSIGNAL);
    long patience = SERVE_PATIENCE_MS;
    if (sent == -EAGAIN && wait_for(server, POLLOUT, &patience)) continue;
    if (sent == -EINTR) continue;
    if (sent < 0) return 0;
    size_t left = (size_t)sent;
    for (; count > 0 && left >= parts->iov_len; ++parts, --count) left -= parts->iov_len;
    if (count == 0) break;
    parts->iov_base = (char*)parts->iov_base + left;
    parts->iov_len -= left;
  }
  return 1;
}

/* Receives until there are at least that many bytes in `room`, which holds `*have` already. */
static int receive(int server, char* room, size_t size, size_t* have, size_t least) {
  while (*have < least) {
    long patience = SERVE_PATIENCE_MS;
    if (!wait_for(server, POLLIN, &patience)) return 0;
    const long count = KERNEL4(recvfrom, server, room + *have, size - *have, 0);
    if (count == -EINTR || count == -EAGAIN) continue;
    if (count <= 0) return 0;
    *have += (size_t)count;
  }
  return 1;
}

/* The kernel puts the strings a program is started with behind each other: this is all of them, each with its NUL. The
 * length is -1 when somebody moved one. */
static struct iovec join(char** strings) {
  const char* end = *strings;
  struct iovec all = {*strings, 0};
  for (; *strings != NULL; ++strings) {
    if (*strings != end) return (struct iovec){NULL, (size_t)-1};
    end += length_of(end) + 1;
  }
  all.iov_len = (size_t)(end - (const char*)all.iov_base);
  return all;
}

static int send_request(int server, const struct Process* process, const struct EngineIdentity* engine,
                        const struct Input* input) {
  char cwd[PATH_MAX];
  const long cwd_bytes = KERNEL2(getcwd, cwd, sizeof cwd);
  const struct iovec words = join(process->words), env = join(process->env);
  if (cwd_bytes <= 0 || cwd[0] != '/' || words.iov_len > SERVE_MAX_HEAD || env.iov_len > SERVE_MAX_HEAD) return 0;
  struct RequestHead head = {.magic = SERVE_MAGIC,
                             .words = (uint32_t)words.iov_len,
                             .env = (uint32_t)env.iov_len,
                             .cwd = (uint32_t)cwd_bytes,
                             .user = process->user,
                             .payload = input->object,
                             .engine = *engine};
  if (head.words + head.env + head.cwd > SERVE_MAX_HEAD) return 0;
  struct iovec parts[] = {{&head, sizeof head}, words, env, {cwd, head.cwd}, {input->bytes, input->object}};
  return send_all(server, parts, sizeof parts / sizeof *parts);
}

/* Signs of life come before the answer, maybe with it in one piece. */
static int receive_head(int server, struct Answer* answer, size_t* have) {
  struct ReplyHead* head = &answer->head;
  for (;;) {
    if (!receive(server, answer->room, sizeof answer->room, have, sizeof *head)) return 0;
    copy_bytes((char*)head, answer->room, sizeof *head);
    if (head->magic != SERVE_MAGIC) return 0;
    *have -= sizeof *head;
    copy_bytes(answer->room, answer->room + sizeof *head, *have);
    if (head->kind != kReplyAlive) return head->kind == kReplyAnswer;
  }
}

static int receive_answer(int server, struct Answer* answer) {
  size_t have = 0;
  if (!receive_head(server, answer, &have)) return 0;
  const size_t size = (size_t)answer->head.out + answer->head.err + answer->head.lost;
  answer->texts = answer->room;
  if (size > sizeof answer->room) {
    answer->texts = take_memory(size);
    if (answer->texts == NULL) return 0;
    copy_bytes(answer->texts, answer->room, have);
  }
  return receive(server, answer->texts, size, &have, size);
}

int ask_server(int server, const struct Process* process, const struct EngineIdentity* engine,
               const struct Input* input, struct Answer* answer) {
  return send_request(server, process, engine, input) && receive_answer(server, answer);
}
