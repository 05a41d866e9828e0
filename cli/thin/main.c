/* `grapnel` as users start it: small, so that a hook that is asked on every tool call costs next to nothing.
 *
 * It knows one thing: how to hand `fire` to a server (`grapnel serve`) and print its answer. Everything else, and every
 * doubt, is for the full program beside it, `grapnel-engine`: this process becomes it, with the same words and
 * variables and, if standard input was read already, the same bytes on it. A verdict is never lost here, at worst it is
 * made twice. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include <sys/stat.h>

#include "exchange.h"
#include "input.h"
#include "wire.h"

static const char kEngine[] = "grapnel-engine";

/* How much of a command line this program has to understand: whether it may go to a server as it is. */
struct OptionRow {
  const char* name;
  int has_value;
};
static const struct OptionRow kOptions[] = {
    {"--as", 1}, {"-a", 1},     {"--dialect", 1},       {"--project", 1}, {"-p", 1}, {"--config", 1},
    {"-c", 1},   {"--json", 0}, {"--no-hook-files", 0}, {"--verbose", 0}, {"-v", 0}, {"--bridge", 0},
};

static const struct OptionRow* find_option(const char* word, size_t length) {
  for (size_t i = 0; i < sizeof kOptions / sizeof *kOptions; ++i) {
    if (strlen(kOptions[i].name) == length && memcmp(kOptions[i].name, word, length) == 0) return &kOptions[i];
  }
  return NULL;
}

/* Files named with --config are shown as they were named, so a relative name has to be used from here. */
static int may_have_value(const struct OptionRow* option, const char* value) {
  const int names_config = strcmp(option->name, "--config") == 0 || strcmp(option->name, "-c") == 0;
  return value != NULL && value[0] != '-' && (!names_config || value[0] == '/');
}

static int server_understands(char** words) {
  for (; *words != NULL; ++words) {
    if ((*words)[0] != '-') continue;
    const char* equals = strchr(*words, '=');
    const int is_long = (*words)[1] == '-';
    const struct OptionRow* option = find_option(*words, equals != NULL ? (size_t)(equals - *words) : strlen(*words));
    if (option == NULL || (equals != NULL && !(is_long && option->has_value))) return 0;
    if (option->has_value && !may_have_value(option, equals != NULL ? equals + 1 : *++words)) return 0;
  }
  return 1;
}

static int wants_server(char** words, char** env) {
  if (words[0] == NULL || strcmp(words[0], "fire") != 0) return 0;
  for (; *env != NULL; ++env) {
    if (strcmp(*env, "GRAPNEL_SERVE=off") == 0) return 0;
  }
  return server_understands(words + 1);
}

/* Neither a terminal, which wants another kind of output and of patience, nor closed. */
static int is_plain(int fd) {
  struct termios terminal;
  return tcgetattr(fd, &terminal) != 0 && errno != EBADF;
}

/* The full program beside this one. */
static int find_engine(char* path, size_t room, struct EngineIdentity* identity) {
  const ssize_t length = readlink("/proc/self/exe", path, room - sizeof kEngine);
  if (length <= 0 || (size_t)length >= room - sizeof kEngine) return 0;
  path[length] = '\0';
  strcpy(strrchr(path, '/') + 1, kEngine);
  struct stat file;
  if (stat(path, &file) != 0) return 0;
  *identity = (struct EngineIdentity){file.st_dev, file.st_ino, (uint64_t)file.st_size, file.st_mtim.tv_sec,
                                      file.st_mtim.tv_nsec};
  return 1;
}

static int write_all(int fd, const char* bytes, size_t size) {
  while (size > 0) {
    const ssize_t count = write(fd, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return 0;
    bytes += count;
    size -= (size_t)count;
  }
  return 1;
}

static int print_answer(const struct Answer* answer) {
  const struct ReplyHead* head = &answer->head;
  const char* err = answer->texts + head->out;
  signal(SIGPIPE, SIG_IGN);
  write_all(STDERR_FILENO, err, head->err);
  if (write_all(STDOUT_FILENO, answer->texts, head->out)) return head->status;
  write_all(STDERR_FILENO, err + head->err, head->lost);
  return head->lost_status;
}

/* Status 2 would tell an agent to block, and 0 that all is well. */
static int report_no_engine(char** words, const char* path, const char* why) {
  int for_agent = 0;
  for (; *words != NULL; ++words) for_agent |= strncmp(*words, "--as", 4) == 0 || strncmp(*words, "-a", 2) == 0;
  dprintf(STDERR_FILENO, "grapnel: cannot start %s: %s\n", path, why);
  return for_agent ? 1 : 3;
}

int main(int argc, char** argv, char** env) {
  char path[PATH_MAX] = "grapnel-engine";
  struct EngineIdentity engine;
  struct Input input = {NULL, 0, 0};
  char** words = argv + (argc > 0);
  const int is_there = find_engine(path, sizeof path, &engine);
  if (is_there && wants_server(words, env) && is_plain(STDOUT_FILENO) && is_plain(STDIN_FILENO)) {
    struct Answer answer;
    const int server = connect_to_server(env);
    if (server >= 0 && read_input(&input) && ask_server(server, words, env, &engine, &input, &answer)) {
      return print_answer(&answer);
    }
    if (server >= 0) close(server);
  }
  if (input.bytes != NULL && !give_input_back(&input)) return report_no_engine(words, path, "no room for its input");
  execve(path, argv, env);
  return report_no_engine(words, path, strerror(errno));
}
