#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel_agent/agent.h"

/// Tells a session as numbered steps: what the model wants, what which hook says to it, what happens.
///
///   2  the model wants to run: rm -rf *
///        ClawdCode   no-destroy   no: name the files you want to remove
///        => not done
///
/// Events of the agent come by `show`; what the model reads and wants comes from `watched`. A hook's words are known
/// only when their effect shows, so a step is printed when the next one begins.
class Timeline : public grapnel::agent::AgentUi {
 public:
  explicit Timeline(bool use_colours) : use_colours_(use_colours) {}

  void show(const grapnel::agent::AgentEvent& event) override;
  void model_reads(const std::vector<grapnel::llm::ModelMessage>& conversation);
  void model_wants(const grapnel::llm::ModelResponse& response);
  void begin(std::string title);
  /// Prints what is left.
  void finish();

 private:
  struct Line {
    std::string system;  ///< whose hook; "" for what happened
    std::string hook;
    std::string words;
    grapnel::Verdict verdict = grapnel::Verdict::Pass;
    bool has_answered = false;
  };

  void tell(const auto& /*of no interest here*/) {}
  void tell(const grapnel::agent::HookFinished& e);
  void tell(const grapnel::agent::Blocked& e);
  void tell(const grapnel::agent::ToolStarted& e);
  void tell(const grapnel::agent::ToolFinished& e);
  void tell(const grapnel::agent::Told& e);
  void tell(const grapnel::agent::StopHookSaid& e);

  void explain_last_answer(const std::string& words);
  void happened(const std::string& what);
  std::string painted(std::string_view colour, const std::string& text) const;

  const bool use_colours_;
  int number_ = 0;
  std::string title_;
  std::vector<Line> lines_;
  std::vector<grapnel::llm::ToolCallPart> wanted_;
  size_t messages_read_ = 0;
  bool is_turn_over_ = false;
};

/// The same model, with the timeline looking over its shoulder.
std::shared_ptr<grapnel::llm::ModelClient> watched(std::shared_ptr<grapnel::llm::ModelClient> model,
                                                   std::shared_ptr<Timeline> timeline);
