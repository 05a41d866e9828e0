#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "grapnel/decision.h"
#include "grapnel/event.h"
#include "grapnel/json.h"

/// What the members and words of a hook's answer mean in any dialect at all.
///
/// A hook is read by the rules of its own dialect first. But hooks are copied from one agent to another, and written
/// from memory: `permission: "deny"` in Gemini's settings is a deny all the same. The meanings come from the tables of
/// all dialects; a few spellings that no agent documents but everybody understands are added in `spoken.cc`. Case,
/// underscores and other marks are ignored: `Permission_Decision` is `permissionDecision`.
///
/// All pure; Thread: any.
namespace grapnel {

/// What a member is for.
enum class Spoken : uint8_t {
  Unknown,        ///< In no dialect.
  Neutral,        ///< It says nothing, for example the name of the event.
  Known,          ///< It does something, but decides nothing.
  Data,           ///< Its value is somebody's data, for example a tool input, and may contain any word.
  Container,      ///< Other members are inside it.
  Reason,         ///< A text that explains a verdict.
  Verdict,        ///< A verdict word.
  DeniesIfTrue,   ///< A flag, such as `block`…
  DeniesIfFalse,  ///< …or `allow`.
  AsksIfTrue,
  StopsIfTrue,
  StopsIfFalse,    ///< Such as `continue`. It is about the whole turn: that it may go on is no verdict about a call.
  Objection,       ///< A text that blocks because it is there.
  DoubtIfFalse,    ///< A report, such as `passed`. That it is false may be meant as a refusal.
  DoubtIfNotZero,  ///< An exit status that should have been one: `{"exitCode": 2}`.
};

/// The meaning of a member at an event; at other events if this one has no such member.
Spoken spoken_member(EventKind kind, std::string_view key);

/// The verdict that a word stands for; `Allow` for every word that lets an event pass, although only the hook's own
/// dialect can say whether it grants anything.
std::optional<Verdict> spoken_word(std::string_view word);

/// Whether two names have the same letters and digits, in whatever case and with whatever marks between them.
bool spelled_alike(std::string_view a, std::string_view b);

/// A name that is compared with all names of a table. Most of them begin with another letter, so that is looked at
/// first. Keeps a view of the name.
class Spelling {
 public:
  explicit Spelling(std::string_view name);

  bool is(std::string_view other) const {
    const char c = other.empty() ? '\0' : other.front();
    const bool is_upper = c >= 'A' && c <= 'Z';
    const bool is_lower = c >= 'a' && c <= 'z';
    if ((is_upper || is_lower) && (is_upper ? c - 'A' + 'a' : c) != first_) return false;
    return spelled_alike(name_, other);
  }

  template <typename Names>
  bool is_one_of(const Names& names) const {
    for (const std::string_view name : names) {
      if (is(name)) return true;
    }
    return false;
  }

 private:
  std::string_view name_;
  char first_;  ///< its first letter or digit
};

/// A flag that may be spelled as a text or a number. Empty lists, objects and texts are false; nothing if the value is
/// no flag.
std::optional<bool> spoken_flag(const Json& value);

}  // namespace grapnel
