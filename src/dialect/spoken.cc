#include "dialect/spoken.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string>

#include "dialect/dialect.h"

namespace grapnel {

namespace {

/// Words for a verdict that are in no agent's table.
struct OtherWord {
  std::string_view word;
  Verdict verdict;
};
constexpr auto kOtherWords = std::to_array<OtherWord>({
    {"denied", Verdict::Deny},
    {"denies", Verdict::Deny},
    {"blocked", Verdict::Deny},
    {"blocks", Verdict::Deny},
    {"reject", Verdict::Deny},
    {"rejected", Verdict::Deny},
    {"refuse", Verdict::Deny},
    {"refused", Verdict::Deny},
    {"forbid", Verdict::Deny},
    {"forbidden", Verdict::Deny},
    {"disallow", Verdict::Deny},
    {"disallowed", Verdict::Deny},
    {"notallowed", Verdict::Deny},
    {"prohibit", Verdict::Deny},
    {"prohibited", Verdict::Deny},
    {"decline", Verdict::Deny},
    {"declined", Verdict::Deny},
    {"veto", Verdict::Deny},
    {"vetoed", Verdict::Deny},
    {"confirm", Verdict::Ask},
    {"askuser", Verdict::Ask},
    {"needsapproval", Verdict::Ask},
    {"allowed", Verdict::Allow},
    {"approved", Verdict::Allow},
    {"accept", Verdict::Allow},
    {"accepted", Verdict::Allow},
    {"permit", Verdict::Allow},
    {"permitted", Verdict::Allow},
    // Words that only let the event go on. As the name of a member they are no flags.
    {"ok", Verdict::Pass},
    {"yes", Verdict::Pass},
    {"proceed", Verdict::Pass},
    {"continue", Verdict::Pass},
    {"passed", Verdict::Pass},
    {"none", Verdict::Pass},
    {"neutral", Verdict::Pass},
    {"noop", Verdict::Pass},
    {"skip", Verdict::Pass},
    {"undefined", Verdict::Pass},
    {"null", Verdict::Pass},
});

/// Names of flags that are in no agent's table and are no verdict words either.
struct OtherFlag {
  std::string_view name;
  Spoken meaning;
};
constexpr auto kOtherFlags = std::to_array<OtherFlag>({
    {"proceed", Spoken::DeniesIfFalse},     {"continue", Spoken::DeniesIfFalse},
    {"authorized", Spoken::DeniesIfFalse},  {"authorised", Spoken::DeniesIfFalse},
    {"cancel", Spoken::DeniesIfTrue},       {"cancelled", Spoken::DeniesIfTrue},
    {"canceled", Spoken::DeniesIfTrue},     {"abort", Spoken::DeniesIfTrue},
    {"aborted", Spoken::DeniesIfTrue},      {"exitcode", Spoken::DoubtIfNotZero},
    {"exitstatus", Spoken::DoubtIfNotZero}, {"exit", Spoken::DoubtIfNotZero},
    {"returncode", Spoken::DoubtIfNotZero}, {"rc", Spoken::DoubtIfNotZero},
    {"ok", Spoken::DoubtIfFalse},           {"pass", Spoken::DoubtIfFalse},
    {"passed", Spoken::DoubtIfFalse},       {"passes", Spoken::DoubtIfFalse},
    {"safe", Spoken::DoubtIfFalse},         {"valid", Spoken::DoubtIfFalse},
    {"success", Spoken::DoubtIfFalse},      {"clean", Spoken::DoubtIfFalse},
    {"compliant", Spoken::DoubtIfFalse},
});
/// What may stand in front of a flag: `isAllowed`, `should_block`.
constexpr auto kFlagPrefixes = std::to_array<std::string_view>({"is", "should", "can", "may", "must", "was", "tool"});

bool is_invisible(std::string_view character) {
  return character.starts_with("\xE2\x80") || character.starts_with("\xE2\x81") || character == "\xEF\xBB\xBF";
}

/// The next letter or digit from `at` on, in lower case, and 0 at the end. Bytes of other alphabets count as letters: a
/// word in which one letter only looks like a Latin one is another word. Invisible characters of U+2000 to U+206F and
/// the byte-order mark are skipped.
char next_letter(std::string_view text, size_t& at) {
  while (at < text.size()) {
    const char c = text[at];
    const bool may_be_invisible = c == '\xE2' || c == '\xEF';
    if (may_be_invisible && is_invisible(text.substr(at, 3))) {
      at += 3;
      continue;
    }
    ++at;
    if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80) return c;
  }
  return 0;
}

bool has_letter(std::string_view text) {
  size_t at = 0;
  return next_letter(text, at) != 0;
}

Spoken meaning_of(Effect effect) {
  switch (effect) {
    case Effect::Verdict:
    case Effect::LooseVerdict:
      return Spoken::Verdict;
    case Effect::DenyIfTrue:
      return Spoken::DeniesIfTrue;
    case Effect::DenyIfFalse:
      return Spoken::DeniesIfFalse;
    case Effect::StopIfTrue:
      return Spoken::StopsIfTrue;
    case Effect::StopIfFalse:
      return Spoken::StopsIfFalse;
    case Effect::Objection:
      return Spoken::Objection;
    case Effect::Reason:
    case Effect::StopReason:
      return Spoken::Reason;
    case Effect::Message:
    case Effect::Notification:
    case Effect::Log:
    case Effect::SuppressOutput:
    case Effect::ClearContext:
      return Spoken::Known;
    default:
      return Spoken::Data;
  }
}

/// The meanings that some dialects give to a member, as a set.
class Meanings {
 public:
  void add(Spoken meaning) { bits_ |= bit(meaning); }
  bool has(Spoken meaning) const { return (bits_ & bit(meaning)) != 0; }

