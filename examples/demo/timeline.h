#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "grapnel_agent/agent.h"

/// Prints a session as numbered steps: what the model wants, what each hook says about it, and what happens.
///
///   2  the model wants to run: rm -rf *
///        ClawdCode   no-destroy   no: name the files you want to remove
///        => not done
///
/// It learns about the events of the agent through `show`, and about the model's side through `watched`. The effect of
/// a hook is known only when it shows later, for example in the next request to the model. So the lines of a step are
/// collected and printed when the next step begins.
class Timeline : public grapnel::agent::AgentUi {
 public:
  explicit Timeline(bool use_colours) : use_colours_(use_colours) {}

  void show(const grapnel::agent::AgentEvent& event) override;
  /// Called with the conversation before each model call; finds the texts that hooks have added.
  void model_reads(const std::vector<grapnel::llm::ModelMessage>& conversation);
  /// Called with each answer of the model; begins a step.
  void model_wants(const grapnel::llm::ModelResponse& response);
  /// Prints the previous step and begins a new one.
  void begin(std::string title);
  /// Prints the last step.
  void finish();

 private:
  /// One line of a step: a hook with what it said, or something that happened.
  struct Line {
    std::string system;  ///< the system that the hook is for; "" if the line is not about a hook
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

/// The same model, with the timeline watching its requests and answers.
std::shared_ptr<grapnel::llm::ModelClient> watched(std::shared_ptr<grapnel::llm::ModelClient> model,
                                                   std::shared_ptr<Timeline> timeline);
