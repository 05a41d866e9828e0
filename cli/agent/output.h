#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cli/agent/event_json.h"
#include "cli/console.h"
#include "grapnel_agent/agent.h"

/// The output of a single prompt, without a conversation.
///
///   text          the answer and the messages of stop hooks on standard output; everything else on standard error
///   json          one object at the end
///   stream-json   one line per event as it happens, the last one of type `result`
namespace grapnel::cli {

enum class OutputFormat : uint8_t { Text, Json, StreamJson };
OutputFormat output_format_from(std::string_view name);

class Output : public agent::AgentUi {
 public:
  /// Call this once, at the end.
  virtual void finish(const RunEnd& end) = 0;
};

/// Borrows the console.
std::shared_ptr<Output> make_output(OutputFormat format, Console& console);

/// `shell {"command":"ls"}`, as one line that is not too long.
std::string call_text(const std::string& tool, const Json& input);

/// `denied: a rule says so`, as one line.
std::string failure_text(const agent::ToolResult& result);

/// A notice as people see it: `hook 'x': text`.
std::string notice_text(const Notice& notice);

}  // namespace grapnel::cli