  /// Adds what the rows of one event say about a key.
  void add_rows(const EventRow& row, std::string_view key) {
    for (const OutputRow& output : row.answer.outputs) {
      add_pointer(output.pointer, key, meaning_of(output.effect));
    }
    for (const ConstantRow& constant : row.answer.constants) add_pointer(constant.pointer, key, Spoken::Neutral);
  }

  /// The last name of a pointer has the meaning; the others are containers.
  void add_pointer(std::string_view pointer, std::string_view key, Spoken last) {
    while (!pointer.empty()) {
      const size_t end = std::min(pointer.find('/', 1), pointer.size());
      const std::string_view name = pointer.substr(1, end - 1);
      pointer.remove_prefix(end);
      if (spelled_alike(name, key)) add(pointer.empty() ? last : Spoken::Container);
    }
  }

  /// The one meaning that counts. Where agents contradict each other (`continue` at the end of a turn), the member is
  /// only known.
  Spoken strongest() const {
    const bool denies_if_true = has(Spoken::DeniesIfTrue) || has(Spoken::StopsIfTrue);
    const bool denies_if_false = has(Spoken::DeniesIfFalse) || has(Spoken::StopsIfFalse);
    if (denies_if_true && denies_if_false) return Spoken::Known;
    constexpr auto kByStrength = std::to_array<Spoken>({
        Spoken::Verdict,
        Spoken::DeniesIfTrue,
        Spoken::DeniesIfFalse,
        Spoken::StopsIfTrue,
        Spoken::StopsIfFalse,
        Spoken::Objection,
        Spoken::Reason,
        Spoken::Container,
        Spoken::Data,
        Spoken::Known,
        Spoken::Neutral,
    });
    const auto* const found = std::ranges::find_if(kByStrength, [&](Spoken meaning) { return has(meaning); });
    return found == kByStrength.end() ? Spoken::Unknown : *found;
  }

