#pragma once

#include <array>

#include "cli/command.h"
#include "cli/hook_source.h"

/// The verb `ui`, which is in two programs, as `agent` is: `grapnel` knows its options and starts `grapnel-ui`.
namespace grapnel::cli {

/// The name of the program's file.
inline constexpr std::string_view kUiProgram = "grapnel-ui";

inline constexpr auto kUiOptions = std::to_array<OptionRow>({
    {"--no-open", "", "", "print the address, and open no browser"},
    {"--port", "", "N", "the port on 127.0.0.1 (default: any that is free)", ValueKind::Text},
    {"--read-only", "", "", "the page can never approve, trust or save"},
    {"--fleet", "", "", "show the machines of a fleet, too; needs the credentials of an operator or a reader"},
    {"--export", "", "FILE", "write one HTML file with the events, masked as they are on record, and end",
     ValueKind::File},
    {"--session", "-s", "ID", "export only that session", ValueKind::Session},
    {"--since", "", "TIME", "export only events since then: 10m, 2h, 7d or 2026-01-31T10:30", ValueKind::Text},
    {"--until", "", "TIME", "export only events before then", ValueKind::Text},
    {"--utc", "", "", "times are in UTC, not in local time"},
    kJsonOption,
});

/// The row of the verb. `run` differs between the programs: one starts the other, the other is the server.
constexpr Command ui_command(int (*run)(Invocation& in)) {
  return {
      .name = "ui",
      .summary = "show what happened, and answer what hooks ask, in a browser",
      .about =
          "Starts a small web server on 127.0.0.1 and opens its page: a timeline of all events, each event with "
          "every hook's part in it, a place to try out rules on what happened, and what hooks ask. It ends with its "
          "terminal, or with Ctrl-C. The page only reads until you enter the code that this terminal shows. Enter "
          "prints another address, for another browser or tab.",
      .arguments = {},
      .options = kUiOptions,
      .examples = R"(  grapnel ui
  grapnel ui --no-open --port 8000
  grapnel ui --export session.html --session 4f1c
)",
      .run = run,
      .for_people =
          [](const Arguments& args) {
            const bool only_reads = args.has("--read-only") || args.has("--export");
            return only_reads ? ForPeople::No : ForPeople::NotAgent;
          },
  };
}

}  // namespace grapnel::cli
