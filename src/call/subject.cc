#include "call/subject.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"
#include "call/patch.h"
#include "dialect/payload.h"
#include "dialect/tools.h"

namespace grapnel::call {

namespace {

/// The arguments that say what a call of this kind is about, in canonical names. The first that is there is used. A
/// kind without a row is described by its command or its file.
struct ToolSubject {
  ToolKind kind;
  std::array<std::string_view, 3> arguments;
};
constexpr auto kToolSubjects = std::to_array<ToolSubject>({
    {ToolKind::Glob, {"pattern", "path"}},
    {ToolKind::Grep, {"pattern", "query", "path"}},
    {ToolKind::Fetch, {"url", "prompt"}},
    {ToolKind::Search, {"query"}},
    {ToolKind::Task, {"description", "prompt"}},
});

/// The fields that say what an event without a tool is about. The first that is there is used.
struct EventSubject {
  EventKind kind;
  std::array<Field, 2> fields;
};
constexpr auto kEventSubjects = std::to_array<EventSubject>({
    {EventKind::SessionStart, {Field::Source, Field::None}},
    {EventKind::SessionEnd, {Field::EndReason, Field::None}},
    {EventKind::UserPromptSubmit, {Field::Prompt, Field::None}},
    {EventKind::Stop, {Field::FinalResponse, Field::StopReason}},
    {EventKind::TurnEnd, {Field::FinalResponse, Field::StopReason}},
    {EventKind::SubagentStart, {Field::AgentType, Field::TaskDescription}},
    {EventKind::SubagentStop, {Field::AgentType, Field::TaskDescription}},
    {EventKind::TaskCompleted, {Field::TaskDescription, Field::TaskId}},
    {EventKind::Notification, {Field::Message, Field::Title}},
    {EventKind::PreCompact, {Field::Trigger, Field::None}},
    {EventKind::PostCompact, {Field::Trigger, Field::None}},
    {EventKind::BeforeModel, {Field::Model, Field::None}},
    {EventKind::AfterModel, {Field::Model, Field::None}},
    {EventKind::UserPromptExpansion, {Field::Prompt, Field::Source}},
    {EventKind::StopFailure, {Field::Error, Field::FinalResponse}},
    {EventKind::TaskCreated, {Field::TaskDescription, Field::TaskId}},
    {EventKind::TeammateIdle, {Field::AgentName, Field::None}},
    {EventKind::InstructionsLoaded, {Field::ToolPath, Field::Trigger}},
    {EventKind::ConfigChange, {Field::ToolPath, Field::Source}},
    {EventKind::CwdChanged, {Field::ToolPath, Field::None}},
    {EventKind::DirectoryAdded, {Field::ToolPath, Field::None}},
    {EventKind::FileChanged, {Field::ToolPath, Field::None}},
    {EventKind::WorktreeCreate, {Field::ToolPath, Field::None}},
    {EventKind::WorktreeRemove, {Field::ToolPath, Field::None}},
    {EventKind::Elicitation, {Field::Message, Field::Source}},
    {EventKind::ElicitationResult, {Field::Message, Field::Source}},
    {EventKind::PreModelSwitch, {Field::Model, Field::None}},
    {EventKind::PostModelSwitch, {Field::Model, Field::None}},
});

/// The first line that is not blank. A command keeps all its lines: the second may be the dangerous one.
std::string first_line(std::string_view text) {
  text = text::trim(text);
  return std::string(text.substr(0, text.find('\n')));
}

/// The first of these members that is a text.
std::string first_text(const Json& object, std::span<const std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (key.empty()) break;
    if (auto value = object[key].as_string(); value && !value->empty()) return std::move(*value);
  }
  return "";
}

/// The files of a patch, for a tool that names them nowhere else.
std::string patched_files(const Json& input) {
  std::vector<std::string> names;
  for (const std::string& patch : tool_patches(input)) {
    for (const PatchFile& file : files_of_patch(patch)) {
      if (file.by == PatchFile::By::Header) names.push_back(file.name);
    }
  }
  return text::join(names, ", ");
}

/// A tool that no table describes: its first short text is better than nothing.
std::string any_text(const Json& input) {
  for (const JsonMember& member : input.members()) {
    if (member.value.is_string()) return member.key + ": " + first_line(*member.value.as_string());
  }
  return "";
}

std::string tool_subject(const Event& event, const std::string& tool) {
  const Dialect& own = event.dialect();
  // The usual calls are about a command or a file. Both are found without translating the input.
  if (auto command = text_as(event, own, Field::ToolCommand); command && !command->empty()) return std::move(*command);
  const ToolKind kind = tool_kind(tool, own.name);
  const auto* const row = std::ranges::find(kToolSubjects, kind, &ToolSubject::kind);
  if (row == kToolSubjects.end()) {
    if (auto path = text_as(event, own, Field::ToolPath); path && !path->empty()) return std::move(*path);
  }
  const Json input = event.get(Field::ToolInput);
  if (row != kToolSubjects.end()) return first_line(first_text(input, row->arguments));
  std::string files = patched_files(input);
  return files.empty() ? any_text(input) : files;
}

}  // namespace

std::string subject_of(const Event& event) {
  if (const std::string tool = event.text(Field::ToolName); !tool.empty()) return tool_subject(event, tool);
  const auto* const row = std::ranges::find(kEventSubjects, event.kind(), &EventSubject::kind);
  if (row == kEventSubjects.end()) return "";
  std::string out;
  for (const Field field : row->fields) {
    const std::string text = field == Field::None ? "" : first_line(event.text(field));
    // A subagent is described by its type and its task; for all others the first text is enough.
    const bool is_complete = !out.empty() && row->fields[0] != Field::AgentType;
    if (text.empty() || is_complete) continue;
    out += (out.empty() ? "" : ": ") + text;
  }
  return out;
}

}  // namespace grapnel::call
