#include "cli/agent/terminal_ui.h"

#include "base/text.h"
#include "cli/agent/output.h"
#include "cli/hook_text.h"

/// The cursor is in one of three places: at the start of a line, behind streamed text (`in_line_`), or behind the
/// temporary line with the names of running hooks (`shows_progress_`). Every output first goes back to the start of a
/// line with `start_line`; only streamed text continues where the last piece ended.
namespace grapnel::cli {

namespace {

constexpr size_t kMaxProgress = 70;

/// Anything but a clear yes is a no.
agent::Approval approval_of(const std::string& answer) {
  const std::string word = text::to_lower(answer);
  if (word == "y" || word == "yes") return agent::Approval::Once;
  if (word == "a" || word == "always") return agent::Approval::Always;
  return agent::Approval::No;
}

}  // namespace

void TerminalUi::show(const agent::AgentEvent& event) {
  std::visit([this](const auto& e) { tell(e); }, event);
  console_.flush();
}

void TerminalUi::tell(const agent::TextChunk& e) {
  if (e.text.empty()) return;
  erase_progress();
  const std::string text = printable_lines(e.text);
  console_.out(e.is_thought ? console_.styled(Style::Dim, text) : text);
  in_line_ = !text.ends_with('\n');
}

void TerminalUi::tell(const agent::ToolStarted& e) {
  line(console_.styled(Style::Bold, "* " + call_text(e.name, e.input)));
}

void TerminalUi::tell(const agent::ToolFinished& e) {
  // Of a failure, the first line is in the text about it; a denial has no output.
  std::string_view output = e.result.text;
  if (!e.result.success()) {
    line("  " + console_.styled(Style::Red, failure_text(e.result)));
    const std::string_view whole = text::trim(output);
    const size_t first = whole.find('\n');
    const bool has_output = e.result.failure != agent::ToolFailure::Denied && first != std::string_view::npos;
    output = has_output ? whole.substr(first) : "";
  }
  const std::string shown = tool_output_.add(output, console_.width());
  if (!shown.empty()) {
    start_line();
    console_.out(console_.styled(Style::Dim, shown));
  }
  if (e.result.success()) line(console_.styled(Style::Dim, "  done in " + duration_text(e.took)));
}

/// Shows which hooks the user is waiting for. The next output erases the line. It is kept short, because a line that
/// wraps could not be erased completely.
void TerminalUi::tell(const agent::HooksStarted& e) {
  // On a terminal that cannot erase, these lines would pile up.
  if (!can_erase_ || e.labels.empty()) return;
  start_line();
  const std::string text = count_text(e.labels.size(), "hook") + ": " + text::join(e.labels, ", ");
  const std::string_view shown = std::string_view(text).substr(0, text::find_character(text, kMaxProgress));
  console_.out(console_.styled(Style::Dim, printable(shown) + "..."));
  shows_progress_ = true;
}

void TerminalUi::tell(const agent::Told& e) {
  line(console_.styled(Style::Yellow, notice_text(e.notice)));
}

void TerminalUi::tell(const agent::StopHookSaid& e) {
  line(printable_lines(e.line));
}

void TerminalUi::tell(const agent::Blocked& e) {
  line(console_.styled(Style::Yellow, "Blocked by a hook: " + printable_lines(e.reason)));
}

void TerminalUi::tell(const agent::Stopped& e) {
  line(console_.styled(Style::Yellow, "Stopped by a hook: " + printable_lines(e.reason)));
}

void TerminalUi::tell(const agent::ContextCleared& /*e*/) {
  line(console_.styled(Style::Dim, "A hook cleared the context."));
}

void TerminalUi::tell(const agent::Compacted& e) {
  line(console_.styled(Style::Dim, "Compacted: " + std::to_string(e.tokens_before) + " to " +
                                       std::to_string(e.tokens_after) + " tokens."));
}

agent::Approval TerminalUi::ask(const agent::Question& question, std::stop_token cancel) {
  const std::string title = question.title.empty() ? call_text(question.tool, question.input) : question.title;
  line(console_.styled(Style::Bold, "Allow " + printable(title) + " ?"));
  line("  tool    " + printable(question.tool));
  // The whole input is shown, not only the title: a person must see everything that they approve.
  for (const auto& [key, value, offset] : question.input.members()) {
    line("  input   " + printable(key) + " = " + printable(value.as_string().value_or(value.dump())));
  }
  if (!question.reason.empty()) line("  reason  " + printable(question.reason));
  if (!question.message.empty()) line("  note    " + printable(question.message));
  console_.flush();
  const auto answer = editor_.read("[y] once  [a] always  [n] no > ", std::nullopt, cancel);
  // Without Enter, the cursor still stands behind the question.
  if (answer.end != LineEditor::End::Line) line("");
  console_.flush();
  return answer.end == LineEditor::End::Line ? approval_of(answer.text) : agent::Approval::No;
}

void TerminalUi::finish_turn(const agent::TurnResult& turn) {
  using Ending = agent::TurnResult::Ending;
  start_line();
  // Blocked and stopped turns have been explained by their events.
  if (turn.ending == Ending::Interrupted) line(console_.styled(Style::Yellow, "Interrupted."));
  if (turn.ending == Ending::Cancelled) line(console_.styled(Style::Yellow, "Cancelled."));
  if (turn.ending == Ending::Failed || turn.ending == Ending::MaxTurns) {
    line(console_.styled(Style::Red, printable_lines(turn.reason)));
  }
  console_.flush();
}

/// Flushed at once, because the program may wait for input next.
void TerminalUi::say(std::string_view text) {
  line(std::string(text));
  console_.flush();
}

void TerminalUi::line(const std::string& text) {
  start_line();
  console_.out(text + "\n");
}

void TerminalUi::start_line() {
  erase_progress();
  if (std::exchange(in_line_, false)) console_.out("\n");
}

void TerminalUi::erase_progress() {
  if (std::exchange(shows_progress_, false)) console_.out("\r\033[K");
}

}  // namespace grapnel::cli
