#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <vector>

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

TEST(Tree, PagesShowTheExamplesThatAreCompiled) {
  const struct {
    const char* page;
    const char* example;
  } shown[] = {
      {"README.md", "examples/embed/hello.cc"},
      {"docs/embedding.md", "examples/embed/service.cc"},
      {"docs/embedding.md", "examples/embed/translate.cc"},
  };
  for (const auto& one : shown) {
    const std::string wanted = "```cpp\n" + content_of(one.example) + "```";
    EXPECT_NE(content_of(one.page).find(wanted), std::string::npos) << one.page << " does not show " << one.example;
  }
}

/// Every page of the documentation, as a path below the source directory.
std::vector<std::string> all_pages() {
  namespace fs = std::filesystem;
  std::vector<std::string> pages{"README.md", "HACKING.md", "CHANGELOG.md"};
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(GRAPNEL_SOURCE_DIR "/docs")) {
    if (entry.path().extension() == ".md") pages.push_back(fs::relative(entry.path(), GRAPNEL_SOURCE_DIR).string());
  }
  return pages;
}

/// A page without its blocks of code.
std::string prose_of(const std::string& page) {
  std::istringstream lines(content_of(page));
  std::string out;
  bool in_code = false;
  for (std::string line; std::getline(lines, line);) {
    in_code ^= line.starts_with("```");
    if (!in_code) out += line + "\n";
  }
  return out;
}

/// What `](…)` points to, relative to the source directory; links into the web are left out.
std::set<std::string> links_of(const std::string& page) {
  std::set<std::string> out;
  const std::string text = prose_of(page);
  for (size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 2)) {
    std::string target = text.substr(at + 2, text.find(')', at) - at - 2);
    target.erase(std::min(target.find('#'), target.size()));
    if (target.empty() || target.contains("://")) continue;
    out.insert((std::filesystem::path(page).parent_path() / target).lexically_normal().string());
  }
  return out;
}

TEST(Tree, LinksOfPagesLeadSomewhere) {
  for (const std::string& page : all_pages()) {
    for (const std::string& target : links_of(page)) {
      EXPECT_TRUE(std::filesystem::exists(GRAPNEL_SOURCE_DIR "/" + target)) << page << " links to " << target;
    }
  }
}

TEST(Tree, EveryPageIsInAnIndex) {
  std::set<std::string> linked;
  for (const char* index : {"README.md", "docs/README.md", "docs/dialects/README.md"}) linked.merge(links_of(index));
  for (const std::string& page : all_pages()) {
    if (page == "README.md") continue;
    EXPECT_TRUE(linked.contains(page)) << page << " is in no index";
  }
}

TEST(Tree, FilesHoldOneConcept) {
  expect_none(check_sizes(product()));
}

TEST(Tree, EventNamesStandInDialectTables) {
  expect_none(check_event_names(product()));
}

}  // namespace
}  // namespace arch
