#include "timeline.h"

#include <algorithm>
#include <array>
#include <iostream>
#include <utility>

using namespace grapnel;

namespace {

constexpr std::string_view kBold = "\033[1m";
constexpr std::string_view kRed = "\033[31m";
constexpr std::string_view kGreen = "\033[32m";
constexpr std::string_view kPlain = "\033[0m";
constexpr size_t kSystemWidth = 12;
constexpr size_t kHookWidth = 19;

/// The name of the system for which a hook was written, from its dialect.
std::string system_name(const HookRun& run) {
  constexpr auto kNames = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"agenthooks", "HOOK.md"}, {"blade", "Blade"}, {"clawd", "ClawdCode"}, {"gemini", "Gemini CLI"}});
  const auto found = std::ranges::find(kNames, run.dialect, &decltype(kNames)::value_type::first);
  return std::string(found == kNames.end() ? run.dialect : found->second);
}

/// A tool call in words: `run 'ls'`, `write 'a.txt'`. The agent may use the names of any dialect, so the call is
/// translated first.
std::string title_of(const std::string& tool, const Json& input) {
  const NamedCall call = in_dialect({std::string(dialect_of_tool(tool, "canonical")), tool, input}, "canonical");
  const ToolKind kind = tool_kind(call.name, "canonical");
  const bool is_shell = kind == ToolKind::Shell;
  const std::string about = call.input[is_shell ? "command" : "file_path"].as_string().value_or("");
  return (is_shell ? "run" : std::string(to_string(kind))) + " '" + about + "'";
}

std::string on_one_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  std::ranges::replace(text, '\n', ' ');
  return text;
}

std::string text_of(const llm::ModelPart& part) {
  if (const auto* text = std::get_if<llm::TextPart>(&part)) return text->text;
  if (const auto* result = std::get_if<llm::ToolResultPart>(&part)) return llm::text_of(*result);
  return "";
}

/// The text that hooks added for the model: between tags in a prompt, after a heading in the result of a tool. The
/// documents of hooks, which the model reads once, are left out.
std::string hook_context(const std::string& text) {
  constexpr std::string_view kDocument = "<hook_document";
  constexpr std::string_view kOpen = "<hook_context>";
  constexpr std::string_view kClose = "</hook_context>";
  constexpr std::string_view kHeading = "[Hook Context]\n";
  if (const size_t at = text.find(kOpen); at != std::string::npos) {
    const size_t begin = at + kOpen.size();
    return text.substr(begin, std::min(text.find(kDocument, begin), text.find(kClose, begin)) - begin);
  }
  const size_t at = text.find(kHeading);
  if (at == std::string::npos) return "";
  const size_t begin = at + kHeading.size();
  return text.substr(begin, text.find(kDocument, begin) - begin);
}

std::string padded(std::string text, size_t width) {
  text.resize(std::max(width, text.size() + 1), ' ');
  return text;
}

/// Passes every call on to the real model and shows both sides to the timeline.
class WatchedModel : public llm::ModelClient {
 public:
  WatchedModel(std::shared_ptr<llm::ModelClient> model, std::shared_ptr<Timeline> timeline)
      : model_(std::move(model)), timeline_(std::move(timeline)) {}

  Result<llm::ModelResponse> generate(const llm::ModelRequest& request, const llm::ChunkSink& on_chunk,
                                      std::stop_token stop) override {
    timeline_->model_reads(request.messages);
    auto response = model_->generate(request, on_chunk, std::move(stop));
    if (response) timeline_->model_wants(*response);
    return response;
  }

  std::string_view name() const override { return model_->name(); }

 private:
  std::shared_ptr<llm::ModelClient> model_;
  std::shared_ptr<Timeline> timeline_;
};

}  // namespace

void Timeline::show(const agent::AgentEvent& event) {
  std::visit([this](const auto& e) { tell(e); }, event);
}

void Timeline::begin(std::string title) {
  finish();
  title_ = std::move(title);
}

