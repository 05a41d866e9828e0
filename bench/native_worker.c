// A worker that lets everything pass: it answers each line with the line's id.
#include <string.h>
#include <unistd.h>

static char text[1 << 21];

/// Answers the line of that length; returns 0 if that is not possible.
static int answer_line(size_t length) {
  static const char kKey[] = "\"id\":\"";
  const char* id = memmem(text, length, kKey, sizeof kKey - 1);
  if (id == NULL) return 0;
  id += sizeof kKey - 1;
  const char* quote = memchr(id, '"', length - (size_t)(id - text));
  if (quote == NULL || quote - id > 200) return 0;
  char answer[256] = "{\"id\":\"";
  const size_t size = (size_t)(quote - id);
  memcpy(answer + 7, id, size);
  memcpy(answer + 7 + size, "\"}\n", 3);
  return write(1, answer, size + 10) > 0;
}

int main(void) {
  size_t size = 0;
  for (;;) {
    const ssize_t got = read(0, text + size, sizeof text - size);
    if (got <= 0) return 0;
    size += (size_t)got;
    const char* end = NULL;
    while ((end = memchr(text, '\n', size)) != NULL) {
      if (!answer_line((size_t)(end - text))) return 1;
      size -= (size_t)(end + 1 - text);
      memmove(text, end + 1, size);
    }
  }
}
