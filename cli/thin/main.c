/* `grapnel` as users start it: small, so that a hook that is asked on every tool call costs next to nothing.
 *
 * It knows one thing: how to hand `fire` to a server (`grapnel serve`) and print its answer. Everything else, and every
 * doubt, is for the full program beside it, `grapnel-engine`: this process becomes it, with the same words and
 * variables and, if standard input was read already, the same bytes on it. A verdict is never lost here, at worst it is
 * made twice.
 *
 * Starting it is most of what it costs, and of that every page of memory that is touched. So there is no C library
 * (kernel.h), nothing in static memory, and what is needed is on the stack; and the server is called first, so that it
 * wakes while this process still gathers what to say. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>

#include <linux/auxvec.h>
#include <linux/limits.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "exchange.h"
#include "input.h"
#include "kernel.h"
#include "wire.h"

#define ENGINE "grapnel-engine"

enum { kStandardInput, kStandardOutput, kStandardError };

/* How much of a command line this program has to understand: whether it may go to a server as it is. The words stand in
 * one text, since a table of pointers would have to be written to memory. */
static const char kWithValue[] = "--as\0-a\0--dialect\0--project\0-p\0--config\0-c\0";
static const char kWithout[] = "--json\0--no-hook-files\0--verbose\0-v\0--bridge\0";

/* Whether the first bytes of a word are one of those. */
static int is_one_of(const char* names, const char* word, size_t length) {
  for (; *names != '\0'; names += length_of(names) + 1) {
    if (length_of(names) == length && starts_with(word, names)) return 1;
  }
  return 0;
}

/* Files named with --config are shown as they were named, so a relative name has to be used from here. */
static int may_have_value(const char* option, const char* value) {
  const int names_config = starts_with(option, "--config") || starts_with(option, "-c");
  return value != NULL && value[0] != '-' && (!names_config || value[0] == '/');
}

static int server_understands(char** words) {
  for (; *words != NULL; ++words) {
    const char* word = *words;
    if (word[0] != '-') continue;
    const char* equals = find_byte(word, '=');
    const size_t length = equals != NULL ? (size_t)(equals - word) : length_of(word);
    if (equals == NULL && is_one_of(kWithout, word, length)) continue;
    if (!is_one_of(kWithValue, word, length) || (equals != NULL && word[1] != '-')) return 0;
    if (!may_have_value(word, equals != NULL ? equals + 1 : *++words)) return 0;
  }
  return 1;
}

static int wants_server(const struct Process* process) {
  if (process->words[0] == NULL || !is_same(process->words[0], "fire")) return 0;
  for (char** entry = process->env; *entry != NULL; ++entry) {
    if (is_same(*entry, "GRAPNEL_SERVE=off")) return 0;
  }
  return server_understands(process->words + 1);
}

/* Neither a terminal, which wants another kind of output and of patience, nor closed. */
static int is_plain(int fd) {
  char terminal[64];
  return KERNEL3(ioctl, fd, TCGETS, terminal) == -ENOTTY;
}

/* Puts the full program's name in place of this one's. */
static int name_engine(char* path, size_t length) {
  if (length == 0 || length + sizeof ENGINE > PATH_MAX) return 0;
  while (length > 0 && path[length - 1] != '/') --length;
  copy_bytes(path + length, ENGINE, sizeof ENGINE);
  return 1;
}

/* The full program beside this one, wherever that is. */
static int find_engine(char* path) {
  const long length = KERNEL4(readlinkat, AT_FDCWD, "/proc/self/exe", path, PATH_MAX);
  return length > 0 && length < PATH_MAX && name_engine(path, (size_t)length);
}

static int identify(const char* path, struct EngineIdentity* identity) {
  struct stat file;
  if (KERNEL4(newfstatat, AT_FDCWD, path, &file, 0) != 0) return 0;
  *identity = (struct EngineIdentity){file.st_dev, file.st_ino, (uint64_t)file.st_size, file.st_mtim.tv_sec,
                                      file.st_mtim.tv_nsec};
  return 1;
}

/* The same as one looks for it beside the name this program was started by, unless that is a link: the first question
 * about /proc/self costs a process as much as twenty others. */
