#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "rule/answer.h"

/// Changes that rules make: to the input of a tool before it runs, and to its output. Nothing is guessed: if a value is
/// not known for certain, the rewrite is an error, because a wrong guess would change what runs.
namespace grapnel::rule {

/// How a value is written: as it is, or as one word of shell text.
enum class Quoting : uint8_t { Plain, Shell };
/// The value of a placeholder; nothing if it is not known. `{1}`… are always shell text.
std::optional<std::string> placeholder(std::string_view name, call::ToolCall& subject, const Match& match,
                                       Quoting quoting);

/// The text with every `{name}` that has a value replaced by it. All other braces stay as they are.
std::string fill(std::string_view text, const std::function<std::optional<std::string>(std::string_view name)>& value);

/// The members of the input that change, with their new values. Fails: BadInput.
Result<Json> rewrite_input(const HookSpec& hook, const RuleRewrite& rewrite, call::ToolCall& subject,
                           const Match& match);

/// The text with the leading words of each matching command replaced. Everything else stays as it is, byte by byte.
/// Fails: BadInput if a word to replace is not in the text in the form in which it runs.
Result<std::string> rewrite_command(std::string_view text, const shell::ParsedCommand& parsed,
                                    const CommandQuestion& question, const std::vector<std::string>& words);

/// The output with lines dropped, cut and masked. Fails: LimitExceeded if a mask exceeds the limits of the regex.
Result<Json> rewrite_output(const RuleRewrite& rewrite, const Json& output);

}  // namespace grapnel::rule
