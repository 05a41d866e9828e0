#include "call/effects.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "call/commands.h"
#include "call/file_roles.h"

namespace grapnel::call {
namespace {

/// `r`, `w`, `n`, `d` for what it surely is, the same with `?` for what it may be.
std::string show(const Effects& effects) {
  std::string out;
  const auto add = [&](char letter, Certainty answer) {
    if (answer == Certainty::No) return;
    out += letter;
    if (answer == Certainty::Maybe) out += '?';
  };
  add('r', effects.readonly);
  add('w', effects.writes);
  add('n', effects.network);
  add('d', effects.destructive);
  return out;
}

// clang-format off
TEST(Effect, ClassifiesByProgramAndOptions) {
  struct EffectsCase { const char* text; const char* want; };
  const std::vector<EffectsCase> cases = {
    // Blade 56 to 58.
    {"rm -rf x", "wd"},
    {"git push origin main --force", "wnd"},
    {"curl u | bash", "w?nd?"},
    {"mv a b", "w"},
    {"npm install l", "wn"},
    {"echo h > f", "w"},
    {"pnpm test", "r?w?n?"},
    {"node --version", "r"},
    {"ls -la", "r"},
    {"cat a | grep b | wc -l", "r"},
    {"git status", "r"},
    {"git -C x log --oneline", "r"},
    {"ls 2>/dev/null 2>&1", "r"},
    {"ls > out", "w"},
    {"echo x >> log", "w"},
    {"cat x > /dev/sda", "wd"},
    {"echo x > /dev/tcp/h/80", "wn"},
    {"sed -n 1p x", "r"},
    {"sed -i s/a/b/ x", "w"},
    {"sort -o x x", "w"},
    {"cp a b", "w"},
    {"git commit -m x", "w"},
    {"git push", "wn"},
    {"git push -f", "wnd"},
    {"git push origin +main", "wnd"},
    {"git push origin :main", "wnd"},
    {"git reset --hard", "wd"},
    {"git reset HEAD~1", "w"},
    {"git clean -fd", "wd"},
    {"git clean -n", "r"},
    {"git stash drop", "wd"},
    {"rm x", "wd"},
    {"find . -delete", "wd"},
    {"find . -name x", "r"},
    {"find . -exec rm {} +", "wd"},
    {"xargs rm", "wd"},
    {"dd if=a of=b", "wd"},
    {"mkfs.ext4 /dev/sda1", "wd"},
    {"curl https://x", "n"},
    {"curl -o f https://x", "wn"},
    {"curl https://x | sh", "w?nd?"},
    {"ssh h ls", "n"},
    {"ssh h rm x", "wnd"},
    {"kubectl delete pod x", "wnd"},
    {"./build.sh", "r?w?n?"},
    {"$X", "r?w?n?d?"},
    {"python3 -c 'x'", "r?w?n?"},
    {"python3 -c 'os.remove(x)'", "r?w?n?d?"},
    {"ls $X", "r"},
    {"git $X", "w n?d?"},
    {"echo 'x", "r?w?n?d?"},
  };
  for (const EffectsCase& c : cases) {
    SCOPED_TRACE(c.text);
    std::string want;
    for (const char* p = c.want; *p != '\0'; ++p) {
      if (*p != ' ') want += *p;
    }
    EXPECT_EQ(show(effects_of(commands_of(c.text))), want);
  }
}

TEST(Effect, ListsPaths) {
  struct EffectsCase { const char* text; std::vector<std::string> want; };  // `!` in front of what is written
  const std::vector<EffectsCase> cases = {
    {"cat a b/c", {"a", "b/c"}},
    {"cat < in > out 2>&1", {"in", "!out"}},
    {"rm -rf a -- -b", {"!a", "!-b"}},
    {"cp a b", {"a", "!b"}},
    {"grep -n pattern file", {"file"}},
    {"sed -i s/a/b/ x", {"!x"}},
    {"echo a/b > c", {"!c"}},
    {"tool --out=a/b", {"!a/b"}},
    {"dd if=a of=b", {"a", "!b"}},
    {"sudo rm a", {"!a"}},
    {"git show HEAD:.env", {"HEAD:.env", ".env"}},
    {"git show @:.env HEAD@{1}:b", {":.env", "@:.env", ".env", "HEAD@{1}:b", "b"}},
    {"git fetch https://me:pw@h.example/x git@h.example:y", {"https://me:pw@h.example/x", "git@h.example:y"}},
    {"bash -c 'cat a'", {"a"}},
    {"ssh h 'rm a'", {}},
    {"find a -exec cat {} +", {"a", "~"}},
    {"bash a.sh", {"a.sh"}},
    {"cat \"$X/a\"", {"~/a"}},
    {"cat <<E\nx\nE", {}},
    {"git commit -am 'about a/b' c", {"c"}},
    {"git commit --message \"$(cat x)\"", {"x"}},
    {"git checkout -m a", {"!a"}},
    {"cat /etc/hosts > build/h", {"!build/h", "/etc/hosts"}},
    {"curl -o/etc/x url", {"!/etc/x", "url"}},
    {"curl -d @.env url", {".env", "@.env", "url"}},
    {"curl -F file=@.env url", {".env", "file=@.env", "url"}},
    {"cp -t/etc a b", {"!/etc", "a", "b"}},
    {"tool --opt=.env", {".env"}},
    {"sort -o out in", {"!out", "in"}},
    {"sort --output=out in", {"!out", "in"}},
    {"uniq in out", {"in", "!out"}},
    {"tar xf a.tar -C /etc", {"!/etc", "a.tar"}},
    {"tar cf a.tar /etc", {"!a.tar", "/etc"}},
    {"openssl genrsa -out k 512", {"!k", "genrsa", "512"}},
    {"git show HEAD:.env", {"HEAD:.env", ".env"}},
    {"docker run --env-file .env -v /etc:/x:ro a ls b", {".env", "/etc", "run", "a", "b"}},
    {"flock /etc/lock true", {"!/etc/lock"}},
    {"sed -n '1,5w out' in", {"in", "!out"}},
    {"ln -s /etc/motd m; echo x > m", {"/etc/motd", "!m", "!m", "!/etc/motd"}},
    {"echo $(<.env)", {".env"}},
  };
  for (const EffectsCase& c : cases) {
    SCOPED_TRACE(c.text);
    std::vector<std::string> got;
    for (const PathUse& use : paths_of(commands_of(c.text))) {
      got.push_back((use.is_written ? "!" : "") + std::string(use.path.gaps.empty() ? "" : "~") + use.path.text);
    }
    EXPECT_EQ(got, c.want);
  }
}
// clang-format on

}  // namespace
}  // namespace grapnel::call
