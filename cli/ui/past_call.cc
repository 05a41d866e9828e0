#include "cli/ui/past_call.h"

#include "grapnel/tool.h"

#include "call/subject.h"
#include "cli/journal/journal_verbs.h"
#include "dialect/payload.h"
#include "engine/recording.h"

namespace grapnel::cli {

namespace {

/// A subject of this length was cut.
constexpr size_t kCutSubject = 1024;

void add_needs(const Condition& condition, RuleNeeds& needs) {
  for (const Condition& part : condition.parts) add_needs(part, needs);
  if (condition.op != Condition::Op::Ask) return;
  if (std::holds_alternative<CommandQuestion>(condition.question)) {
    needs.commands = true;
  } else if (std::holds_alternative<PathQuestion>(condition.question)) {
    needs.paths = true;
  } else if (const auto* const text = std::get_if<TextQuestion>(&condition.question)) {
    needs.rest |= text->of == TextQuestion::Of::Prompt || text->of == TextQuestion::Of::Output;
  } else if (!std::holds_alternative<ToolQuestion>(condition.question)) {
    needs.rest = true;
  }
}

bool is_of_file(ToolKind kind) {
  return kind == ToolKind::Read || kind == ToolKind::Write || kind == ToolKind::Edit || kind == ToolKind::Delete;
}

/// The fields that every record has, whatever was kept of the payload.
Event with_facts(Event event, const Json& record) {
  struct Fact {
    Field field;
    const char* key;
  };
  for (const Fact& fact : {Fact{Field::SessionId, "session"}, Fact{Field::Cwd, "cwd"}, Fact{Field::AgentId, "agent_id"},
                           Fact{Field::AgentType, "agent_type"}}) {
    if (record[fact.key]) event = with_field(event, fact.field, record[fact.key]);
  }
  return event;
}

/// The call with its command or its file, which is the subject of its record. Nothing if the subject is something else.
std::optional<Event> with_subject(const Event& event, const Json& record) {
  const std::string subject = text_of(record, "subject");
  const std::string dialect(event.dialect_name());
  const ToolKind kind = tool_kind(text_of(record, "tool"), dialect);
  const bool is_known = kind == ToolKind::Shell || is_of_file(kind);
  if (!is_known || subject.empty() || subject.size() >= kCutSubject) return std::nullopt;
  const char* const key = kind == ToolKind::Shell ? "command" : "file_path";
  const NamedCall canonical{"canonical", std::string(tool_name(kind, "canonical")),
                            Json::object({{key, Json::string(subject)}})};
  Event out = with_field(event, Field::ToolInput, in_dialect(canonical, dialect).input);
  // Some tools write it in a way of their own, for example as a list of words.
  if (call::subject_of(out) != subject) return std::nullopt;
  return out;
}

}  // namespace

RuleNeeds RuleNeeds::of(const std::vector<HookSpec>& hooks, EventKind at) {
  RuleNeeds needs;
  for (const HookSpec& hook : hooks) {
    if (hook.listens_to(at) && hook.when) add_needs(*hook.when, needs);
  }
  return needs;
}

std::optional<Event> rebuild_event(const Json& record, const RuleNeeds& needs) {
  auto event = event_of(record);
  if (!event || record["payload"]) return event;
  if (needs.rest) return std::nullopt;
  Event known = with_facts(std::move(*event), record);
  if (!needs.commands && !needs.paths) return known;
  // Events without a tool have no commands, and a call of a tool that is no shell has none either.
  if (!record["tool"]) return known;
  auto out = with_subject(known, record);
  if (out) return out;
  const ToolKind kind = tool_kind(text_of(record, "tool"), known.dialect_name());
  return kind != ToolKind::Shell && kind != ToolKind::Mcp && kind != ToolKind::Other && !needs.paths
             ? std::optional(known)
             : std::nullopt;
}

}  // namespace grapnel::cli
