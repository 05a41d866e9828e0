#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "grapnel/decision.h"

#include "dialect/dialect.h"

/// What an agent can be told at one of its events, and what happens to the rest.
///
/// If an agent has no words for a wish of the hooks, the wish becomes the nearest thing that the agent understands:
/// something stricter if silence could do harm (an Ask, a changed input, a stop), another place that is read as well (a
/// reason as context), or nothing. The row of the event decides, and every loss is reported.
///
///   deny     a field or a word | exit code 2 | context, if the event cannot be blocked | impossible
///   ask      a word | nothing, if a person is asked anyway | `lost.ask`
///   allow    a word | pass: the agent decides by its own rules
///   input    a field | `lost.input`, also if arguments are removed and the agent can only add some
///   prompt   a field | `lost.prompt`
///   stop     a field | deny | impossible
///   message  a field | standard error
///   others   a field | impossible
namespace grapnel {

/// What hooks may want from an agent.
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

/// How well a wish can be told to an agent.
struct Fit {
  enum class How : uint8_t { Works, Degrades, Impossible };
  How how = How::Works;
  std::string_view to = {};  ///< what the wish becomes: `deny`, `pass`, `context`, `stderr`
  std::string_view why = {};
};

/// The wishes that make sense at this kind of event.
std::span<const Wish> wishes_at(EventKind kind);

/// What happens to the wish at this event of an agent.
Fit fit(const EventRow& row, Wish wish);

/// Effects that an event of an agent can express, and a list of what was lost.
struct Degraded {
  Effects effects;
  std::vector<Degradation> losses;
};
Degraded degrade(Effects effects, const EventRow& row, const Json& input);

/// The losses if these effects are told to the agent that sent the event. Canonical events have none.
std::vector<Degradation> losses_of(const Effects& effects, const Event& event);

/// The place where an effect is written, or null.
const OutputRow* written_at(const EventRow& row, Effect effect);
/// The word that is written for a verdict, or "" if the event has none.
std::string_view word_for(const EventRow& row, Verdict verdict);
/// Whether the answer has a place for a Deny.
bool can_say_deny(const EventRow& row);
/// Whether the answer has a place for a text that the person in front of the agent then sees.
bool reaches_people(const EventRow& row);
/// The same for an answer with this verdict: a Deny that only an exit code can express has no place for texts.
bool reaches_people(const EventRow& row, Verdict verdict);
/// Whether an agent has such a place at any of its events.
bool reaches_people(const Dialect& agent);

}  // namespace grapnel