void Timeline::finish() {
  if (!title_.empty()) std::cout << '\n' << padded(std::to_string(++number_), 3) << painted(kBold, title_) << '\n';
  for (const Line& line : lines_) {
    if (line.system.empty()) {
      std::cout << "     => " << painted(kGreen, line.words) << '\n';
      continue;
    }
    const std::string words = line.words.empty() ? "fine" : line.words;
    std::cout << "     " << padded(line.system, kSystemWidth) << padded(line.hook, kHookWidth)
              << (line.verdict == Verdict::Deny ? painted(kRed, words) : words) << '\n';
  }
  std::cout << std::flush;
  title_.clear();
  lines_.clear();
}

/// Only messages that it has not seen yet: the model gets the whole conversation every time.
void Timeline::model_reads(const std::vector<llm::ModelMessage>& conversation) {
  for (; messages_read_ < conversation.size(); ++messages_read_) {
    for (const llm::ModelPart& part : conversation[messages_read_].parts) {
      const std::string context = hook_context(text_of(part));
      if (!context.empty()) explain_last_answer("tells the model: " + on_one_line(context));
    }
  }
}

void Timeline::model_wants(const llm::ModelResponse& response) {
  wanted_ = response.calls();
  if (wanted_.empty()) return begin("The model wants to stop: \"" + on_one_line(response.text()) + "\"");
  std::string titles;
  for (const llm::ToolCallPart& call : wanted_)
    titles += (titles.empty() ? "" : ", ") + title_of(call.name, call.input);
  begin("The model wants to " + titles);
}

/// The hooks of TurnEnd are the stop hooks, whose lines come in `StopHookSaid`; the first of them only begins a new
/// step.
void Timeline::tell(const agent::HookFinished& e) {
  const HookFate& fate = e.run.fate;
  if (e.run.event == EventKind::TurnEnd) {
    if (std::exchange(is_turn_over_, true)) return;
    happened("it stops");
    return begin("The turn is over; functions of the program that runs the agent look back");
  }
  const std::string words = fate.kind == HookFate::Kind::Failed ? "failed: " + fate.detail : "";
  lines_.push_back({system_name(e.run), e.run.hook, words, fate.verdict, !e.run.output.empty()});
}

/// The reason belongs to the hook that denied.
void Timeline::tell(const agent::Blocked& e) {
  for (Line& line : lines_) {
    if (line.verdict == Verdict::Deny && line.words.empty()) line.words = "no: " + on_one_line(e.reason);
  }
  if (e.event == EventKind::Stop) happened("it has to go on");
}

/// If the tool runs with another input than the model wanted, a hook has changed it.
void Timeline::tell(const agent::ToolStarted& e) {
  const auto wanted = std::ranges::find(wanted_, e.call_id, &llm::ToolCallPart::id);
  if (wanted != wanted_.end() && wanted->input != e.input) {
    explain_last_answer("rewrites it: " + title_of(e.name, e.input));
  }
}

void Timeline::tell(const agent::ToolFinished& e) {
  if (e.result.success()) return happened("done");
  const bool was_run = e.result.failure == agent::ToolFailure::Failed;
  happened(was_run ? "done, and it fails: " + on_one_line(e.result.text) : "not done, and the model is told why");
}

void Timeline::tell(const agent::Told& e) {
  happened("notice: " + on_one_line(e.notice.text));
}

void Timeline::tell(const agent::StopHookSaid& e) {
  lines_.push_back({"C++", "a callback", e.line});
}

/// Adds words to the hook that caused an effect. Effects show after the hook has finished, so this is the last hook
/// that answered and has not been explained yet.
void Timeline::explain_last_answer(const std::string& words) {
  const auto is_open = [](const Line& line) { return line.has_answered && line.words.empty(); };
  const auto found = std::find_if(lines_.rbegin(), lines_.rend(), is_open);
  if (found != lines_.rend()) found->words = words;
}

void Timeline::happened(const std::string& what) {
  lines_.push_back({.system = "", .hook = "", .words = what});
}

std::string Timeline::painted(std::string_view colour, const std::string& text) const {
  return use_colours_ ? std::string(colour) + text + std::string(kPlain) : text;
}

std::shared_ptr<llm::ModelClient> watched(std::shared_ptr<llm::ModelClient> model, std::shared_ptr<Timeline> timeline) {
  return std::make_shared<WatchedModel>(std::move(model), std::move(timeline));
}
