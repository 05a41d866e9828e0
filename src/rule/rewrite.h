#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "rule/answer.h"

/// Changes that rules make. What a rewrite would have to guess is an error.
namespace grapnel::rule {

/// The value of a placeholder; nothing when it is not known. `Quoted` is for shell text.
enum class Quoting : uint8_t { Plain, Shell };
std::optional<std::string> placeholder(std::string_view name, call::ToolCall& subject, const Match& match,
                                       Quoting quoting);

/// The text with every `{name}` that has a value replaced by it; the rest stays as it is.
std::string fill(std::string_view text, const std::function<std::optional<std::string>(std::string_view name)>& value);

/// The input's members that change, with their new values. Fails: BadInput.
Result<Json> rewrite_input(const HookSpec& hook, const RuleRewrite& rewrite, call::ToolCall& subject,
                           const Match& match);

/// The text with the leading words of each matching command replaced; everything else stays as it is, byte by byte.
/// Fails: BadInput when what is to be replaced does not stand in the text as it is run.
Result<std::string> rewrite_command(std::string_view text, const shell::ParsedCommand& parsed,
                                    const CommandQuestion& question, const std::vector<std::string>& words);

/// The output with lines left out, cut and masked. Fails: LimitExceeded when a mask is too hard to match.
Result<Json> rewrite_output(const RuleRewrite& rewrite, const Json& output);

}  // namespace grapnel::rule
