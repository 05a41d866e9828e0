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

}  // namespace grapnel::cli
