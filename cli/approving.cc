#include "cli/approving.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <set>

#include "base/text.h"
#include "cli/ask.h"
#include "cli/hook_text.h"
#include "cli/session_ids.h"

namespace grapnel::cli {

namespace {

int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// Lines that begin alike; text from outside may have several.
std::string indented_lines(const std::string& text) {
  std::string out;
  for (const std::string_view line : text::split(text, '\n')) out += "  " + printable(line) + "\n";
  return out;
}

/// The input of a call that is more than its command or its file.
std::string rest_of_input(const WaitingAsk& ask) {
  if (ask.is_command || !ask.input || ask.input.size() < 2) return "";
  constexpr size_t kMaxShown = 2000;
  return indented_lines(text::cap(ask.input.dump(JsonStyle::Pretty), kMaxShown));
}

std::string ask_text(const WaitingAsk& ask, const Console& console) {
  const auto left = std::max<int64_t>(0, ask.expires_at_ms - now_ms());
  std::string out = console.styled(Style::Yellow, "ask") + "  " + printable(ask.id) + "  " +
                    duration_text(std::chrono::milliseconds(left / 1000 * 1000)) + " left" +
                    (ask.machine.empty() ? "" : "  on " + printable(ask.machine)) + "\n";
  out += "  " + printable(ask.agent) + (ask.tool.empty() ? "" : " " + printable(ask.tool)) +
         (ask.cwd.empty() ? "" : " in " + printable(ask.cwd)) + "\n";
  out += console.styled(Style::Bold, indented_lines(ask.subject)) + rest_of_input(ask);
  return out + "  " + printable(ask.hook) + ": " + printable(ask.reason) + "\n";
}

/// The answer that the options give; nothing if they give none. Fails: BadInput for options that do not fit together.
Result<std::optional<AskWish>> wish_of(const Arguments& args, const AskSource& source) {
  const std::string session(source.session_option());
  const bool denies = args.has("--deny");
  const auto count = std::ranges::count_if(std::to_array<std::string_view>({"--once", session, "--deny"}),
                                           [&](std::string_view name) { return args.has(name); });
  const bool is_rule = args.has("--rule");
  if (count > 1 || (is_rule && count == 1 && !denies)) {
    return fail(Errc::BadInput,
                "give one of --once, " + session + (source.can_make_rules() ? ", --rule" : "") + " and --deny");
  }
  if (args.has("--pattern") && !args.has(session) && !is_rule) {
    return fail(Errc::BadInput, "--pattern needs " + session + (source.can_make_rules() ? " or --rule" : ""));
  }
  if (count == 0 && !is_rule) return std::nullopt;
  const AskAnswer answer = denies              ? AskAnswer::Deny
                           : is_rule           ? AskAnswer::Rule
                           : args.has(session) ? AskAnswer::Session
                                               : AskAnswer::Once;
  return AskWish{{answer, args.text("--pattern"), args.text("--deny"), "terminal"}, is_rule && denies};
}

/// The question that is meant. Fails: BadInput.
Result<WaitingAsk> ask_named(const std::string& name, const std::vector<WaitingAsk>& asks) {
  std::vector<std::string> ids;
  for (const WaitingAsk& ask : asks) ids.push_back(ask.id);
  const auto id = id_meant_by(name, ids);
  if (!id) return std::unexpected(id.error());
  const auto found = std::ranges::find(asks, *id, &WaitingAsk::id);
  if (!id->empty() && found != asks.end()) return *found;
  return fail(Errc::BadInput, "no question '" + printable(name) + "' waits; `grapnel approve` lists those that do");
}

std::string told(const WaitingAsk& ask, const AskWish& wish) {
  switch (wish.answer.answer) {
    case AskAnswer::Deny:
      return wish.denies_for_good ? "Denied, and wrote a rule that denies it from now on." : "Denied.";
    case AskAnswer::Once:
      return "Allowed once.";
    case AskAnswer::Session:
      return "Allowed for the session: " +
             (wish.answer.pattern.empty() ? "exactly this call." : printable(wish.answer.pattern));
    case AskAnswer::Rule:
      return "Allowed, and wrote a rule that answers " + printable(text::join(ask.hooks, ", ")) + " from now on.";
  }
  return "";
}

int give(AskSource& source, Invocation& in, const WaitingAsk& ask, const AskWish& wish) {
  const auto given = source.give(ask, wish);
  if (!given) {
    in.console.say(printable(given.error().message));
    return given.error().code == Errc::System ? kInternal : kNo;
  }
  if (in.args.has("--json")) {
    in.console.out(
        Json::object({{"id", Json::string(ask.id)}, {"answer", Json::string(to_string(wish.answer.answer))}}).dump() +
        "\n");
  } else {
    in.console.out(told(ask, wish) + "\n");
  }
  return kOk;
}

/// Reads a line of the terminal, unless the question is over before. Nothing at the end of the input; "" is a line,
/// too.
struct Typed {
  enum class Kind : uint8_t { Line, Over, End };
  Kind kind = Kind::End;
  std::string line = {};
};
Typed type(AskSource& source, Invocation& in, const std::string& prompt, const WaitingAsk& ask) {
  in.console.out(prompt);
  in.console.flush();
  for (;;) {
    auto ready = std::to_array<pollfd>({{STDIN_FILENO, POLLIN, 0}, {source.fd(), POLLIN, 0}});
    if (::poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR) return {};
    if (ready[0].revents != 0) {
      std::array<char, 4096> line{};  // a terminal gives one line
      const ssize_t size = ::read(STDIN_FILENO, line.data(), line.size());
      if (size <= 0) return {};
      return {Typed::Kind::Line, std::string(text::trim({line.data(), static_cast<size_t>(size)}))};
    }
    if (ready[1].revents == 0) continue;
    source.settle();
    const auto asks = source.asks();
    if (std::ranges::find(asks, ask.id, &WaitingAsk::id) == asks.end()) return {Typed::Kind::Over};
  }
}

/// Asks the person about one question. Nothing is chosen beforehand, and Enter alone answers nothing. False at the end
/// of the input.
bool ask_about(AskSource& source, Invocation& in, const WaitingAsk& ask) {
  in.console.out(ask_text(ask, in.console));
  const std::string choices = std::string("deny (d), allow once (o), for this session (s), ") +
                              (source.can_make_rules() ? "make a rule (r), " : "") + "later (l): ";
  for (;;) {
    Typed typed = type(source, in, choices, ask);
    if (typed.kind == Typed::Kind::End) return false;
    if (typed.kind == Typed::Kind::Over) {
      in.console.out("\nIt is over: nobody waits for an answer any more.\n\n");
      return true;
    }
    AskWish wish;
    wish.answer.by = "terminal";
    const char choice = typed.line.empty() ? ' ' : typed.line.front();
    if (choice == 'l') return true;
    const auto also = [&](const std::string& prompt) {
      typed = type(source, in, prompt, ask);
      return typed.kind == Typed::Kind::Line;
    };
    if (choice == 'd') {
      if (!also("Why? The model is told: ")) continue;
      wish.answer.reason = typed.line;
    } else if (choice == 'o') {
      wish.answer.answer = AskAnswer::Once;
    } else if (choice == 's' || (choice == 'r' && source.can_make_rules())) {
      wish.answer.answer = choice == 's' ? AskAnswer::Session : AskAnswer::Rule;
      if (ask.is_command && !also("For exactly this (Enter), or for commands such as 'npm publish *': ")) continue;
      if (ask.is_command) wish.answer.pattern = typed.line;
    } else {
      continue;
    }
    give(source, in, ask, wish);
    in.console.out("\n");
    return true;
  }
}

/// Shows each question when it comes, and asks about it if there is a terminal. Ends with the input or the output.
int follow(AskSource& source, Invocation& in) {
  if (const auto done = source.listen(); !done) {
    in.console.say(printable(done.error().message));
    return kInternal;
  }
  const bool asks_person = can_ask(in.console) && !in.args.has("--json");
  if (asks_person) in.console.out("Waiting for questions; Ctrl-C ends it, and then agents ask by themselves.\n\n");
  std::set<std::string> shown;
  for (;;) {
    bool goes_on = true;
    const auto asks = source.asks();
    for (const WaitingAsk& ask : asks) {
      if (!goes_on || !shown.insert(ask.id).second) continue;
      if (asks_person) {
        goes_on = ask_about(source, in, ask);
      } else {
        in.console.out(in.args.has("--json") ? ask_to_json(ask).dump() + "\n" : ask_text(ask, in.console));
      }
    }
    if (!in.console.flush() || !goes_on) return kOk;
    pollfd ready{.fd = source.fd(), .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, -1) < 0 && errno != EINTR) return kInternal;
    source.settle();
  }
}

int list_asks(const AskSource& source, Invocation& in, const std::vector<WaitingAsk>& asks) {
  if (in.args.has("--json")) {
    std::vector<Json> list;
    for (const WaitingAsk& ask : asks) list.push_back(ask_to_json(ask));
    in.console.out(Json::object({{"waiting", Json::array(list)}}).dump(JsonStyle::Pretty) + "\n");
    return kOk;
  }
  for (const WaitingAsk& ask : asks) in.console.out(ask_text(ask, in.console) + "\n");
  if (!asks.empty()) return kOk;
  in.console.out(source.nothing_waits());
  return kOk;
}

/// Asks about what waits now, one question after the other.
int ask_about_all(AskSource& source, Invocation& in, const std::vector<WaitingAsk>& asks) {
  if (!source.listen()) return list_asks(source, in, asks);
  for (const WaitingAsk& ask : asks) {
    if (!ask_about(source, in, ask)) break;
  }
  return kOk;
}

}  // namespace