static int guess_engine(const char* name, char* path) {
  struct stat itself;
  const size_t length = length_of(name);
  const int is_file = length < PATH_MAX && KERNEL4(newfstatat, AT_FDCWD, name, &itself, AT_SYMLINK_NOFOLLOW) == 0 &&
                      S_ISREG(itself.st_mode);
  if (!is_file) return 0;
  copy_bytes(path, name, length);
  return name_engine(path, length);
}

static int identify_engine(const char* name, struct EngineIdentity* identity) {
  char path[PATH_MAX];
  return (guess_engine(name, path) && identify(path, identity)) || (find_engine(path) && identify(path, identity));
}

/* A reader that is gone must not end this process: its status has to say so. */
static void outlive_readers(void) {
  const uint64_t broken_pipe = UINT64_C(1) << (SIGPIPE - 1);
  KERNEL4(rt_sigprocmask, SIG_BLOCK, &broken_pipe, NULL, sizeof broken_pipe);
}

static int print_answer(const struct Answer* answer) {
  const struct ReplyHead* head = &answer->head;
  const char* err = answer->texts + head->out;
  if (head->out + head->err > 0) outlive_readers();
  write_all(kStandardError, err, head->err);
  if (write_all(kStandardOutput, answer->texts, head->out)) return head->status;
  write_all(kStandardError, err + head->err, head->lost);
  return head->lost_status;
}

/* Status 2 would tell an agent to block, and 0 that all is well. */
static int report_no_engine(char** words, const char* path, const char* why) {
  int for_agent = 0;
  for (; *words != NULL; ++words) for_agent |= starts_with(*words, "--as") || starts_with(*words, "-a");
  const char* parts[] = {"grapnel: cannot start ", path, ": ", why, "\n"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) write_all(kStandardError, parts[i], length_of(parts[i]));
  return for_agent ? 1 : 3;
}

static const char* reason_of(long error) {
  if (error == -ENOENT) return "there is no such file";
  return error == -EACCES ? "it may not be run" : "the system refuses";
}

static int become_engine(char** argv, const struct Process* process, const struct Input* input) {
  char path[PATH_MAX];
  if (input->size > 0 && !give_input_back(input)) {
    return report_no_engine(process->words, ENGINE, "there is no room for its input");
  }
  if (guess_engine(process->name, path)) KERNEL3(execve, path, argv, process->env);
  if (!find_engine(path)) copy_bytes(path, ENGINE, sizeof ENGINE);
  return report_no_engine(process->words, path, reason_of(KERNEL3(execve, path, argv, process->env)));
}

/* Returns the exit status when a server answered, or -1. */
static int ask(const struct Process* process, struct Input* input) {
  struct EngineIdentity engine;
  struct Answer answer;
  const int server = connect_to_server(process);
  if (server < 0) return -1;
  const int is_answered = is_plain(kStandardOutput) && is_plain(kStandardInput) &&
                          identify_engine(process->name, &engine) && read_input(input) &&
                          ask_server(server, process, &engine, input, &answer);
  if (is_answered) return print_answer(&answer);
  KERNEL2(close, server, 0);
  return -1;
}

static int run(char** argv, char** env) {
  char first[1 << 14];
  struct Process process = {argv + (argv[0] != NULL), env, "", (unsigned)-1};
  struct Input input = {first, sizeof first, 0, 0};
  while (*env != NULL) ++env;
  for (const unsigned long* fact = (unsigned long*)(env + 1); fact[0] != AT_NULL; fact += 2) {
    if (fact[0] == AT_EXECFN) process.name = (const char*)fact[1];
    if (fact[0] == AT_EUID) process.user = (unsigned)fact[1];
  }
  const int status = wants_server(&process) ? ask(&process, &input) : -1;
  return status >= 0 ? status : become_engine(argv, &process, &input);
}

#ifdef THIN_FREESTANDING

/* The stack as the kernel made it: the number of words, the words, NULL, the variables, NULL, facts about the process.
 */
__attribute__((noreturn, used)) static void begin(long* stack) {
  char** argv = (char**)(stack + 1);
  KERNEL2(exit_group, run(argv, argv + stack[0] + 1), 0);
  __builtin_unreachable();
}

__asm__(
    ".globl _start\n"
    "_start:\n"
    "  xor %ebp, %ebp\n"
    "  mov %rsp, %rdi\n"
    "  and $-16, %rsp\n"
    "  call begin\n");

#else

int main(int argc, char** argv, char** env) {
  (void)argc;
  return run(argv, env);
}

#endif
