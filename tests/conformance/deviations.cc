#include "conformance/deviations.h"

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
  for (const Case& one : cases) {
    if (!one.differs) continue;
    if (one.dialect != dialect) {
      dialect = one.dialect;
      out += "\n## " + dialect + "\n\n| case | the agent | Grapnel | why |\n|---|---|---|---|\n";
    }
    const Difference& differs = *one.differs;
    out += "| " + one.id + " | " + cell(differs.real) + " | " + cell(differs.ours) + " | " + cell(differs.why) + " |\n";
  }
  return out;
}

}  // namespace grapnel::conformance
