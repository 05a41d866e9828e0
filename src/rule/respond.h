#pragma once

#include "grapnel/decision.h"

#include "rule/answer.h"

/// What a rule answers when its condition holds: a verdict with a reason, a rewrite, context for the model, a message
/// to people.
///
/// Texts may contain `{path}`, `{command}`, `{tool}`, `{1}`… (the words that the stars of the matching command pattern
/// stand for) and `{name}` for a field of the input. In a reason, a placeholder without a known value stays as it is
/// written. In a rewrite it makes the hook fail, since a guess would change what runs.
namespace grapnel::rule {

struct RespondOptions {
  bool injects = true;  ///< false: the model has got the context of this rule before
  size_t max_context = size_t{64} << 10;
  bool can_ask = true;  ///< false: nobody can be asked, so doubt is decided by `unsure_unattended`
};

/// The effects of the rule, in the words of the hook's dialect. Fails: BadInput if a rewrite cannot be made, and the
/// errors of reading a file. A rule that denies or asks does not fail: it still objects, and reports the error as a
/// message.
Result<Effects> respond(const HookSpec& hook, call::ToolCall& subject, const Match& match,
                        const RespondOptions& options = {});

/// A text with its placeholders filled in for people.
std::string fill_reason(std::string_view text, call::ToolCall& subject, const Match& match);

}  // namespace grapnel::rule
