#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "grapnel/json.h"

#include "cli/program_help.h"

// Every verb prints JSON on request, and docs/json.md says what is in it. The examples of the page are run by
// tests/golden.

namespace grapnel::cli {
namespace {

std::string page() {
  std::ifstream file(std::string(GRAPNEL_SOURCE_DIR) + "/docs/json.md");
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The text under `## title`, up to the next heading of that level; "" when there is none.
std::string section(const std::string& page, const std::string& title) {
  const size_t from = page.find("\n## " + title + "\n");
  if (from == std::string::npos) return "";
  return page.substr(from, page.find("\n## ", from + 1) - from);
}

/// The blocks of the section that are marked as `console`.
std::vector<std::string> consoles(const std::string& section) {
  std::vector<std::string> out;
  const std::string open = "```console\n";
  for (size_t at = 0; (at = section.find(open, at)) != std::string::npos;) {
    const size_t from = at + open.size();
    at = section.find("\n```", from);
    out.push_back(section.substr(from, at - from + 1));
  }
  return out;
}

/// Adds the names of all members, at any depth.
void collect_members(const Json& json, std::set<std::string>& names) {
  for (const auto& [key, value, offset] : json.members()) {
    names.insert(std::string(key));
    collect_members(value, names);
  }
  for (const Json& element : json.elements()) collect_members(element, names);
}

/// The members of what the commands of a block print, as far as it is JSON. Values that differ from run to run are
/// written as `[..]`.
std::set<std::string> members_shown(const std::string& console) {
  std::set<std::string> names;
  std::istringstream lines(console);
  std::string text;
  const auto take = [&] {
    for (size_t at = 0; (at = text.find("[..]", at)) != std::string::npos;) text.replace(at, 4, "0");
    if (const auto json = Json::parse(text)) collect_members(*json, names);
    text.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("$ ") || line.starts_with("> ") || line.starts_with("[exit ")) {
      take();
    } else {
      text += line + "\n";
    }
  }
  take();
  return names;
}

TEST(JsonPage, EveryVerbPrintsJson) {
  for (const std::string& verb : all_verbs()) {
    EXPECT_NE(output_of(verb + " --help").find(" --json "), std::string::npos)
        << "grapnel " << verb << " has no option --json; see HACKING.md, Adding things";
  }
}

TEST(JsonPage, HasASectionWithAnExampleForEveryVerb) {
  const std::string text = page();
  for (const std::string& verb : all_verbs()) {
    SCOPED_TRACE(verb);
    const std::string about = section(text, "`grapnel " + verb + "`");
    ASSERT_NE(about, "") << "docs/json.md has no section about it; see HACKING.md, Adding things";
    bool has_example = false;
    for (const std::string& console : consoles(about)) {
      has_example |=
          console.find("grapnel " + verb + " ") != std::string::npos && console.find("--json") != std::string::npos;
    }
    EXPECT_TRUE(has_example) << "the section has no example with --json";
  }
}

TEST(JsonPage, NamesEveryMemberThatItShows) {
  const std::string text = page();
  const std::string shared = section(text, "Objects that several verbs print");
  ASSERT_NE(shared, "");
  for (const std::string& verb : all_verbs()) {
    SCOPED_TRACE(verb);
    const std::string about = section(text, "`grapnel " + verb + "`");
    std::set<std::string> shown;
    for (const std::string& console : consoles(about)) shown.merge(members_shown(console));
    EXPECT_FALSE(shown.empty()) << "no example of it is JSON";
    for (const std::string& name : shown) {
      const std::string quoted = "`" + name + "`";
      EXPECT_TRUE(about.find(quoted) != std::string::npos || shared.find(quoted) != std::string::npos)
          << name << " is printed, but not explained";
    }
  }
}

}  // namespace
}  // namespace grapnel::cli
