#pragma once

#include <stdbool.h>

#include "input.h"
#include "wire.h"

/* What this process was started with. */
struct Process {
  char** words; /* of the command line, behind the program's name */
  char** env;
  const char* name; /* by which the program was started */
};

/* A server's answer, the texts one behind the other. */
struct Reply {
  struct ReplyHead head;
  char* texts;     /* `room`, or allocated */
  char room[2048]; /* for texts that are short, as most are */
};

/* Connects to the user's server. Returns the socket, or -1 when there is none that can be believed. */
int connect_to_server(void);

/* Asks it. False: it did not answer, and nothing was printed. */
bool ask_server(int server, const struct Process* process, const struct EngineIdentity* engine,
                const struct Input* input, struct Reply* answer);
