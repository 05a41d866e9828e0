#include <algorithm>
#include <csignal>
#include <exception>

#include "grapnel/json.h"

#include "cli/command.h"

namespace grapnel::cli {

namespace {

bool ask_for_json(std::span<const std::string> words) {
  const auto end = std::ranges::find(words, "--");
  return std::find(words.begin(), end, "--json") != end;
}

/// The same for programs as what people read on standard error.
std::string error_json(const Console& console, int status) {
  const Json error = Json::object(
      {{"message", Json::string(console.last_error())}, {"status", Json::number(static_cast<int64_t>(status))}});
  return Json::object({{"error", error}}).dump(JsonStyle::Pretty) + "\n";
}

}  // namespace

int report_input(Console& console, std::string_view message) {
  console.say(message);
  return kBadUsage;
}

int report_usage(Console& console, std::string_view verb, std::string_view message) {
  console.say(message);
  console.err("Try `grapnel " + (verb.empty() ? "" : std::string(verb) + " ") + "--help`.\n");
  return kBadUsage;
}

int run_verb(const Command& command, Invocation in) {
  if (in.args.has("--help")) {
    in.console.out(help_text(command, in.console));
    return kOk;
  }
  return command.run(in);
}

std::vector<std::string> begin_program(int argc, char** argv) {
  // Before anything else opens a file.
  occupy_standard_descriptors();
  // A reader that went away then shows up as a write error, which `Console::flush` reports.
  std::signal(SIGPIPE, SIG_IGN);
  // A record that is too large for the caller's limit is a write error, too, and no reason to end without an answer.
  std::signal(SIGXFSZ, SIG_IGN);
  // If the caller ignores SIGCHLD, so would this program, and the kernel would throw the status of its hooks away.
  std::signal(SIGCHLD, SIG_DFL);
  // argc can be 0 when the caller passes an empty argument list.
  return {argv + std::min(argc, 1), argv + argc};
}

std::optional<int> run_guarded(Console& console, std::span<const std::string> words, const std::function<int()>& body) {
  try {
    const int status = body();
    if (status != kOk && !console.has_output() && ask_for_json(words)) console.out(error_json(console, status));
    // The verb's status is only true if its output arrived.
    if (console.flush() || console.reader_left()) return status;
    console.say("cannot write to standard output");
  } catch (const std::exception& error) {
    console.say(std::string("internal error: ") + error.what());
  }
  return std::nullopt;
}

}  // namespace grapnel::cli
