#include "cli/agent/conversation.h"

#include <algorithm>

#include "cli/agent/line_editor.h"
#include "cli/agent/slash.h"
#include "cli/agent/terminal_ui.h"

namespace grapnel::cli {

namespace {

/// How long the agent waits for a line before it fires a Notification.
constexpr std::chrono::milliseconds kUsualPatience = std::chrono::seconds(60);
constexpr std::string_view kWaiting = "The agent is waiting for your input";

/// The loop around the prompt. It waits for a line, Ctrl-C, a request to end, or the idle timeout.
class Prompter {
 public:
  Prompter(const Run& run, Conversation& conversation, LineEditor& editor)
      : run_(run), conversation_(conversation), editor_(editor), images_(run.settings.images) {}

  /// Returns why the session ends.
  std::string_view loop() {
    while (!conversation_.is_over) {
      const auto answer = wait_for_line();
      // SIGTERM and SIGHUP also wake the editor, so they are checked before its answer.
      if (run_.signals.asked_to_end()) return "other";
      switch (answer.end) {
        case LineEditor::End::Line:
          take(answer.text);
          break;
        case LineEditor::End::EndOfInput:
          run_.console.out("\n");
          return "exit";
        case LineEditor::End::TimedOut:
          conversation_.ui.say("\nThe conversation ends because nothing was typed for too long.");
          return "idle_timeout";
        // Ctrl-C at the prompt only gives up the line.
        case LineEditor::End::Woken:
        case LineEditor::End::Cancelled:
          run_.signals.take_interrupt();
          conversation_.ui.say("\nCtrl-D ends the conversation.");
          break;
      }
    }
    return "exit";
  }

 private:
  /// Waits for a line and fires one Notification if the user keeps the agent waiting. With an idle timeout, the
  /// notification comes halfway at the latest, so that there is still time to react to it.
  LineEditor::Entry wait_for_line() {
    const auto limit = run_.settings.idle_timeout;
    const auto start = SteadyClock::now();
    const auto patience = limit ? std::min(kUsualPatience, *limit / 2) : kUsualPatience;
    auto answer = editor_.read(kPrompt, start + patience);
    if (answer.end != LineEditor::End::TimedOut) return answer;
    run_.console.out("\n");
    if (const auto text = conversation_.session->notify("idle_prompt", kWaiting))
      conversation_.ui.say(printable(*text));
    return editor_.read(kPrompt, limit ? std::optional(start + *limit) : std::nullopt);
  }

  /// Runs one line: a command, or a prompt with the images of the command line, which belong to the first prompt only.
  void take(const std::string& line) {
    if (line.empty()) return;
    editor_.remember(line);
    if (line.starts_with('/')) return run_slash_command(conversation_, line);
    const auto turn = conversation_.session->send(line, images_, run_.signals.begin_work());
    run_.signals.end_work();
    run_.signals.take_interrupt();
    images_.clear();
    conversation_.ui.finish_turn(turn);
  }

  static constexpr const char* kPrompt = "> ";

  const Run& run_;
  Conversation& conversation_;
  LineEditor& editor_;
  std::vector<llm::ImagePart> images_;  ///< of the first prompt
};

/// The first line of a conversation. The model's name may come from the environment, so it is made printable.
std::string greeting(const Run& run, const agent::Session& session) {
  const std::string& model = run.settings.options.model_name;
  return "grapnel agent" + (model.empty() ? "" : ", " + printable(model)) + ", session " + printable(session.id()) +
         ". /help shows commands.";
}

}  // namespace

int run_conversation(const Run& run) {
  LineEditor editor(run.env.state_dir() + "/agent_history", run.signals.wake_fd());
  const auto ui = std::make_shared<TerminalUi>(run.console, editor, run.env.get("TERM") != "dumb");
  agent::AgentOptions options = run.options_for(ui);
  auto session = agent::create_session(options, run.signals.begin_work());
  run.signals.end_work();
  if (!session) {
    ui->say(printable(session.error().to_string()));
    // Wrong settings are the user's mistake and have the status of wrong usage.
    return session.error().code == Errc::BadConfig ? kBadUsage : kNo;
  }
  Conversation conversation{std::move(options), std::move(*session), *ui, run.console, run.signals, run.env};
  editor.complete_with([&](std::string_view line) { return complete_slash_command(conversation, line); });
  ui->say(greeting(run, *conversation.session));
  const std::string_view reason = Prompter(run, conversation, editor).loop();
  // The session that ends here may be another one than at the start: /clear and /resume replace it.
  conversation.session->close(reason);
  const auto asked_to_end = run.signals.asked_to_end();
  return asked_to_end ? kSignalStatus + *asked_to_end : kOk;
}

}  // namespace grapnel::cli
