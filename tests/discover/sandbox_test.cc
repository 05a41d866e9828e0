#include "model/sandbox.h"

#include <gtest/gtest.h>

#include "base/environment.h"
#include "base/text.h"
#include "discover/find/sandbox_setting.h"
#include "discover/formats/hook_md.h"
#include "discover/formats/rule_file.h"
#include "discover/formats/sandbox_entry.h"
#include "os/temp_dir.h"

/// `sandbox:` in hook files and settings: what each value becomes, what is said about mistakes, and who wins.
namespace grapnel {

namespace {

using testing::TempDir;

RuleFile rules_with(std::string_view lines) {
  std::string out = "version: 1\nhooks:\n  - name: r\n    on: PreToolUse\n    run: ./x\n";
  for (const std::string_view line : text::split(lines, '\n')) out += "    " + std::string(line) + "\n";
  return read_rules(out, {Scope::User, "grapnel.yaml", std::nullopt});
}

std::string problems_in(const std::vector<ConfigProblem>& problems) {
  std::string out;
  for (const ConfigProblem& problem : problems) out += problem.to_string() + "\n";
  return out;
}

struct Good {
  const char* line;
  const char* want;
};

TEST(SandboxEntry, IsAWordOrAMap) {
  constexpr Good kCases[] = {
      {"sandbox: contain", "contain"},
      {"sandbox: off", "off"},
      {"sandbox: guard", "guard"},
      {"sandbox: { network: false }", "no network"},
      {"sandbox: { network: true }", "contain"},
      {"sandbox: { read: [project, system, ~/.cache], write: [] }", "reads project system ~/.cache, writes nothing"},
      {"sandbox: { write: build }", "writes build"},
      {"sandbox: { memory: 512M, cpu: 10s, processes: 64 }", "512M of memory, 10 s of processor time, 64 processes"},
      {"sandbox: { cpu: 1500ms }", "2 s of processor time"},
      {"sandbox: { memory: 3000000 }", "3000000 of memory"},
      {"sandbox: { leftovers: kill }", "contain, leftovers kill"},
      {"sandbox: { network: false, required: false }", "no network, not required"},
  };
  for (const Good& c : kCases) {
    SCOPED_TRACE(c.line);
    const RuleFile file = rules_with(c.line);
    ASSERT_EQ(file.hooks.size(), 1u) << problems_in(file.problems);
    ASSERT_TRUE(file.hooks[0].sandbox);
    EXPECT_EQ(describe(*file.hooks[0].sandbox), c.want);
    EXPECT_EQ(problems_in(file.problems), "");
  }
}

TEST(SandboxEntry, PointsAtMistakes) {
  constexpr Good kCases[] = {
      {"sandbox: gaurd",
       "grapnel.yaml:6:14: error: 'sandbox' must be 'off', 'contain' or 'guard' (did you mean 'guard'?)"},
      {"sandbox: [guard]", "grapnel.yaml:6:14: error: 'sandbox' must be 'off', 'contain' or 'guard', or a map with"},
      {"sandbox: { netwrok: false }",
       "grapnel.yaml:6:16: error: unknown key 'netwrok' in 'sandbox' (did you mean 'network'?)"},
      {"sandbox: { network: maybe }", "grapnel.yaml:6:25: error: 'network' must be true or false"},
      {"sandbox: { memory: 12 }", "grapnel.yaml:6:24: error: 'memory' must be a size of at least 1M"},
      {"sandbox: { memory: much }", "'memory' must be a size of at least 1M"},
      {"sandbox: { processes: 0 }", "'processes' must be"},
      {"sandbox: { cpu: 2 days }", "'cpu' must be a duration"},
      {"sandbox: { leftovers: all }", "'leftovers' must be 'tell', 'kill' or 'keep'"},
      {"sandbox: { write: ['src/**'] }", "'src/**' in 'write' must be a file or a directory, not a pattern"},
      {"sandbox: { write: [$HOME] }", "'$HOME' in 'write' names a variable; only $TMPDIR is known here"},
      {"sandbox: { write: [system] }", "'system' in 'write' is only for 'read'"},
  };
  for (const Good& c : kCases) {
    SCOPED_TRACE(c.line);
    const RuleFile file = rules_with(c.line);
    EXPECT_TRUE(file.hooks.empty());
    EXPECT_TRUE(problems_in(file.problems).contains(c.want)) << problems_in(file.problems);
  }
}

TEST(SandboxEntry, WarnsOfASandboxWithoutPrograms) {
  const RuleFile file = rules_with("sandbox: { read: [project] }");
  EXPECT_EQ(file.hooks.size(), 1u);
  EXPECT_TRUE(problems_in(file.problems).contains("without 'system' in 'read', most programs do not start"));
}

TEST(SandboxEntry, IsOnlyForProcesses) {
  const RuleFile file =
      read_rules("version: 1\nhooks:\n  - name: r\n    on: PreToolUse\n    deny: no\n    sandbox: guard\n",
                 {Scope::User, "grapnel.yaml", std::nullopt});
  EXPECT_TRUE(problems_in(file.problems).contains("'sandbox' only works with 'run', 'worker'"));
}

TEST(SandboxEntry, IsPartOfTheDefinition) {
  EXPECT_NE(rules_with("sandbox: guard").hooks.at(0).definition, rules_with("sandbox: contain").hooks.at(0).definition);
  EXPECT_NE(rules_with("sandbox: guard").hooks.at(0).definition, rules_with("").hooks.at(0).definition);
}

TEST(SandboxEntry, SaysWhatAFailureMeans) {
  EXPECT_EQ(rules_with("sandbox: guard").hooks.at(0).failure.on_no_sandbox, OnFailure::Closed);
  EXPECT_EQ(rules_with("sandbox: guard\non_failure: open").hooks.at(0).failure.on_no_sandbox, OnFailure::Open);
  EXPECT_EQ(rules_with("on_failure: { crash: ask }\nsandbox: guard").hooks.at(0).failure.on_no_sandbox, OnFailure::Ask);
  EXPECT_EQ(rules_with("on_failure: { timeout: open }\nsandbox: guard").hooks.at(0).failure.on_no_sandbox,
            OnFailure::Closed);
}

TEST(SandboxOfHookMd, IsInItsMetadata) {
  const TempDir dir;
  const auto read = [&](const std::string& metadata) {
    dir.put("h/HOOK.md", "---\nname: h\ndescription: d\ntrigger: pre-tool-call\nmetadata:\n" + metadata + "---\n");
    dir.put("h/scripts/run.sh", "exit 0\n");
    return read_named_hooks(dir / "h", {hook_directory_dialect(), {}});
  };
  const HookMdHooks word = read("  sandbox: guard\n");
  ASSERT_EQ(word.hooks.size(), 1u) << problems_in(word.problems);
  EXPECT_EQ(describe(*word.hooks[0].sandbox), "guard");
  const HookMdHooks map = read("  sandbox:\n    network: false\n    write: [$TMPDIR]\n");
  ASSERT_EQ(map.hooks.size(), 1u) << problems_in(map.problems);
  EXPECT_EQ(describe(*map.hooks[0].sandbox), "no network, writes $TMPDIR");
  // Other metadata with a mistake is ignored, but this would free the hook.
  const HookMdHooks mistake = read("  sandbox: gaurd\n");
  EXPECT_TRUE(mistake.hooks.empty());
  EXPECT_TRUE(problems_in(mistake.problems).contains("HOOK.md:6:")) << problems_in(mistake.problems);
}

/// The sandbox of a hook after the settings were applied; "" for none.
struct SettingCase {
  const char* note;
  Scope scope;
  const char* own;      ///< what its file says, or ""
  const char* user;     ///< settings.yaml
  const char* managed;  ///< /etc/grapnel/settings.yaml
  const char* want;
};

constexpr SettingCase kSettings[] = {
    {"nothing is said", Scope::User, "", "", "", ""},
    {"for all", Scope::Project, "", "sandbox: guard", "", "guard"},
    {"by name", Scope::User, "", "sandbox: { r: { network: false } }", "", "no network"},
    {"not this name", Scope::User, "", "sandbox: { other: guard }", "", ""},
    {"the others", Scope::User, "", "sandbox: { other: off, '*': guard }", "", "guard"},
    {"a map for all", Scope::User, "", "sandbox: { network: false }", "", "no network"},
    {"the user's own hook can be freed", Scope::User, "", "sandbox: { r: off }", "", "off"},
    {"but not from what its file says", Scope::User, "guard", "sandbox: off", "", "guard"},
    {"a project may narrow", Scope::Project, "{ network: false }", "sandbox: { write: [project] }", "",
     "no network, writes project"},
    {"a project may not widen", Scope::Project, "{ network: true }", "sandbox: guard", "", "guard"},
    {"a project may not free its hooks", Scope::Project, "off", "", "", "contain"},
    {"nor hide what they leave", Scope::Local, "{ leftovers: keep }", "", "", "contain"},
    {"the user may", Scope::Project, "", "sandbox: { r: { leftovers: keep } }", "", "contain, leftovers keep"},
    {"the administrator narrows the user", Scope::User, "", "sandbox: { r: off }", "sandbox: guard", "guard"},
    {"the user has no say about the administrator's", Scope::Managed, "", "sandbox: guard", "", ""},
    {"the lower limit counts", Scope::User, "{ memory: 1G, processes: 8 }", "sandbox: { r: { memory: 512M } }",
     "sandbox: { r: { processes: 16 } }", "512M of memory, 8 processes"},
    {"all three", Scope::Project, "{ write: [project] }", "sandbox: { read: [system] }", "sandbox: { network: false }",
     "no network, writes project, reads system"},
    {"a mistake is no way out", Scope::User, "", "sandbox: { r: gaurd }", "", "guard"},
    {"required by anybody is required", Scope::User, "{ network: false, required: false }",
     "sandbox: { network: false }", "", "no network"},
    {"not required by anybody", Scope::User, "", "sandbox: { r: { network: false, required: false } }", "",
     "no network, not required"},
};

TEST(SandboxSetting, CanOnlyTakeAway) {
  for (const SettingCase& c : kSettings) {
    SCOPED_TRACE(c.note);
    const TempDir dir;
    dir.put("root/etc/grapnel/settings.yaml", c.managed);
    dir.put("home/.config/grapnel/settings.yaml", c.user);
    const Environment env = {"HOME=" + dir / "home"};
    const PlaceRoots roots{dir / "root", "", &env};
    Registry registry;
    HookSpec& hook = registry.hooks.emplace_back();
    hook.name = "r";
    hook.scope = c.scope;
    if (*c.own != '\0') hook.sandbox = parse_sandbox(c.own).value();
    apply_sandboxes(read_grapnel_settings(roots), roots, registry);
    EXPECT_EQ(hook.sandbox ? describe(*hook.sandbox) : "", c.want);
  }
}

TEST(SandboxSetting, PointsAtMistakes) {
  const TempDir dir;
  dir.put("home/.config/grapnel/settings.yaml", "mode: enforce\nsandbox:\n  r: gaurd\n");
  const Environment env = {"HOME=" + dir / "home"};
  const PlaceRoots roots{dir / "root", "", &env};
  Registry registry;
  apply_sandboxes(read_grapnel_settings(roots), roots, registry);
  ASSERT_EQ(registry.problems.size(), 1u);
  EXPECT_EQ(registry.problems[0].at.line, 3u);
  EXPECT_GT(registry.problems[0].at.column, 0u);
  EXPECT_TRUE(registry.problems[0].at.file.ends_with("settings.yaml"));
}

}  // namespace
}  // namespace grapnel
