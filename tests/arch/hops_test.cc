#include "arch/hops.h"

#include <fstream>
#include <iterator>
#include <set>

#include <gtest/gtest.h>

#include "os/temp_dir.h"

// The walk of one event: the list in docs/architecture.md, and the checker itself, held against walks that go astray.

namespace arch {
namespace {

constexpr std::string_view kHeading = "## The walk of one event";
constexpr const char* kPage = "docs/architecture.md";

SourceFile load(const std::filesystem::path& root, const std::string& path) {
  SourceFile file{path, {}};
  std::ifstream in(root / path);
  for (std::string line; std::getline(in, line);) file.lines.push_back(line);
  return file;
}

/// Every finding about the page below `root`, one a line.
std::string findings_below(const std::filesystem::path& root) {
  Findings findings;
  const std::vector<Hop> hops = read_hops(load(root, kPage), kHeading, findings);
  std::set<std::string> paths;
  for (const Hop& hop : hops) paths.insert(hop.path);
  std::vector<SourceFile> files;
  for (const std::string& path : paths) files.push_back(load(root, path));
  for (Finding& finding : check_hops(hops, files, kPage)) findings.push_back(std::move(finding));
  std::string out;
  for (const Finding& finding : findings) out += finding.to_string() + "\n";
  return out;
}

TEST(Hops, TheListIsTheWalk) {
  EXPECT_EQ(findings_below(GRAPNEL_SOURCE_DIR), "");
}

/// A small house in which an event goes straight.
class HopsCheck : public ::testing::Test {
 protected:
  void SetUp() override {
    list_ =
        "cli/main.cc: main\n"
        "  cli/fire_event.cc: run_fire (by command.run)\n"
        "    src/dialect/in.cc: recognise [event in]\n"
        "    src/discover/find.cc: discover [discover]\n"
        "    src/engine/line.cc: walk\n"
        "      src/plan/plan.cc: plan [plan]\n"
        "      src/rule/ask.cc: ask [ask]\n"
        "      src/rule/ask.cc: respond [respond]\n"
        "      src/run/run.cc: run_all [run]\n"
        "      src/engine/fold.cc: fold again: ask\n"
        "        src/decide/decide.cc: interpret [interpret]\n"
        "        src/decide/decide.cc: combine [combine]\n"
        "        src/decide/decide.cc: finalize [finalize]\n"
        "      src/record/file.cc: record [record]\n"
        "    src/dialect/out.cc: answer [answer out]\n";
    put("cli/main.cc", "int main() {\n  return command.run(in);\n}\n");
    put("cli/fire_event.cc", "int run_fire(In& in) {\n  recognise(in);\n  discover();\n  walk();\n  answer();\n}\n");
    put("src/dialect/in.cc", "void recognise(In&) {\n}\n");
    put("src/discover/find.cc", "class Finder {\n  void discover() override { look(); }\n};\n");
    put("src/engine/line.cc",
        "void walk(\n    Event event) {\n  planner.plan(event);\n  if (ask(event)) respond();\n  run_all();\n"
        "  fold();\n  sink->record();\n}\n");
    put("src/plan/plan.cc", "Plan Planner::plan(Event) const {\n}\n");
    put("src/rule/ask.cc", "bool ask(Event) {\n}\nvoid respond() {\n}\n");
    put("src/run/run.cc", "void run_all() {\n}\n");
    put("src/engine/fold.cc", "void fold() {\n  interpret();\n  ask(event);\n  combine();\n  finalize();\n}\n");
    put("src/decide/decide.cc", "void interpret() {\n}\nvoid combine() {\n}\nvoid finalize() {\n}\n");
    put("src/record/file.cc", "struct Sink {\n  void record() noexcept {\n  }\n};\n");
    put("src/dialect/out.cc", "void answer() {\n}\n");
  }

  void put(const std::string& path, const std::string& text) const { dir_.put(path, text); }

  std::string findings() const {
    put(kPage, "# Page\n\n" + std::string(kHeading) + "\n\nProse.\n\n```\n" + list_ + "```\n");
    return findings_below(dir_.path());
  }

  /// What is found when this text of the list is that one.
  std::string after(const std::string& from, const std::string& to) {
    const size_t at = list_.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    list_.replace(at, from.size(), to);
    return findings();
  }

