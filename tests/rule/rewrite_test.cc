#include "rule/rewrite.h"

#include "call/commands.h"
#include "os/temp_dir.h"
#include "rule/respond.h"
#include "rule/support.h"

namespace grapnel::rule {
namespace {

using testing::TempDir;

HookSpec hook_with(Condition when, RuleHandler rule) {
  HookSpec hook;
  hook.name = "rule";
  hook.dialect = &kCanonicalDialect;
  hook.when = std::move(when);
  hook.handler = std::move(rule);
  return hook;
}

Result<Effects> response(const HookSpec& hook, const Event& event, const std::string& project = "/p") {
  const CallContext around{.project_dir = project, .home = "/home/u"};
  call::ToolCall subject(event, around);
  const Match match = ask(hook, subject);
  EXPECT_TRUE(is_enough(match.answer, quantifier_of(hook)));
  return respond(hook, subject, match);
}

TEST(Rewrite, LeadingWordsOfACommand) {
  struct Case {
    const char* note;
    const char* pattern;
    const char* words;
    const char* text;
    const char* want;  ///< "" when it is a failure
  };
  const Case cases[] = {
      {"plain", "pip install *", "uv pip install *", "pip install x", "uv pip install x"},
      {"without a star", "npm", "pnpm", "npm ci", "pnpm ci"},
      {"nothing else is touched", "pip install *", "uv pip install *",
       "cd 'a b' && pip  install  \"x y\" > log # pip install",
       "cd 'a b' && uv pip install  \"x y\" > log # pip install"},
      {"every matching command", "pip install *", "uv pip install *", "pip install a; pip install b",
       "uv pip install a; uv pip install b"},
      {"options between the words", "pip install *", "uv pip install *", "pip --quiet install x",
       "uv pip install --quiet x"},
      {"behind sudo and variables", "pip install *", "uv pip install *", "A=1 sudo -u bob pip install x",
       "A=1 sudo -u bob uv pip install x"},
      {"by its path", "pip", "uv pip", "/usr/bin/pip list", "uv pip list"},
      {"quoted words", "pip install *", "uv pip install *", "'pip' \"install\" x", "uv pip install x"},
      {"in a substitution", "pip *", "uv pip *", "echo $(pip list)", "echo $(uv pip list)"},
      {"captured words", "cp * *", "install {1} {2}", "cp a 'b c'", "install a 'b c'"},
      {"inside a string for another shell", "pip *", "uv pip *", "bash -c 'pip list'", ""},
      {"a dynamic word", "pip install *", "uv pip install *", "pip $X", ""},
      {"a dynamic program", "pip *", "uv pip *", "$P list", ""},
      {"a dynamic rest stays", "pip install *", "uv pip install *", "pip install $X", "uv pip install $X"},
      {"a dynamic capture", "pip install *", "uv pip install {1}", "pip install $X", ""},
      {"not all can be read", "pip *", "uv pip *", "pip list; echo 'a", ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const CommandQuestion question{{words_of(c.pattern)}, {}, {}};
    const auto changed = rewrite_command(c.text, call::commands_of(c.text), question, words_of(c.words));
    EXPECT_EQ(changed.value_or(""), c.want);
  }
}

TEST(Rewrite, FieldsOfTheInput) {
  struct Case {
    const char* note;
    const char* pointer;
    const char* text;
    const char* input;
    const char* want;  ///< "" when it is a failure
  };
  const Case cases[] = {
      {"a text", "/description", "checked", R"({"command":"cp a b","description":"x"})",
       R"({"description":"checked"})"},
      {"a number stays one", "/timeout", "60000", R"({"command":"cp a b","timeout":1})", R"({"timeout":60000})"},
      {"what is missing", "/timeout", "60000", R"({"command":"cp a b"})", R"({"timeout":60000})"},
      {"a text stays one", "/description", "5", R"({"command":"cp a b","description":"x"})", R"({"description":"5"})"},
      {"captured words", "/command", "cp -n {1} {2}", R"({"command":"cp 'a b' c"})", R"({"command":"cp -n 'a b' c"})"},
      {"another field", "/description", "{command} in {cwd}", R"({"command":"cp a b","cwd":"x"})",
       R"({"description":"cp a b in x"})"},
      {"a field becomes one word of a command", "/command", "cp {cwd} b", R"({"command":"cp a b","cwd":"x; rm y"})",
       R"({"command":"cp 'x; rm y' b"})"},
      {"nothing changes", "/command", "cp {1} {2}", R"({"command":"cp a b"})", "{}"},
      {"a star that took what is dynamic", "/command", "cp -n {1} {2}", R"({"command":"cp $A b"})", ""},
      {"no such star", "/command", "cp {3}", R"({"command":"cp a b"})", ""},
      {"no such field", "/command", "cp {nothing}", R"({"command":"cp a b"})", ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    RuleHandler rule;
    rule.rewrite.input = {{c.pointer, c.text}};
    const auto effects = response(hook_with(command({"cp * *"}), rule), tool_call("canonical", "Bash", c.input));
    ASSERT_EQ(effects.has_value(), *c.want != '\0');
    if (!effects) continue;
    EXPECT_EQ((effects->input ? effects->input->value : Json::object()).dump(), c.want);
  }
}

TEST(Rewrite, LinesOfTheOutput) {
  const auto rewritten = [](RuleRewrite rewrite, std::string output) {
    return rewrite_output(rewrite, json(std::move(output)))->dump();
  };
  RuleRewrite cut;
  cut.max_lines = 2;
  EXPECT_EQ(rewritten(cut, R"("a\nb\nc\nd\n")"), R"("a\n[… 2 lines left out …]\nd\n")");
  EXPECT_EQ(rewritten(cut, R"("a\nb")"), R"("a\nb")");
  RuleRewrite drop;
  drop.drop_lines = {regex("^debug")};
  EXPECT_EQ(rewritten(drop, R"("a\ndebug: x\nb")"), R"("a\nb")");
  RuleRewrite mask;
  mask.mask = {{"sk-[a-z0-9]+", "***"}, {"^root:.*", "root"}};
  EXPECT_EQ(rewritten(mask, R"({"stdout":"key sk-abc1, sk-x","code":1,"more":["sk-y"]})"),
            R"({"stdout":"key ***, ***","code":1,"more":["***"]})");
  RuleRewrite look;
  look.mask = {{"(?<=pw=)\\S+", "***"}};
  EXPECT_EQ(rewritten(look, R"("pw=x pw=y")"), R"("pw=*** pw=***")");
}

TEST(Respond, VerdictsAndTexts) {
  struct Case {
    const char* note;
    RuleHandler rule;
    Verdict verdict;
    const char* reason;
  };
  const Case cases[] = {
      {"deny", {.verdict = Verdict::Deny, .reason = "no {command} for {tool}"}, Verdict::Deny, "no cp a b for Bash"},
      {"ask", {.verdict = Verdict::Ask, .reason = "copy {1}?"}, Verdict::Ask, "copy a?"},
      {"allow", {.verdict = Verdict::Allow, .reason = "fine"}, Verdict::Allow, "fine"},
      {"what is not known stays", {.verdict = Verdict::Deny, .reason = "{x} {} {1"}, Verdict::Deny, "{x} {} {1"},
      {"no reason", {.verdict = Verdict::Deny}, Verdict::Deny, "rule 'rule': command \"cp a b\""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.note);
    const auto effects = response(hook_with(command({"cp * *"}), c.rule), shell_call("cp a b"));
    EXPECT_EQ(effects->verdict, c.verdict);
    EXPECT_EQ(effects->reasons.at(0).text, c.reason);
  }
  RuleHandler notify{.notify = "saw {command}"};
  const auto effects = response(hook_with(command({"cp * *"}), notify), shell_call("cp a b"));
  EXPECT_EQ(effects->verdict, Verdict::Pass);
  EXPECT_EQ(effects->messages.at(0).text, "saw cp a b");
}

TEST(Respond, InjectsTextsAndFiles) {
  const TempDir dir;
  dir.put("notes.md", std::string(100, 'x') + "\n");
  const Event event(EventKind::UserPromptSubmit, json(R"({"prompt":"hi"})"));
  const auto injected = [&](Inject inject) -> std::string {
    RuleHandler rule;
    rule.inject = std::move(inject);
    const auto effects = response(hook_with(all({}), rule), event, dir.path());
    return effects ? effects->context.at(0).text : effects.error().message;
  };
  EXPECT_EQ(injected({.text = "Use British spelling."}), "Use British spelling.");
  EXPECT_EQ(injected({.file = "notes.md"}), std::string(100, 'x'));
  EXPECT_TRUE(injected({.file = "notes.md", .budget = 20}).starts_with("xxxxxxxxxxxxxxxxxxxx"));
  EXPECT_LT(injected({.file = "notes.md", .budget = 20}).size(), 100U) << "cut, with a mark";
  EXPECT_TRUE(injected({.file = "nothing.md"}).find("nothing.md") != std::string::npos);
  RuleHandler deny{.verdict = Verdict::Deny, .reason = "no"};
  deny.inject = Inject{.file = "nothing.md"};
  const auto effects = response(hook_with(all({}), deny), event, dir.path());
  EXPECT_EQ(effects->verdict, Verdict::Deny) << "a missing file does not take a deny back";
}

}  // namespace
}  // namespace grapnel::rule
