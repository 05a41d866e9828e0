#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "conformance/case.h"
#include "conformance/deviations.h"
#include "conformance/scene.h"

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

TEST(Cases, HaveIdsOfTheirOwn) {
  std::set<std::string> seen;
  for (const Case& one : all_cases()) EXPECT_TRUE(seen.insert(one.id).second) << one.id << " is there twice";
}

/// The engine's cases of spec/gemini.md §8 are numbered; each is there, alone or as a table.
TEST(Cases, OfGeminiAreComplete) {
  constexpr int kLastOfTheEngine = 79;
  std::set<std::string> numbers;
  for (const Case& one : all_cases()) {
    const std::string id = one.dialect == "gemini" ? one.id : "";
    numbers.insert(id.substr(0, id.find('-', std::strlen("gemini-"))));
  }
  for (int n = 1; n <= kLastOfTheEngine; ++n) {
    EXPECT_TRUE(numbers.contains("gemini-" + std::to_string(n))) << "case " << n << " is missing";
  }
}

TEST(Deviations, AreDocumented) {
  std::ostringstream text;
  text << std::ifstream(GRAPNEL_DEVIATIONS, std::ios::binary).rdbuf();
  EXPECT_TRUE(text.str() == write_deviations(all_cases()))
      << "docs/deviations.md is not up to date; run conformance_test --deviations > docs/deviations.md";
}

}  // namespace

}  // namespace grapnel::conformance

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--deviations") == 0) {
    std::fputs(grapnel::conformance::write_deviations(grapnel::conformance::all_cases()).c_str(), stdout);
    return 0;
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
