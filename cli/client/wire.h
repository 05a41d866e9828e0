#pragma once

#include <stdint.h>

/* The protocol between `grapnel` and `grapnel serve`: a Unix stream socket, one request per connection.
 *
 *   request   RequestHead, then `words` (of the command line after the program's name), `env` and `cwd`, each string
 *             ended by a NUL, then the payload
 *   reply     any number of kReplyAlive, then one kReplyDeclined, or one kReplyAnswer with its texts after it
 *
 * Both ends run on one machine and come from one build, so numbers have the byte order and layout of the machine. A
 * server declines a request of another version or from another build. A client that is declined, hears nothing for
 * SERVE_PATIENCE_MS or cannot read the reply does the work itself. */

#define SERVE_MAGIC 0x32766547u /* "Gev2": changes with every change of this file */
#define SERVE_SOCKET "/serve.sock"
#define SERVE_MAX_HEAD (256u << 10)   /* bytes of words, env and cwd together */
#define SERVE_MAX_PAYLOAD (64u << 20) /* bytes, the same as in cli/event_input.h */
#define SERVE_PATIENCE_MS 5000
#define SERVE_ALIVE_MS 1000 /* a busy server sends a sign of life this often */

/* The file of `grapnel-engine` as it is on disk. A server answers only clients that would start the same program. */
struct EngineIdentity {
  uint64_t device, inode, size;
  int64_t modified_s, modified_ns;
};

struct RequestHead {
  uint32_t magic;
  uint32_t words, env, cwd; /* bytes */
  uint32_t user;            /* the effective user id as the client sees it */
  uint32_t unused;
  uint64_t payload; /* bytes */
  struct EngineIdentity engine;
};

enum ReplyKind { kReplyAlive = 1, kReplyDeclined = 2, kReplyAnswer = 3 };

struct ReplyHead {
  uint32_t magic;
  uint32_t kind;
  int32_t status;
  int32_t lost_status; /* the exit status when standard output cannot be written… */
  uint32_t out, err;   /* bytes */
  uint32_t lost;       /* …and the text for standard error in that case, bytes */
  uint32_t unused;
};
