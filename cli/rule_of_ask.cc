#include "cli/rule_of_ask.h"

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "base/text.h"
#include "call/commands.h"
#include "cli/console.h"
#include "cli/hook_source.h"
#include "cli/weakened_note.h"
#include "discover/formats/hook_name.h"
#include "protect/call_review.h"

namespace grapnel::cli {

namespace {

/// Words that a rule file can hold as they are: nothing in them is a pattern or a quote.
bool is_literal(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view(" -_./:=@+,%").contains(static_cast<char>(c));
  });
}

/// The words of a command that is one simple command and nothing else; "" for all others.
std::string words_of(const std::string& command) {
  const call::ParsedCommand parsed = call::commands_of(command);
  if (parsed.commands.size() != 1 || parsed.is_unclear || parsed.has_blocks) return "";
  const call::SimpleCommand& only = parsed.commands.front();
  if (!only.assignments.empty() || !only.redirections.empty() || only.is_open) return "";
  std::vector<std::string> words;
  for (const call::Word& word : only.words) {
    if (word.is_dynamic() || !is_literal(word.text) || word.text.contains(' ')) return "";
    words.push_back(word.text);
  }
  return text::join(words, " ");
}

/// `npm publish *` as rule files say it: their commands may always go on.
std::string without_end(std::string pattern) {
  for (const std::string_view end : {" *", ":*"}) {
    if (pattern.ends_with(end)) pattern.resize(pattern.size() - end.size());
  }
  return pattern;
}

/// What the rule compares.
Result<std::vector<std::pair<std::string, std::string>>> condition_of(const WaitingAsk& ask,
                                                                      const std::string& pattern) {
  if (ask.is_command) {
    std::string words = pattern.empty() ? words_of(ask.subject) : without_end(pattern);
    if (words.empty()) {
      return fail(Errc::BadInput, "no rule can be made of this command; name the commands with --pattern 'npm run *'");
    }
    return std::vector<std::pair<std::string, std::string>>{{"tool", "shell"}, {"command", std::move(words)}};
  }
  if (!pattern.empty()) return fail(Errc::BadInput, "only commands have patterns");
  std::vector<std::pair<std::string, std::string>> when{{"tool", ask.tool}};
  const bool is_path = ask.subject.contains('/') && is_literal(ask.subject) && !ask.subject.contains("://");
  if (ask.tool.empty() || !is_path) return fail(Errc::BadInput, "no rule can be made of this call");
  when.emplace_back("path", ask.subject);
  return when;
}

}  // namespace

Result<NewRule> rule_of_ask(const WaitingAsk& ask, bool allows, const std::string& pattern, const std::string& reason) {
  const bool is_own = std::ranges::find(ask.hooks, protect::kName) != ask.hooks.end();
  if (allows && is_own) return fail(Errc::BadInput, "what protects Grapnel itself cannot be answered by a rule");
  const auto when = condition_of(ask, pattern);
  if (!when) return std::unexpected(when.error());
  const std::string verb = allows ? "allow" : "deny";
  const std::string why = !reason.empty() ? reason
                          : allows        ? "A person allowed this when " + ask.hook + " asked."
                                          : "A person denied this when " + ask.hook + " asked.";
  return NewRule{.name = usable_name(verb + "-" + when->back().second),
                 .description = "",
                 .events = {ask.event},
                 .when = *when,
                 .action = verb,
                 .value = why,
                 .answers = allows ? ask.hooks : std::vector<std::string>{}};
}

Result<void> note_allowing_rule(const Environment& env, const std::string& rule, const std::string& file,
                                const std::string& by) {
  const std::string what = "new rule " + printable(rule) + " in " + printable(file) + " allows calls";
  return note_weakening(env, what, "somebody made it in the " + by, Weakening::Done);
}

Result<std::string> write_rule_of_ask(const Environment& env, const WaitingAsk& ask, const GivenAnswer& answer) {
  constexpr int kMaxNames = 99;
  const bool allows = answer.answer != AskAnswer::Deny;
  auto rule = rule_of_ask(ask, allows, answer.pattern, answer.reason);
  if (!rule) return std::unexpected(rule.error());
  const std::string path = place_for("", env, Scope::User, PlaceFormat::Rules);
  if (path.empty()) return fail(Errc::BadConfig, std::string(kNoPlace));
  const std::string name = rule->name;
  for (int i = 2;; ++i) {
    const auto written = write_rule(*rule, path);
    if (written && allows) {
      if (auto noted = note_allowing_rule(env, rule->name, path, answer.by); !noted)
        return std::unexpected(noted.error());
    }
    if (written) return path;
    const bool is_taken = written.error().message.contains("already exists in");
    if (!is_taken || i > kMaxNames) return std::unexpected(written.error());
    rule->name = name + "-" + std::to_string(i);
  }
}

// The question is answered even if nobody waits for it any more: then the rule stays, and the error says so.
Result<void> give_answer(const Environment& env, const WaitingAsk& ask, GivenAnswer answer, bool denies_for_good) {
  const bool is_rule = answer.answer == AskAnswer::Rule || denies_for_good;
  if (is_rule) {
    const auto written = write_rule_of_ask(env, ask, answer);
    if (!written) return std::unexpected(written.error());
  }
  if (answer.digest.empty()) answer.digest = ask.digest;
  return answer_ask(env, ask.id, answer);
}

}  // namespace grapnel::cli
