#pragma once

#include "grapnel/decision.h"

#include "rule/answer.h"

/// What a rule answers when its condition holds: a verdict with its reason, a rewrite, context, a word to people.
///
/// Texts may hold `{path}`, `{command}`, `{tool}`, `{1}`… (what the stars of the matching command pattern took) and
/// `{name}` for a field of the input. In a reason, what is not known stays as it is written; in a rewrite it makes the
/// hook fail, since a guess would change what runs.
namespace grapnel::rule {

struct RespondOptions {
  bool injects = true;  ///< the context was not given before
  size_t max_context = size_t{64} << 10;
};

/// The effects, in the words of the hook's dialect. Fails: BadInput when a rewrite cannot be made, and as reading a
/// file does; a rule that denies or asks does so all the same.
Result<Effects> respond(const HookSpec& hook, call::ToolCall& subject, const Match& match,
                        const RespondOptions& options = {});

/// A text with its placeholders filled in for people.
std::string fill_reason(std::string_view text, call::ToolCall& subject, const Match& match);

}  // namespace grapnel::rule
