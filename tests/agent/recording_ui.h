#pragma once

#include <functional>
#include <string>
#include <vector>

#include "grapnel_agent/agent.h"

namespace grapnel::agent::testing {

/// Remembers what it is shown, and answers as it is told.
class RecordingUi final : public AgentUi {
 public:
  void show(const AgentEvent& event) override {
    events.push_back(event);
    if (on_show) on_show(event);
  }
  Approval ask(const Question& question, std::stop_token) override {
    questions.push_back(question);
    return answer;
  }

  McpReply reply(const McpQuestion& question, std::stop_token) override {
    replies.push_back(question);
    return reply_with;
  }

  template <typename T>
  std::vector<T> all() const {
    std::vector<T> out;
    for (const AgentEvent& event : events) {
      if (const T* found = std::get_if<T>(&event)) out.push_back(*found);
    }
    return out;
  }
  std::string text() const {
    std::string out;
    for (const TextChunk& chunk : all<TextChunk>()) out += chunk.text;
    return out;
  }

  std::function<void(const AgentEvent&)> on_show;
  std::vector<AgentEvent> events;
  std::vector<Question> questions;
  std::vector<McpQuestion> replies;
  Approval answer = Approval::Nobody;
  McpReply reply_with;
};

}  // namespace grapnel::agent::testing
