#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "bridge/matrix.h"
#include "conformance/case.h"
#include "conformance/dialect_page.h"
#include "conformance/pages.h"
#include "conformance/scene.h"
#include "serve/world.h"

/// One test per conformance case, named after it: `Conformance/Case.Holds/gemini_55`.
namespace grapnel::conformance {

namespace {

const std::vector<Case>& all_cases() {
  static const std::vector<Case> cases = load_cases(GRAPNEL_CONFORMANCE_DIR);
  return cases;
}

std::vector<Case> playable_cases() {
  std::vector<Case> out;
  for (const Case& one : all_cases()) {
    if (!one.is_note()) out.push_back(one);
  }
  return out;
}

std::vector<Case> example_cases() {
  std::vector<Case> out;
  for (const Case& one : playable_cases()) {
    if (one.example) out.push_back(one);
  }
  return out;
}

/// The documents' examples and every fourth of the others; all of them with GRAPNEL_ALL_CASES in the environment.
std::vector<Case> served_cases() {
  const bool wants_all = std::getenv("GRAPNEL_ALL_CASES") != nullptr;
  std::vector<Case> out;
  size_t number = 0;
  for (const Case& one : playable_cases()) {
    if (one.json["event"] && (wants_all || one.example || number++ % 4 == 0)) out.push_back(one);
  }
  return out;
}

std::string test_name(const ::testing::TestParamInfo<Case>& info) {
  std::string name = info.param.id;
  for (char& c : name) {
    const bool fits = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!fits) c = '_';
  }
  return name.empty() ? "unnamed_" + std::to_string(info.index) : name;
}

class ConformanceCase : public ::testing::TestWithParam<Case> {};

TEST_P(ConformanceCase, Holds) {
  const Case& one = GetParam();
  ASSERT_EQ(one.problem, "");
  const std::string wrong = Scene(one).play();
  EXPECT_TRUE(wrong.empty()) << one.id << ": " << one.spec << "\n" << wrong;
}
INSTANTIATE_TEST_SUITE_P(Conformance, ConformanceCase, ::testing::ValuesIn(playable_cases()), test_name);

class ExampleCase : public ::testing::TestWithParam<Case> {};

TEST_P(ExampleCase, HoldsThroughFire) {
  const Case& one = GetParam();
  for (const Way way : {Way::CommandDecision, Way::CommandAnswer}) {
    const std::string wrong = Scene(one, way).play();
    EXPECT_TRUE(wrong.empty()) << one.id << ": " << one.spec << "\n" << wrong;
  }
}
INSTANTIATE_TEST_SUITE_P(Conformance, ExampleCase, ::testing::ValuesIn(example_cases()), test_name);

/// One server for all cases, which come to it as different users would.
struct SharedServer {
  testing::World world;
  testing::RunningServer server{world};
  int64_t asked = 0;
};

class ServedCase : public ::testing::TestWithParam<Case> {
 protected:
  static void SetUpTestSuite() { shared() = std::make_unique<SharedServer>(); }
  static void TearDownTestSuite() {
    EXPECT_EQ(shared()->world.requests(), shared()->asked) << "not every event went through the server";
    shared().reset();
  }
  static std::unique_ptr<SharedServer>& shared() {
    static std::unique_ptr<SharedServer> server;
    return server;
  }
};

TEST_P(ServedCase, SaysWhatTheCommandSays) {
  const Case& one = GetParam();
  Scene alone(one, Way::CommandAnswer), served(one, Way::CommandAnswer);
  served.use_server(shared()->world.socket());
  served.play();
  alone.play();
  EXPECT_EQ(served.said(), alone.said()) << one.id << ": " << one.spec;
  shared()->asked += static_cast<int64_t>(served.said().size());
}
INSTANTIATE_TEST_SUITE_P(Conformance, ServedCase, ::testing::ValuesIn(served_cases()), test_name);

/// Every case twice in the same place, the second time by processes that have waited for it.
class WarmCase : public ServedCase {
 protected:
  static void TearDownTestSuite() {
    const int64_t used = shared()->world.status()["warm"]["used"].as_integer().value_or(0);
    EXPECT_GE(used, static_cast<int64_t>(served_cases().size()) / 4) << "nearly nothing was warm";
    shared().reset();
  }
  static bool is_ready() { return shared()->world.status()["warm"]["pending"].as_integer() == 0; }
};

TEST_P(WarmCase, SaysWhatTheCommandSays) {
  const Case& one = GetParam();
  Scene alone(one, Way::CommandAnswer), warm(one, Way::CommandAnswer);
  warm.use_server(shared()->world.socket());
  warm.make_hooks_warm();
  for (Scene* scene : {&alone, &warm}) {
    scene->make_hooks_patient();
    scene->play();
    if (scene == &warm) ASSERT_TRUE(testing::becomes_true(is_ready));
    scene->play();
  }
  EXPECT_EQ(warm.said(), alone.said()) << one.id << ": " << one.spec;
}
INSTANTIATE_TEST_SUITE_P(Conformance, WarmCase, ::testing::ValuesIn(served_cases()), test_name);

TEST(Cases, HaveIdsOfTheirOwn) {
  std::set<std::string> seen;
  for (const Case& one : all_cases()) EXPECT_TRUE(seen.insert(one.id).second) << one.id << " is there twice";
}

struct Numbered {
  const char* note;
  std::set<std::string> dialects;  ///< whose cases they are
  int first;
  int last;
};

/// The numbers between the dashes of an id: `blade-object-4-yes` is about 4.
std::set<int> numbers_in(const std::string& id) {
  std::set<int> out;
  std::istringstream parts(id);
  for (std::string part; std::getline(parts, part, '-');) {
    const bool is_number = !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
    if (is_number) out.insert(std::stoi(part));
  }
  return out;
}

TEST(Cases, AreComplete) {
  const Numbered tables[] = {
      {"spec/gemini.md §8", {"gemini"}, 1, 108},
      {"spec/agenthooks-kimi.md §6", {"agenthooks", "kimi"}, 1, 89},
      {"spec/blade-clawd-synapse.md §10", {"blade", "clawd", "synapse"}, 1, 80},
  };
  for (const Numbered& table : tables) {
    SCOPED_TRACE(table.note);
    std::set<int> found;
    for (const Case& one : all_cases()) {
      if (table.dialects.contains(one.dialect)) found.merge(numbers_in(one.id));
    }
    for (int n = table.first; n <= table.last; ++n) EXPECT_TRUE(found.contains(n)) << "case " << n << " is missing";
  }
}

TEST(Cases, TestedElsewhereNameAFileThatIsThere) {
  for (const Case& one : all_cases()) {
    if (!one.where.starts_with("tests/")) continue;
    EXPECT_TRUE(std::filesystem::exists(std::string(GRAPNEL_SOURCE_DIR "/") + one.where)) << one.id;
  }
}

/// A page that is generated, and where it is kept.
struct Page {
  std::string path;
  std::string text;
};

std::vector<Page> all_pages() {
  const std::string docs = GRAPNEL_SOURCE_DIR "/docs/";
  std::vector<Page> pages{
      {docs + "deviations.md", write_deviations(all_cases())},
      {docs + "examples.md", write_examples(all_cases())},
      {docs + "agents.md", agents_page()},
      {docs + "dialects/README.md", write_dialect_index()},
  };
  for (const Dialect* dialect : all_dialects()) {
    pages.push_back(
        {docs + "dialects/" + std::string(dialect->name) + ".md", write_dialect_page(*dialect, all_cases())});
  }
  return pages;
}

TEST(Pages, AreUpToDate) {
  for (const Page& page : all_pages()) {
    std::ostringstream text;
    text << std::ifstream(page.path, std::ios::binary).rdbuf();
    EXPECT_TRUE(text.str() == page.text) << page.path
                                         << " is not up to date; run conformance_test --update and read the diff";
  }
}

TEST(Pages, IntroduceEveryDialect) {
  EXPECT_EQ(write_dialect_index().find("without an introduction"), std::string::npos);
}

/// Writes every page to its place.
bool update_pages() {
  bool ok = true;
  for (const Page& page : all_pages()) {
    std::filesystem::create_directories(std::filesystem::path(page.path).parent_path());
    std::ofstream out(page.path, std::ios::binary);
    ok &= static_cast<bool>(out << page.text << std::flush);
  }
  return ok;
}

}  // namespace

}  // namespace grapnel::conformance

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--update") return grapnel::conformance::update_pages() ? 0 : 1;
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
