#include "conformance/pages.h"

#include <algorithm>

namespace grapnel::conformance {

namespace {

constexpr std::string_view kDeviationsHead =
    "# Where Grapnel answers otherwise\n"
    "\n"
    "Grapnel does what each agent does. Where that would be unsafe, or would lose what a hook said, it does not, and\n"
    "each such case is a row here and a test in `tests/conformance/`. This page is generated from these tests:\n"
    "`build/dev/tests/conformance/conformance_test --deviations > docs/deviations.md`.\n";

constexpr std::string_view kExamplesHead =
    "# The documents' examples\n"
    "\n"
    "The examples that the documents of these agents give run here as they stand there, through the C++ interface and\n"
    "through `grapnel fire`. What calls a model or needs an agent's loop is not among them. Where an example cannot "
    "run\n"
    "as it stands, the last column says what was changed. This page is generated from `tests/conformance/`:\n"
    "`build/dev/tests/conformance/conformance_test --examples > docs/examples.md`.\n";

std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

/// A table per dialect of what `row` makes of a case; the rows of a table of cases share a line.
template <typename Part, typename Row>
std::string write_tables(const std::vector<Case>& cases, Part part, const std::string& columns, Row row) {
  std::string out;
  std::string dialect;
  for (auto one = cases.begin(); one != cases.end();) {
    const auto end = std::find_if(one, cases.end(), [&](const Case& c) { return c.*part != (*one).*part; });
    if ((*one).*part) {
      if (one->dialect != dialect) {
        dialect = one->dialect;
        out += "\n## " + dialect + "\n\n" + columns;
      }
      const std::string last = end - one > 1 ? " to " + std::prev(end)->id : "";
      out += row(one->id + last, *((*one).*part));
    }
    one = end;
  }
  return out;
}

}  // namespace

std::string write_deviations(const std::vector<Case>& cases) {
  const auto row = [](const std::string& id, const Difference& differs) {
    return "| " + id + " | " + cell(differs.real) + " | " + cell(differs.ours) + " | " + cell(differs.why) + " |\n";
  };
  return std::string(kDeviationsHead) +
         write_tables(cases, &Case::differs, "| case | the agent | Grapnel | why |\n|---|---|---|---|\n", row);
}

std::string write_examples(const std::vector<Case>& cases) {
  const auto row = [](const std::string& id, const Example& example) {
    return "| " + cell(example.of) + " | " + id + " | " + cell(example.changed) + " |\n";
  };
  return std::string(kExamplesHead) +
         write_tables(cases, &Case::example, "| example | case | changed |\n|---|---|---|\n", row);
}

}  // namespace grapnel::conformance
