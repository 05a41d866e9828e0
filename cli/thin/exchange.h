#pragma once

#include "input.h"
#include "wire.h"

/* A server's answer, the texts one behind the other. */
struct Answer {
  struct ReplyHead head;
  char* texts;
};

/* Connects to the user's server. Returns the socket, or -1 when there is none that can be believed. */
int connect_to_server(char** env);

/* Asks it; `words` are those behind the program's name. False: it did not answer, and nothing was printed. */
int ask_server(int server, char** words, char** env, const struct EngineIdentity* engine, const struct Input* input,
               struct Answer* answer);
