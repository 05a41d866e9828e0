#include "cli/version.h"

#include "shell/syntax.h"

namespace grapnel::cli {

std::string version_text(std::string_view version) {
  std::string out = "grapnel " + std::string(version) + "\n";
  if (!shell::has_grammar()) {
    out += "without the shell grammar: only commands of plain words are understood, and rules allow no others\n";
  }
  return out;
}

}  // namespace grapnel::cli
