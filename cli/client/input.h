#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Reads one JSON object from standard input. Only good input is accepted here: anything odd is left to the full
 * program, which gets every byte that was read. */

struct Input {
  char* bytes; /* all that was read: in `first`, or allocated */
  size_t room;
  size_t size;
  size_t object;       /* how much of it is the object */
  char first[1 << 14]; /* most payloads fit, and the first malloc() of a process is slow */
};

/* Reads the object. False when there is none that can be sent to a server; `input` holds the bytes that were read in
 * either case. */
bool read_input(struct Input* input);

/* Makes standard input start again with the bytes that were read. False when that is not possible. */
bool give_input_back(const struct Input* input);
