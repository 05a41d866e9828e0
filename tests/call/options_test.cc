#include "call/options.h"

#include <cstdio>
#include <regex>

#include <gtest/gtest.h>

namespace grapnel::call {
namespace {

/// What the program prints for `--help`; "" when it is not installed.
std::string help_of(const std::string& program) {
  std::string out;
  FILE* const pipe = ::popen((program + " --help 2>/dev/null </dev/null").c_str(), "r");
  if (pipe == nullptr) return out;
  char part[4096];
  for (size_t got = 0; (got = ::fread(part, 1, sizeof part, pipe)) > 0;) out.append(part, got);
  ::pclose(pipe);
  return out;
}

// The table says the same as the programs themselves, as far as they are installed. Lines look like `-k,
// --kill-after=TIME` or `-w, --timeout <secs>`; a value in brackets is optional, so it is never the next word.
TEST(Options, AgreeWithWhatTheProgramsSay) {
  const std::regex line(R"(^\s+(-(\w))?,? *--([a-z][a-z0-9-]*)(=|\[=| <)[A-Z<a-z])");
  for (const char* program :
       {"env",    "nice",  "ionice", "chrt", "stdbuf", "timeout", "flock", "unshare",  "nsenter", "chroot", "setpriv",
        "choom",  "xargs", "cp",     "mv",   "ln",     "install", "sort",  "truncate", "touch",   "mkdir",  "split",
        "csplit", "shuf",  "uniq",   "cut",  "head",   "tail",    "tee",   "od",       "diff",    "grep"}) {
    const std::string help = help_of(program);
    const OptionRow* const row = find_options(program);
    ASSERT_NE(row, nullptr) << program;
    for (size_t at = 0; at < help.size();) {
      const size_t end = std::min(help.find('\n', at), help.size());
      const std::string text = help.substr(at, end - at);
      at = end + 1;
      std::smatch found;
      // xargs takes this value only with a `=`, whatever it says.
      if (text.contains(", --check=") || text.contains("--max-lines=")) continue;
      if (!std::regex_search(text, found, line)) continue;
      if (found[4] == "[=") {
        EXPECT_FALSE(read_option(row, "--" + found[3].str()).takes_next) << program << ": " << text;
        continue;
      }
      EXPECT_TRUE(read_option(row, "--" + found[3].str()).takes_next) << program << ": " << text;
      if (found[2].matched) {
        EXPECT_TRUE(read_option(row, "-" + found[2].str()).takes_next) << program << ": " << text;
      }
    }
  }
}

/// A value that may be missing is never the next word: `git commit -S -n` does not sign with the key `-n`.
TEST(Options, AnOptionalValueIsAttached) {
  struct Case {
    const char* program;
    const char* subcommand;
    const char* word;
    const char* name;
    size_t value_at;
  };
  constexpr size_t kNone = std::string_view::npos;
  const Case cases[] = {
      {"git", "commit", "-S", "-S", kNone},           {"git", "commit", "-Skey", "-S", 2},
      {"git", "commit", "-unormal", "-u", 2},         {"git", "commit", "--gpg-sign", "--gpg-sign", kNone},
      {"git", "push", "--signed", "--signed", kNone}, {"gawk", "", "-d/etc/x", "-d", 2},
      {"grep", "", "--color", "--color", kNone},      {"xargs", "", "-i", "-i", kNone},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.word);
    const OptionUse use = read_option(find_options(c.program, c.subcommand), c.word);
    EXPECT_EQ(use.name, c.name);
    EXPECT_EQ(use.value_at, c.value_at);
    EXPECT_FALSE(use.takes_next);
  }
}

TEST(Options, FindsValuesInEverySpelling) {
  struct Case {
    const char* program;
    const char* word;
    const char* name;
    size_t value_at;
    bool takes_next;
  };
  constexpr size_t kNone = std::string_view::npos;
  for (const Case& c : std::vector<Case>{
           {"timeout", "-s", "-s", kNone, true},
           {"timeout", "-sKILL", "-s", 2, false},
           {"timeout", "-vk5", "-k", 3, false},
           {"timeout", "--signal", "--signal", kNone, true},
           {"timeout", "--sig", "--signal", kNone, true},
           {"timeout", "--signal=KILL", "--signal", 9, false},
           {"timeout", "--foreground", "--foreground", kNone, false},
           {"docker run", "--rm", "--rm", kNone, false},
           {"docker run", "--brand-new", "--brand-new", kNone, true},
           {"curl", "-o/etc/x", "-o", 2, false},
           {"curl", "-so", "-o", kNone, true},
       }) {
    SCOPED_TRACE(c.word);
    const OptionUse use = read_option(find_options(c.program), c.word);
    EXPECT_EQ(use.name, c.name);
    EXPECT_EQ(use.value_at, c.value_at);
    EXPECT_EQ(use.takes_next, c.takes_next);
  }
}

}  // namespace
}  // namespace grapnel::call
