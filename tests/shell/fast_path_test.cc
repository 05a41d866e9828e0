#include "shell/fast_path.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "call/wrappers.h"
#include "shell/parse.h"

namespace grapnel::shell {
namespace {

TEST(FastPath, TakesPlainWordsOnly) {
  struct Case {
    const char* text;
    bool is_plain;
  };
  const std::vector<Case> cases = {
      {"ls", true},
      {"git push origin main", true},
      {"\t npm  run build:prod --if-present ", true},
      {"make CC=gcc -j8", true},
      {"pip install a==1.0,b", true},
      {"", false},
      {"  ", false},
      {"CC=gcc make", false},
      {"if", false},
      {"export A=1", false},
      {"ls *.c", false},
      {"ls ~/x", false},
      {"ls 'a'", false},
      {"ls $A", false},
      {"ls;ls", false},
      {"ls\nls", false},
      {"ls >x", false},
      {"ls #x", false},
      {"a{b,c}", false},
      {"[ -f x ]", false},
      {"! ls", false},
      {"r\xD0\xBC", false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(split_plain(c.text).has_value(), c.is_plain);
  }
}

/// Words as people write them, with the odd ones in between.
rc::Gen<std::string> any_text() {
  const auto word = rc::gen::element<std::string>(
      "ls", "git", "push", "-f", "--force", "a=b", "=", "-", "--", "a.b/c", "1", "2", "in", "do", "time", "sudo", "env",
      "bash", "-c", "xargs", "find", "-exec", "-delete", "python3", "x:y", "@", "%1", "+x", "test", "case", "eval", ",",
      "a,b", "ssh", "host", "timeout", "5", "A=1", "function", "[", "!", "coproc", "return", "echo", ".", "..", "_");
  const auto blank = rc::gen::element<std::string>(" ", "  ", "\t");
  return rc::gen::map(rc::gen::container<std::vector<std::pair<std::string, std::string>>>(rc::gen::pair(word, blank)),
                      [](const auto& parts) {
                        std::string text;
                        for (const auto& [w, b] : parts) text += w + b;
                        return text;
                      });
}

RC_GTEST_PROP(FastPath, SaysWhatTheGrammarSays, ()) {
  const std::string text = *any_text();
  if (!split_plain(text)) return;
  RC_ASSERT(parse(text, call::unwrap) == parse_by_grammar(text, call::unwrap));
}

RC_GTEST_PROP(FastPath, SaysWhatTheGrammarSaysOfAnyPlainCharacters, ()) {
  const auto character =
      rc::gen::element('a', 'b', 'Z', '0', '7', '_', '-', '.', '/', ':', '@', '%', '+', ',', '=', ' ');
  const std::string text = "a" + *rc::gen::container<std::string>(character);
  if (!split_plain(text)) return;
  RC_ASSERT(parse(text, call::unwrap) == parse_by_grammar(text, call::unwrap));
}

}  // namespace
}  // namespace grapnel::shell
