#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include <gtest/gtest.h>

#include "convert/convert_support.h"
#include "dialect/matcher_names.h"

/// The law of conversions: what both dialects can say comes back as it was. For all ordered pairs of dialects, random
/// sets of hooks are written in one, converted to the other and back, and mean the same at both ends.
namespace grapnel {

namespace {

using testing::TempDir;

/// What a random hook is made from.
struct Idea {
  EventKind event = EventKind::PreToolUse;
  std::vector<std::string_view> tools;  ///< kinds of tools; none: every tool
  bool is_regex = false;                ///< …and these with a pattern beside them
  std::string path;                     ///< a glob, or ""
  std::string command_pattern;
  std::string name;
  std::string status;
  std::string description;
  std::string word;  ///< what its command prints
  int seconds = 60;
  bool async = false;
  bool sequential = false;
  int priority = 100;
};

/// What both sides have.
struct Common {
  const Dialect& a;
  const Dialect& b;

  bool both(auto&& has) const { return has(a) && has(b); }
  bool has_key(HookKey key) const {
    return both([&](const Dialect& d) { return !d.key_of(key).empty(); });
  }
  bool has_names() const {
    return both([](const Dialect& d) { return !d.key_of(HookKey::Name).empty() || !d.key_of(GroupKey::Name).empty(); });
  }
  bool has_order() const {
    return both([](const Dialect& d) { return !d.key_of(GroupKey::Sequential).empty(); });
  }
  bool has_member(Field field) const {
    return both([&](const Dialect& d) {
      return std::ranges::find(d.entries.matcher_members, field, &MatcherMember::subject) !=
             d.entries.matcher_members.end();
    });
  }
  /// Hook directories always have a name and a description.
  bool needs_words() const {
    return a.file_format() == PlaceFormat::HookDirectories || b.file_format() == PlaceFormat::HookDirectories;
  }
  /// Those whose event is no other moment as well on one side only.
  std::vector<EventKind> events() const {
    std::vector<EventKind> out;
    for (const EventKind kind : all_event_kinds()) {
      const bool is_alone = both([&](const Dialect& d) {
        const EventRow* row = d.find_event(kind);
        return row != nullptr && std::ranges::count(d.events, row->wire_name, &EventRow::wire_name) == 1;
      });
      if (is_alone) out.push_back(kind);
    }
    return out;
  }
  std::vector<std::string_view> tool_kinds() const {
    std::vector<std::string_view> out;
    for (const ToolRow& row : a.tools.rows) {
      const bool is_there = std::ranges::find(b.tools.rows, row.kind, &ToolRow::kind) != b.tools.rows.end();
      if (is_there && std::ranges::find(out, row.kind) == out.end()) out.push_back(row.kind);
    }
    return out;
  }
};

template <typename T>
T one_of(const std::vector<T>& choices) {
  return *rc::gen::elementOf(choices);
}

bool is_of_tool(EventKind kind) {
  return kind == EventKind::PreToolUse || kind == EventKind::PermissionRequest || kind == EventKind::PostToolUse ||
         kind == EventKind::PostToolUseFailure;
}

bool flip() {
  return *rc::gen::arbitrary<bool>();
}

Idea make_idea(const Common& common, size_t number) {
  Idea idea;
  idea.event = one_of(common.events());
  idea.word = "w" + std::to_string(number);
  idea.seconds = *rc::gen::inRange(1, 600);
  if (is_of_tool(idea.event)) {
    for (const std::string_view kind : common.tool_kinds()) {
      if (*rc::gen::inRange(0, 3) == 0) idea.tools.push_back(kind);
    }
    idea.is_regex = !idea.tools.empty() && *rc::gen::inRange(0, 4) == 0;
    if (common.has_member(Field::ToolPath) && flip()) {
      idea.path = one_of<std::string>({"**/*.ts", "src/**", "src/*.py", "docs/a.md"});
    }
    if (common.has_member(Field::ToolCommand) && flip()) {
      idea.command_pattern = one_of<std::string>({"git", "^(?:npm .*)$", "rm .*-r"});
    }
  }
  if (common.has_names() && (common.needs_words() || flip()))
    idea.name = "n" + std::to_string(*rc::gen::inRange(0, 100)) + "-" + idea.word;
  if (common.has_key(HookKey::StatusMessage) && flip()) idea.status = "checking…";
  if (common.has_key(HookKey::Description) && (common.needs_words() || flip()))
    idea.description = "what it's \"for\": a\nb";
  if (common.has_key(HookKey::Async)) idea.async = flip();
  if (common.has_key(HookKey::Priority)) idea.priority = *rc::gen::inRange(0, 900);
  if (common.has_order()) idea.sequential = flip();
  return idea;
}

/// The hook an idea is of, as the canonical form has it in dialect `d`.
HookSpec make_spec(const Idea& idea, const Dialect& d) {
  HookSpec spec;
  const std::string command = "echo " + idea.word;
  spec.name = idea.name.empty() ? command : idea.name;
  spec.description = idea.description;
  spec.status_message = idea.status;
  spec.events.set(static_cast<size_t>(idea.event));
  spec.dialect = &d;
  spec.handler = CommandHandler{command, {}, {}};
  spec.timeout = std::chrono::seconds(idea.seconds);
  spec.async = idea.async;
  spec.sequential = idea.sequential;
  spec.priority = idea.priority;
  spec.max_concurrent = d.running.default_concurrency;
  spec.definition = "{}";
  Clause tools{Field::ToolName, {}};
  for (const ToolRow& row : d.tools.rows) {
    if (std::ranges::find(idea.tools, row.kind) == idea.tools.end()) continue;
    tools.any_of.push_back(*Matcher::compile(row.name, idea.is_regex ? MatchSyntax::StrictRegex : MatchSyntax::Exact));
  }
  if (!tools.any_of.empty()) spec.clauses.push_back(std::move(tools));
  if (!idea.path.empty()) {
    spec.clauses.push_back({Field::ToolPath, {*Matcher::compile(idea.path, MatchSyntax::Glob)}});
  }
  if (!idea.command_pattern.empty()) {
    spec.clauses.push_back({Field::ToolCommand, {*Matcher::compile(idea.command_pattern, MatchSyntax::StrictRegex)}});
  }
  return spec;
}

/// What a hook's command prints: that a command was wrapped on the way does not matter.
std::string run(const HookSpec& spec) {
  if (spec.command_text().starts_with("echo ")) return spec.command_text().substr(5) + "\n";
  const std::unique_ptr<FILE, decltype(&::pclose)> pipe(::popen(spec.command_text().c_str(), "r"), &::pclose);
  std::array<char, 64> line{};
  return std::fgets(line.data(), line.size(), pipe.get()) == nullptr ? "" : line.data();
}

/// Which of many subjects pass a hook's conditions.
std::string behaviour(const HookSpec& spec) {
  std::string out;
  const auto add = [&](Field field, const std::string& subject) {
    const bool passes = std::ranges::all_of(spec.clauses, [&](const Clause& clause) {
      return clause.subject != field || clause.matches(Json::string(subject));
    });
    out += passes ? "1" : "0";
  };
  for (const ToolRow& row : spec.dialect->tools.rows) {
    add(Field::ToolName, std::string(row.name));
    add(Field::ToolName, std::string(row.name) + "Two");
  }
  for (const char* path : {"a.ts", "x/y/b.ts", "src/a.py", "src/d/e.py", "docs/a.md", "a.md"})
    add(Field::ToolPath, path);
  for (const char* command : {"git push", "npm i", "npx npm i", "rm -r x", "rm x", "ls\ngit"})
    add(Field::ToolCommand, command);
  return out;
}

/// A set of hooks as a text that is the same when they mean the same.
std::string meaning(const std::vector<HookSpec>& hooks, const Common& common) {
  std::string out;
  for (const EventKind kind : all_event_kinds()) {
    for (const HookSpec& spec : hooks) {
      if (!spec.listens_to(kind)) continue;
      out += std::string(to_string(kind)) + " " + std::to_string(spec.timeout.count()) + " " + behaviour(spec);
      if (common.has_names()) out += " name " + given_name(spec);
      if (common.has_key(HookKey::Description)) out += " is " + spec.description;
      if (common.has_key(HookKey::StatusMessage)) out += " status " + spec.status_message;
      if (common.has_key(HookKey::Async)) out += spec.async ? " async" : "";
      if (common.has_order()) out += spec.sequential ? " sequential" : "";
      out += " runs " + run(spec) + "\n";
    }
  }
  return out;
}

std::string losses_of(const Conversion& conversion) {
  std::string out;
  for (const ConfigProblem& problem : conversion.losses) out += problem.message + "\n";
  return out;
}

/// What tells a file's format.
std::string ending(const Dialect& dialect) {
  return dialect.file_format() == PlaceFormat::Toml ? ".toml" : "";
}

class Pair : public ::testing::TestWithParam<std::pair<const Dialect*, const Dialect*>> {};

TEST_P(Pair, ThereAndBackMeansTheSame) {
  const Dialect& a = *GetParam().first;
  const Dialect& b = *GetParam().second;
  const Common common{a, b};
  const auto holds = [&] {
    std::vector<HookSpec> ideas;
    const auto count = *rc::gen::inRange<size_t>(1, 5);
    for (size_t i = 0; i < count; ++i) ideas.push_back(make_spec(make_idea(common, i), a));
    std::ranges::stable_sort(ideas, std::ranges::greater{}, &HookSpec::priority);

    const TempDir dir;
    const Conversion at_home = convert_hooks(ideas, a);
    const Registry before = testing::read_hooks_at(testing::put_files(dir, "before" + ending(a), at_home.files), a);
    RC_ASSERT(before.problems.empty());
    const Conversion there = convert_hooks(before.hooks, b);
    const Registry between = testing::read_hooks_at(testing::put_files(dir, "between" + ending(b), there.files), b);
    RC_ASSERT(between.problems.empty());
    if (!common.needs_words()) RC_ASSERT(losses_of(there) == "");
    const Conversion back = convert_hooks(between.hooks, a);
    const Registry after = testing::read_hooks_at(testing::put_files(dir, "after" + ending(a), back.files), a);
    RC_ASSERT(after.problems.empty());
    RC_LOG() << there.files.front().text;
    RC_ASSERT(meaning(after.hooks, common) == meaning(before.hooks, common));
  };
  EXPECT_TRUE(rc::check(std::string(a.name) + " to " + std::string(b.name) + " and back", holds));
}

std::vector<std::pair<const Dialect*, const Dialect*>> all_pairs() {
  std::vector<std::pair<const Dialect*, const Dialect*>> out;
  for (const Dialect* a : testing::dialects_with_files()) {
    for (const Dialect* b : testing::dialects_with_files()) out.emplace_back(a, b);
  }
  return out;
}

INSTANTIATE_TEST_SUITE_P(Dialects, Pair, ::testing::ValuesIn(all_pairs()), [](const auto& pair) {
  return std::string(pair.param.first->name) + "_" + std::string(pair.param.second->name);
});

}  // namespace

}  // namespace grapnel
