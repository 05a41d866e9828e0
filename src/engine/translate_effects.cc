#include "engine/translate_effects.h"

#include <algorithm>

#include "dialect/payload.h"
#include "dialect/tools.h"

namespace grapnel {

namespace {

/// Translates a tail call, `{name, args}`.
Json translate_call(const Json& call, const Dialect& from, const Dialect& to) {
  const auto name = call["name"].as_string();
  if (!name) return call;
  return call.with("name", Json::string(translate_tool_name(from, *name, to)))
      .with("args", translate_tool_input(from, *name, call["args"], to));
}

}  // namespace

void translate_effects(Effects& effects, const Dialect& from, const Event& event) {
  const Dialect& to = event.dialect();
  if (&from == &to) return;
  if (effects.input) {
    // The tool's name in the hook's dialect tells which names its arguments have there.
    const std::string tool = field_as(event, from, Field::ToolName).as_string().value_or("");
    effects.input->value = translate_tool_input(from, tool, effects.input->value, to);
  }
  if (effects.tail_call) effects.tail_call = translate_call(*effects.tail_call, from, to);
  if (effects.tool_choice) {
    for (std::string& name : effects.tool_choice->names) name = translate_tool_name(from, name, to);
    // Choices are combined with set_union, which needs sorted lists.
    std::ranges::sort(effects.tool_choice->names);
  }
}

}  // namespace grapnel
