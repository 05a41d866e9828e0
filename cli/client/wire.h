#pragma once

#include <stdint.h>

/* What `grapnel` and `grapnel serve` say to each other over a Unix stream socket, one request per connection.
 *
 *   request   RequestHead, then `words` (of the command line after the program's name), `env` and `cwd`, each string
 *             ended by a NUL, then the payload
 *   reply     any number of kReplyAlive, then one kReplyDeclined or one kReplyAnswer with its texts behind it
 *
 * Both ends are on one machine and of one build, so numbers are as the machine has them. Whoever is asked in another
 * version, or by another build than its own, declines; whoever is declined, hears nothing for SERVE_PATIENCE_MS or
 * cannot read what it hears does the work itself. */

#define SERVE_MAGIC 0x32766547u /* "Gev2": changes with every change of this file */
#define SERVE_SOCKET "/serve.sock"
#define SERVE_MAX_HEAD (256u << 10)   /* bytes of words, env and cwd together */
#define SERVE_MAX_PAYLOAD (64u << 20) /* bytes, as cli/event_input.h has it */
#define SERVE_PATIENCE_MS 5000
#define SERVE_ALIVE_MS 1000 /* a server that works says so this often */

/* The file of `grapnel-engine` as it is on disk: a server answers only who would have started the same program. */
struct EngineIdentity {
  uint64_t device, inode, size;
  int64_t modified_s, modified_ns;
};

struct RequestHead {
  uint32_t magic;
  uint32_t words, env, cwd; /* bytes */
  uint32_t user;            /* the effective id as the client knows it */
  uint32_t unused;
  uint64_t payload; /* bytes */
  struct EngineIdentity engine;
};

enum ReplyKind { kReplyAlive = 1, kReplyDeclined = 2, kReplyAnswer = 3 };

struct ReplyHead {
  uint32_t magic;
  uint32_t kind;
  int32_t status;
  int32_t lost_status; /* when what goes to standard output cannot be written… */
  uint32_t out, err;   /* bytes */
  uint32_t lost;       /* …and what to say then, bytes */
  uint32_t unused;
};
