#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <set>

#include "approve/listener.h"
#include "approve/waiting_asks.h"
#include "base/text.h"
#include "cli/ask.h"
#include "cli/command.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/rule_of_ask.h"
#include "cli/session_ids.h"
#include "discover/find/ask_setting.h"

namespace grapnel::cli {

namespace {

// A person answers what hooks asked, in a terminal of their own. The process that waits decides whether it believes
// this one (src/approve/peers.h); here only the person is asked.

constexpr auto kApproveArguments = std::to_array<ArgumentRow>({
    {"ID", "the question, or the beginning of its id (default: you are asked about each)", ValueKind::EventId},
});
constexpr auto kApproveOptions = std::to_array<OptionRow>({
    {"--once", "", "", "allow this call"},
    {"--session", "", "", "allow it for the rest of the session"},
    {"--rule", "", "", "allow it, and write a rule that does so from now on; with --deny, a rule that denies"},
    {"--deny", "", "REASON", "deny it; the model is told the reason", ValueKind::Text, false, true},
    {"--pattern", "", "COMMANDS", "with --session or --rule: all commands like these, as in 'npm publish *'",
     ValueKind::Text},
    {"--follow", "-f", "",
     "stay, and show each question when it comes; as long as this runs, hooks wait for an answer"},
    kYesOption,
    kJsonOption,
});

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
                    duration_text(std::chrono::milliseconds(left / 1000 * 1000)) + " left\n";
  out += "  " + printable(ask.agent) + (ask.tool.empty() ? "" : " " + printable(ask.tool)) +
         (ask.cwd.empty() ? "" : " in " + printable(ask.cwd)) + "\n";
  out += console.styled(Style::Bold, indented_lines(ask.subject)) + rest_of_input(ask);
  return out + "  " + printable(ask.hook) + ": " + printable(ask.reason) + "\n";
}

/// The answer that the options give; nothing if they give none. Fails: BadInput for options that do not fit together.
struct Wish {
  GivenAnswer answer;
  bool denies_for_good = false;
};
Result<std::optional<Wish>> wish_of(const Arguments& args) {
  const bool denies = args.has("--deny");
  const auto count = std::ranges::count_if(std::to_array<std::string_view>({"--once", "--session", "--deny"}),
                                           [&](std::string_view name) { return args.has(name); });
  const bool is_rule = args.has("--rule");
  if (count > 1 || (is_rule && count == 1 && !denies)) {
    return fail(Errc::BadInput, "give one of --once, --session, --rule and --deny");
  }
  if (args.has("--pattern") && !args.has("--session") && !is_rule) {
    return fail(Errc::BadInput, "--pattern needs --session or --rule");
  }
  if (count == 0 && !is_rule) return std::nullopt;
  const AskAnswer answer = denies                  ? AskAnswer::Deny
                           : is_rule               ? AskAnswer::Rule
                           : args.has("--session") ? AskAnswer::Session
                                                   : AskAnswer::Once;
  return Wish{{answer, args.text("--pattern"), args.text("--deny"), "terminal"}, is_rule && denies};
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

std::string told(const WaitingAsk& ask, const Wish& wish) {
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

int give(Invocation& in, const WaitingAsk& ask, const Wish& wish) {
  const auto given = give_answer(in.env, ask, wish.answer, wish.denies_for_good);
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
Typed type(Invocation& in, const std::string& prompt, const WaitingAsk& ask, AskListener& listener) {
  in.console.out(prompt);
  in.console.flush();
  for (;;) {
    auto ready = std::to_array<pollfd>({{STDIN_FILENO, POLLIN, 0}, {listener.fd(), POLLIN, 0}});
    if (::poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR) return {};
    if (ready[0].revents != 0) {
      std::array<char, 4096> line{};  // a terminal gives one line
      const ssize_t size = ::read(STDIN_FILENO, line.data(), line.size());
      if (size <= 0) return {};
      return {Typed::Kind::Line, std::string(text::trim({line.data(), static_cast<size_t>(size)}))};
    }
    if (ready[1].revents == 0) continue;
    listener.settle();
    const auto asks = waiting_asks(in.env);
    if (std::ranges::find(asks, ask.id, &WaitingAsk::id) == asks.end()) return {Typed::Kind::Over};
  }
}

/// Asks the person about one question. Nothing is chosen beforehand, and Enter alone answers nothing. False at the end
/// of the input.
bool ask_about(Invocation& in, const WaitingAsk& ask, AskListener& listener) {
  in.console.out(ask_text(ask, in.console));
  const std::string choices = "deny (d), allow once (o), for this session (s), make a rule (r), later (l): ";
  for (;;) {
    Typed typed = type(in, choices, ask, listener);
    if (typed.kind == Typed::Kind::End) return false;
    if (typed.kind == Typed::Kind::Over) {
      in.console.out("\nIt is over: nobody waits for an answer any more.\n\n");
      return true;
    }
    Wish wish;
    wish.answer.by = "terminal";
    const char choice = typed.line.empty() ? ' ' : typed.line.front();
    if (choice == 'l') return true;
    const auto also = [&](const std::string& prompt) {
      typed = type(in, prompt, ask, listener);
      return typed.kind == Typed::Kind::Line;
    };
    if (choice == 'd') {
      if (!also("Why? The model is told: ")) continue;
      wish.answer.reason = typed.line;
    } else if (choice == 'o') {
      wish.answer.answer = AskAnswer::Once;
    } else if (choice == 's' || choice == 'r') {
      wish.answer.answer = choice == 's' ? AskAnswer::Session : AskAnswer::Rule;
      if (ask.is_command && !also("For exactly this (Enter), or for commands such as 'npm publish *': ")) continue;
      if (ask.is_command) wish.answer.pattern = typed.line;
    } else {
      continue;
    }
    give(in, ask, wish);
    in.console.out("\n");
    return true;
  }
}

/// Shows each question when it comes, and asks about it if there is a terminal. Ends with the input or the output.
int follow(Invocation& in) {
  auto listener = AskListener::open(in.env);
  if (!listener) {
    in.console.say(printable(listener.error().message));
    return kInternal;
  }
  const bool asks_person = can_ask(in.console) && !in.args.has("--json");
  if (asks_person) in.console.out("Waiting for questions; Ctrl-C ends it, and then agents ask by themselves.\n\n");
  std::set<std::string> shown;
  for (;;) {
    bool goes_on = true;
    const auto asks = waiting_asks(in.env);
    for (const WaitingAsk& ask : asks) {
      if (!goes_on || !shown.insert(ask.id).second) continue;
      if (asks_person) {
        goes_on = ask_about(in, ask, *listener);
      } else {
        in.console.out(in.args.has("--json") ? ask_to_json(ask).dump() + "\n" : ask_text(ask, in.console));
      }
    }
    if (!in.console.flush() || !goes_on) return kOk;
    pollfd ready{.fd = listener->fd(), .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, -1) < 0 && errno != EINTR) return kInternal;
    listener->settle();
  }
}

int list_asks(Invocation& in, const std::vector<WaitingAsk>& asks) {
  if (in.args.has("--json")) {
    std::vector<Json> list;
    for (const WaitingAsk& ask : asks) list.push_back(ask_to_json(ask));
    in.console.out(Json::object({{"waiting", Json::array(list)}}).dump(JsonStyle::Pretty) + "\n");
    return kOk;
  }
  for (const WaitingAsk& ask : asks) in.console.out(ask_text(ask, in.console) + "\n");
  if (!asks.empty()) return kOk;
  const bool is_on = read_ask_setting(read_grapnel_settings({"/", "", &in.env})).in_page;
  in.console.out(is_on ? "No question waits.\n"
                       : "No question waits. Agents ask by themselves; `ask: page` in "
                         "~/.config/grapnel/settings.yaml lets questions wait for you here.\n");
  return kOk;
}

/// Asks about what waits now, one question after the other.
int ask_about_all(Invocation& in, const std::vector<WaitingAsk>& asks) {
  auto listener = AskListener::open(in.env);
  if (!listener) return list_asks(in, asks);
  for (const WaitingAsk& ask : asks) {
    if (!ask_about(in, ask, *listener)) break;
  }
  return kOk;
}

int run_approve(Invocation& in) {
  const auto wish = wish_of(in.args);
  if (!wish) return report_input(in.console, wish.error().message);
  const std::string name = in.args.text("ID");
  if (in.args.has("--follow")) {
    if (*wish || !name.empty()) return report_input(in.console, "--follow takes no answer and no ID");
    return follow(in);
  }
  const auto asks = waiting_asks(in.env);
  if (!*wish && name.empty() && (in.args.has("--json") || asks.empty() || !can_ask(in.console))) {
    return list_asks(in, asks);
  }
  if (!*wish && name.empty()) return ask_about_all(in, asks);
  if (name.empty()) return report_input(in.console, "name the question; `grapnel approve` lists those that wait");
  const auto ask = ask_named(name, asks);
  if (!ask) return report_input(in.console, ask.error().message);
  if (!*wish) return can_ask(in.console) ? ask_about_all(in, {*ask}) : list_asks(in, {*ask});
  const bool may_answer = in.args.has("--yes") || ::isatty(STDIN_FILENO) == 1;
  if (!may_answer) return report_input(in.console, "an answer needs a terminal or --yes; nothing was answered");
  return give(in, *ask, **wish);
}

/// A rule stays, so it is noted like everything else that makes guards weaker. Other answers are in the event's record.
ForPeople who_approves(const Arguments& args) {
  return args.has("--rule") && !args.has("--deny") ? ForPeople::Consent : ForPeople::NotAgent;
}

}  // namespace

const Command kApprove{
    .name = "approve",
    .summary = "answer what hooks ask, in a terminal of your own",
    .about =
        "With `ask: page` in ~/.config/grapnel/settings.yaml, a call that hooks want a person to decide waits for an "
        "answer here or in the page of `grapnel ui`, also in agents that cannot ask. Without options it shows what "
        "waits and asks you about each. A hook waits only while somebody is there to answer: an open page that was "
        "unlocked, or `grapnel approve --follow`. Without an answer in time, the agent does what it does by itself. "
        "Agents cannot use this verb.",
    .arguments = kApproveArguments,
    .options = kApproveOptions,
    .examples = R"(  grapnel approve --follow
  grapnel approve 3f2a --once
  grapnel approve 3f2a --session --pattern 'npm publish *'
  grapnel approve 3f2a --deny 'Bump the version first.'
)",
    .run = run_approve,
    .for_people = who_approves,
};

}  // namespace grapnel::cli
