#include "shell/syntax.h"

namespace grapnel::shell {

Syntax read_syntax(std::string_view) {
  return {};
}

}  // namespace grapnel::shell
