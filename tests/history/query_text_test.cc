#include "history/query_text.h"

#include <gtest/gtest.h>

namespace grapnel {
namespace {

using Where = std::vector<QueryCondition>;

struct QueryTextCase {
  const char* text;
  Where want;
};

const QueryTextCase kTextCases[] = {
    {"", {}},
    {"   ", {}},
    {"push", {{QueryKey::Text, "push", false}}},
    {"git push", {{QueryKey::Text, "git", false}, {QueryKey::Text, "push", false}}},
    {"\"git push\"", {{QueryKey::Text, "git push", false}}},
    {"verdict:deny", {{QueryKey::Verdict, "deny", false}}},
    {"verdict:deny,ask", {{QueryKey::Verdict, "deny", false}, {QueryKey::Verdict, "ask", false}}},
    {"verdict:deny verdict:ask", {{QueryKey::Verdict, "deny", false}, {QueryKey::Verdict, "ask", false}}},
    {"-tool:Read", {{QueryKey::Tool, "Read", true}}},
    {"-push", {{QueryKey::Text, "push", true}}},
    {"-\"git push\"", {{QueryKey::Text, "git push", true}}},
    {"project:\"/my work/api\"", {{QueryKey::Project, "/my work/api", false}}},
    {R"(tool:"a \"quoted\" \\ name")", {{QueryKey::Tool, "a \"quoted\" \\ name", false}}},
    {"hook:\"a,b\",c", {{QueryKey::Hook, "a,b", false}, {QueryKey::Hook, "c", false}}},
    {"event:PreToolUse agent:claude session:b1f5 id:3f9a would:any",
     {{QueryKey::Event, "PreToolUse", false},
      {QueryKey::Agent, "claude", false},
      {QueryKey::Session, "b1f5", false},
      {QueryKey::Id, "3f9a", false},
      {QueryKey::Would, "any", false}}},
    {"would:deny", {{QueryKey::Would, "deny", false}}},
    {"https://example.com", {{QueryKey::Text, "https://example.com", false}}},
    {"\"verdict:deny\"", {{QueryKey::Text, "verdict:deny", false}}},
    {"src/a.ts:12", {{QueryKey::Text, "src/a.ts:12", false}}},
    {"Verdict:deny", {{QueryKey::Text, "Verdict:deny", false}}},
    {"a - b", {{QueryKey::Text, "a", false}, {QueryKey::Text, "-", false}, {QueryKey::Text, "b", false}}},
};

TEST(QueryText, IsRead) {
  for (const QueryTextCase& c : kTextCases) {
    SCOPED_TRACE(c.text);
    const auto query = read_query_text(c.text);
    ASSERT_TRUE(query) << query.error().message;
    EXPECT_EQ(query->where, c.want);
  }
}

struct MistakeCase {
  const char* text;
  const char* want;
};

constexpr const char* kKnownKeys =
    "; the keys are verdict, tool, event, agent, session, project, hook, would, id; quote a text that contains a colon";
const MistakeCase kMistakes[] = {
    {"tol:Bash", "column 1: there is no key 'tol'"},
    {"push -tol:Bash", "column 7: there is no key 'tol'"},
    {"tool:", "column 6: tool has no value"},
    {"tool: Bash", "column 6: tool has no value"},
    {"verdict:deny,", "column 14: verdict has no value"},
    {"tool:\"Bash", "column 6: the quote is not closed"},
    {"\"git push", "column 1: the quote is not closed"},
    {"verdict:denied", "column 9: 'denied' is no verdict; the verdicts are pass, allow, ask and deny"},
    {"would:never", "column 7: 'never' is no verdict; the verdicts are pass, allow, ask and deny"},
};

TEST(QueryText, PointsAtMistakes) {
  for (const MistakeCase& c : kMistakes) {
    SCOPED_TRACE(c.text);
    const auto query = read_query_text(c.text);
    ASSERT_FALSE(query);
    const std::string want = c.want;
    EXPECT_EQ(query.error().message, want + (want.ends_with("'tol'") ? kKnownKeys : ""));
    ASSERT_TRUE(query.error().at);
    EXPECT_EQ("column " + std::to_string(query.error().at->column), want.substr(0, want.find(':')));
  }
}

}  // namespace
}  // namespace grapnel
