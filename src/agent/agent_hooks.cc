#include "agent/agent_hooks.h"

#include <chrono>

#include "agent/new_id.h"
#include "base/clock.h"

namespace grapnel::agent {

namespace {

/// Adds a member only if there is a text: absent fields stay absent in the event.
void add_text(std::vector<std::pair<std::string, Json>>& members, Field field, const std::string& text) {
  if (!text.empty()) members.emplace_back(to_string(field), Json::string(text));
}

}  // namespace

Decision AgentHooks::fire(EventKind kind, const SessionFacts& facts, const Fields& fields,
                          std::stop_token cancel) const {
  // An event begins in canonical form: canonical field names, canonical tool names.
  std::vector<std::pair<std::string, Json>> members;
  members.emplace_back(to_string(Field::SessionId), Json::string(facts.session_id));
  members.emplace_back(to_string(Field::TranscriptPath), Json::string(facts.transcript_path));
  members.emplace_back(to_string(Field::Cwd), Json::string(facts.cwd));
  members.emplace_back(to_string(Field::ProjectDir), Json::string(facts.cwd));
  members.emplace_back(to_string(Field::ExecutionId), Json::string(new_id()));
  members.emplace_back(to_string(Field::Timestamp), Json::string(format_timestamp(std::chrono::system_clock::now())));
  members.emplace_back(to_string(Field::PermissionMode), Json::string(to_string(facts.mode)));
  add_text(members, Field::Model, facts.model);
  add_text(members, Field::AgentId, facts.agent_id);
  add_text(members, Field::AgentType, facts.agent_type);
  if (facts.judge_depth > 0) {
    members.emplace_back(to_string(Field::JudgeDepth), Json::number(int64_t{facts.judge_depth}));
  }
  for (const auto& [field, value] : fields) members.emplace_back(to_string(field), value);
  // Hooks see the names of the session's dialect. A dialect may lack this event, because not every agent has all of
  // them; hooks then see it in canonical form.
  const Event event(kind, Json::object(members));
  const auto native = event.in_dialect(dialect_);
  Decision decision = engine_->fire(native ? *native : event, std::move(cancel));
  disclosure_->add_documents(kind, *engine_, decision);
  return decision;
}

std::string hook_context(const Decision& decision) {
  const std::string context = decision.context();
  return context.empty() ? "" : "<hook_context>" + context + "</hook_context>";
}

}  // namespace grapnel::agent
