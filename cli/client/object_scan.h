#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Finds the end of one JSON object in text that arrives piece by piece.
 *
 * Some agents never close the pipe they write to, so nobody can wait for the end of the input: the object's own braces
 * say where it ends. The rest of the grammar is not checked here. The client (cli/client/input.c) and the full program
 * (cli/event_input.cc) both use this routine, so that they cannot disagree about what an object is. */

#ifdef __cplusplus
extern "C" {
#endif

enum ObjectState {
  kObjectBefore,  /* nothing but white space, or a byte-order mark, so far */
  kObjectInside,  /* the object has begun */
  kObjectDone,    /* it has ended; what follows is not looked at */
  kObjectMissing, /* the text begins with something else */
};

/* All zero at the start. */
struct ObjectScan {
  enum ObjectState state;
  size_t length; /* bytes up to the end of the object, as far as they were seen */
  size_t depth;
  size_t bom; /* how many bytes of a byte-order mark came so far */
  bool in_string;
  bool is_escaped;
};

/* Looks at further bytes, up to the end of the object. */
enum ObjectState scan_object(struct ObjectScan* scan, const char* bytes, size_t size);

#ifdef __cplusplus
}
#endif
