/* Stands for `rm` and `git` in the jail: does nothing, and notes which guarded deed was asked for.
 *
 * It reads its arguments as the real programs do: options may stand anywhere before a `--`. A line of /deeds is the
 * name of a guard. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static void note(const char* deed) {
  const int file = open("/deeds", O_WRONLY | O_APPEND);
  if (file < 0) _exit(99);
  if (write(file, deed, strlen(deed)) < 0) _exit(99);
  close(file);
}

/* The letters of all options: with any other one, the real programs only complain. */
static const char* known = "";

/* Whether the word is one of these letters in a bundle of short options, or an abbreviation of the long option. An
 * abbreviation with fewer than `least` characters may be another option, too, and the real programs refuse it. */
static int is_option(const char* word, const char* letters, const char* name, size_t least) {
  if (word[0] != '-' || word[1] == 0) return 0;
  if (word[1] != '-') return word[1 + strspn(word + 1, known)] == 0 && word[strcspn(word, letters)] != 0;
  return strlen(word) >= least && strncmp(word, name, strlen(word)) == 0;
}

static int has_option(char** words, const char* letters, const char* name, size_t least) {
  for (; *words != NULL && strcmp(*words, "--") != 0; ++words) {
    if (is_option(*words, letters, name, least)) return 1;
  }
  return 0;
}

/* Skips git's own options, which stand before the subcommand. */
static char** subcommand(char** words) {
  while (*words != NULL && (*words)[0] == '-') {
    const int takes_value = strcmp(*words, "-C") == 0 || strcmp(*words, "-c") == 0 ||
                            strcmp(*words, "--git-dir") == 0 || strcmp(*words, "--work-tree") == 0 ||
                            strcmp(*words, "--namespace") == 0;
    words += takes_value && words[1] != NULL ? 2 : 1;
  }
  return words;
}

int main(int argc, char** argv) {
  if (argc < 1) return 0;
  char self[64] = {0};
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  const int is_git = length > 3 && strcmp(self + length - 3, "git") == 0;
  known = is_git ? "fnuqvd46" : "dfiIrRv";
  if (!is_git) {
    if (has_option(argv + 1, "rR", "--recursive", strlen("--r"))) note("recursive-rm\n");
    return 0;
  }
  char** const words = subcommand(argv + 1);
  if (*words == NULL) return 0;
  if (strcmp(*words, "push") == 0 && (has_option(words + 1, "f", "--force", strlen("--force")) ||
                                      has_option(words + 1, "f", "--force-with-lease", strlen("--force-w"))))
    note("force-push\n");
  if (strcmp(*words, "commit") == 0 && has_option(words + 1, "", "--no-verify", strlen("--no-veri")))
    note("no-verify\n");
  return 0;
}
