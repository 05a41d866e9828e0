#include "input.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <sys/mman.h>

#include "descriptors.h"
#include "object_scan.h"
#include "wire.h"

/* The same time as in cli/event_input.h. */
enum { kTimeoutMs = 60000 };

/* Doubles the room. The first growth moves the bytes from `first` to allocated memory. */
static bool grow(struct Input* input) {
  const size_t room = input->room * 2;
  char* old = input->bytes == input->first ? NULL : input->bytes;
  char* more = realloc(old, room);
  if (more == NULL) return false;
  if (old == NULL) memcpy(more, input->first, input->size);
  input->bytes = more;
  input->room = room;
  return true;
}

/* Whether there is only white space. Anything else after the object is left to the full program, which reports it. */
static bool is_blank(const char* bytes, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    if (bytes[i] != ' ' && !(bytes[i] >= '\t' && bytes[i] <= '\r')) return false;
  }
  return true;
}

bool read_input(struct Input* input) {
  struct ObjectScan scan = {.state = kObjectBefore};
  const int64_t until = now_ms() + kTimeoutMs;
  input->bytes = input->first;
  input->room = sizeof input->first;
  while (scan.state == kObjectBefore || scan.state == kObjectInside) {
    if (input->size == input->room && !grow(input)) return false;
    if (!wait_ready(STDIN_FILENO, POLLIN, until)) return false;
    const ssize_t count = read(STDIN_FILENO, input->bytes + input->size, input->room - input->size);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return false;
    scan_object(&scan, input->bytes + input->size, (size_t)count);
    input->size += (size_t)count;
    if (input->size > SERVE_MAX_PAYLOAD) return false;
  }
  input->object = scan.length;
  return scan.state == kObjectDone && is_blank(input->bytes + input->object, input->size - input->object);
}

/* The bytes go to a file in memory, which becomes standard input: a pipe could hold only a part of them. */
bool give_input_back(const struct Input* input) {
  const int file = memfd_create("grapnel-payload", 0);
  if (file < 0 || !write_all(file, input->bytes, input->size)) return false;
  if (lseek(file, 0, SEEK_SET) != 0) return false;
  if (file == STDIN_FILENO) return true;
  const bool is_placed = dup2(file, STDIN_FILENO) == STDIN_FILENO;
  close(file);
  return is_placed;
}
