#include <algorithm>
#include <cctype>
#include <compare>
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
  std::vector<std::string> pages{"README.md", "HACKING.md", "CONTRIBUTING.md", "CHANGELOG.md"};
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

/// One `](path#anchor)` of a page. The path is relative to the source directory; `#anchor` alone stays in the page.
struct Link {
  std::string path;
  std::string anchor;
  auto operator<=>(const Link&) const = default;
};

/// The links of a page, without those into the web.
std::set<Link> links_of(const std::string& page) {
  std::set<Link> out;
  const std::string text = prose_of(page);
  for (size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 2)) {
    const std::string target = text.substr(at + 2, text.find(')', at) - at - 2);
    if (target.contains("://")) continue;
    const size_t hash = std::min(target.find('#'), target.size());
    const std::string path = target.substr(0, hash);
    out.insert({path.empty() ? page : (std::filesystem::path(page).parent_path() / path).lexically_normal().string(),
                target.substr(std::min(hash + 1, target.size()))});
  }
  return out;
}

/// The anchors that a web page of the repository gives to the headings of a page: lower case, hyphens for blanks, and
/// of other characters only letters, digits, `-` and `_`.
std::set<std::string> anchors_of(const std::string& page) {
  std::set<std::string> out;
  std::istringstream lines(prose_of(page));
  for (std::string line; std::getline(lines, line);) {
    const size_t level = line.find_first_not_of('#');
    if (level == 0 || level == std::string::npos || line[level] != ' ') continue;
    std::string anchor;
    for (const char c : line.substr(level + 1)) {
      if (c == ' ') anchor += '-';
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_') {
        anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      }
    }
    out.insert(anchor);
  }
  return out;
}

/// The pages above, and those that explain a folder.
std::vector<std::string> pages_with_links() {
  std::vector<std::string> pages = all_pages();
  for (const char* page : {"examples/README.md", "examples/rules/README.md", "tests/conformance/README.md",
                           "tests/golden/README.md", "tests/scenario/README.md"}) {
    pages.emplace_back(page);
  }
  return pages;
}

TEST(Tree, LinksOfPagesLeadSomewhere) {
  for (const std::string& page : pages_with_links()) {
    for (const Link& link : links_of(page)) {
      EXPECT_TRUE(std::filesystem::exists(GRAPNEL_SOURCE_DIR "/" + link.path)) << page << " links to " << link.path;
    }
  }
}

TEST(Tree, LinksIntoPagesNameAHeading) {
  for (const std::string& page : pages_with_links()) {
    for (const Link& link : links_of(page)) {
      if (link.anchor.empty() || !link.path.ends_with(".md")) continue;
      EXPECT_TRUE(anchors_of(link.path).contains(link.anchor))
          << page << " links to " << link.path << "#" << link.anchor;
    }
  }
}

/// The words between `open` and `close` in the text.
std::set<std::string> words_within(std::string_view text, std::string_view open, std::string_view close) {
  std::set<std::string> out;
  for (size_t at = text.find(open); at != std::string_view::npos; at = text.find(open, at + 1)) {
    const std::string_view rest = text.substr(at + open.size());
    const size_t begin = rest.find('>') + 1;
    std::istringstream in{std::string(rest.substr(begin, rest.find(close) - begin))};
    for (std::string word; in >> word;) out.insert(word);
  }
  return out;
}

TEST(Tree, ThePageAndThePictureShowEveryFolder) {
  const std::string page = content_of("docs/architecture.md");
  const std::set<std::string> rooms = words_within(content_of("docs/pictures/rooms.svg"), R"(class="name")", "</text>");
  for (const fs::directory_entry& entry : fs::directory_iterator(GRAPNEL_SOURCE_DIR "/src")) {
    if (!entry.is_directory()) continue;
    const std::string name = entry.path().filename().string();
    EXPECT_NE(page.find("\nsrc/" + name + " "), std::string::npos)
        << "docs/architecture.md has no line for src/" << name;
    EXPECT_TRUE(rooms.contains(name)) << "docs/pictures/rooms.svg does not show src/" << name;
  }
}

/// What `make test-agents` found on the screens of the real agents.
TEST(Tree, StatusPageShowsWhatPeopleSee) {
  const std::string page = content_of("docs/status.md");
  size_t count = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(GRAPNEL_SOURCE_DIR "/tests/agents/screens")) {
    const std::string name = "tests/agents/screens/" + entry.path().filename().string();
    EXPECT_NE(page.find("\n" + content_of(name)), std::string::npos) << "docs/status.md does not show " << name;
    ++count;
  }
  EXPECT_EQ(count, 16U);
}

TEST(Tree, EveryPageIsInAnIndex) {
  std::set<std::string> linked;
  for (const char* index : {"README.md", "docs/README.md", "docs/dialects/README.md"}) {
    for (const Link& link : links_of(index)) linked.insert(link.path);
  }
  for (const std::string& page : all_pages()) {
    if (page == "README.md") continue;
    EXPECT_TRUE(linked.contains(page)) << page << " is in no index";
  }
}

TEST(Tree, ChangelogBeginsWithThisVersion) {
  const std::string text = content_of("CHANGELOG.md");
  const size_t version = text.find("\n## ", text.find("\n## Unreleased\n") + 1);
  ASSERT_NE(version, std::string::npos);
  EXPECT_TRUE(text.substr(version).starts_with("\n## " GRAPNEL_VERSION " ")) << "the project is " GRAPNEL_VERSION;
}

/// What commands print about their version is `[..]` in transcripts, so that the version stands in one place.
TEST(Tree, TranscriptsDoNotNameThisVersion) {
  std::vector<std::string> transcripts = all_pages();
  for (const auto& entry : std::filesystem::directory_iterator(GRAPNEL_SOURCE_DIR "/tests/golden")) {
    if (entry.path().extension() == ".txt") transcripts.push_back("tests/golden/" + entry.path().filename().string());
  }
  for (const std::string& transcript : transcripts) {
    const std::string text = content_of(transcript);
    for (const char* said : {"grapnel " GRAPNEL_VERSION, "\"version\":\"" GRAPNEL_VERSION "\""}) {
      EXPECT_FALSE(text.contains(said)) << transcript << " has '" << said << "': write [..] for the version";
    }
  }
}

/// Functions of others come with their headers. A declaration of our own would be a way to what they keep to
/// themselves.
TEST(Tree, DeclaresNothingOfOtherLibraries) {
  constexpr std::string_view kAllowed[] = {
      "tree_sitter_bash",  // the grammar has no header
      "__clone",           // thread sanitizer builds only
  };
  const auto is_allowed = [&](const std::string& line) {
    return line.ends_with('{') || std::ranges::any_of(kAllowed, [&](auto name) { return line.contains(name); });
  };
  for (const SourceFile& file : product()) {
    for (const std::string& line : file.lines) {
      EXPECT_TRUE(!line.starts_with("extern \"C\"") || is_allowed(line)) << file.path << ": " << line;
    }
  }
}

TEST(Tree, EventNamesStandInDialectTables) {
  expect_none(check_event_names(product()));
}

}  // namespace
}  // namespace arch
