#include <exception>

#include "cli/command.h"

namespace grapnel::cli {

int report_input(Console& console, std::string_view message) {
  console.say(message);
  return kBadUsage;
}

int report_usage(Console& console, std::string_view verb, std::string_view message) {
  console.say(message);
  console.err("Try `grapnel " + (verb.empty() ? "" : std::string(verb) + " ") + "--help`.\n");
  return kBadUsage;
}

std::optional<int> run_guarded(Console& console, const std::function<int()>& body) {
  try {
    const int status = body();
    if (console.flush()) return status;
    console.say("cannot write to standard output");
  } catch (const std::exception& error) {
    console.say(std::string("internal error: ") + error.what());
  }
  return std::nullopt;
}

}  // namespace grapnel::cli
