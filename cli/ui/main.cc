#include <malloc.h>
#include <unistd.h>

#include <charconv>
#include <thread>

#include "base/error.h"
#include "cli/journal/journal_verbs.h"
#include "cli/ui/api.h"
#include "cli/ui/export.h"
#include "cli/ui/server.h"
#include "cli/ui/terminal.h"
#include "cli/ui_command.h"
#include "os/files.h"

namespace grapnel::cli {

namespace {

/// How long answers that are being made may keep the program from ending.
constexpr std::chrono::seconds kFarewell{2};

/// 0 for any. Fails: BadInput.
Result<uint16_t> read_port(const Arguments& args) {
  const std::string text = args.text("--port");
  uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (text.empty() || (error == std::errc() && end == text.data() + text.size())) return port;
  return fail(Errc::BadInput, "--port " + printable(text) + ": write a number from 1 to 65535");
}

/// Why the page may never write; "" if a code unlocks it. The code must be for a person's eyes only.
std::string why_no_writing(const Invocation& in, const Terminal& terminal) {
  if (in.args.has("--read-only")) return "grapnel ui was started with --read-only";
  if (const std::string agent = agent_around(in.env); !agent.empty()) {
    return "grapnel ui runs in " + agent + "; start it yourself in a terminal of your own";
  }
  return terminal.is_there() ? "" : "grapnel ui has no terminal on which it could show a code";
}

void print_address(Invocation& in, const std::string& address, const Gate& gate) {
  if (in.args.has("--json")) {
    const std::string& why_not = gate.no_writing();
    const Json json = Json::object({{"address", Json::string(address)},
                                    {"can_unlock", Json::boolean(why_not.empty())},
                                    {"read_only_because", why_not.empty() ? Json() : Json::string(why_not)}});
    in.console.out(json.dump() + "\n");
  } else {
    in.console.out("The page is at " + address + "\n");
  }
  in.console.flush();
}

/// Serves until it is told to end, or nobody is there any more.
void serve_page(Invocation& in, const EndWatch& end, HttpServer& server, Ui& ui) {
  server.start([&ui](const HttpRequest& request) { return answer_request(ui, request); });
  const std::string address = ui.gate.new_address();
  std::optional<BrowserWindow> window;
  if (!in.args.has("--no-open")) window.emplace(in.env, address);
  print_address(in, address, ui.gate);
  if (!in.args.has("--json")) in.console.out("Enter prints another address; Ctrl-C ends it.\n");
  in.console.flush();
  if (ui.gate.no_writing().empty()) ui.gate.show_code();
  while (true) {
    const Wakeup why = end.wait();
    if (why == Wakeup::End) return;
    if (why == Wakeup::Enter) {
      print_address(in, ui.gate.new_address(), ui.gate);
      // Each code unlocks one tab, so another tab needs another one.
      if (ui.gate.no_writing().empty()) ui.gate.show_code();
    }
    if (ui.gate.has_sessions()) window.reset();
  }
}

/// `--export`. The file is for its owner's eyes until they give it to somebody.
int run_export(Invocation& in) {
  const std::string path = in.args.text("--export");
  auto journal = open_journal(in);
  const auto query = journal ? read_filters(in, *journal) : std::unexpected(journal.error());
  const auto html = query ? export_html(*journal, *query) : std::unexpected(query.error());
  const auto written = html ? os::write_file_atomic(path, *html, 0600) : std::unexpected(html.error());
  if (!written) return report_input(in.console, printable(written.error().message));
  const Json json = Json::object({{"path", Json::string(path)}});
  in.console.out(in.args.has("--json") ? json.dump(JsonStyle::Pretty) + "\n" : "Wrote " + printable(path) + "\n");
  return kOk;
}

int run_ui(Invocation& in) {
  if (in.args.has("--export")) return run_export(in);
  const auto port = read_port(in.args);
  if (!port) return report_input(in.console, port.error().message);
  // Each connection has a thread; with memory of its own for each, the program would keep what a few large answers
  // took.
  ::mallopt(M_ARENA_MAX, 1);
  const EndWatch end;
  const Terminal terminal;
  const auto server = HttpServer::listen(*port);
  if (!server) return report_input(in.console, server.error().message);
  const auto journal = SharedJournal::open(in.env);
  if (!journal) {
    in.console.say(printable(journal.error().to_string()));
    return kInternal;
  }
  Gate gate({.port = (*server)->port(),
             .no_writing = why_no_writing(in, terminal),
             .tell = [&](const std::string& line) { terminal.show(line); }});
  Bell bell;
  const Follower follower(in.env, read_retention(in), **journal, bell);
  ChainCheck chain(in.env);
  Presence presence(in.env, bell);
  FleetView fleet(in.env, in.args.has("--fleet"));
  Ui ui{in.env, gate, **journal, bell, chain, presence, fleet};
  serve_page(in, end, **server, ui);
  // Whatever an answer waits for, Ctrl-C ends the program. Nothing is half written: files are replaced in one step.
  std::thread([] {
    std::this_thread::sleep_for(kFarewell);
    ::_exit(kOk);
  }).detach();
  (*server)->stop();
  return kOk;
}

int run(std::span<const std::string> words, Console& console, const Environment& env) {
  const Command command = ui_command(run_ui);
  const auto args = parse_arguments(command, words);
  if (!args) return report_usage(console, command.name, args.error());
  return run_verb(command, {*args, console, env, words});
}

}  // namespace

}  // namespace grapnel::cli

int main(int argc, char** argv) {
  using namespace grapnel::cli;
  const auto words = begin_program(argc, argv);
  const auto env = grapnel::Environment::of_process();
  Console console(env);
  return run_guarded(console, words, [&] { return run(words, console, env); }).value_or(kInternal);
}
