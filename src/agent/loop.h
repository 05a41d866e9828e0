#pragma once

#include <optional>
#include <string>
#include <vector>

#include "agent/core.h"
#include "agent/model_step.h"
#include "agent/pipeline.h"
#include "agent/transcript.h"

/// One prompt, from its arrival to the answer:
///
///   prompt hooks → [ compaction → model (with its hooks) → tools (with theirs) ]* → unfinished intent? → stop gate
///   → compaction
///
/// A model response without tool calls means that the model wants to end the turn. If it announced a step but did not
/// start it, the loop nudges it first. Then the Stop hooks (the *gate*; SubagentStop for a subagent) may send the model
/// back to work with a reason. The engine's loop cap and `max_turns` limit how often that can happen. A turn that ends
/// for another reason than the model's wish, such as the limit of model calls, fires the gate, too; its hooks can only
/// object.
namespace grapnel::agent {

/// The agent that runs the loop: the session's main agent or a subagent. Both use the same loop; the members say in
/// which way they differ.
struct Actor {
  SessionFacts facts;
  std::vector<Tool> tools;
  std::string system_prompt;
  std::string lane = {};  ///< a subagent's type as the agent calls it, "" in the main agent
  std::string type = {};  ///< the same as the model spelled it, which is what hooks see
  std::string agent_id = {};
  std::string task = {};
  bool has_servers = true;  ///< its tools include those of MCP servers

  bool is_subagent() const { return !agent_id.empty(); }
};

/// Runs one prompt. Create one `Loop` per prompt; it appends to `messages` and `transcript` as it goes.
class Loop {
 public:
  Loop(Core& core, const Actor& actor, Messages& messages, Transcript& transcript)
      : core_(core), actor_(actor), messages_(messages), transcript_(transcript) {}

  TurnResult run(std::string_view prompt, const std::vector<llm::ImagePart>& images, std::stop_token cancel);

 private:
  using Ending = TurnResult::Ending;

  /// The methods below are in the order in which `run` reaches them. A method that ends the turn calls `end`, which
  /// makes `run` leave its loop.
  bool begin(std::string_view prompt, const std::vector<llm::ImagePart>& images);
  void work();
  bool ask();
  void collect_tools();
  void offer(const std::vector<std::string>& names);
  void take_tools(const std::vector<llm::ToolCallPart>& calls);
  void want_to_end();
  void end_regardless(Ending ending, std::string_view stop_reason, std::string reason);
  Decision fire_gate(std::stop_token cancel);
  void keep_for_later(const Decision& decision);
  void end_subagent();
  void notify_of_ending();
  void end_turn();
  void compact_if_needed();

  /// Adds a message to the conversation and to the transcript, so that the two never differ.
  void push(llm::ModelMessage message);
  void clear_if_asked(const Decision& decision);
  /// Passes on what hooks say about a turn that cannot go on: the person sees an objection at once, and the model reads
  /// it when the next turn begins, with the context that hooks added.
  void tell_next_turn(EventKind event, const Decision& decision);
  const std::string& last_text() const;
  EventKind gate() const { return actor_.is_subagent() ? EventKind::SubagentStop : EventKind::Stop; }
  /// Records how the turn ended, and why.
  void end(Ending ending, std::string reason = {});
  llm::ModelRequest request() const;
  PipelineContext pipeline_context();
  /// Returns the outcomes in the order of the calls.
  std::vector<ToolOutcome> run_calls(const std::vector<llm::ToolCallPart>& calls);

  Core& core_;
  const Actor& actor_;
  Messages& messages_;
  Transcript& transcript_;

  std::stop_token cancel_;
  std::string prompt_;
  std::vector<Tool> tools_;        ///< of the actor and of the servers, as they are at this model call
  std::vector<Tool> offered_;      ///< the tools that the last request offered
  std::vector<std::string> said_;  ///< the texts of all model responses in this turn
  std::vector<ToolCallRecord> tool_calls_;
  std::string_view stop_reason_;     ///< why the turn ends, for hooks
  int nudges_ = 0;                   ///< since the last tool call
  bool gate_was_closed_ = false;     ///< a Stop hook has already sent the model back once
  bool gate_was_asked_ = false;      ///< its hooks know that the turn ends as it does
  std::optional<std::string> stop_;  ///< a hook stops the agent while tools run: its reason
  bool compaction_failed_ = false;   ///< a hook refused it in this turn, or the model did not answer
  bool is_over_ = false;
  TurnResult result_;
};

}  // namespace grapnel::agent
