#include "cli/agent/output.h"

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace grapnel::cli {

namespace {

using agent::TurnResult;

constexpr size_t kMaxCall = 120;
constexpr size_t kMaxFailure = 200;

/// Text for a terminal, line by line, with a line feed at its end.
std::string lines_of(std::string_view text) {
  std::string out;
  for (const std::string_view line : text::split(text::trim(text), '\n')) out += printable(line) + "\n";
  return out;
}

/// A call that was blocked before it ran has a result that says so.
bool is_in_result(EventKind event) {
  return event == EventKind::PreToolUse || event == EventKind::PermissionRequest;
}

/// What people read about a hook that denied an event. A tool that has run cannot be blocked, so the hook only objects.
std::string blocked_text(const agent::Blocked& blocked) {
  const bool is_past = blocked.event == EventKind::PostToolUse || blocked.event == EventKind::PostToolUseFailure;
  return (is_past ? "A hook objects to the tool's result: " : "Agent execution blocked: ") + blocked.reason;
}

/// For people and shell scripts. Only the answer and the messages of stop hooks go to standard output, so that a pipe
/// gets nothing else.
class TextOutput : public Output {
 public:
  explicit TextOutput(Console& console) : console_(console) {}

  void show(const agent::AgentEvent& event) override {
    std::visit([this](const auto& e) { tell(e); }, event);
  }

  void finish(const RunEnd& end) override {
    const TurnResult& turn = end.turn;
    if (!turn.answer.empty()) console_.out(turn.answer + (turn.answer.ends_with('\n') ? "" : "\n"));
    // People have already seen why, when the hook blocked or stopped the agent, or when the gate opened.
    const bool was_told = turn.ending == TurnResult::Ending::Blocked || turn.ending == TurnResult::Ending::Stopped ||
                          turn.ending == TurnResult::Ending::GateOpened;
    if (turn.ending == TurnResult::Ending::Answered || was_told) return;
    console_.say(turn.reason.empty() ? std::string(to_string(turn.ending)) : printable(turn.reason));
  }

 private:
  void tell(const auto& /*nothing for people*/) {}
  void tell(const agent::ToolFinished& e) {
    console_.say(call_text(e.name, e.input) + ": " + (e.result.success() ? "done" : failure_text(e.result)));
  }
  void tell(const agent::Told& e) { console_.say(notice_text(e.notice)); }
  void tell(const agent::StopHookSaid& e) {
    if (e.is_error) return console_.err(lines_of(e.line));
    console_.out(e.line + "\n");
    console_.flush();
  }
  void tell(const agent::Blocked& e) {
    if (!is_in_result(e.event)) console_.err("[WARNING] " + lines_of(blocked_text(e)));
  }
  void tell(const agent::Stopped& e) { console_.err("Agent execution stopped: " + lines_of(e.reason)); }
  void tell(const agent::ContextCleared&) { console_.say("a hook cleared the context"); }

  Console& console_;
};

/// Collects everything and prints one object at the end, so a program can parse the whole output at once.
class JsonOutput : public Output {
 public:
  explicit JsonOutput(Console& console) : console_(console) {}

  void show(const agent::AgentEvent& event) override {
    std::visit([this](const auto& e) { collect(e); }, event);
  }

  void finish(const RunEnd& end) override {
    const Json all = to_json(end)
                         .with("tool_calls", Json::array(calls_))
                         .with("warnings", Json::array(warnings_))
                         .with("hooks", Json::array(hooks_));
    console_.out(all.dump(JsonStyle::Pretty) + "\n");
  }

 private:
  void collect(const auto& /*not in the summary*/) {}
  void collect(const agent::ToolFinished& e) { calls_.push_back(to_json(e)); }
  void collect(const agent::HookFinished& e) { hooks_.push_back(to_json(e.run, Detail::Brief)); }
  void collect(const agent::Told& e) { warn(notice_text(e.notice)); }
  void collect(const agent::StopHookSaid& e) { warn(e.line); }
  void collect(const agent::Blocked& e) {
    if (!is_in_result(e.event)) warn(blocked_text(e));
  }
  void collect(const agent::Stopped& e) { warn("Agent execution stopped: " + e.reason); }
  void warn(const std::string& text) { warnings_.push_back(Json::string(text)); }

  Console& console_;
  std::vector<Json> calls_, warnings_, hooks_;
};

/// Prints each event at once and flushes, because the reader may be waiting for it.
class StreamOutput : public Output {
 public:
  explicit StreamOutput(Console& console) : console_(console) {}

  void show(const agent::AgentEvent& event) override { print(to_json(event, Detail::Brief)); }
  void finish(const RunEnd& end) override {
    print(Json::object({{"type", Json::string("result")}}).merged(to_json(end)));
  }

 private:
  void print(const Json& line) {
    console_.out(line.dump() + "\n");
    console_.flush();
  }

  Console& console_;
};

}  // namespace

/// The option's values are checked when the command line is parsed; everything else here means the default.
OutputFormat output_format_from(std::string_view name) {
  if (name == "json") return OutputFormat::Json;
  return name == "stream-json" ? OutputFormat::StreamJson : OutputFormat::Text;
}

std::shared_ptr<Output> make_output(OutputFormat format, Console& console) {
  if (format == OutputFormat::Json) return std::make_shared<JsonOutput>(console);
  if (format == OutputFormat::StreamJson) return std::make_shared<StreamOutput>(console);
  return std::make_shared<TextOutput>(console);
}

std::string call_text(const std::string& tool, const Json& input) {
  return printable(tool + " " + text::cap(input.dump(), kMaxCall));
}

std::string failure_text(const agent::ToolResult& result) {
  // The first line says what went wrong; the rest is usually output of the tool. A denial has no output, and all of its
  // lines are for people, too.
  std::string whole(text::trim(result.text));
  const bool is_reason = result.failure == agent::ToolFailure::Denied;
  if (is_reason) std::ranges::replace(whole, '\n', ' ');
  const std::string text = text::cap(text::split(whole, '\n').front(), kMaxFailure);
  return std::string(to_string(result.failure)) + (text.empty() ? "" : ": " + printable(text));
}

std::string notice_text(const Notice& notice) {
  // Some notices of the engine already begin with the hook's name.
  const bool names_itself = notice.hook.empty() || notice.text.starts_with("hook '" + notice.hook + "'");
  return (names_itself ? "" : "hook '" + printable(notice.hook) + "': ") + printable(notice.text);
}

}  // namespace grapnel::cli
