#include "conformance/pages.h"

#include <algorithm>

#include "conformance/markdown.h"

namespace grapnel::conformance {

namespace {

constexpr std::string_view kDeviationsHead =
    "# Differences from the agents\n"
    "\n"
    "Grapnel runs the hooks of each agent in the same way as the agent does, unless that would be unsafe or would "
    "lose\n"
    "what a hook said. Each of these exceptions is a row on this page and a test in `tests/conformance/`, from which "
    "the\n"
    "page is generated:\n"
    "`build/dev/tests/conformance/conformance_test --update`.\n";

constexpr std::string_view kExamplesHead =
    "# Examples from the agents' documentation\n"
    "\n"
    "The documentation of each agent has examples of hooks. The tests run these examples unchanged, through the C++\n"
    "interface and through `grapnel fire`. If an example calls a model, a recorded response answers. Examples that "
    "need\n"
    "the loop of an agent are left out. If an example could not run unchanged, the last column says what was changed.\n"
    "This page is generated from `tests/conformance/`: `build/dev/tests/conformance/conformance_test --update`.\n";

/// The rows of one dialect's table: `row` is called for every case that has that part. Rows of a table of cases share a
/// line.
template <typename Part, typename Row>
void write_rows(std::string_view dialect, const std::vector<Case>& cases, Part part, Row row) {
  for (auto one = cases.begin(); one != cases.end();) {
    const auto end = std::find_if(one, cases.end(), [&](const Case& c) { return c.*part != (*one).*part; });
    const std::string last = end - one > 1 ? " to " + std::prev(end)->id : "";
    if ((*one).*part && one->dialect == dialect) row(one->id + last, *((*one).*part));
    one = end;
  }
}

std::string write_examples_of(std::string_view dialect, const std::vector<Case>& cases) {
  Table table({"example", "case", "changed"});
  write_rows(dialect, cases, &Case::example,
             [&](const std::string& id, const Example& example) { table.row({example.of, id, example.changed}); });
  return table.text();
}

/// A section for every dialect that has something to say.
template <typename Write>
std::string write_sections(const std::vector<Case>& cases, Write write) {
  std::string out;
  std::string dialect;
  for (const Case& one : cases) {
    if (one.dialect == dialect) continue;
    dialect = one.dialect;
    const std::string table = write(dialect, cases);
    if (!table.empty()) out += "\n## " + dialect + "\n" + table;
  }
  return out;
}

}  // namespace

std::string write_deviations_of(std::string_view dialect, const std::vector<Case>& cases) {
  Table table({"case", "the agent", "Grapnel", "why"});
  write_rows(dialect, cases, &Case::differs, [&](const std::string& id, const Difference& differs) {
    table.row({id, differs.real, differs.ours, differs.why});
  });
  return table.text();
}

std::string write_deviations(const std::vector<Case>& cases) {
  return std::string(kDeviationsHead) + write_sections(cases, write_deviations_of);
}

std::string write_examples(const std::vector<Case>& cases) {
  return std::string(kExamplesHead) + write_sections(cases, write_examples_of);
}

}  // namespace grapnel::conformance