 private:
  static uint32_t bit(Spoken meaning) { return 1U << static_cast<unsigned>(meaning); }
  uint32_t bits_ = 0;
};

/// The letters and digits of a word, in lower case.
std::string letters_of(std::string_view word) {
  std::string out;
  size_t at = 0;
  while (const char letter = next_letter(word, at)) out += letter;
  return out;
}

using WordMap = std::map<std::string, Verdict, std::less<>>;

/// Before a tool all verdicts exist, so a word's meaning is clearest there: elsewhere "ask" may deny and "allow" may
/// grant nothing. A word that lets the event pass and is not merely tolerated is as good as an approval.
void add_word(const WordRow& row, WordMap& words) {
  const bool lets_pass = row.verdict == Verdict::Allow || (row.verdict == Verdict::Pass && !row.only_read);
  const Verdict verdict = lets_pass ? Verdict::Allow : row.verdict;
  const auto [known, is_new] = words.try_emplace(letters_of(row.word), verdict);
  const bool is_clearer = verdict == Verdict::Ask || (known->second == Verdict::Pass && verdict == Verdict::Allow);
  if (!is_new && is_clearer) known->second = verdict;
}

/// The words of all dialects at all events, and the others. Made once, since a long text has many words to look up.
const WordMap& all_words() {
  static const WordMap kWords = [] {
    WordMap words;
    for (const Dialect* dialect : all_dialects()) {
      for (const EventRow& row : dialect->events) {
        for (const WordRow& word : row.answer.words) add_word(word, words);
      }
    }
    for (const OtherWord& other : kOtherWords) words.try_emplace(std::string(other.word), other.verdict);
    return words;
  }();
  return kWords;
}

/// A verdict word may be the name of a flag: `{"allow": false}`, `{"blocked": true}`.
Spoken meaning_of_flag(std::string_view key) {
  const auto other = std::ranges::find_if(kOtherFlags, [&](const OtherFlag& flag) { return flag.name == key; });
  if (other != kOtherFlags.end()) return other->meaning;
  const auto verdict = spoken_word(key);
  if (!verdict) return Spoken::Unknown;
  if (*verdict == Verdict::Deny) return Spoken::DeniesIfTrue;
  if (*verdict == Verdict::Ask) return Spoken::AsksIfTrue;
  return *verdict == Verdict::Allow ? Spoken::DeniesIfFalse : Spoken::Known;
}

Spoken meaning_of_word(std::string_view key) {
  const std::string letters = letters_of(key);
  if (const Spoken meaning = meaning_of_flag(letters); meaning != Spoken::Unknown) return meaning;
  for (const std::string_view prefix : kFlagPrefixes) {
    if (!letters.starts_with(prefix)) continue;
    const Spoken meaning = meaning_of_flag(std::string_view(letters).substr(prefix.size()));
    if (meaning != Spoken::Unknown) return meaning;
  }
  return Spoken::Unknown;
}

}  // namespace

bool spelled_alike(std::string_view a, std::string_view b) {
  size_t i = 0;
  size_t j = 0;
  while (true) {
    const char left = next_letter(a, i);
    if (left != next_letter(b, j)) return false;
    if (left == 0) return true;
  }
}

Spelling::Spelling(std::string_view name) : name_(name) {
  size_t at = 0;
  first_ = next_letter(name, at);
}

Spoken spoken_member(EventKind kind, std::string_view key) {
  if (!has_letter(key)) return Spoken::Unknown;
  Meanings here;
  Meanings elsewhere;
  for (const Dialect* dialect : all_dialects()) {
    for (const EventRow& row : dialect->events) (row.kind == kind ? here : elsewhere).add_rows(row, key);
    elsewhere.add_pointer(dialect->answer.event_name_at, key, Spoken::Neutral);
  }
  if (const Spoken meaning = here.strongest(); meaning != Spoken::Unknown) return meaning;
  if (const Spoken meaning = elsewhere.strongest(); meaning != Spoken::Unknown) {
    // What is data at another event is a member like any other at this one.
    return meaning == Spoken::Data ? Spoken::Container : meaning;
  }
  return meaning_of_word(key);
}

std::optional<Verdict> spoken_word(std::string_view word) {
  const std::string letters = letters_of(word);
  const auto found = all_words().find(letters);
  return found == all_words().end() ? std::nullopt : std::optional(found->second);
}

std::optional<bool> spoken_flag(const Json& value) {
  if (const auto flag = value.as_bool()) return flag;
  if (const auto number = value.as_number()) return *number != 0;
  const bool is_empty = (value.is_array() || value.is_object()) && value.size() == 0;
  if (is_empty) return false;
  const auto text = value.as_string();
  if (!text) return std::nullopt;
  constexpr auto kTrue = std::to_array<std::string_view>({"true", "yes", "on", "1", "y", "t"});
  constexpr auto kFalse = std::to_array<std::string_view>({"false", "no", "off", "0", "n", "f", "", "none", "null"});
  const auto is_said = [&](std::string_view word) { return spelled_alike(word, *text); };
  if (std::ranges::any_of(kTrue, is_said)) return true;
  if (std::ranges::any_of(kFalse, is_said)) return false;
  return std::nullopt;
}

}  // namespace grapnel
