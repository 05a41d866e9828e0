#include "cli/hooktest/expectation.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "match/regex.h"

namespace grapnel::cli {

namespace {

/// The expectation about a hook named `guard` has the name `hooks.guard`.
constexpr std::string_view kFatePrefix = "hooks.";

/// How the values of an expectation are compared. Names that start with `hooks.` are not in the table.
Comparison comparison_of(std::string_view name) {
  if (name.starts_with(kFatePrefix)) return Comparison::Fates;
  const auto rows = expectation_rows();
  const auto row = std::ranges::find(rows, name, &ExpectationRow::name);
  return row == rows.end() ? Comparison::Value : row->comparison;
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json::null() : Json::string(text);
}

/// Whether an expected text is a regular expression: `/…/`.
bool is_regex(std::string_view text) {
  return text.size() >= 2 && text.starts_with('/') && text.ends_with('/');
}

/// Why an expected text cannot be used, or "".
std::string unusable_text(std::string_view text) {
  if (!is_regex(text)) return "";
  const auto regex = match::Regex::compile(text.substr(1, text.size() - 2), match::Regex::Anchor::Search);
  return regex ? "" : "this is not a regular expression: " + regex.error().message;
}

/// Whether a text is as expected: it contains the wanted text, or the regular expression finds something in it.
bool text_holds(std::string_view want, std::string_view got) {
  if (!is_regex(want)) return got.find(want) != std::string_view::npos;
  const auto regex = match::Regex::compile(want.substr(1, want.size() - 2), match::Regex::Anchor::Search);
  return regex && regex->match(got) == MatchOutcome::Yes;
}

/// An expectation that matches exactly this text. A text that looks like `/…/` is written as a regular expression with
/// every special character escaped.
std::string literal(const std::string& text) {
  if (!is_regex(text)) return text;
  std::string pattern = "/^";
  for (const char c : text) {
    if (std::string_view(R"(\^$.|?*+()[]{}/)").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern + "$/";
}

/// A fate like `skipped(no match: …)`, taken apart into its kind and the detail in brackets.
struct Fate {
  std::string_view kind;
  std::string_view detail;
  bool has_detail = false;
};
Fate split_fate(std::string_view text) {
  const size_t open = text.find('(');
  if (open == std::string_view::npos || !text.ends_with(')')) return {text, "", false};
  return {text.substr(0, open), text.substr(open + 1, text.size() - open - 2), true};
}

std::string fate_text(std::string_view kind, const std::string& detail) {
  return std::string(kind) + (detail.empty() ? "" : "(" + detail + ")");
}

/// The fate of a hook that was not planned, with the reason. The detail is left out if it only repeats the reason.
std::string skip_text(const HookExplanation& share) {
  return fate_text(to_string(HookFate::Kind::Skipped),
                   share.reason + (share.detail.empty() || share.detail == share.reason ? "" : ": " + share.detail));
}

/// The fate of the first hook whose name `is_meant` accepts. Several hooks may match; one that was planned is
/// preferred, because its fate says more.
template <typename IsMeant>
std::optional<std::string> find_fate(const Outcome& outcome, IsMeant is_meant) {
  for (const HookFate& fate : outcome.decision.hooks) {
    if (is_meant(fate.name)) return fate_text(to_string(fate.kind), fate.detail);
  }
  for (const HookExplanation& share : outcome.shares) {
    if (is_meant(share.hook.name)) return skip_text(share);
  }
  return std::nullopt;
}

/// The fate of a hook; null when there is none of that name. In many agents a hook is named after its whole command, so
/// a part of the name is enough if no name is exactly the same.
Json fate_of(std::string_view hook, const Outcome& outcome) {
  auto fate = find_fate(outcome, [&](const std::string& name) { return name == hook; });
  if (!fate) fate = find_fate(outcome, [&](const std::string& name) { return name.find(hook) != std::string::npos; });
  return fate ? Json::string(*fate) : Json::null();
}

/// Whether a fate is as expected. Without brackets, `skipped` accepts any reason.
bool fate_holds(const std::string& want, const std::string& got) {
  const Fate wanted = split_fate(want);
  const Fate is = split_fate(got);
  return wanted.kind == is.kind && (!wanted.has_detail || text_holds(wanted.detail, is.detail));
}

std::string messages_of(const Effects& effects) {
  std::vector<std::string> out;
  for (const Attributed& message : effects.messages) out.push_back(message.text);
  return text::join(out, "\n");
}

Json env_of(const Effects& effects) {
  std::vector<std::pair<std::string, Json>> out;
  for (const auto& [name, value] : effects.env) out.emplace_back(name, Json::string(value));
  return out.empty() ? Json::null() : Json::object(out);
}

/// A row gives the actual value for a name. Each name of `expectation_rows` needs one, except `hooks`.
struct Getter {
  std::string_view name;
  Json (*get)(const Outcome& outcome);
};
constexpr auto kGetters = std::to_array<Getter>({
    {"verdict", [](const Outcome& o) { return Json::string(to_string(o.decision.verdict())); }},
    {"reason", [](const Outcome& o) { return text_or_null(o.decision.reason()); }},
    {"context", [](const Outcome& o) { return text_or_null(o.decision.context()); }},
    {"message", [](const Outcome& o) { return text_or_null(messages_of(o.decision.effects)); }},
    {"rewrite",
     [](const Outcome& o) {
       return o.decision.effects.input ? o.decision.effects.input->apply(o.tool_input) : Json::null();
     }},
    {"prompt", [](const Outcome& o) { return text_or_null(o.decision.effects.prompt.value_or("")); }},
    {"output", [](const Outcome& o) { return o.decision.effects.output.value_or(Json::null()); }},
    {"env", [](const Outcome& o) { return env_of(o.decision.effects); }},
    {"stop", [](const Outcome& o) { return Json::boolean(o.decision.effects.stop); }},
    {"stop_reason", [](const Outcome& o) { return text_or_null(o.decision.stop_reason()); }},
    {"would",
     [](const Outcome& o) {
       return o.decision.would ? Json::string(to_string(o.decision.would->verdict)) : Json::null();
     }},
    {"decided_by", [](const Outcome& o) { return text_or_null(o.decision.decided_by); }},
    {"origin", [](const Outcome& o) { return Json::string(to_string(o.decision.origin)); }},
});

constexpr auto kVerdicts = std::to_array({Verdict::Pass, Verdict::Allow, Verdict::Ask, Verdict::Deny});
constexpr auto kFates =
    std::to_array({HookFate::Kind::Ran, HookFate::Kind::Failed, HookFate::Kind::Skipped, HookFate::Kind::Detached});

/// Why a fate cannot be expected, or "". Null is allowed: it means that there is no such hook.
std::string unusable_fate(const Json& want) {
  if (want.is_null()) return "";
  const std::string text = want.as_string().value_or("");
  const Fate fate = split_fate(text);
  const bool is_known = std::ranges::any_of(kFates, [&](auto kind) { return to_string(kind) == fate.kind; });
  return is_known ? unusable_text(fate.detail) : "write ran, failed, skipped or detached for a hook";
}

/// The same for a text, a list of texts, or null.
std::string unusable_texts(const Json& want) {
  if (want.is_null()) return "";
  if (const auto text = want.as_string()) return unusable_text(*text);
  if (!want.is_array()) return "this must be a text, a list of texts, or null";
  for (const Json& element : want.elements()) {
    if (!element.is_string()) return "this must be a list of texts";
    if (std::string why = unusable_text(*element.as_string()); !why.empty()) return why;
  }
  return "";
}

}  // namespace

std::string note_about(std::string_view name, const Outcome& outcome) {
  const auto& would = outcome.decision.would;
  if (name != "verdict" || !would || would->verdict == Verdict::Pass) return "";
  const std::string word(to_string(would->verdict));
  return "'" + would->decided_by + "' only observes (mode: observe) and would " + word +
         "; expect it with would: " + word;
}

std::string fate_expectation(std::string_view hook) {
  return std::string(kFatePrefix) + std::string(hook);
}

std::string unusable_expectation(std::string_view name, const Json& want) {
  switch (comparison_of(name)) {
    case Comparison::Fates:
      return unusable_fate(want);
    case Comparison::Text:
      return unusable_texts(want);
    case Comparison::Flag:
      return want.as_bool() ? "" : "this must be true or false";
    case Comparison::Value:
      return "";
    case Comparison::Word:
      break;
  }
  if (name != "verdict") return want.is_string() || want.is_null() ? "" : "this must be a text";
  const bool is_known = std::ranges::any_of(kVerdicts, [&](Verdict v) { return want.equals_string(to_string(v)); });
  return is_known ? "" : "a verdict is pass, allow, ask or deny";
}

Json actual_value(std::string_view name, const Outcome& outcome) {
  if (name.starts_with(kFatePrefix)) return fate_of(name.substr(kFatePrefix.size()), outcome);
  const auto* const getter = std::ranges::find(kGetters, name, &Getter::name);
  return getter == kGetters.end() ? Json::null() : getter->get(outcome);
}

bool holds(std::string_view name, const Json& want, const Json& got) {
  // Null means "nothing happened", so it only matches null, however the values are compared.
  if (want.is_null() || got.is_null()) return want.is_null() && got.is_null();
  const Comparison comparison = comparison_of(name);
  if (comparison == Comparison::Fates) return fate_holds(*want.as_string(), *got.as_string());
  if (comparison != Comparison::Text) return want == got;
  const std::string text = got.as_string().value_or("");
  if (!want.is_array()) return text_holds(want.as_string().value_or(""), text);
  for (const Json& part : want.elements()) {
    if (!text_holds(part.as_string().value_or(""), text)) return false;
  }
  return true;
}

Json expectation_for(std::string_view name, const Json& old, const Json& got) {
  if (got.is_null()) return got;
  const Comparison comparison = comparison_of(name);
  if (comparison == Comparison::Text) return Json::string(literal(got.as_string().value_or("")));
  if (comparison != Comparison::Fates) return got;
  const std::string fate = got.as_string().value_or("");
  // An update must not make a test stricter: a person who wrote `skipped` did not care about the reason.
  const bool keeps_detail = old.is_string() && split_fate(*old.as_string()).has_detail;
  if (keeps_detail) return got;
  return Json::string(split_fate(fate).kind);
}

// Values that are usually the same (nothing, false) are left out, so that a new test shows what is special.
std::vector<std::pair<std::string, Json>> worth_expecting(const Outcome& outcome) {
  std::vector<std::pair<std::string, Json>> out;
  for (const std::string_view name : {"verdict", "reason", "context", "rewrite", "prompt", "output", "stop", "would"}) {
    const Json got = actual_value(name, outcome);
    if (got.is_null() || got == Json::boolean(false)) continue;
    out.emplace_back(name, expectation_for(name, {}, got));
  }
  std::vector<std::pair<std::string, Json>> fates;
  for (const HookFate& fate : outcome.decision.hooks) {
    const auto is_same = [&](const auto& known) { return known.first == fate.name; };
    if (std::ranges::any_of(fates, is_same)) continue;
    fates.emplace_back(fate.name, Json::string(to_string(fate.kind)));
  }
  if (!fates.empty()) out.emplace_back("hooks", Json::object(fates));
  return out;
}

}  // namespace grapnel::cli
