#pragma once

#include <string>
#include <string_view>

#include "dialect/dialect.h"

/// Tool and argument names across dialects: both ways through the tool's kind; names nobody knows stay as they are.
namespace grapnel {

/// The name under which `to` knows the tool that `from` calls `name`.
std::string_view translate_tool_name(const Dialect& from, std::string_view name, const Dialect& to);

/// The tool's input with its arguments renamed. `tool` is the name in `from`.
Json translate_tool_input(const Dialect& from, std::string_view tool, const Json& input, const Dialect& to);

/// The file a tool call is about and the command it would run, by the dialect's keys; missing when there is none.
Json tool_path(const Dialect& dialect, const Json& input);
Json tool_command(const Dialect& dialect, std::string_view tool, const Json& input);

}  // namespace grapnel
