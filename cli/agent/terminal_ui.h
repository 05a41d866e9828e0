#pragma once

#include <string>
#include <string_view>

#include "cli/agent/folded_output.h"
#include "cli/agent/line_editor.h"
#include "cli/console.h"
#include "grapnel_agent/agent.h"

namespace grapnel::cli {

/// A conversation on a terminal. It shows text as it arrives, a line and the first lines of output for each tool call,
/// the names of running hooks (the line disappears when they are done), and questions. Borrows its parts.
class TerminalUi : public agent::AgentUi {
 public:
  TerminalUi(Console& console, LineEditor& editor, bool can_erase)
      : console_(console), editor_(editor), can_erase_(can_erase) {}

  void show(const agent::AgentEvent& event) override;
  agent::Approval ask(const agent::Question& question, std::stop_token cancel) override;
  agent::McpReply reply(const agent::McpQuestion& question, std::stop_token cancel) override;

  /// Shows how a prompt ended and begins a new line.
  void finish_turn(const agent::TurnResult& turn);
  /// Shows a line of the program itself.
  void say(std::string_view text);
  /// All that a tool printed, by its number, or for "" the last; null when there is none.
  const std::string* tool_output(std::string_view number) const { return tool_output_.find(number); }

 private:
  /// One overload for each event that people see; all others show nothing.
  void tell(const auto& /*nothing for people*/) {}
  void tell(const agent::TextChunk& e);
  void tell(const agent::ToolStarted& e);
  void tell(const agent::ToolProgress& e);
  void tell(const agent::ToolFinished& e);
  void tell(const agent::HooksStarted& e);
  void tell(const agent::Told& e);
  void tell(const agent::StopHookSaid& e);
  void tell(const agent::Blocked& e);
  void tell(const agent::Stopped& e);
  void tell(const agent::ContextCleared& e);
  void tell(const agent::Compacted& e);

  /// Shows a line that the next output replaces.
  void show_briefly(std::string_view text);
  /// Prints a line of its own, after whatever is unfinished.
  void line(const std::string& text);
  std::optional<Json> ask_field(const std::string& name, const Json& schema, bool is_required,
                                const std::stop_token& cancel);
  std::optional<std::string> read_word(const std::string& prompt, const std::stop_token& cancel);
  /// Removes the progress line and ends a line of streamed text.
  void start_line();
  /// Removes the names of running hooks, if they are on the screen.
  void erase_progress();

  Console& console_;
  LineEditor& editor_;
  /// The terminal understands the sequence that clears a line; a dumb one does not.
  bool can_erase_;
  FoldedOutput tool_output_;
  /// The names of running hooks are on the screen.
  bool shows_progress_ = false;
  /// Streamed text has not ended its line yet.
  bool in_line_ = false;
};

}  // namespace grapnel::cli
