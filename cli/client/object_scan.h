#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Finds the end of one JSON object in text that arrives piece by piece.
 *
 * Some agents never close the pipe they write to, so we cannot wait for the end of the input: the object's own braces
 * show where it ends. The rest of the grammar is not checked here. The client (cli/client/input.c) and the full program
 * (cli/event_input.cc) both use this function, so that they cannot disagree about where an object ends. */

#ifdef __cplusplus
extern "C" {
#endif

enum ObjectState {
  kObjectBefore,  /* nothing but white space, or a byte-order mark, so far */
  kObjectInside,  /* the object has begun */
  kObjectDone,    /* it has ended; bytes after it are not scanned */
  kObjectMissing, /* the text starts with something else */
};

/* The state between two pieces. Set it to zero before the first one. */
struct ObjectScan {
  enum ObjectState state;
  size_t length; /* bytes up to the end of the object, as far as they were seen */
  size_t depth;
  size_t bom; /* how many bytes of a byte-order mark came so far */
  bool in_string;
  bool is_escaped;
};

/* Scans the next piece, up to the end of the object. */
enum ObjectState scan_object(struct ObjectScan* scan, const char* bytes, size_t size);

#ifdef __cplusplus
}
#endif
