#include "call/commands.h"

#include "call/wrappers.h"

namespace grapnel::call {

ParsedCommand commands_of(std::string_view text) {
  return shell::parse(text, unwrap);
}

}  // namespace grapnel::call
