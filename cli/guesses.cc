#include "cli/guesses.h"

#include <algorithm>
#include <array>

#include "cli/command.h"

namespace grapnel::cli {

namespace {

constexpr auto kVerbGuesses = std::to_array<VerbGuess>({
    {"run", "fire"},
    {"exec", "fire"},
    {"trigger", "fire"},
    {"emit", "fire"},
    {"invoke", "fire"},
    {"hook", "list"},
    {"hooks", "list"},
    {"ls", "list"},
    {"rules", "list"},
    {"show", "list -v"},
    {"describe", "list -v"},
    {"config", "list -v"},
    {"settings", "list -v"},
    {"get", "list -v"},
    {"validate", "check"},
    {"lint", "check"},
    {"verify", "check"},
    {"dry-run", "explain"},
    {"dryrun", "explain"},
    {"simulate", "explain"},
    {"plan", "explain"},
    {"match", "explain"},
    {"which", "explain"},
    {"trace", "why"},
    {"blame", "why"},
    {"reason", "why"},
    {"logs", "log"},
    {"history", "log"},
    {"journal", "log"},
    {"events", "log"},
    {"audit", "log"},
    {"sessions", "log"},
    {"tail", "log --follow"},
    {"follow", "log --follow"},
    {"watch", "log --follow"},
    {"metrics", "stats"},
    {"report", "stats"},
    {"top", "stats"},
    {"profile", "stats"},
    {"tests", "test"},
    {"replay", "record"},
    {"debug", "doctor"},
    {"diagnose", "doctor"},
    {"health", "doctor"},
    {"fix", "doctor"},
    {"create", "new"},
    {"generate", "new"},
    {"rule", "new"},
    {"setup", "init"},
    {"bridge", "install"},
    {"connect", "install"},
    {"detach", "uninstall"},
    {"disconnect", "uninstall"},
    {"dialects", "agents"},
    {"export", "convert"},
    {"import", "convert"},
    {"migrate", "convert"},
    {"translate", "convert"},
    {"on", "enable"},
    {"resume", "agent --resume"},
    {"unmute", "enable"},
    {"off", "disable"},
    {"mute", "disable"},
    {"pause", "disable"},
    {"upgrade", "update"},
    {"pull", "update"},
    {"fetch", "update"},
    {"sync", "update"},
    {"packs", "update --dry-run"},
    {"pack", "add"},
    {"outdated", "update --dry-run"},
    {"vendor", "add"},
    {"rm", "remove"},
    {"delete", "remove"},
    {"del", "remove"},
    {"answer", "approve"},
    {"allow", "trust"},
    {"accept", "trust"},
    {"review", "trust"},
    {"diff", "trust"},
    {"revoke", "untrust"},
    {"distrust", "untrust"},
    {"deny", "untrust"},
    {"chat", "agent"},
    {"ask", "agent"},
    {"prompt", "agent"},
    {"start", "serve --background"},
    {"daemon", "serve --background"},
    {"server", "serve"},
    {"stop", "serve --stop"},
    {"kill", "serve --stop"},
    {"restart", "serve --background"},
    {"ps", "serve --status"},
    {"completions", "completion"},
});

/// The verb "" stands for every verb that has the option `needs`; rows of one verb come first.
struct OptionGuess {
  std::string_view verb, option, advice;
  std::string_view needs = "";
};
constexpr auto kOptionGuesses = std::to_array<OptionGuess>({
    {"fire", "--dry-run", "`grapnel explain` shows what an event would run, and runs nothing"},
    {"fire", "-n", "`grapnel explain` shows what an event would run, and runs nothing"},
    {"fire", "--debug", "--verbose shows what hooks say, and `grapnel why` explains the event afterwards"},
    {"fire", "--event", "the event is the argument: `grapnel fire PreToolUse`"},
    {"fire", "--agent", "use --as to name the agent"},
    {"fire", "--file", "use --input to name the file with the payload"},
    {"fire", "--payload", "use --input to name the file with the payload"},
    {"explain", "--event", "the event is the argument: `grapnel explain PreToolUse`"},
    {"explain", "--agent", "use --as to name the agent"},
    {"explain", "--file", "use --input to name the file with the payload"},
    {"explain", "--payload", "use --input to name the file with the payload"},
    {"list", "--all", "`grapnel list` shows all hooks; -v shows all about them"},
    {"list", "-a", "`grapnel list` shows all hooks; -v shows all about them"},
    {"list", "-l", "-v shows all about each hook"},
    {"list", "--long", "-v shows all about each hook"},
    {"log", "--tail", "use --follow to see new events, --limit for the newest"},
    {"log", "--watch", "use --follow to see new events"},
    {"log", "--last", "use --limit for the newest events"},
    {"log", "--denied", "use --verdict deny"},
    {"check", "--fix", "it changes nothing; each finding says what to do"},
    {"doctor", "--fix", "it changes nothing; each finding says what to do"},
    {"trust", "--dry-run", "without --yes it only shows the hooks and asks"},
    {"trust", "--project", "the project is the argument: `grapnel trust DIR`"},
    {"untrust", "--project", "the project is the argument: `grapnel untrust DIR`"},
    {"trust", "--force", "use --yes to trust what is shown without asking"},
    {"trust", "--all", "use --yes to trust what is shown without asking"},
    {"convert", "--dry-run", "without --output nothing is written"},
    {"add", "--global", "use --scope user"},
    {"add", "--user", "use --scope user"},
    {"add", "--tag", "use --at to name the branch, tag or commit"},
    {"add", "--branch", "use --at to name the branch, tag or commit"},
    {"add", "--rev", "use --at to name the branch, tag or commit"},
    {"add", "--ref", "use --at to name the branch, tag or commit"},
    {"add", "--force", "`grapnel update` replaces a pack, --name gives this one another name"},
    {"update", "--all", "without a name it updates all packs"},
    {"update", "--force", "use --yes to replace packs without asking"},
    {"update", "--check", "use --dry-run"},
    {"remove", "--force", "use --yes to remove a pack that was changed here"},
    {"install", "--global", "use --scope user"},
    {"install", "--user", "use --scope user"},
    {"install", "--local", "use --scope project"},
    {"uninstall", "--global", "use --scope user"},
    {"uninstall", "--user", "use --scope user"},
    {"uninstall", "--local", "use --scope project"},
    {"new", "--global", "use --scope user"},
    {"new", "--user", "use --scope user"},
    {"new", "--event", "use --on to name the event"},
    {"new", "--command", "use --run for a command to run, --when command=… for a condition"},
    {"serve", "--daemon", "use --background"},
    {"serve", "-d", "use --background"},
    {"agent", "-p", "the prompt is the argument: `grapnel agent \"fix the test\"`"},
    {"agent", "--prompt", "the prompt is the argument: `grapnel agent \"fix the test\"`"},
    {"agent", "--print", "with a prompt as its argument it prints the answer and ends"},
    {"agent", "--continue", "use --resume"},
    {"agent", "-c", "use --resume for the last session, --hooks for a file of hooks"},
    {"agent", "--config", "use --hooks to name a file of hooks"},
    {"agent", "--yolo", "use --approval yolo"},
    {"agent", "-y", "use --approval yolo"},
    {"agent", "--dangerously-skip-permissions", "use --approval yolo"},
    {"agent", "--permission-mode", "use --approval"},
    {"agent", "--approval-mode", "use --approval"},
    {"agent", "--output-format", "use --output"},
    {"agent", "--allowedTools", "use --allow"},
    {"agent", "--disallowedTools", "use --deny"},
    {"agent", "--dry-run", "use --approval plan: tools that write or execute are refused"},
    {"agent", "--project", "use --cwd to name the workspace"},
    {"", "--version", "`grapnel --version` prints the version"},
    {"", "-V", "`grapnel --version` prints the version"},
    {"", "--debug", "`grapnel why` explains the last event, and `grapnel doctor` looks for mistakes"},
    {"", "--cwd", "use --project to name the directory", "--project"},
    {"", "-C", "use --project to name the directory", "--project"},
    {"", "--dir", "use --project to name the directory", "--project"},
    {"", "--format", "use --json for JSON", "--json"},
    {"", "--output-format", "use --json for JSON", "--json"},
    {"", "--no-color", "set NO_COLOR=1; a pipe gets no colours anyway"},
    {"", "--no-colour", "set NO_COLOR=1; a pipe gets no colours anyway"},
});

/// Other programs have verbs below a verb.
struct ArgumentGuess {
  std::string_view verb, word, advice;
};
constexpr auto kArgumentGuesses = std::to_array<ArgumentGuess>({
    {"mcp", "list", "`grapnel list` shows the MCP servers"},
    {"mcp", "get", "`grapnel list` shows the MCP servers"},
    {"mcp", "add", "the MCP servers of a project are in .mcp.json, which you write"},
    {"mcp", "add-json", "the MCP servers of a project are in .mcp.json, which you write"},
    {"mcp", "remove", "the MCP servers of a project are in .mcp.json, which you write"},
    {"mcp", "serve", "it needs no argument"},
    {"mcp", "start", "it needs no argument"},
});

}  // namespace

std::span<const VerbGuess> verb_guesses() {
  return kVerbGuesses;
}

std::string_view verb_meant_by(std::string_view guess) {
  const auto* const row = std::ranges::find(kVerbGuesses, guess, &VerbGuess::guess);
  return row == kVerbGuesses.end() ? "" : row->meant;
}

std::string_view advice_on_argument(const Command& command, std::string_view word) {
  for (const ArgumentGuess& row : kArgumentGuesses) {
    if (row.verb == command.name && row.word == word) return row.advice;
  }
  return "";
}

std::string_view advice_on_option(const Command& command, std::string_view option) {
  const auto has = [&](std::string_view name) {
    return std::ranges::find(command.options, name, &OptionRow::name) != command.options.end();
  };
  for (const OptionGuess& row : kOptionGuesses) {
    const bool is_for_it = row.verb.empty() ? row.needs.empty() || has(row.needs) : row.verb == command.name;
    if (row.option == option && is_for_it) return row.advice;
  }
  return "";
}

}  // namespace grapnel::cli
