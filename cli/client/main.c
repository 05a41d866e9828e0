/* `grapnel` as users start it. It is small, so that a hook that runs at every tool call costs next to nothing.
 *
 * It can do one thing: pass `fire` to a server (`grapnel serve`) and print the answer. In all other cases, and whenever
 * it is in doubt, this process becomes the full program in the same directory, `grapnel-engine`, with the same words
 * and variables and, if standard input was read already, with the same bytes on it. A verdict is never lost that way;
 * at
 * worst the event is run twice.
 *
 * Most of its cost is the start of the process. That is why it is written in C and linked statically with a small C
 * library where there is one (CMakeLists.txt). For the same reason it connects to the server first: the server wakes up
 * while this process still collects the request. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <sys/auxv.h>
#include <sys/stat.h>

#include "descriptors.h"
#include "exchange.h"
#include "input.h"
#include "wire.h"

#define ENGINE "grapnel-engine"

/* The options that a server understands; a command line with any other option goes to the full program. An option of
 * `fire` may be added here if its meaning does not depend on this process. */
static const char* const kWithValue[] = {"--as", "-a", "--dialect", "--project", "-p", "--config", "-c", NULL};
static const char* const kWithout[] = {"--json", "--no-hook-files", "--verbose", "-v", "--bridge", NULL};

static bool starts_with(const char* text, const char* start) {
  return strncmp(text, start, strlen(start)) == 0;
}

/* Whether the first `length` bytes of the word are one of these names. */
static bool is_one_of(const char* const* names, const char* word, size_t length) {
  for (; *names != NULL; ++names) {
    if (strlen(*names) == length && starts_with(word, *names)) return true;
  }
  return false;
}

/* Whether the option may have this value in a request. Messages show --config files as they were named, so a relative
 * name only works in a process with the same directory. */
static bool may_have_value(const char* option, const char* value) {
  const bool names_config = starts_with(option, "--config") || starts_with(option, "-c");
  return value != NULL && value[0] != '-' && (!names_config || value[0] == '/');
}

/* Whether all options may go to a server: `--name`, `--name value` and `--name=value`. The parser of the full program
 * knows more forms; they are rare and go there. */
static bool server_understands(char** words) {
  for (; *words != NULL; ++words) {
    const char* word = *words;
    if (word[0] != '-') continue;
    const char* equals = strchr(word, '=');
    const size_t length = equals != NULL ? (size_t)(equals - word) : strlen(word);
    if (equals == NULL && is_one_of(kWithout, word, length)) continue;
    if (!is_one_of(kWithValue, word, length) || (equals != NULL && word[1] != '-')) return false;
    if (!may_have_value(word, equals != NULL ? equals + 1 : *++words)) return false;
  }
  return true;
}

/* Whether an agent itself calls. */
static bool is_bridge(const struct Process* process) {
  for (char** word = process->words; *word != NULL; ++word) {
    if (strcmp(*word, "--bridge") == 0 || strcmp(*word, "-b") == 0) return true;
  }
  return false;
}

/* Whether this is a `fire` that a server may answer. */
static bool wants_server(const struct Process* process) {
  if (process->words[0] == NULL || strcmp(process->words[0], "fire") != 0) return false;
  for (char** entry = process->env; *entry != NULL; ++entry) {
    if (strcmp(*entry, "GRAPNEL_SERVE=off") == 0) return false;
  }
  return server_understands(process->words + 1);
}

/* Whether the descriptor is open and not a terminal. On a terminal the full program prints in another form, and waits
 * without a time limit. */
static bool is_plain(int fd) {
  return !isatty(fd) && errno == ENOTTY;
}

/* Replaces the last part of a path with the name of the full program. */
static bool name_engine(char* path, size_t length) {
  if (length == 0 || length + sizeof ENGINE > PATH_MAX) return false;
  while (length > 0 && path[length - 1] != '/') --length;
  memcpy(path + length, ENGINE, sizeof ENGINE);
  return true;
}

/* The full program in the directory of this program's file, even if this one was started through a link. */
static bool find_engine(char* path) {
  const ssize_t length = readlink("/proc/self/exe", path, PATH_MAX);
  return length > 0 && length < PATH_MAX && name_engine(path, (size_t)length);
}

/* The identity of a file, by which a server recognises clients of its own build. */
static bool identify(const char* path, struct EngineIdentity* identity) {
  struct stat file;
  if (stat(path, &file) != 0) return false;
  *identity = (struct EngineIdentity){file.st_dev, file.st_ino, (uint64_t)file.st_size, file.st_mtim.tv_sec,
                                      file.st_mtim.tv_nsec};
  return true;
}

