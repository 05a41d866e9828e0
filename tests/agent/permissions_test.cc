#include "agent/permissions.h"

#include <optional>

#include <gtest/gtest.h>

namespace grapnel::agent {
namespace {

using Call = Permissions::Call;

const Call kShell{"Bash", ToolKind::Shell, "npm test"};
const Call kRead{"Read", ToolKind::Read, "src/a.cc", "/w/src/a.cc"};
const Call kGlob{"Glob", ToolKind::Glob};
const Call kWrite{"Write", ToolKind::Write, "src/a.cc", "/w/src/a.cc"};
const Call kEdit{"Edit", ToolKind::Edit, "src/a.cc", "/w/src/a.cc"};
const Call kFetch{"WebFetch", ToolKind::Fetch};
const Call kTodo{"TodoWrite", ToolKind::Todo};
const Call kTask{"Task", ToolKind::Task};
const Call kMcp{"mcp__git__push", ToolKind::Mcp};
const Call kOther{"deploy", ToolKind::Other};

std::unique_ptr<Permissions> permissions(ApprovalMode mode, const PermissionRules& rules) {
  auto made = Permissions::create(mode, rules, "/home/me");
  EXPECT_TRUE(made.has_value()) << (made ? "" : made.error().message);
  return made ? std::move(*made) : nullptr;
}

// What each mode says about each sort of tool, under each sort of rule about it.
TEST(Permissions, ModesTimesRulesTimesTools) {
  using enum Verdict;
  struct Row {
    const char* note;
    Call call;
    Verdict by_default, auto_edit, plan, yolo;
  };
  const Row without_rules[] = {
      {"shell", kShell, Ask, Ask, Deny, Allow},      {"read", kRead, Allow, Allow, Allow, Allow},
      {"search", kGlob, Allow, Allow, Allow, Allow}, {"write", kWrite, Ask, Allow, Deny, Allow},
      {"edit", kEdit, Ask, Allow, Deny, Allow},      {"fetch", kFetch, Ask, Ask, Deny, Allow},
      {"tasks", kTodo, Allow, Allow, Allow, Allow},  {"subagent", kTask, Allow, Allow, Allow, Allow},
      {"MCP", kMcp, Ask, Ask, Deny, Allow},          {"another", kOther, Ask, Ask, Deny, Allow},
  };
  const ApprovalMode modes[] = {ApprovalMode::Default, ApprovalMode::AutoEdit, ApprovalMode::Plan, ApprovalMode::Yolo};
  for (const Row& row : without_rules) {
    const Verdict by_mode[] = {row.by_default, row.auto_edit, row.plan, row.yolo};
    for (size_t m = 0; m < std::size(modes); ++m) {
      SCOPED_TRACE(std::string(row.note) + " in mode " + std::string(to_string(modes[m])));
      const std::string tool = row.call.name;
      const bool is_planned_away = by_mode[m] == Deny;
      const auto judge = [&](const PermissionRules& rules) {
        return permissions(modes[m], rules)->judge(row.call).verdict;
      };
      EXPECT_EQ(judge({}), by_mode[m]);
      EXPECT_EQ(judge({.allow = {tool}}), is_planned_away ? Deny : Allow);
      EXPECT_EQ(judge({.ask = {tool}}), is_planned_away ? Deny : Ask);
      EXPECT_EQ(judge({.deny = {tool}}), Deny);
      EXPECT_EQ(judge({.allow = {tool}, .ask = {tool}}), is_planned_away ? Deny : Ask) << "ask before allow";
      EXPECT_EQ(judge({.allow = {tool}, .ask = {tool}, .deny = {tool}}), Deny) << "deny before all";
      EXPECT_EQ(judge({.allow = {"Elsewhere"}, .ask = {"Elsewhere"}, .deny = {"Elsewhere"}}), by_mode[m]);

      const auto approved = permissions(modes[m], {.ask = {tool}});
      approved->remember(row.call);
      EXPECT_EQ(approved->judge(row.call).verdict, is_planned_away ? Deny : Allow) << "approved for good";
      const auto denied = permissions(modes[m], {.deny = {tool}});
      denied->remember(row.call);
      EXPECT_EQ(denied->judge(row.call).verdict, Deny) << "no approval outdoes a rule that denies";
    }
  }
}

struct RuleCase {
  const char* note;
  const char* rule;
  Call call;
  bool denies;  ///< as a rule that denies, or asks
  bool allows;  ///< as a rule that allows
};

Call shell(std::string command) {
  return {"Bash", ToolKind::Shell, std::move(command)};
}
Call write(std::string path) {
  return {"Write", ToolKind::Write, path, "/w/" + path};
}
Call outside(std::string path) {
  return {"Write", ToolKind::Write, path, path};
}

const RuleCase kRules[] = {
    {"a tool", "Bash", kShell, true, true},
    {"another", "Read", kShell, false, false},
    {"all", "*", kOther, true, true},
    {"Gemini's name", "run_shell_command", kShell, true, true},
    {"Agent Hooks' name", "Shell", kShell, true, true},
    {"Gemini's name for writing", "write_file(src/**)", kWrite, true, true},
    {"an embedder's tool", "deploy", kOther, true, true},
    {"tools by glob", "mcp__git__*", kMcp, true, true},
    {"a glob of others", "mcp__db__*", kMcp, false, false},
    {"editing is writing", "Edit", kWrite, true, true},
    {"writing is not editing", "Write", kEdit, false, false},
    {"reading is searching", "Read", kGlob, true, true},
    {"an empty pattern", "Bash()", kShell, true, true},
    {"any pattern", "Bash(*)", shell("a; b > c"), true, true},
    {"any pattern, the other way", "Bash(:*)", kShell, true, true},

    {"a command", "Bash(npm test)", shell("npm test"), true, true},
    {"with an argument", "Bash(npm test)", shell("npm test -x"), false, false},
    {"a prefix", "Bash(npm *)", shell("npm test -x"), true, true},
    {"at a word", "Bash(npm *)", shell("npmx"), false, false},
    {"a command behind another", "Bash(rm *)", shell("cd x && rm -r y"), true, false},
    {"a command that hides", "Bash(rm *)", shell("echo $(rm -r y)"), true, false},
    {"a command nobody knows", "Bash(rm *)", shell("$CMD y"), true, false},
    {"redirected", "Bash(echo *)", shell("echo x > ~/.profile"), true, false},
    {"with a variable", "Bash(npm *)", shell("PATH=. npm test"), true, false},

    {"a path", "Write(src/a.cc)", write("src/a.cc"), true, true},
    {"spelled otherwise", "Write(./src/a.cc)", write("src/a.cc"), true, true},
    {"a directory", "Write(src)", write("src/deep/a.cc"), true, true},
    {"below a directory", "Write(src/**)", write("src/deep/a.cc"), true, true},
    {"a star crosses directories", "Write(src/*)", write("src/deep/a.cc"), true, true},
    {"a hidden file", "Write(*)", write(".env"), true, true},
    {"deeper than it says", "Write(.env)", write("conf/.env"), true, false},
    {"beside", "Write(src/**)", write("lib/a.cc"), false, false},
    {"an absolute path", "Write(/w/src/**)", write("src/a.cc"), true, true},
    {"an absolute path, the other way", "Write(//w/src/**)", write("src/a.cc"), true, true},
    {"outside", "Write(/etc/**)", outside("/etc/passwd"), true, true},
    {"outside by the same name", "Write(etc/**)", outside("/etc/passwd"), true, false},
    {"at home", "Write(~/.ssh/**)", outside("/home/me/.ssh/config"), true, true},
    {"at another's home", "Write(~/.ssh/**)", outside("/home/you/.ssh/config"), false, false},
    {"all but", "Write(!src/**)", write("src/a.cc"), false, false},

    {"by the name of a link", "Write(out/**)", {"Write", ToolKind::Write, "/x/a", "/x/a", "/w/out/a"}, true, false},
    {"by the absolute name of a link",
     "Write(/w/out/**)",
     {"Write", ToolKind::Write, "/x/a", "/x/a", "/w/out/a"},
     true,
     false},
    {"by where a link leads", "Write(/x/**)", {"Write", ToolKind::Write, "/x/a", "/x/a", "/w/out/a"}, true, true},

    {"nothing to compare", "deploy(prod*)", kOther, true, false},
};

TEST(Permissions, RulesSayWhatIsSafe) {
  for (const RuleCase& c : kRules) {
    SCOPED_TRACE(std::string(c.note) + ": " + c.rule);
    // A mode that says otherwise when no rule holds.
    EXPECT_EQ(permissions(ApprovalMode::Yolo, {.deny = {c.rule}})->judge(c.call).verdict,
              c.denies ? Verdict::Deny : Verdict::Allow);
    EXPECT_EQ(permissions(ApprovalMode::Yolo, {.ask = {c.rule}})->judge(c.call).verdict,
              c.denies ? Verdict::Ask : Verdict::Allow);
    const bool is_harmless = access_of(c.call.kind) == ToolAccess::ReadOnly;
    EXPECT_EQ(permissions(ApprovalMode::Default, {.allow = {c.rule}})->judge(c.call).verdict,
              c.allows || is_harmless ? Verdict::Allow : Verdict::Ask);
  }
}

TEST(Permissions, AnswersNameTheRuleOrTheMode) {
  const PermissionRules rules{.allow = {"Bash(ls *)"}, .ask = {"Bash(git *)"}, .deny = {"Bash(rm *)"}};
  const auto judge = [&](ApprovalMode mode, const Call& call) { return permissions(mode, rules)->judge(call).reason; };
  EXPECT_EQ(judge(ApprovalMode::Default, shell("rm x")), "the rule 'Bash(rm *)' denies it");
  EXPECT_EQ(judge(ApprovalMode::Default, shell("git x")), "the rule 'Bash(git *)' requires approval");
  EXPECT_EQ(judge(ApprovalMode::Default, shell("ls x")), "the rule 'Bash(ls *)' allows it");
  EXPECT_EQ(judge(ApprovalMode::Default, shell("make")), "");
  EXPECT_EQ(judge(ApprovalMode::Plan, shell("ls x")), "plan mode only runs read-only tools");
}

TEST(Permissions, AnApprovalIsForOneSubject) {
  const auto made = permissions(ApprovalMode::Default, {});
  made->remember(shell("make"));
  EXPECT_EQ(made->judge(shell("make")).verdict, Verdict::Allow);
  EXPECT_EQ(made->judge(shell("make install")).verdict, Verdict::Ask);
  EXPECT_EQ(made->judge({"deploy", ToolKind::Other, "make"}).verdict, Verdict::Ask);
}

TEST(Permissions, RulesThatCannotBeReadAreRefused) {
  struct Row {
    const char* rule;
    const char* why;
  };
  const Row rows[] = {
      {"", "does not start with the name of one tool"},
      {"(x)", "does not start with the name of one tool"},
      {"Edit|Write", "does not start with the name of one tool"},
      {"Bash(npm *", "has no closing parenthesis at its end"},
      {"Bash(npm *) x", "has no closing parenthesis at its end"},
      {"WebFetch(domain:x.org)", "has a pattern, but calls of that tool have neither a command nor a path"},
      {"Read(~/x)", "has a pattern that cannot be used: nothing says what ~ is"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.rule);
    for (const PermissionRules& rules : {PermissionRules{.allow = {row.rule}}, PermissionRules{.ask = {row.rule}},
                                         PermissionRules{.deny = {row.rule}}}) {
      const auto made = Permissions::create(ApprovalMode::Default, rules);
      ASSERT_FALSE(made.has_value());
      EXPECT_EQ(made.error().code, Errc::BadConfig);
      EXPECT_EQ(made.error().message, "the permission rule '" + std::string(row.rule) + "' " + row.why);
    }
  }
}

}  // namespace
}  // namespace grapnel::agent
