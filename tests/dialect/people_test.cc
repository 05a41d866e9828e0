#include <algorithm>
#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "dialect/degrade.h"
#include "dialect/dialect.h"

/// What the tables say about messages, held against what people saw in the real agents (tests/agents/people, which
/// tests/agents/people.mjs records).
namespace grapnel {
namespace {

/// The cells of a row of a Markdown table.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> out;
  for (size_t from = line.find('|'), to = 0; (to = line.find('|', from + 1)) != std::string::npos; from = to) {
    const std::string cell = line.substr(from + 1, to - from - 1);
    const size_t first = cell.find_first_not_of(" `");
    out.push_back(first == std::string::npos ? "" : cell.substr(first, cell.find_last_not_of(" `") - first + 1));
  }
  return out;
}

/// Who read a message, by the agent's name for the event.
std::map<std::string, std::string> readers_in(const std::string& agent) {
  std::map<std::string, std::string> out;
  std::ifstream file(std::string(GRAPNEL_PEOPLE) + "/" + agent + ".md");
  for (std::string line; std::getline(file, line);) {
    const auto cells = cells_of(line);
    if (cells.size() > 1 && !cells[1].empty() && cells[0] != "event" && cells[0] != "---") out[cells[0]] = cells[1];
  }
  return out;
}

/// Where people saw the text, and it still is no place for messages.
constexpr struct {
  std::string_view agent;
  std::string_view event;
  const char* why;
} kNoPlaces[] = {
    {"claude", "PreCompact", "it shows the whole answer as it is, braces and all"},
    {"claude", "PostCompact", "the same"},
    {"gemini", "SessionEnd", "it shows the text between lines for debugging, when the session is over"},
    {"gemini", "BeforeToolSelection", "its document promises nothing beside the choice of tools"},
};

bool is_no_place(const Dialect& agent, std::string_view event) {
  return std::ranges::any_of(kNoPlaces, [&](const auto& row) { return row.agent == agent.name && row.event == event; });
}

TEST(People, TablesSayWhatWasSeen) {
  for (const Dialect* agent : {&kClaudeDialect, &kGeminiDialect, &kCodexDialect, &kQwenDialect}) {
    const auto readers = readers_in(std::string(agent->name));
    EXPECT_GE(readers.size(), 8U) << agent->name << " has no record";
    for (const auto& [event, who] : readers) {
      const auto row = std::ranges::find(agent->events, event, &EventRow::wire_name);
      ASSERT_NE(row, agent->events.end()) << agent->name << " has no " << event;
      const bool is_seen = who.contains("person") && !is_no_place(*agent, event);
      EXPECT_EQ(reaches_people(*row), is_seen) << agent->name << " at " << event << ": " << who;
    }
  }
}

}  // namespace
}  // namespace grapnel
