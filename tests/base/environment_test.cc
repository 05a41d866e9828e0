#include "base/environment.h"

#include <stdlib.h>

#include <gtest/gtest.h>

namespace grapnel {
namespace {

using Entries = std::vector<std::string>;

TEST(Environment, IsMadeOfEntries) {
  struct Case {
    const char* note;
    Entries in;
    Entries want;
  };
  const Case cases[] = {
      {"nothing", {}, {}},
      {"sorted by name", {"B=2", "A=1"}, {"A=1", "B=2"}},
      {"later ones win", {"A=1", "B=2", "A=3"}, {"A=3", "B=2"}},
      {"three of a kind", {"A=1", "A=2", "A=3"}, {"A=3"}},
      {"a value may hold =", {"A=x=y"}, {"A=x=y"}},
      {"an empty value is one", {"A="}, {"A="}},
      {"no name, no entry", {"=x", "", "nothing"}, {}},
      {"a name is not its prefix", {"AB=1", "A=2", "A_B=3"}, {"A=2", "AB=1", "A_B=3"}},
      {"names are case-sensitive", {"a=1", "A=2"}, {"A=2", "a=1"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    EXPECT_EQ(Environment(c.in).entries(), c.want);
  }
}

TEST(Environment, IsReadAndChanged) {
  Environment env(Entries{"B=2", "EMPTY="});
  EXPECT_EQ(env.get("B"), "2");
  EXPECT_EQ(env.get("A"), "");
  EXPECT_TRUE(env.has("EMPTY"));
  EXPECT_FALSE(env.has("A"));
  EXPECT_FALSE(env.has(""));
  env.set("A", "1");
  env.set("C", "x=y");
  env.set("B", "new");
  EXPECT_EQ(env.entries(), (Entries{"A=1", "B=new", "C=x=y", "EMPTY="}));
  env.remove("B");
  env.remove("B");
  env.remove("Z");
  EXPECT_EQ(env.entries(), (Entries{"A=1", "C=x=y", "EMPTY="}));
}

TEST(Environment, OfTheProcessIsASnapshot) {
  ::setenv("GRAPNEL_TEST_VARIABLE", "before", 1);
  const Environment env = Environment::of_process();
  ::setenv("GRAPNEL_TEST_VARIABLE", "after", 1);
  EXPECT_EQ(env.get("GRAPNEL_TEST_VARIABLE"), "before");
  ::unsetenv("GRAPNEL_TEST_VARIABLE");
}

TEST(Environment, KnowsTheUsersDirectories) {
  struct Case {
    const char* note;
    Entries env;
    const char* home;
    const char* state;
    const char* runtime;
  };
  const Case cases[] = {
      {"from HOME",
       {"HOME=/home/u"},
       "/home/u",
       "/home/u/.local/state/grapnel",
       "/home/u/.local/state/grapnel/sessions"},
      {"from XDG",
       {"HOME=/home/u", "XDG_STATE_HOME=/s", "XDG_RUNTIME_DIR=/run/user/1"},
       "/home/u",
       "/s/grapnel",
       "/run/user/1/grapnel"},
      {"relative XDG directories do not count",
       {"HOME=/home/u", "XDG_STATE_HOME=s", "XDG_RUNTIME_DIR=r"},
       "/home/u",
       "/home/u/.local/state/grapnel",
       "/home/u/.local/state/grapnel/sessions"},
      {"without HOME", {}, "/", "//.local/state/grapnel", "//.local/state/grapnel/sessions"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const Environment env(c.env);
    EXPECT_EQ(env.home(), c.home);
    EXPECT_EQ(env.state_dir(), c.state);
    EXPECT_EQ(env.runtime_dir(), c.runtime);
  }
}

}  // namespace
}  // namespace grapnel
