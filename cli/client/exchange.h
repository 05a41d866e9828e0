#pragma once

#include <stdbool.h>

#include "input.h"
#include "wire.h"

/* What this process was started with. */
struct Process {
  char** words; /* of the command line, after the program's name */
  char** env;
  const char* name; /* the path that this program was started with */
};

/* A server's answer. Its texts follow each other: standard output, standard error, and the text for a lost answer. */
struct Reply {
  struct ReplyHead head;
  char* texts;     /* `room`, or allocated */
  char room[2048]; /* for texts that are short, as most are */
};

/* Connects to the user's server. Returns the socket, or -1 when there is no server or it belongs to somebody else. */
int connect_to_server(void);

/* Whether the process at the other end runs the program that `engine` identifies. */
bool is_genuine_server(int server, const struct EngineIdentity* engine);

/* Sends the event to the server and waits for the answer. False when there is no answer; nothing was printed then. */
bool ask_server(int server, const struct Process* process, const struct EngineIdentity* engine,
                const struct Input* input, struct Reply* answer);
