#pragma once

#include <stdbool.h>
#include <stddef.h>

/* One JSON object from standard input, for good input only: whatever is odd is left to the full program, which gets
 * every byte that was read. */

struct Input {
  char* bytes; /* all that was read: in `first`, or allocated */
  size_t room;
  size_t size;
  size_t object;       /* how much of it is the object */
  char first[1 << 14]; /* most payloads fit, and the first malloc() of a process is slow */
};

/* Reads it. False: there is none that can be sent on; what was read is in `input` all
 * the same. */
bool read_input(struct Input* input);

/* Makes what was read the standard input again. False when that cannot be. */
bool give_input_back(const struct Input* input);
