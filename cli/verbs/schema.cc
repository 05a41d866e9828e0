#include "cli/command.h"
#include "cli/hook_source.h"
#include "cli/hooktest/fixture.h"
#include "dialect/dialect.h"
#include "schema/rule_schema.h"
#include "schema/settings_schema.h"

namespace grapnel::cli {

namespace {

constexpr auto kSchemaArguments = std::to_array<ArgumentRow>({
    {"DIALECT",
     "whose hook files: gemini, clawd, blade, claude, codex, qwen, kimi, cursor, copilot, agenthooks or grapnel; or "
     "hooktest",
     ValueKind::Dialect, true},
});

constexpr auto kSchemaOptions = std::to_array<OptionRow>({
    {"--json", "", "", "print JSON, as without this option"},
});

/// Not a dialect, but a schema of its own: for test files.
constexpr std::string_view kTests = "hooktest";

/// Prints the schema: two have their own tables, all others come from the tables of their dialect.
int run_schema(Invocation& in) {
  if (in.args.text("DIALECT") == kTests) {
    in.console.out(fixture_schema().dump(JsonStyle::Pretty) + "\n");
    return kOk;
  }
  // Rule files have a grammar of their own.
  if (in.args.text("DIALECT") == kGrapnelDialect.name) {
    in.console.out(rule_schema().dump(JsonStyle::Pretty) + "\n");
    return kOk;
  }
  const auto dialect = dialect_with_files(in.args.text("DIALECT"));
  if (!dialect) return report_input(in.console, dialect.error().message);
  in.console.out(settings_schema(**dialect).dump(JsonStyle::Pretty) + "\n");
  return kOk;
}

}  // namespace

const Command kSchema{
    .name = "schema",
    .summary = "print a JSON Schema of an agent's hook files",
    .about =
        "Prints a JSON Schema (2020-12) of an agent's hook files, for editors and for your own checks: of settings in "
        "JSON, of TOML converted to JSON, or of the frontmatter of a HOOK.md. It is generated from the tables with "
        "which Grapnel reads the files. `grapnel` is the schema of grapnel.yaml, `hooktest` is the schema of the files "
        "that `grapnel test` runs.",
    .arguments = kSchemaArguments,
    .options = kSchemaOptions,
    .examples = R"(  grapnel schema claude > claude-hooks.schema.json
  grapnel schema agenthooks | jq .properties.trigger
  grapnel schema grapnel > grapnel.schema.json
)",
    .run = run_schema,
};

}  // namespace grapnel::cli
