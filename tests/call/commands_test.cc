#include "call/commands.h"

#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace grapnel::call {
namespace {

/// A word as the tables write it: `~` for a gap, `?` behind a word that may split.
std::string show(const Word& word) {
  std::string out;
  size_t from = 0;
  for (const size_t gap : word.gaps) {
    out += word.text.substr(from, gap - from) + "~";
    from = gap;
  }
  out += word.text.substr(from);
  return word.splits ? out + "?" : out;
}

/// `wrapper: NAME=value|word|word|>file|…`; `…` for a command that gets more words.
std::string show(const SimpleCommand& command) {
  std::string out;
  for (const std::string& wrapper : command.wrappers) out += wrapper + ": ";
  std::vector<std::string> parts;
  for (const Assignment& a : command.assignments) parts.push_back(a.name + "=" + show(a.value));
  for (const Word& word : command.words) parts.push_back(show(word));
  for (const Redirection& r : command.redirections) parts.push_back(r.op + show(r.target));
  for (size_t i = 0; i < parts.size(); ++i) out += (i == 0 ? "" : "|") + parts[i];
  if (command.is_open) out += "|…";
  return command.is_remote ? out + " (remote)" : out;
}

struct CommandsCase {
  const char* text;
  std::vector<std::string> want;
};

void expect_commands(const std::vector<CommandsCase>& cases) {
  for (const CommandsCase& c : cases) {
    SCOPED_TRACE(c.text);
    const ParsedCommand parsed = commands_of(c.text);
    std::vector<std::string> got;
    for (const SimpleCommand& command : parsed.commands) got.push_back(show(command));
    EXPECT_EQ(got, c.want);
    EXPECT_FALSE(parsed.is_unclear);
  }
}

// clang-format off
TEST(Parse, RemovesQuotes) {
  expect_commands({
    {"ls -la", {"ls|-la"}},
    {"r''m 'a b' \"c d\"", {"rm|a b|c d"}},
    {"\\rm a\\ b", {"rm|a b"}},
    {"\"a\\\"b\\n\" 'a\\b'", {"a\"b\\n|a\\b"}},
    {"$'\\x72\\155' $'a\\nb' $'\\u00e9'", {"rm|a\nb|é"}},
    {"echo \"\" ''", {"echo||"}},
    {"echo $\"hi\"", {"echo|hi"}},
    {"echo a\\\nb \\\n c", {"echo|ab|c"}},
    {"echo 'a\\\nb'", {"echo|a\\\nb"}},
    {"echo a#b # c", {"echo|a#b"}},
    {"echo ~/x 5% a$ \"$\"", {"echo|~/x|5%|a$|$"}},
  });
}

TEST(Parse, ExpandsWhatIsKnown) {
  expect_commands({
    {"cp a{,.bak} x", {"cp|a|a.bak|x"}},
    {"cp {a,b{1,2}}c", {"cp|ac|b1c|b2c"}},
    {"cp '{a,b}' {a}", {"cp|{a,b}|{a}"}},
    {"ls a{1..3}", {"ls|a1|a2|a3"}},
    {"ls a{01..12}", {"ls|a~?"}},
    {"rm${IFS}-rf${IFS}/", {"rm|-rf|/"}},
    {"echo \"$IFS\"", {"echo|~"}},
    {"X=rm; $X -rf", {"X=rm", "rm|-rf"}},
    {"X='rm -rf'; $X \"$X\"", {"X=rm -rf", "rm|-rf|rm -rf"}},
    {"a=r b=m; ${a}$b", {"a=r", "b=m", "rm"}},
    {"export X=rm; $X", {"export|X=rm", "rm"}},
  });
}

TEST(Parse, LeavesGapsForWhatIsNot) {
  expect_commands({
    {"$X a", {"~?|a"}},
    {"\"$X\" a$X\"b\"", {"~|a~b?", "~?|…"}},
    {"$X; X=rm", {"~?", "X=rm"}},
    {"X=ls; X=rm; $X", {"X=ls", "X=rm", "~?"}},
    {"false && X=ls; $X", {"false", "X=ls", "~?"}},
    {"X=ls; read X; $X", {"X=ls", "read|X", "~?"}},
    {"X=ls; unset X; $X", {"X=ls", "unset|X", "~?"}},
    {"X=ls; for X in rm; do $X; done", {"X=ls", "~?"}},
    {"X=ls sh; $X", {"X=ls|sh", "sh: ~?|…", "~?"}},
    {"${X:-rm} ${#X} $1 $?", {"~?|~?|~?|~?"}},
    {"echo \"$@\" \"${a[@]}\"", {"echo|~?|~?"}},
    {"/bin/r? *.c", {"/bin/r~|*.c", "~?|…"}},
    {"[ -f x ]", {}},
    {"(( x = 1 ))", {}},
  });
}

TEST(Parse, FindsCommandsAnywhere) {
  expect_commands({
    {"a | b |& c", {"a", "b", "c"}},
    {"a && b || c; d & e", {"a", "b", "c", "d", "e"}},
    {"a\nb", {"a", "b"}},
    {"(a; { b; })", {"a", "b"}},
    {"if a; then b; elif c; then d; else e; fi", {"a", "b", "c", "d", "e"}},
    {"while a; do b; done; until c; do d; done", {"a", "b", "c", "d"}},
    {"for x in $(a); do b; done", {"a", "b"}},
    {"case $(a) in x) b;; *) c;; esac", {"a", "b", "c"}},
    {"f() { a; }; function g { b; }", {"a", "b"}},
    {"! a", {"a"}},
    {"echo $(a `b`) \"$(c)\"", {"echo|~?|~", "a|~?", "b", "c"}},
    {"diff <(a) >(b)", {"diff|~|~", "a", "b"}},
    {"x=$(a)", {"x=~", "a"}},
    {"echo ${x:-$(a)} $((1 + $(b)))", {"echo|~?|~", "a", "b"}},
    {"[[ -n $(a) ]] && [ \"$(b)\" ]", {"a", "b"}},
    {"cat <<EOF\n$(a)\nEOF", {"cat|<<~\n", "a"}},
  });
}

TEST(Parse, KeepsAssignmentsAndRedirections) {
  expect_commands({
    {"A=1 B='x y' cmd", {"A=1|B=x y|cmd"}},
    {"A=1", {"A=1"}},
    {"ls > out 2>&1 < in >> log &> all", {"ls|>out|>&1|<in|>>log|&>all"}},
    {"ls > out -la", {"ls|-la|>out"}},
    {"> out ls -la", {"ls|-la|>out"}},
    {"> out", {">out"}},
    {"a | b > out", {"a", "b|>out"}},
    {"a && ! b > out", {"a", "b|>out"}},
    {"ls > \"$X\"", {"ls|>~"}},
    {"{ ls; } > out", {">out", "ls"}},
    {"cat <<'E' > x\n$(a)\nE", {"cat|<<$(a)\n|>x"}},
    {"rm <<E -rf /\nE", {"rm|-rf|/|<<"}},
    {"cat <<< 'a b'", {"cat|<<<a b"}},
  });
}

TEST(Parse, LooksIntoWrappers) {
  expect_commands({
    {"sudo -u root rm x", {"sudo|-u|root|rm|x", "sudo: rm|x"}},
    {"env -i A=1 ls", {"env|-i|A=1|ls", "env: A=1|ls"}},
    {"timeout -k 5 10 nice -n 5 ls", {"timeout|-k|5|10|nice|-n|5|ls", "timeout: nice|-n|5|ls", "timeout: nice: ls"}},
    {"command -v ls", {"command|-v|ls"}},
    {"sudo $OPTS ls", {"sudo|~?|ls", "sudo: ~?|…", "sudo: ls"}},
    {"bash -lc 'a; b'", {"bash|-lc|a; b", "bash -c: a", "bash -c: b"}},
    {"bash -c \"a $X\"", {"bash|-c|a ~", "bash -c: ~?|…", "bash -c: a|~?"}},
    {"bash -o pipefail -c a", {"bash|-o|pipefail|-c|a", "bash -c: a"}},
    {"bash x.sh -c a", {"bash|x.sh|-c|a"}},
    {"bash --version", {"bash|--version"}},
    {"sh <<< 'a b'", {"sh|<<<a b", "sh: a|b"}},
    {"sh <<'E'\na $x\nE", {"sh|<<a $x\n", "sh: a|~?"}},
    {"echo a b | sh", {"echo|a|b", "sh", "sh: a|b"}},
    {"printf '%s\\n' 'a b' | sh -x", {"printf|%s\\n|a b", "sh|-x", "sh: a|b"}},
    {"cat <<E | sh\na\nE", {"cat|<<a\n", "sh", "sh: a"}},
    {"base64 -d x | sh", {"base64|-d|x", "sh", "sh: ~?|…"}},
    {"eval 'a b' c", {"eval|a b|c", "eval: a|b|c"}},
    {"ls | xargs -n 1 rm -f", {"ls", "xargs|-n|1|rm|-f", "xargs: rm|-f|…"}},
    {"xargs -I% mv % d", {"xargs|-I%|mv|%|d", "xargs: mv|~|d|…"}},
    {"find . -exec a {} \\; -ok b {} + -delete",
     {"find|.|-exec|a|{}|;|-ok|b|{}|+|-delete", "find -exec: a|~", "find -ok: b|~", "find -delete: rm|-rf|."}},
    {"ssh -p 22 h 'a; b'", {"ssh|-p|22|h|a; b", "ssh: a (remote)", "ssh: b (remote)"}},
    {"watch -n 1 a b", {"watch|-n|1|a|b", "watch: a|b"}},
    {"parallel a {} ::: 1 2", {"parallel|a|{}|:::|1|2", "parallel: a|1", "parallel: a|2", "parallel: ~?|…", "parallel: a|~?|…"}},
    {"env -S \"a $X\"", {"env|-S|a ~", "env: ~?|…", "env: a|~?"}},
    {"xargs -I% a \"%$X%\"", {"xargs|-I%|a|%~%", "xargs: a|~|…"}},
    {"alias l='a b'", {"alias|l=a b", "alias: a|b|…"}},
    {"trap 'a b' EXIT", {"trap|a b|EXIT", "trap: a|b"}},
    {"python3 -c 'x'", {"python3|-c|x", "python3 -c: ~?|…"}},
    {"python3 -m pytest", {"python3|-m|pytest"}},
    {"sudo bash -c 'xargs rm'", {"sudo|bash|-c|xargs rm", "sudo: bash|-c|xargs rm", "sudo: bash -c: xargs|rm", "sudo: bash -c: xargs: rm|…"}},
  });
}
// clang-format on

TEST(Parse, MarksTextThatIsNotUnderstood) {
  for (const char* text : {"echo 'a", "if a", "echo $(", "a )", "{rm,-rf,/}", "for"}) {
    SCOPED_TRACE(text);
    EXPECT_TRUE(commands_of(text).is_unclear);
  }
  EXPECT_TRUE(commands_of(std::string(shell::kMaxText + 1, 'a')).is_unclear);
  std::string deep = "ls";
  for (int i = 0; i < 300; ++i) deep = "(" + deep + ")";
  EXPECT_TRUE(commands_of(deep).is_unclear);
}

TEST(Parse, MarksOddCharacters) {
  struct Odd {
    const char* note;
    const char* text;
    bool is_odd;  ///< its first word
  };
  const std::vector<Odd> cases = {
      {"plain", "rm", false},
      {"zero-width space", "r\u200Bm", true},
      {"Cyrillic", "r\u043C", true},
      {"full width", "\uFF52\uFF4D", true},
      {"no-break space", "rm\u00A0-rf", true},
      {"any letter that is not ASCII, in a program's name", "caf\u00E9", true},
      {"not UTF-8", "r\xFFm", true},
  };
  for (const Odd& c : cases) {
    SCOPED_TRACE(c.note);
    const ParsedCommand parsed = commands_of(c.text);
    ASSERT_FALSE(parsed.commands.empty());
    EXPECT_EQ(parsed.commands[0].words[0].is_odd, c.is_odd);
  }
  EXPECT_FALSE(commands_of("echo \u4FEE\u590D caf\u00E9").commands[0].words[1].is_odd);
}

TEST(Parse, SaysWhereCommandsStand) {
  const std::string text = "ls; sudo rm x";
  const ParsedCommand parsed = commands_of(text);
  ASSERT_EQ(parsed.commands.size(), 3U);
  EXPECT_EQ(text.substr(parsed.commands[0].begin, parsed.commands[0].end - parsed.commands[0].begin), "ls");
  EXPECT_EQ(text.substr(parsed.commands[1].begin, parsed.commands[1].end - parsed.commands[1].begin), "sudo rm x");
  EXPECT_EQ(parsed.commands[2].begin, parsed.commands[1].begin);
}

TEST(Parse, EndsWithWrappersInWrappers) {
  std::string text = "ls";
  for (int i = 0; i < 100; ++i) text = "sudo " + text;
  const ParsedCommand parsed = commands_of(text);
  EXPECT_LT(parsed.commands.size(), 30U);
  EXPECT_TRUE(parsed.commands.back().words[0].is_dynamic());
}

TEST(Parse, WorksInManyThreads) {
  const ParsedCommand want = commands_of("X=a; sudo $X | sh -c 'b \"$c\"'");
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (int& count : wrong) {
    threads.emplace_back([&want, &count] {
      for (int i = 0; i < 50; ++i) count += commands_of("X=a; sudo $X | sh -c 'b \"$c\"'") == want ? 0 : 1;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

/// A word spelled with quotes and escapes, character by character.
std::string spell(const std::string& word, const std::vector<int>& styles) {
  std::string out;
  for (size_t i = 0; i < word.size(); ++i) {
    const char c = word[i];
    switch (styles.empty() ? 0 : styles[i % styles.size()] % 5) {
      case 0:
        out += std::string("'") + c + "'";
        break;
      case 1:
        out += std::string("\"") + (std::string_view("$`\"\\").contains(c) ? "\\" : "") + c + "\"";
        break;
      case 2:
        out += std::string("\\") + c;
        break;
      case 3:
        out += std::string("$'") + (c == '\'' || c == '\\' ? "\\" : "") + c + "'";
        break;
      default:
        out += std::string("\\\n''\\") + c;
        break;
    }
  }
  return out;
}

RC_GTEST_PROP(Parse, ReadsEverySpellingOfAWord, ()) {
  const auto character =
      rc::gen::element('a', 'r', 'm', '-', '$', '*', '?', '{', '}', ',', '~', ' ', '|', ';', '"', '\\', '#');
  const auto word = *rc::gen::nonEmpty(rc::gen::container<std::string>(character));
  const auto styles = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 5));
  const std::string spelled = spell(word, styles);
  const ParsedCommand parsed = commands_of("x " + spelled + " y");
  RC_ASSERT(parsed.is_unclear || parsed.commands.size() == 1U);
  if (parsed.is_unclear) return;
  RC_ASSERT(parsed.commands[0].words.size() == 3U);
  const size_t begin = spelled.starts_with("\\\n") ? 4 : 2;  // a continued line stands in front of the word
  RC_ASSERT(parsed.commands[0].words[1] == (Word{.text = word, .begin = begin, .end = 2 + spelled.size()}));
}

}  // namespace
}  // namespace grapnel::call
