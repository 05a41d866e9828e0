#include "cli/helper_program.h"
#include "cli/ui_command.h"

namespace grapnel::cli {

namespace {

/// The page is served by a program of its own, which parses the words again.
int start_ui(Invocation& in) {
  return become_helper_program(in, kUiProgram, {in.words.begin(), in.words.end()});
}

}  // namespace

const Command kUi = ui_command(start_ui);

}  // namespace grapnel::cli
