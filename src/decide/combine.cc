#include "decide/combine.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include "base/text.h"
#include "decide/capability.h"

namespace grapnel {

namespace {

/// The helpers below come in pairs for `fold`: one copies from a const source, the other may take its values.
template <typename T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

template <typename T>
void append(std::vector<T>& to, std::vector<T>& from) {
  if (to.empty()) return to.swap(from);
  std::ranges::move(from, std::back_inserter(to));
}

template <typename T>
void take_later(std::optional<T>& earlier, const std::optional<T>& later) {
  if (later) earlier = later;
}

template <typename T>
void take_later(std::optional<T>& earlier, std::optional<T>& later) {
  if (later) earlier = std::move(later);
}

/// Later values replace earlier ones of the same name. The map also sorts by name, which `Effects::env` requires.
void merge_env(std::vector<std::pair<std::string, std::string>>& earlier,
               const std::vector<std::pair<std::string, std::string>>& later) {
  if (later.empty()) return;
  std::map<std::string, std::string> all(earlier.begin(), earlier.end());
  for (const auto& [name, value] : later) all[name] = value;
  earlier.assign(all.begin(), all.end());
}

/// Cuts the texts so that all of them together have at most `limit` bytes. Earlier texts take precedence.
void cap_context(std::vector<Attributed>& context, size_t limit) {
  size_t left = limit;
  for (Attributed& item : context) {
    item.text = text::cap(item.text, left);
    left -= std::min(left, item.text.size());
  }
}

/// An action that was denied does not happen, so changes to it are pointless. A changed output is kept: the tool has
/// already run, and text that a hook removed from its output must stay hidden.
void drop_rewrites(Effects& effects) {
  effects.input.reset();
  effects.prompt.reset();
  effects.notification.reset();
  effects.model_request.reset();
}

/// Turns a verdict that the event cannot have into a message: people see the reason, but nothing is decided.
void reject_verdict(Effects& effects) {
  append(effects.messages, effects.reasons);
  effects.reasons.clear();
  effects.verdict = Verdict::Pass;
}

/// Whether the event can have this verdict. The array is in the order of `Verdict`.
bool verdict_fits(Verdict verdict, const Capability& can) {
  const std::array<bool, 4> fits = {true, can.can_allow, can.can_ask, can.can_deny};
  return fits[static_cast<size_t>(verdict)];
}

/// Adds `later` to `earlier`. `From` is either `const Effects` or `Effects`; values are moved out of the latter.
template <typename From>
void fold(Effects& earlier, From& later) {
  // Only the reasons of the winning verdict are kept: an "allowed because" must not appear below a denial.
  if (later.verdict > earlier.verdict) earlier.reasons.clear();
  if (later.verdict >= earlier.verdict) append(earlier.reasons, later.reasons);
  earlier.verdict = std::max(earlier.verdict, later.verdict);
  append(earlier.context, later.context);
  if (later.input) earlier.input = earlier.input ? earlier.input->then(*later.input) : *later.input;
  take_later(earlier.output, later.output);
  take_later(earlier.prompt, later.prompt);
  take_later(earlier.notification, later.notification);
  if (later.model_request) {
    earlier.model_request =
        earlier.model_request ? earlier.model_request->merged(*later.model_request) : *later.model_request;
  }
  take_later(earlier.model_response, later.model_response);
  if (later.tool_choice) {
    earlier.tool_choice = earlier.tool_choice ? earlier.tool_choice->combined(*later.tool_choice) : *later.tool_choice;
  }
  take_later(earlier.tail_call, later.tail_call);
  // Whoever declines an answer cannot be overruled.
  const bool is_declined = earlier.elicitation && (*earlier.elicitation)["action"].equals_string("decline");
  if (!is_declined) take_later(earlier.elicitation, later.elicitation);
  earlier.clear_context |= later.clear_context;
  earlier.stop |= later.stop;
  append(earlier.stop_reasons, later.stop_reasons);
  merge_env(earlier.env, later.env);
  append(earlier.messages, later.messages);
  append(earlier.logs, later.logs);
  earlier.suppress_output |= later.suppress_output;
  append(earlier.data, later.data);
}

}  // namespace

Effects combine(Effects earlier, const Effects& later) {
  fold(earlier, later);
  return earlier;
}

void combine_into(Effects& earlier, Effects&& later) {
  fold(earlier, later);
}

Decision finalize(Effects&& given, EventKind kind, const FinalizeOptions& options) {
  const Capability& can = capability(kind);
  Decision decision{.effects = std::move(given)};
  Effects& effects = decision.effects;
  // The order matters: a rejected verdict must not drop rewrites, and the loop cap only opens a gate that would really
  // close. Context is cut last, when no more is added.
  if (!verdict_fits(effects.verdict, can)) reject_verdict(effects);
  if (!can.can_rewrite_input) effects.input.reset();
  if (effects.verdict == Verdict::Deny) drop_rewrites(effects);
  if (options.loop_cap_reached && can.is_gate && effects.verdict == Verdict::Deny) {
    effects.messages.push_back({"", "this gate has been closed too often in one turn and now opens"});
    reject_verdict(effects);
    decision.origin = Origin::LoopCap;
  }
  cap_context(effects.context, options.max_context);
  return decision;
}

}  // namespace grapnel
