#include "call/hook_command.h"

#include <gtest/gtest.h>

namespace grapnel::call {
namespace {

/// Words as one line: `>word` is written, `(word)` is only looked at.
std::string show(std::string_view command) {
  std::string out;
  for (const CommandWord& word : words_of_command(command)) {
    if (!out.empty()) out += " ";
    out += word.is_written ? ">" + word.text : word.is_read ? "(" + word.text + ")" : "[" + word.text + "]";
  }
  return out;
}

TEST(CommandWords, AreCutAsAShellWould) {
  struct HookCommandCase {
    const char* note;
    const char* command;
    const char* want;
  };
  const HookCommandCase cases[] = {
      {"nothing", "", ""},
      {"blanks only", " \t\n", ""},
      {"plain words", "./x.sh  a\tb", "[./x.sh] [a] [b]"},
      {"single quotes", "sh './my hook.sh' 'a\"b'", "[sh] [./my hook.sh] [a\"b]"},
      {"double quotes", "sh \"./my hook.sh\"", "[sh] [./my hook.sh]"},
      {"quotes in the middle of a word", "\"$DIR\"/x.sh a'b'\"c\"", "[$DIR/x.sh] [abc]"},
      {"escapes", "sh ./my\\ hook.sh \"a\\\"b\" \"c\\d\"", "[sh] [./my hook.sh] [a\"b] [c\\d]"},
      {"a line goes on", "sh \\\n x.sh", "[sh] [x.sh]"},
      {"an open quote", "sh 'x.sh", "[sh] [x.sh]"},
      {"a backslash at the end", "x\\", "[x]"},
      {"operators", "a;b|c&d&&e||f\ng", "[a] [b] [c] [d] [e] [f] [g]"},
      {"subshells", "(a) $(b) `c`", "[a] [$] [b] [c]"},
      {"text for another shell is one word", "sh -c './x.sh \"a b\"'", "[sh] [-c] [./x.sh \"a b\"]"},
      {"a substitution in quotes stays in its word", "\"$(git top)/x.sh\"", "[$(git top)/x.sh]"},
  };
  for (const HookCommandCase& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(show(c.command), c.want);
  }
}

TEST(CommandWords, AreDataOnlyWhereNothingCouldRunThem) {
  struct HookCommandCase {
    const char* note;
    const char* command;
    const char* want;
  };
  const HookCommandCase cases[] = {
      {"targets of redirections", "x > a 2>b >> c >|d", "[x] >a [2] >b >c [d]"},
      {"a descriptor", "x 2>&1 y", "[x] [2] >1 [y]"},
      {"a source is no target", "sh < x.sh", "[sh] [x.sh]"},
      {"a target does not count as program", ">log x.sh", ">log [x.sh]"},
      {"only looked at", "grep -q todo TODO.md", "[grep] (-q) (todo) (TODO.md)"},
      {"with control flow", "if grep -q x T.md; then echo y; fi", "[if] [grep] (-q) (x) (T.md) [then] [echo] (y) [fi]"},
      {"with an assignment", "LC_ALL=C grep x T.md", "[LC_ALL=C] [grep] (x) (T.md)"},
      {"piped into a shell", "cat x.md | sh", "[cat] [x.md] [sh]"},
      {"beside any other program", "cat x.md; make", "[cat] [x.md] [make]"},
      {"substituted", "$(cat x.md)", "[$] [cat] [x.md]"},
      {"substituted inside quotes", "echo \"$(cat x.md)\"", "[echo] [$(cat x.md)]"},
      {"substituted in backticks", "`cat x.md`", "[cat] [x.md]"},
      {"a program of that name elsewhere", "./grep x.md", "[./grep] [x.md]"},
      {"the program itself is never data", "x.sh", "[x.sh]"},
  };
  for (const HookCommandCase& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(show(c.command), c.want);
  }
}

}  // namespace
}  // namespace grapnel::call
