#pragma once

#include <string>

#include "grapnel/error.h"

#include "approve/waiting_asks.h"
#include "base/environment.h"
#include "cli/verbs/new_rule.h"

/// A rule made from a question that waits, so that the same is not asked again.
namespace grapnel::cli {

/// The rule: it allows or denies calls like this one. `pattern` is the beginning of the commands (`npm publish *`), or
/// "" for the words of this command. An allow names the hook whose question it answers. Fails: BadInput for a call that
/// no rule can describe.
Result<NewRule> rule_of_ask(const WaitingAsk& ask, bool allows, const std::string& pattern, const std::string& reason);

/// Keeps a record that a new rule in this file allows something, and leaves a notice for the next session: whoever made
/// it, people hear of it. `by`: "page" or "terminal". Fails: System, Refused.
Result<void> note_allowing_rule(const Environment& env, const std::string& rule, const std::string& file,
                                const std::string& by);

/// Writes it into the user's rule file, under a name that is free, and returns the file. An allow leaves a notice.
/// Fails: as `rule_of_ask`; BadConfig, System.
Result<std::string> write_rule_of_ask(const Environment& env, const WaitingAsk& ask, const GivenAnswer& answer);

/// Answers a question, and writes the rule first if the answer is one: an allow, or a deny if `denies_for_good`. Fails:
/// as `write_rule_of_ask` and `answer_ask` do.
Result<void> give_answer(const Environment& env, const WaitingAsk& ask, GivenAnswer answer,
                         bool denies_for_good = false);

}  // namespace grapnel::cli
