#include <string>

#include <gtest/gtest.h>

#include "arch/layers.h"
#include "arch/wording.h"
#include "os/temp_dir.h"

// The checker itself, held against trees that break one rule each.

namespace arch {
namespace {

struct File {
  std::string path;
  std::string text;
};

/// Every finding in a tree of these files, one a line.
std::string findings_in(const std::vector<File>& files) {
  const grapnel::testing::TempDir dir;
  for (const File& file : files) dir.put(file.path, file.text);
  const auto tree = load_tree(dir.path(), {"include", "src", "cli", "tests", "bench", "fuzz", "examples"});
  std::string out;
  for (const Findings& findings : {check_layers(tree), check_event_names(tree)}) {
    for (const Finding& finding : findings) out += finding.to_string() + "\n";
  }
  return out;
}

struct IncludeCase {
  const char* note;
  const char* path;
  const char* include;
  const char* want;  ///< what the finding says; "" for none
};

constexpr IncludeCase kIncludeCases[] = {
    {"own folder", "src/json/reader.cc", "\"json/reader.h\"", ""},
    {"lower layer", "src/engine/engine.cc", "\"os/files.h\"", ""},
    {"lower layer by public header", "src/run/command.cc", "\"grapnel/event.h\"", ""},
    {"higher layer", "src/json/reader.cc", "\"model/plan.h\"", "is a higher layer (src/model) than src/json"},
    {"higher layer by public header", "src/decide/combine.cc", "\"grapnel/engine.h\"",
     "is a higher layer (src/engine) than src/decide"},
    {"sibling", "src/plan/planner.cc", "\"run/runner.h\"", "is of src/run, a sibling of src/plan"},
    {"sibling at the bottom", "src/match/glob.cc", "\"os/files.h\"", "is of src/os, a sibling of src/match"},
    {"unknown folder", "src/engine/engine.cc", "\"magic/wand.h\"", "belongs to no layer"},
    {"unknown public header", "src/engine/engine.cc", "\"grapnel/magic.h\"", "belongs to no layer"},
    {"file of an unknown folder", "src/magic/wand.cc", "<string>", "no layer in tests/arch/layers.cc is this file's"},
    {"unplaced public header", "include/grapnel/magic.h", "<string>",
     "no layer in tests/arch/layers.cc is this file's"},

    {"the agent uses the public API", "src/agent/loop.cc", "\"grapnel/engine.h\"", ""},
    {"the agent uses tools of lower layers", "src/agent/loop.cc", "\"os/files.h\"", ""},
    {"the agent starts children", "src/agent/loop.cc", "\"run/supervisor.h\"", ""},
    {"the agent is no part of the engine", "src/agent/loop.cc", "\"dialect/tools.h\"",
     "hooks reach it by the public API only"},
    {"an agent header, private header", "include/grapnel_agent/agent.h", "\"agent/loop.h\"", "which is private"},
    {"tables use the columns", "src/dialect/agents/acme.cc", "\"dialect/dialect.h\"", ""},
    {"tables use what tables are built with", "src/dialect/agents/acme.cc", "\"dialect/output_tables.h\"", ""},
    {"tables use another agent's tables", "src/dialect/agents/acme.cc", "\"dialect/agents/claude_tables.h\"", ""},
    {"tables do not use what reads them", "src/dialect/agents/acme.cc", "\"dialect/payload.h\"",
     "a table of an agent includes columns and other tables only"},
    {"what reads tables knows no agent's", "src/dialect/payload.cc", "\"dialect/agents/claude_tables.h\"",
     "is of one agent: go through dialect/dialect.h"},
    {"nobody else does", "src/decide/interpret.cc", "\"dialect/agents/claude_tables.h\"",
     "is of one agent: go through dialect/dialect.h"},
    {"the command sees everything", "cli/main.cc", "\"engine/line.h\"", ""},
    {"the command's own headers", "cli/main.cc", "\"cli/command.h\"", ""},
    {"tests see everything", "tests/run/child_test.cc", "\"run/child.h\"", ""},
    {"tests' own headers", "tests/run/child_test.cc", "\"support/temp_dir.h\"", ""},
    {"the library does not see the command", "src/engine/engine.cc", "\"cli/command.h\"", "belongs to no layer"},

    {"public header, standard library", "include/grapnel/json.h", "<string_view>", ""},
    {"public header, public header", "include/grapnel/json.h", "\"grapnel/error.h\"", ""},
    {"public header, system header", "include/grapnel/json.h", "<unistd.h>", "is not the standard library"},
    {"public header, third party", "include/grapnel/json.h", "<re2/re2.h>", "is not the standard library"},
    {"public header, private header", "include/grapnel/json.h", "\"json/reader.h\"", "which is private"},
    {"public header, higher layer", "include/grapnel/event.h", "\"grapnel/engine.h\"",
     "is a higher layer (src/engine) than src/model"},

    {"RE2 at home", "src/match/regex_re2.cc", "<re2/re2.h>", ""},
    {"RE2 elsewhere", "src/dialect/payload.cc", "<re2/re2.h>", "is visible to src/match only"},
    {"PCRE2 elsewhere", "cli/main.cc", "<pcre2.h>", "is visible to src/match only"},
    {"libmd elsewhere", "src/engine/engine.cc", "<sha256.h>", "is visible to src/trust only"},
    {"GoogleTest in the library", "src/base/text.cc", "<gtest/gtest.h>", "is visible to tests only"},
    {"simdjson outside the fuzzers", "src/json/reader.cc", "<simdjson.h>", "is visible to fuzz only"},
    {"a library nobody placed", "src/record/record.cc", "<lmdb.h>", "does not know"},
    {"SQLite is for readers of the history", "src/engine/engine.cc", "<sqlite3.h>", "is visible to src/history only"},
    {"system header", "src/os/spawn.cc", "<sys/wait.h>", ""},

    {"example, public header", "examples/embed/hello.cc", "\"grapnel/engine.h\"", ""},
    {"example, private header", "examples/embed/hello.cc", "\"engine/line.h\"", "which embedders cannot"},
};

TEST(Checker, Includes) {
  for (const IncludeCase& c : kIncludeCases) {
    SCOPED_TRACE(c.note);
    const std::string found = findings_in({{c.path, "#pragma once\n#include " + std::string(c.include) + "\n"}});
    if (std::string_view(c.want).empty()) {
      EXPECT_EQ(found, "");
    } else {
      EXPECT_TRUE(found.starts_with(c.path)) << found;
      EXPECT_NE(found.find(c.want), std::string::npos) << found;
    }
  }
}

TEST(Checker, NamesFileAndLine) {
  EXPECT_EQ(findings_in({{"src/base/text.cc", "// text\n\n#include \"json/reader.h\"\n"}}),
            "src/base/text.cc:3: \"json/reader.h\" is a higher layer (src/json) than src/base\n");
}

struct NameCase {
  const char* note;
  const char* path;
  const char* line;
  const char* want;  ///< the name found, or ""
};

constexpr NameCase kNameCases[] = {
    {"another agent's name", "src/engine/engine.cc", R"(if (name == "AcmeTool") return;)", "AcmeTool"},
    {"as a part of a text", "cli/main.cc", R"(print("try AcmeTool, or so");)", "AcmeTool"},
    {"an alias", "src/decide/combine.cc", R"(return "acme-tool";)", "acme-tool"},
    {"an alias that is a plain word", "src/decide/combine.cc", R"(return "tool";)", ""},
    {"in the model", "src/model/event_kind.cc", R"(return "AcmeTool";)", "AcmeTool"},
    {"a canonical name", "src/plan/planner.cc", R"(if (name == "Stop") return;)", "Stop"},
    {"a canonical name in the model", "src/model/event_kind.cc", R"(return "Stop";)", ""},
    {"a canonical name as a part of a text", "cli/main.cc", R"(print("like Stop");)", ""},
    {"in a comment", "src/engine/engine.cc", R"(run();  // as "AcmeTool" does)", ""},
    {"as part of a longer word", "src/engine/engine.cc", R"(return "AcmeTools";)", ""},
    {"behind an escaped quote", "src/engine/engine.cc", R"(return "\" AcmeTool";)", "AcmeTool"},
    {"in another table", "src/dialect/agents/other.cc", R"(return "AcmeTool";)", ""},
    {"another name for a tool", "src/engine/engine.cc", R"(return "AcmeShell";)", ""},
    {"in the bridge", "src/bridge/install.cc", R"(return "AcmeTool";)", ""},
};

TEST(Checker, EventNames) {
  for (const NameCase& c : kNameCases) {
    SCOPED_TRACE(c.note);
    const std::string found = findings_in({
        {"src/dialect/agents/canonical.cc",
         "    {.kind = EventKind::Stop, .wire_name = \"Stop\", .note = \"text\"},\n"},
        {"src/dialect/agents/acme.cc",
         "constexpr auto kToolAliases = std::to_array<std::string_view>({\"acme-tool\", \"tool\"});\n"
         "constexpr auto kNameAliases = std::to_array<ToolAlias>({{\"AcmeShell\", \"Shell\"}});\n"
         "     .wire_name = \"AcmeTool\",\n     .wire_name = \"Stop\",\n"},
        {c.path, c.line},
    });
    const std::string name = c.want;
    EXPECT_EQ(found, name.empty()
                         ? ""
                         : std::string(c.path) + ":1: the event name '" + name + "' belongs to a dialect table\n");
  }
}

}  // namespace
}  // namespace arch
