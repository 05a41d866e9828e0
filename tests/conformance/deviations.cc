#include "conformance/deviations.h"

#include <algorithm>

namespace grapnel::conformance {

namespace {

constexpr std::string_view kHead =
    "# Where Grapnel answers otherwise\n"
    "\n"
    "Grapnel does what each agent does. Where that would be unsafe, or would lose what a hook said, it does not, and\n"
    "each such case is a row here and a test in `tests/conformance/`. This page is generated from these tests:\n"
    "`build/dev/tests/conformance/conformance_test --deviations > docs/deviations.md`.\n";

std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

}  // namespace

std::string write_deviations(const std::vector<Case>& cases) {
  std::string out(kHead);
  std::string dialect;
  for (auto one = cases.begin(); one != cases.end();) {
    // The rows of a table share a line.
    const auto end = std::find_if(one, cases.end(), [&](const Case& c) { return c.differs != one->differs; });
    if (one->differs) {
      if (one->dialect != dialect) {
        dialect = one->dialect;
        out += "\n## " + dialect + "\n\n| case | the agent | Grapnel | why |\n|---|---|---|---|\n";
      }
      const Difference& differs = *one->differs;
      const std::string last = end - one > 1 ? " to " + std::prev(end)->id : "";
      out += "| " + one->id + last + " | " + cell(differs.real) + " | " + cell(differs.ours) + " | " +
             cell(differs.why) + " |\n";
    }
    one = end;
  }
  return out;
}

}  // namespace grapnel::conformance
