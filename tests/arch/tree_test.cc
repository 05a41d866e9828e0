#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "arch/layers.h"
#include "arch/wording.h"

// The rules, held against Grapnel's own sources.

namespace arch {
namespace {

void expect_none(const Findings& findings) {
  for (const Finding& finding : findings) ADD_FAILURE() << finding.to_string();
}

const std::vector<SourceFile>& product() {
  static const std::vector<SourceFile> files = load_tree(GRAPNEL_SOURCE_DIR, {"include", "src", "cli"});
  return files;
}

TEST(Tree, IsFound) {
  EXPECT_GT(product().size(), 100U);
}

TEST(Tree, IncludesPointDownwards) {
  expect_none(check_layers(product()));
}

TEST(Tree, TestsBenchesFuzzersAndExamplesKeepToTheirLibraries) {
  expect_none(check_layers(load_tree(GRAPNEL_SOURCE_DIR, {"tests", "bench", "fuzz", "examples"})));
}

std::string content_of(std::string_view path) {
  std::ifstream in(std::string(GRAPNEL_SOURCE_DIR "/").append(path));
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Tree, EveryPublicHeaderIsInstalled) {
  const std::string text = content_of("cmake/install.cmake");
  for (const SourceFile& file : load_tree(GRAPNEL_SOURCE_DIR, {"include"})) {
    const std::string name = file.path.substr(file.path.rfind('/') + 1);
    EXPECT_NE(text.find(" " + name), std::string::npos) << name << " is missing in cmake/install.cmake";
  }
}

TEST(Tree, ReadmeShowsTheExampleThatIsCompiled) {
  EXPECT_NE(content_of("README.md").find("```cpp hello.cc\n" + content_of("examples/embed/hello.cc") + "```"),
            std::string::npos);
}

TEST(Tree, FilesHoldOneConcept) {
  expect_none(check_sizes(product()));
}

TEST(Tree, EventNamesStandInDialectTables) {
  expect_none(check_event_names(product()));
}

}  // namespace
}  // namespace arch
