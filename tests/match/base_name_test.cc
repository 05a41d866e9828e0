#include "match/base_name.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/text.h"
#include "match/glob.h"

namespace grapnel::match {
namespace {

std::optional<BaseNamePattern> pattern_of(const std::string& glob) {
  const auto tokens = parse_glob(glob, kRulePath);
  if (!tokens || !tells_base_name(*tokens, kRulePath)) return std::nullopt;
  return BaseNamePattern::of(*tokens);
}

TEST(BaseName, IsSeenWithoutAProgram) {
  struct Case {
    const char* note;
    const char* glob;
    const char* path;
    bool want;
  };
  const Case cases[] = {
      {"what it begins with", "**/.env*", ".env.local", true},
      {"the star stands for nothing", "**/.env*", ".env", true},
      {"in a directory", "**/.env*", "a/b/.env", true},
      {"from the root", "**/.env*", "/a/.env", true},
      {"in a hidden one", "**/.env*", ".git/.env", true},
      {"what it ends with", "*.pem", "a/key.pem", true},
      {"both", "id_*.pub", "id_rsa.pub", true},
      {"both may not be the same characters", "aba*ba", "aba", false},
      {"another name", "**/.env*", "env", false},
      {"a directory of that name", "**/.env*", ".env/a", false},
      {"the program knows what dots mean", "**/.env*", "a/../.env", false},
      {"and these", "**/.*", "a/..", false},
      {"dots in a name are none of those", "**/.env*", "a..b/.env", true},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.note) + ": " + c.glob + " " + c.path);
    const auto pattern = pattern_of(c.glob);
    ASSERT_TRUE(pattern.has_value());
    EXPECT_EQ(pattern->fits(c.path), c.want);
  }
  for (const char* glob : {"**/*", "*", "a*b*", "a?", "a?*", "a/*b", "**/[a]*", "@(a|b)*", "a"}) {
    EXPECT_FALSE(pattern_of(glob).has_value()) << glob;
  }
}

RC_GTEST_PROP(BaseName, FitsOnlyWhatTheProgramMatches, ()) {
  const auto piece = rc::gen::elementOf(std::vector<std::string>{"", ".", "..", "a", ".env", "env", "*", "\xC3\xA9"});
  const auto name = rc::gen::map(rc::gen::pair(piece, piece), [](const auto& two) { return two.first + two.second; });
  const std::string glob = (*rc::gen::arbitrary<bool>() ? "**/" : "") + *name + "*" + *name;
  const auto segments = *rc::gen::nonEmpty(
      rc::gen::container<std::vector<std::string>>(rc::gen::suchThat(name, [](const auto& s) { return !s.empty(); })));
  const std::string path = (*rc::gen::arbitrary<bool>() ? "/" : "") + text::join(segments, "/");
  const auto pattern = pattern_of(glob);
  RC_PRE(pattern.has_value());
  const bool fits = pattern->fits(path);
  RC_CLASSIFY(fits);
  if (!fits) return;
  const bool has_slash = glob.starts_with("**/");
  const auto program = GlobProgram::compile(*parse_glob(glob, kRulePath), kRulePath);
  RC_ASSERT(program->matches(has_slash ? path : segments.back()));
}

}  // namespace
}  // namespace grapnel::match
