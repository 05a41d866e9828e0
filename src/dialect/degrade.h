#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "grapnel/decision.h"

#include "dialect/dialect.h"

/// What an agent can be told at one of its events, and what becomes of the rest.
///
/// A wish that an agent has no words for becomes the nearest it has: the stricter thing where somebody would be harmed
/// by silence (an Ask, a changed input, a stop), another place where one reads as well (a reason as context), or
/// nothing. The row of the event says which; nothing is lost without being told.
///
///   deny     a field or a word | exit code 2 | context, where the event cannot be blocked | impossible
///   ask      a word | a person is asked anyway | `lost.ask`
///   allow    a word | pass: the agent decides as ever
///   input    a field | `lost.input`, as well where it takes from the input and the agent only adds
///   prompt   a field | `lost.prompt`
///   stop     a field | deny | impossible
///   message  a field | standard error
///   others   a field | impossible
namespace grapnel {

/// What hooks may want of an agent.
enum class Wish : uint8_t {
  Deny,
  Ask,
  Allow,
  Input,
  Output,
  Prompt,
  Context,
  Stop,
  Env,
  Message,
  Notification,
  ModelRequest,
  ModelResponse,
  ToolChoice,
  TailCall,
  ClearContext,
};
inline constexpr size_t kWishCount = 16;
std::string_view to_string(Wish wish);

/// How far an agent can be told a wish.
struct Fit {
  enum class How : uint8_t { Works, Degrades, Impossible };
  How how = How::Works;
  std::string_view to = {};  ///< what it degrades to: `deny`, `pass`, `context`, `stderr`
  std::string_view why = {};
};

/// What hooks can want at such an event at all.
std::span<const Wish> wishes_at(EventKind kind);

/// What becomes of the wish at an event of an agent.
Fit fit(const EventRow& row, Wish wish);

/// Effects as far as an event of an agent can express them, and what they lost.
struct Degraded {
  Effects effects;
  std::vector<Degradation> losses;
};
Degraded degrade(Effects effects, const EventRow& row, const Json& input);

/// What the event's own agent cannot be told of these; nothing for one in canonical words.
std::vector<Degradation> losses_of(const Effects& effects, const Event& event);

/// The place an effect is written to, or null.
const OutputRow* written_at(const EventRow& row, Effect effect);
/// The word that is written for a verdict, or "".
std::string_view word_for(const EventRow& row, Verdict verdict);
/// Whether a Deny has a place in the answer.
bool can_say_deny(const EventRow& row);

}  // namespace grapnel
