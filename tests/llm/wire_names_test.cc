#include "llm/wire_names.h"

#include <gtest/gtest.h>

namespace grapnel::llm {
namespace {

struct NamesCase {
  const char* note;
  std::vector<std::string> names;
  std::vector<std::string> wire;
};

TEST(WireNames, AreAcceptedAndDiffer) {
  const std::string xs(70, 'x');
  const NamesCase cases[] = {
      {"as they are", {"Bash", "mcp__a__b-c"}, {"Bash", "mcp__a__b-c"}},
      {"other signs", {"MCP:find", "a.b", "ü"}, {"MCP_find", "a_b", "__"}},
      {"those that change make room", {"a.b", "a:b", "a_b"}, {"a_b_2", "a_b_3", "a_b"}},
      {"long ones keep both ends",
       {"mcp__server__" + xs + "__tool"},
       {"mcp__server__" + std::string(45, 'x') + "__tool"}},
      {"long ones that only differ in the middle",
       {"a" + xs + "1" + xs + "b", "a" + xs + "2" + xs + "b"},
       {"a" + std::string(62, 'x') + "b", "a" + std::string(60, 'x') + "b_2"}},
      {"nothing", {""}, {"_"}},
  };
  for (const NamesCase& c : cases) {
    SCOPED_TRACE(c.note);
    ModelRequest request;
    for (const std::string& name : c.names) request.tools.push_back({name, "", {}});
    const WireNames names(request.tools);
    const ModelRequest sent = names.outgoing(request);
    ASSERT_EQ(sent.tools.size(), c.wire.size());
    for (size_t i = 0; i < c.wire.size(); ++i) {
      EXPECT_EQ(sent.tools[i].name, c.wire[i]);
      EXPECT_LE(sent.tools[i].name.size(), 64U);
      EXPECT_EQ(names.incoming({"c1", sent.tools[i].name, {}, ""}).name, c.names[i]);
    }
  }
}

}  // namespace
}  // namespace grapnel::llm