/* The same without /proc, whose first use costs a process as much as twenty other system calls: the full program next
 * to the path that this program was started with. A link is not followed; then `find_engine` is needed. */
static bool guess_engine(const char* name, char* path) {
  struct stat itself;
  const size_t length = strlen(name);
  if (length >= PATH_MAX || lstat(name, &itself) != 0 || !S_ISREG(itself.st_mode)) return false;
  memcpy(path, name, length);
  return name_engine(path, length);
}

static bool identify_engine(const char* name, struct EngineIdentity* identity) {
  char path[PATH_MAX];
  return (guess_engine(name, path) && identify(path, identity)) || (find_engine(path) && identify(path, identity));
}

/* If the reader is gone, or the output is a file that may not grow, the signal must not end this process: its exit
 * status has to report the lost answer. */
static void outlive_readers(void) {
  sigset_t lost_output;
  sigemptyset(&lost_output);
  sigaddset(&lost_output, SIGPIPE);
  sigaddset(&lost_output, SIGXFSZ);
  sigprocmask(SIG_BLOCK, &lost_output, NULL);
}

/* Prints the answer and returns the exit status. If standard output cannot be written, the answer has its own status
 * and text for that case: a lost "deny" must not look like consent. */
static int print_answer(const struct Reply* answer) {
  const struct ReplyHead* head = &answer->head;
  const char* err = answer->texts + head->out;
  if (head->out + head->err > 0) outlive_readers();
  write_all(STDERR_FILENO, err, head->err);
  if (write_all(STDOUT_FILENO, answer->texts, head->out)) return head->status;
  write_all(STDERR_FILENO, err + head->err, head->lost);
  return head->lost_status;
}

/* Reports that the full program cannot be started. For an agent the status is 1: 2 would block the action, and 0 would
 * mean that all is well. */
static int report_no_engine(char** words, const char* path, const char* why) {
  bool for_agent = false;
  for (; *words != NULL; ++words) for_agent = for_agent || starts_with(*words, "--as") || starts_with(*words, "-a");
  const char* parts[] = {
      "grapnel: cannot start ", path, ": ", why,
      "\n"
      "grapnel: this program works only with " ENGINE
      " in the same directory. Copy the whole bin/ of the release, run its install.sh, or use a link "
      "to grapnel instead of a copy.\n"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) write_all(STDERR_FILENO, parts[i], strlen(parts[i]));
  return for_agent ? 1 : 3;
}

/* Why exec failed, in words. */
static const char* reason_of(int error) {
  if (error == ENOENT) return "the file does not exist";
  return error == EACCES ? "you are not allowed to run it" : "the system refused to run it";
}

/* Becomes the full program. Returns an exit status only when that fails. */
static int become_engine(char** argv, const struct Process* process, const struct Input* input) {
  char path[PATH_MAX];
  if (input->size > 0 && !give_input_back(input)) {
    return report_no_engine(process->words, ENGINE, "its input cannot be stored in memory");
  }
  if (guess_engine(process->name, path)) execve(path, argv, process->env);
  if (!find_engine(path)) memcpy(path, ENGINE, sizeof ENGINE);
  execve(path, argv, process->env);
  return report_no_engine(process->words, path, reason_of(errno));
}

/* Asks a server. Returns the exit status when it answered, or -1 when the full program has to do the work. */
static int ask(const struct Process* process, struct Input* input) {
  struct EngineIdentity engine;
  struct Reply answer;
  const int server = connect_to_server();
  if (server < 0) return -1;
  const bool is_answered = is_plain(STDOUT_FILENO) && is_plain(STDIN_FILENO) &&
                           identify_engine(process->name, &engine) &&
                           (!is_bridge(process) || is_genuine_server(server, &engine)) && read_input(input) &&
                           ask_server(server, process, &engine, input, &answer);
  if (is_answered) return print_answer(&answer);
  close(server);
  return -1;
}

int main(int argc, char** argv) {
  const char* name = (const char*)getauxval(AT_EXECFN);
  const struct Process process = {argv + (argc > 0), environ, name == NULL ? "" : name};
  struct Input input; /* read_input() sets the other members; clearing the large buffer would be a waste */
  input.size = 0;
  const int status = wants_server(&process) ? ask(&process, &input) : -1;
  return status >= 0 ? status : become_engine(argv, &process, &input);
}
