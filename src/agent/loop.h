#pragma once

#include <string>
#include <vector>

#include "agent/core.h"
#include "agent/model_step.h"
#include "agent/pipeline.h"
#include "agent/transcript.h"

/// One prompt from arrival to answer:
///
///   prompt hooks → [ compaction → model (with its hooks) → tools (with theirs) ]* → unfinished intent? → stop gate
///
/// A model turn without tool calls wants to end. An announced but unstarted step is nudged first; then the gate's hooks
/// may send the model back to work with their reason, as often as the engine's loop cap and `max_turns` allow.
namespace grapnel::agent {

/// Who is at work: the session's main agent, or a subagent.
struct Actor {
  SessionFacts facts;
  std::vector<Tool> tools;
  std::string system_prompt;
  std::string lane = {};  ///< a subagent's type
  std::string agent_id = {};
  std::string task = {};

  bool is_subagent() const { return !agent_id.empty(); }
};

class Loop {
 public:
  Loop(Core& core, const Actor& actor, Messages& messages, Transcript& transcript)
      : core_(core), actor_(actor), messages_(messages), transcript_(transcript) {}

  TurnResult run(std::string_view prompt, const std::vector<llm::ImagePart>& images, std::stop_token cancel);

 private:
  using Ending = TurnResult::Ending;

  bool begin(std::string_view prompt, const std::vector<llm::ImagePart>& images);
  void work();
  bool ask();
  void take_tools(const std::vector<llm::ToolCallPart>& calls);
  void want_to_end();
  Decision fire_gate();
  void end_turn();
  void compact_if_needed();

  void push(llm::ModelMessage message);
  void end(Ending ending, std::string reason = {});
  llm::ModelRequest request() const;
  PipelineContext pipeline_context();
  std::vector<ToolOutcome> run_calls(const std::vector<llm::ToolCallPart>& calls);

  Core& core_;
  const Actor& actor_;
  Messages& messages_;
  Transcript& transcript_;

  std::stop_token cancel_;
  std::string prompt_;
  std::vector<std::string> said_;  ///< the model's texts in this turn
  std::vector<ToolCallRecord> tool_calls_;
  int nudges_ = 0;
  bool gate_was_closed_ = false;
  bool is_over_ = false;
  TurnResult result_;
};

}  // namespace grapnel::agent
