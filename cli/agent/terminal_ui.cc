#include "cli/agent/terminal_ui.h"

#include <algorithm>

#include "agent/json_schema.h"
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

bool is_required(const Json& schema, std::string_view field) {
  return std::ranges::any_of(schema["required"].elements(), [&](const Json& one) { return one.equals_string(field); });
}

/// A value that a field may have, and what people read: `s: Small` if the form has a title for it.
struct Choice {
  Json value;
  std::string label;
};

/// The values that a field may have: of an enum, or the constants of its alternatives.
std::vector<Choice> choices_of(const Json& schema) {
  std::vector<Choice> out;
  const Json items = schema["items"] ? schema["items"] : schema;
  const auto add = [&](const Json& value, const Json& title) {
    const std::string text = value.as_string().value_or(value.dump());
    out.push_back({value, title.is_string() ? text + ": " + *title.as_string() : text});
  };
  for (const Json& one : items["enum"].elements()) add(one, {});
  for (const char* key : {"oneOf", "anyOf"}) {
    for (const Json& one : items[key].elements()) add(one["const"], one["title"]);
  }
  return out;
}

/// Whether it is one of these values, or a list of some of them.
bool is_chosen(const Json& value, const std::vector<Choice>& choices) {
  const auto is_one = [&](const Json& one) {
    return std::ranges::any_of(choices, [&](const Choice& choice) { return choice.value == one; });
  };
  return choices.empty() || (value.is_array() ? std::ranges::all_of(value.elements(), is_one) : is_one(value));
}

/// What was typed, as the type that the field has; missing if it cannot be that.
Json value_of(const std::string& typed, const Json& schema) {
  const std::string type = schema["type"].as_string().value_or("string");
  if (type == "string") return Json::string(typed);
  if (type == "boolean") {
    const agent::Approval word = approval_of(typed == "true" ? "y" : typed);
    return Json::boolean(word != agent::Approval::No);
  }
  if (type == "array") {
    std::vector<Json> values;
    for (const std::string_view part : text::split(typed, ',')) values.push_back(Json::string(text::trim(part)));
    return Json::array(values);
  }
  return Json::parse(typed).value_or(Json());
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
  show_briefly(count_text(e.labels.size(), "hook") + ": " + text::join(e.labels, ", "));
}

void TerminalUi::tell(const agent::ToolProgress& e) {
  if (can_erase_) show_briefly(e.text);
}

void TerminalUi::show_briefly(std::string_view text) {
  start_line();
  const std::string_view shown = text.substr(0, text::find_character(text, kMaxProgress));
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

/// A question of an MCP server: each field of the form on a line of its own. The person sees which server asks, and an
/// answer is sent only after all of it was shown again.
agent::McpReply TerminalUi::reply(const agent::McpQuestion& question, std::stop_token cancel) {
  using Action = agent::McpReply::Action;
  line(console_.styled(Style::Bold, "The MCP server '" + printable(question.server) + "' asks:"));
  for (const std::string_view part : text::split(text::trim(question.message), '\n')) line("  " + printable(part));
  if (!question.url.empty()) {
    line("  It wants you to open " + printable(question.url));
    const auto said = read_word("[y] I will  [n] decline > ", cancel);
    return {!said ? Action::Cancel : approval_of(*said) == agent::Approval::No ? Action::Decline : Action::Accept};
  }
  line("  An empty line takes the default; Ctrl-D gives up.");
  std::vector<std::pair<std::string, Json>> content;
  for (const JsonMember& field : question.schema["properties"].members()) {
    const auto value = ask_field(field.key, field.value, is_required(question.schema, field.key), cancel);
    if (!value) return {Action::Cancel};
    if (*value) content.emplace_back(field.key, *value);
  }
  const Json answer = Json::object(content);
  line("  answer  " + printable(answer.dump(JsonStyle::Spaced)));
  const auto said = read_word("[y] send  [n] decline > ", cancel);
  if (!said) return {Action::Cancel};
  if (approval_of(*said) == agent::Approval::No) return {Action::Decline};
  return {Action::Accept, answer};
}

/// The value that was typed, again and again until it fits; missing if the field is left out, nothing if the person
/// gives up.
std::optional<Json> TerminalUi::ask_field(const std::string& name, const Json& schema, bool is_required,
                                          const std::stop_token& cancel) {
  const std::string about = schema["description"].as_string().value_or(schema["title"].as_string().value_or(""));
  if (!about.empty()) line("  " + printable(about));
  const std::vector<Choice> choices = choices_of(schema);
  std::vector<std::string> labels;
  for (const Choice& choice : choices) labels.push_back(choice.label);
  std::string prompt = printable(name);
  if (!labels.empty()) prompt += " (" + printable(text::join(labels, ", ")) + ")";
  const Json otherwise = schema["default"];
  if (otherwise) prompt += " [" + printable(otherwise.as_string().value_or(otherwise.dump())) + "]";
  for (;;) {
    const auto typed = read_word(prompt + (is_required || otherwise ? "" : ", optional") + " > ", cancel);
    if (!typed) return std::nullopt;
    if (typed->empty() && otherwise) return otherwise;
    if (typed->empty() && !is_required) return Json();
    const Json value = value_of(*typed, schema);
    const Json form = Json::object({{"type", Json::string("object")}, {"properties", Json::object({{name, schema}})}});
    const auto wrong = value ? agent::violation(Json::object({{name, value}}), form) : "is not of the right kind";
    if (!wrong && is_chosen(value, choices)) return value;
    line("  " + printable(wrong.value_or("choose one of these")));
  }
}

/// The line that was typed; nothing if the person gave up.
std::optional<std::string> TerminalUi::read_word(const std::string& prompt, const std::stop_token& cancel) {
  console_.flush();
  const auto answer = editor_.read(prompt, std::nullopt, cancel);
  if (answer.end == LineEditor::End::Line) return answer.text;
  line("");
  return std::nullopt;
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