  grapnel::testing::TempDir dir_;
  std::string list_;
};

void expect_says(const std::string& findings, const std::string& what) {
  EXPECT_NE(findings.find(what), std::string::npos) << "'" << what << "' is not in:\n" << findings;
}

TEST_F(HopsCheck, AStraightWalkIsFine) {
  EXPECT_EQ(findings(), "");
}

TEST_F(HopsCheck, AFunctionHasToBeThere) {
  expect_says(after("plan.cc: plan ", "plan.cc: replan "), "src/plan/plan.cc defines no function replan");
}

TEST_F(HopsCheck, AFileHasToBeThere) {
  expect_says(after("src/plan/plan.cc", "src/plan/gone.cc"), "src/plan/gone.cc defines no function plan");
}

TEST_F(HopsCheck, ADeclarationIsNoDefinition) {
  put("src/run/run.cc", "void run_all();\nvoid other() {\n  run_all();\n}\n");
  expect_says(findings(), "src/run/run.cc defines no function run_all");
}

TEST_F(HopsCheck, TheCallerHasToCall) {
  put("src/engine/line.cc",
      "void walk(Event event) {\n  planner.plan(event);\n  ask(event);\n  respond();\n"
      "  fold();\n  sink->record();\n}\nvoid other() {\n  run_all();\n}\n");
  expect_says(findings(), "walk of src/engine/line.cc does not call run_all");
}

TEST_F(HopsCheck, ACallByATableIsACallToo) {
  put("cli/main.cc", "int main() {\n  return 0;\n}\n");
  expect_says(findings(), "main of cli/main.cc does not call command.run");
}

TEST_F(HopsCheck, StagesComeInTheirOrder) {
  const std::string plan = "      src/plan/plan.cc: plan [plan]\n";
  after(plan, "");
  expect_says(after("      src/engine/fold.cc", plan + "      src/engine/fold.cc"), "stage 'plan' comes too late");
}

TEST_F(HopsCheck, EveryStageIsThere) {
  expect_says(after(" [run]", ""), "no hop enters stage 'run'");
}

TEST_F(HopsCheck, AStageIsOneOfTheLine) {
  expect_says(after("[run]", "[jump]"), "'jump' is no stage");
}

TEST_F(HopsCheck, AFolderIsEnteredOnce) {
  put("src/plan/plan.cc", "Plan Planner::plan(Event) const {\n}\nvoid run_all() {\n}\n");
  expect_says(after("src/run/run.cc: run_all", "src/plan/plan.cc: run_all"), "src/plan is entered a second time");
}

TEST_F(HopsCheck, AFolderOfAStageIsNotEnteredBesides) {
  put("src/engine/fold.cc", "void fold() {\n  interpret();\n  ask(e);\n  combine();\n  finalize();\n  peek();\n}\n");
  put("src/plan/plan.cc", "Plan Planner::plan(Event) const {\n}\nvoid peek() {\n}\n");
  expect_says(after("      src/record/", "        src/plan/plan.cc: peek\n      src/record/"),
              "src/plan is entered without naming a stage");
}

TEST_F(HopsCheck, TheCommandLineIsNotEnteredInTheMiddle) {
  put("src/engine/fold.cc", "void fold() {\n  interpret();\n  ask(e);\n  combine();\n  finalize();\n  notice();\n}\n");
  put("cli/notice.cc", "void notice() {\n}\n");
  expect_says(after("      src/record/", "        cli/notice.cc: notice\n      src/record/"),
              "the command line is entered in the middle");
}

TEST_F(HopsCheck, AWayBackHasToBeAdmitted) {
  expect_says(after(" again: ask", ""), "fold goes back to stage 'ask'");
}

TEST_F(HopsCheck, PlanningASecondTimeIsAWayBack) {
  put("src/engine/fold.cc",
      "void fold() {\n  interpret();\n  ask(e);\n  planner.plan(e);\n  combine();\n"
      "  finalize();\n}\n");
  expect_says(findings(), "fold goes back to stage 'plan'");
}

TEST_F(HopsCheck, WhatIsAdmittedIsDone) {
  expect_says(after("again: ask", "again: ask, plan"), "does not call plan again");
}

TEST_F(HopsCheck, AListThatCannotBeReadIsFound) {
  expect_says(after("cli/main.cc: main", "from main() on"), "this is no hop: from main() on");
  list_ = "";
  expect_says(findings(), "there is no list of hops");
}

}  // namespace
}  // namespace arch
