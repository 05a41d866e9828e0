#pragma once

#include <array>
#include <initializer_list>

#include "base/joined.h"
#include "dialect/dialect.h"

/// What the agents' tables of output rows are built with. Several agents took over the same members of an answer; these
/// functions put such members into a table, or change a table that another agent has, while the program is compiled.
namespace grapnel {

/// The members that hooks of several agents may use at any event.
inline constexpr auto kUniversalOut = std::to_array<OutputRow>({
    {"/continue", Effect::StopIfFalse},
    {"/stopReason", Effect::StopReason},
    {"/suppressOutput", Effect::SuppressOutput},
    {"/systemMessage", Effect::Message},
});

/// An event's own rows, followed by the universal ones.
template <size_t N>
consteval auto with_universal(const std::array<OutputRow, N>& own) {
  return joined(own, kUniversalOut);
}

/// Whether a member with this effect is a place for a verdict.
consteval bool holds_verdict(Effect effect) {
  return effect == Effect::Verdict || effect == Effect::DenyIfTrue || effect == Effect::DenyIfFalse;
}

/// An event's own rows, the universal ones, and `decision` and `reason` at the top of the answer. If the event has a
/// member of its own for the verdict, that one is written, and the general one is only understood.
template <size_t N>
consteval auto with_decision(const std::array<OutputRow, N>& own) {
  bool has_verdict = false;
  for (const OutputRow& row : own) has_verdict |= holds_verdict(row.effect);
  return joined(with_universal(own), std::to_array<OutputRow>({
                                         {"/decision", Effect::Verdict, "", has_verdict},
                                         {"/reason", Effect::Reason, "", has_verdict},
                                         {"/decision/behavior", Effect::Verdict, "", true},
                                     }));
}

/// The same rows for an agent that ignores some of the effects: Grapnel still understands them in a hook's answer, but
/// never writes them to the agent.
template <size_t N>
consteval std::array<OutputRow, N> without_writing(std::array<OutputRow, N> rows,
                                                   std::initializer_list<Effect> effects) {
  for (OutputRow& row : rows) {
    for (const Effect effect : effects) row.only_read |= row.effect == effect;
  }
  return rows;
}

}  // namespace grapnel
