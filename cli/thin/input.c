#define _GNU_SOURCE
#include "input.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <sys/mman.h>

#include "wire.h"

enum { kTimeoutMs = 60000, kFirstRoom = 1 << 16 };

enum State { Before, Inside, Done, NoObject };

struct Scanner {
  enum State state;
  size_t at, depth, bom;
  int in_string, escaped;
};

static int is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

static void scan_start(struct Scanner* scanner, char c) {
  static const char kBom[] = "\xEF\xBB\xBF";
  const int is_bom = scanner->bom < 3 && c == kBom[scanner->bom];
  if (is_bom) ++scanner->bom;
  if (is_bom || is_space(c)) return;
  scanner->state = c == '{' ? Inside : NoObject;
  scanner->depth = 1;
}

static void scan_string(struct Scanner* scanner, char c) {
  if (scanner->escaped) {
    scanner->escaped = 0;
  } else if (c == '"') {
    scanner->in_string = 0;
  } else {
    scanner->escaped = c == '\\';
  }
}

static void scan_structure(struct Scanner* scanner, char c) {
  if (c == '"') scanner->in_string = 1;
  if (c == '{' || c == '[') ++scanner->depth;
  if (c == '}' || c == ']') --scanner->depth;
  if (scanner->depth == 0) scanner->state = Done;
}

static void scan(struct Scanner* scanner, const char* bytes, size_t size) {
  while (scanner->at < size && (scanner->state == Before || scanner->state == Inside)) {
    const char c = bytes[scanner->at++];
    if (scanner->state == Before) {
      scan_start(scanner, c);
    } else if (scanner->in_string) {
      scan_string(scanner, c);
    } else {
      scan_structure(scanner, c);
    }
  }
}

static long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int wait_for_input(long deadline) {
  for (;;) {
    struct pollfd input = {STDIN_FILENO, POLLIN, 0};
    const long left = deadline - now_ms();
    const int ready = poll(&input, 1, left > 0 ? (int)left : 0);
    if (ready >= 0 || errno != EINTR) return ready > 0;
  }
}

/* Room that doubles; the first is there before anything is read, the rest comes from the kernel when it is needed. */
static int grow(struct Input* input, size_t* room) {
  char* more = mmap(NULL, *room * 2, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (more == MAP_FAILED) return 0;
  memcpy(more, input->bytes, input->size);
  input->bytes = more;
  *room *= 2;
  return 1;
}

static int is_blank(const char* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    if (!is_space(bytes[i])) return 0;
  }
  return 1;
}

int read_input(struct Input* input) {
  static char first[kFirstRoom];
  size_t room = sizeof first;
  struct Scanner scanner = {Before, 0, 0, 0, 0, 0};
  const long deadline = now_ms() + kTimeoutMs;
  input->bytes = first;
  input->size = 0;
  while (scanner.state == Before || scanner.state == Inside) {
    if (input->size == room && !grow(input, &room)) return 0;
    if (!wait_for_input(deadline)) return 0;
    const ssize_t count = read(STDIN_FILENO, input->bytes + input->size, room - input->size);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return 0;
    input->size += (size_t)count;
    scan(&scanner, input->bytes, input->size);
    if (input->size > SERVE_MAX_PAYLOAD) return 0;
  }
  input->object = scanner.at;
  return scanner.state == Done && is_blank(input->bytes + scanner.at, input->size - scanner.at);
}

int give_input_back(const struct Input* input) {
  const int file = memfd_create("grapnel-payload", 0);
  if (file < 0) return 0;
  for (size_t at = 0; at < input->size;) {
    const ssize_t count = write(file, input->bytes + at, input->size - at);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return 0;
    at += (size_t)count;
  }
  if (lseek(file, 0, SEEK_SET) != 0 || dup2(file, STDIN_FILENO) < 0) return 0;
  if (file != STDIN_FILENO) close(file);
  return 1;
}
