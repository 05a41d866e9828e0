#pragma once

#include <stddef.h>

/* One JSON object from standard input. Its end is found by its braces, since some agents never close the pipe; the same
 * rules as cli/event_input.h, for good input only: whatever is odd is left to the full program, which gets every byte
 * that was read. */

struct Input {
  char* bytes; /* all that was read, at first in room that is handed in */
  size_t room;
  size_t size;
  size_t object; /* how much of it is the object */
};

/* Reads it. False: there is none that can be sent on; what was read is in `input` all the same. */
int read_input(struct Input* input);

/* Makes what was read the standard input again. False when that cannot be. */
int give_input_back(const struct Input* input);
