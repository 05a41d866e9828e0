#include "input.h"

#include <errno.h>
#include <poll.h>

#include "kernel.h"
#include "wire.h"

enum { kStandardInput = 0, kTimeoutMs = 60000 };

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
  const char* kBom = "\xEF\xBB\xBF";
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

/* Most of a payload is text in strings. */
static void skip_text(struct Scanner* scanner, const char* bytes, size_t size) {
  size_t at = scanner->at;
  while (at < size && bytes[at] != '"' && bytes[at] != '\\') ++at;
  scanner->at = at;
}

static void scan(struct Scanner* scanner, const char* bytes, size_t size) {
  for (;;) {
    if (scanner->in_string && !scanner->escaped) skip_text(scanner, bytes, size);
    if (scanner->at == size || scanner->state == Done || scanner->state == NoObject) return;
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

/* Room that doubles, from the kernel when it is needed. */
static int grow(struct Input* input) {
  char* more = take_memory(input->room * 2);
  if (more == NULL) return 0;
  copy_bytes(more, input->bytes, input->size);
  input->bytes = more;
  input->room *= 2;
  return 1;
}

static int is_blank(const char* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    if (!is_space(bytes[i])) return 0;
  }
  return 1;
}

int read_input(struct Input* input) {
  struct Scanner scanner = {Before, 0, 0, 0, 0, 0};
  long left = kTimeoutMs;
  while (scanner.state == Before || scanner.state == Inside) {
    if (input->size == input->room && !grow(input)) return 0;
    if (!wait_for(kStandardInput, POLLIN, &left)) return 0;
    const long count = KERNEL3(read, kStandardInput, input->bytes + input->size, input->room - input->size);
    if (count == -EINTR || count == -EAGAIN) continue;
    if (count <= 0) return 0;
    input->size += (size_t)count;
    scan(&scanner, input->bytes, input->size);
    if (input->size > SERVE_MAX_PAYLOAD) return 0;
  }
  input->object = scanner.at;
  return scanner.state == Done && is_blank(input->bytes + scanner.at, input->size - scanner.at);
}

int give_input_back(const struct Input* input) {
  const int file = (int)KERNEL2(memfd_create, "grapnel-payload", 0);
  if (file < 0 || !write_all(file, input->bytes, input->size)) return 0;
  if (KERNEL3(lseek, file, 0, 0) != 0) return 0;
  if (file == kStandardInput) return 1;
  const int is_placed = KERNEL3(dup3, file, kStandardInput, 0) == kStandardInput;
  KERNEL2(close, file, 0);
  return is_placed;
}
