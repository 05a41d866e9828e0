#include "scenario/scenario.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

// Every scenario of cases/*.json is a test of its own.

namespace grapnel::scenario {
namespace {

class PlayedScenario : public ::testing::Test {
 public:
  explicit PlayedScenario(Json json) : json_(std::move(json)) {}
  void TestBody() override { EXPECT_EQ(Scenario(json_).play(), "") << json_["note"].as_string().value_or(""); }

 private:
  Json json_;
};

void register_file(const std::filesystem::path& path) {
  std::ifstream in(path);
  const auto parsed = Json::parse({std::istreambuf_iterator<char>(in), {}}, {.comments = true});
  if (!parsed) {
    ADD_FAILURE() << path << ": " << parsed.error().to_string();
    return;
  }
  for (const Json& scenario : parsed->elements()) {
    ::testing::RegisterTest(path.stem().c_str(), Scenario(scenario).id().c_str(), nullptr, nullptr, path.c_str(), 1,
                            [scenario]() -> ::testing::Test* { return new PlayedScenario(scenario); });
  }
}

}  // namespace
}  // namespace grapnel::scenario

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  for (const auto& entry : std::filesystem::directory_iterator(GRAPNEL_SCENARIOS)) {
    if (entry.path().extension() == ".json") grapnel::scenario::register_file(entry.path());
  }
  return RUN_ALL_TESTS();
}