int approve_from(AskSource& source, Invocation& in, const std::string& name) {
  const auto wish = wish_of(in.args, source);
  if (!wish) return report_input(in.console, wish.error().message);
  if (*wish && (*wish)->answer.answer == AskAnswer::Rule && !source.can_make_rules()) {
    return report_input(in.console, "a rule can only be made on the machine itself");
  }
  if (in.args.has("--follow")) {
    if (*wish || !name.empty()) return report_input(in.console, "--follow takes no answer and no ID");
    return follow(source, in);
  }
  const auto asks = source.asks();
  if (!*wish && name.empty() && (in.args.has("--json") || asks.empty() || !can_ask(in.console))) {
    return list_asks(source, in, asks);
  }
  if (!*wish && name.empty()) return ask_about_all(source, in, asks);
  if (name.empty()) return report_input(in.console, "name the question; `grapnel approve` lists those that wait");
  const auto ask = ask_named(name, asks);
  if (!ask) return report_input(in.console, ask.error().message);
  if (!*wish) return can_ask(in.console) ? ask_about_all(source, in, {*ask}) : list_asks(source, in, {*ask});
  const bool may_answer = in.args.has("--yes") || ::isatty(STDIN_FILENO) == 1;
  if (!may_answer) return report_input(in.console, "an answer needs a terminal or --yes; nothing was answered");
  return give(source, in, *ask, **wish);
}

}  // namespace grapnel::cli
