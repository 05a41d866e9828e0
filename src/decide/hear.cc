#include "decide/hear.h"

#include <algorithm>
#include <array>
#include <vector>

#include "decide/capability.h"
#include "decide/output_json.h"
#include "dialect/spoken.h"

namespace grapnel {

namespace {

/// How deep verdicts are searched for. Deeper objects are data.
constexpr int kMaxDepth = 6;

/// Where a member is: directly in a container of answers, or below a member that no dialect has.
struct Surroundings {
  std::string pointer;
  int depth = 0;
  bool is_wrapped = false;   ///< below an unknown member
  bool in_verdict = false;   ///< inside a member that should be a verdict word: `{"decision": {"value": "deny"}}`
  bool is_reparsed = false;  ///< inside JSON that was a string, so offsets say nothing

  Surroundings below(std::string_view key) const {
    Surroundings out = *this;
    out.pointer.append("/").append(key);
    ++out.depth;
    return out;
  }
};

class Listener {
 public:
  Listener(EventKind kind, const OwnReading& own) : kind_(kind), own_(own) {}

  void listen(const Json& value, const Surroundings& around) {
    if (around.depth > kMaxDepth) return;
    for (const Json& element : value.elements()) hear_element(element, around);
    // Every member, also one whose key is there twice: both readings are heard.
    for (const JsonMember& member : value.members()) hear_member(member, around);
  }

  /// A verdict below an unknown member counts only if nothing nearer decides: it may be a report about something else.
  /// A flag that refuses nothing decides nothing: `"ok": true` does not silence a refusal in an envelope.
  Heard result() && {
    const bool is_free = !heard_.has_verdict || (!has_permission_ && heard_.verdict < Verdict::Ask);
    if (!own_.is_decided && is_free && wrapped_.has_verdict) {
      heard_.verdict = wrapped_.verdict;
      heard_.place = wrapped_.place;
      heard_.has_verdict = true;
    }
    return std::move(heard_);
  }

 private:
  /// What the hook's own dialect has read here; nothing if it has not.
  std::optional<Effect> read_as(const Json& value, const Surroundings& around) const {
    const auto found = around.is_reparsed ? own_.effects.end() : own_.effects.find(value.begin_offset());
    return found == own_.effects.end() ? std::nullopt : std::optional(found->second);
  }

  /// The tables of all dialects are searched only for what the hook's own dialect does not know.
  Spoken meaning_of(const JsonMember& member, const Surroundings& at) const {
    const auto is_inside = [&](const OutputRow& row) {
      return row.pointer.size() > at.pointer.size() && row.pointer.starts_with(at.pointer) &&
             row.pointer[at.pointer.size()] == '/';
    };
    const bool is_own = std::ranges::any_of(own_.rows, is_inside) &&
                        std::ranges::find(own_.rows, at.pointer, &OutputRow::pointer) == own_.rows.end();
    return is_own ? Spoken::Container : spoken_member(kind_, member.key);
  }

  void decide(Verdict verdict, const Surroundings& at) {
    if (verdict == Verdict::Ask && !capability(kind_).can_ask) {
      heard_.is_doubtful = true;
      return;
    }
    Heard& heard = at.is_wrapped ? wrapped_ : heard_;
    heard.has_verdict = true;
    heard_.has_known = true;
    if (verdict < Verdict::Ask || verdict <= heard.verdict) return;
    heard.verdict = verdict;
    heard.place = at.pointer;
  }

  void hear_element(const Json& element, const Surroundings& around) {
    if (around.in_verdict && element.is_string()) return hear_verdict(element, around);
    if (element.is_string()) return hear_text(element, around);
    listen(element, around.below("-"));
  }

  void hear_member(const JsonMember& member, const Surroundings& around) {
    const Json& value = member.value;
    Surroundings at = around.below(member.key);
    if (const auto effect = read_as(value, around)) return hear_own(*effect, value, at);
    const Spoken meaning = meaning_of(member, at);
    switch (meaning) {
      case Spoken::Unknown:
        return hear_unknown(value, at);
      case Spoken::Neutral:
        return;
      case Spoken::Known:
        heard_.has_known = true;
        return hear_envelope(value, at);
      case Spoken::Data:
        heard_.has_known = true;
        return;
      case Spoken::Container:
        return hear_container(value, at);
      case Spoken::Reason:
        if (value.is_object() || value.is_array()) return hear_unknown(value, at);
        heard_.has_known = true;
        hear_reason(value);
        return hear_envelope(value, at);
      case Spoken::Verdict:
        heard_.has_known = true;
        return hear_verdict(value, at);
      case Spoken::DeniesIfTrue:
        return hear_flag(value, true, Verdict::Deny, at);
      case Spoken::DeniesIfFalse:
        return hear_flag(value, false, Verdict::Deny, at);
      case Spoken::AsksIfTrue:
        return hear_flag(value, true, Verdict::Ask, at);
      case Spoken::StopsIfTrue:
        return hear_stop(value, true, at);
      case Spoken::StopsIfFalse:
        return hear_stop(value, false, at);
      case Spoken::DoubtIfFalse:
        heard_.has_known = true;
        heard_.is_doubtful |= spoken_flag(value) == false;
        return;
      case Spoken::DoubtIfNotZero:
        heard_.has_known = true;
        heard_.is_doubtful |=
            value.as_string().value_or(std::string(value.raw())).find_first_not_of("0-+. ") != std::string::npos &&
            !value.is_null();
        return;
      case Spoken::Objection:
        heard_.has_known = true;
        if (const auto text = value.as_string(); text && !text->empty()) decide(Verdict::Deny, at);
        return hear_reason(value);
    }
  }

  /// The dialect has read the member. Where it expected a word there may be an object with the word inside.
  void hear_own(Effect effect, const Json& value, Surroundings& at) {
    heard_.has_known = true;
    const bool is_reason = effect == Effect::Reason || effect == Effect::StopReason;
    if (is_reason) hear_reason(value);
    if (is_reason || effect == Effect::Message) return hear_envelope(value, at);
    at.in_verdict = effect == Effect::Verdict || effect == Effect::LooseVerdict;
    if (at.in_verdict) listen(value, at);
  }

  void hear_unknown(const Json& value, Surroundings& at) {
    const bool is_container = value.is_object() || value.is_array();
    if (value.is_null() || (is_container && value.size() == 0)) return;  // `{"violations": []}` says nothing
    heard_.has_unknown = true;
    if (value.is_string()) return hear_text(value, at);
    at.is_wrapped = true;
    listen(value, at);
  }

  /// A reason, or a text for people. As an object, or as JSON in a string, it is an answer in an envelope.
  void hear_envelope(const Json& value, Surroundings& at) {
    at.is_wrapped = true;
    if (value.is_string()) {
      hear_inner(value.as_string().value_or(""), at);
    } else {
      listen(value, at);
    }
  }

  void hear_container(const Json& value, const Surroundings& at) {
    if (value.is_string()) return hear_text(value, at);
    if (!value.is_object() && !value.is_array()) heard_.has_known = true;
    listen(value, at);
  }

  void hear_reason(const Json& value) {
    const auto text = value.as_string();
    if (!text || text->empty()) return;
    heard_.has_reason = true;
    if (heard_.reason.empty()) heard_.reason = *text;
  }

  /// A verdict place. An empty word is none; an unknown one is doubtful, since its author wanted to decide something.
  void hear_verdict(const Json& value, Surroundings at) {
    if (value.is_object() || value.is_array()) {
      at.in_verdict = true;
      return listen(value, at);
    }
    const auto word = value.as_string();
    if (value.is_null() || (word && word->empty()) || (word && hear_inner(*word, at))) return;
    const auto verdict = word ? spoken_word(*word) : std::nullopt;
    has_permission_ |= verdict && *verdict < Verdict::Ask && !at.is_wrapped;
    if (verdict) return decide(*verdict, at);
    heard_.is_doubtful = true;
  }

  void hear_flag(const Json& value, bool acts, Verdict verdict, const Surroundings& at) {
    heard_.has_known = true;
    if (value.is_null()) return;
    const auto flag = spoken_flag(value);
    if (flag) return decide(*flag == acts ? verdict : Verdict::Allow, at);
    // `{"deny": "because of the freeze"}`: it means something, but perhaps not that.
    heard_.is_doubtful = true;
  }

  /// That a turn may go on is no verdict about a call; that it may not is one. Events that are not about a call are
  /// left to the agents, which mean different things by it.
  void hear_stop(const Json& value, bool acts, const Surroundings& at) {
    heard_.has_known = true;
    if (value.is_null() || !capability(kind_).can_ask) return;
    const auto flag = spoken_flag(value);
    if (!flag) heard_.is_doubtful = true;
    if (flag == acts) decide(Verdict::Deny, at);
  }

  /// A text in a place where no verdict belongs. It may be JSON itself; a verdict word alone is doubtful.
  void hear_text(const Json& value, const Surroundings& at) {
    const std::string text = value.as_string().value_or("");
    if (hear_inner(text, at)) return;
    const auto verdict = spoken_word(text);
    if (!verdict) return;
    if (at.in_verdict) return decide(*verdict, at);
    heard_.is_doubtful |= *verdict >= Verdict::Ask;
    heard_.has_known |= *verdict < Verdict::Ask;  // `{"status": "ok"}`: whatever it is, it refuses nothing
  }

  /// Whether the text has a JSON object in it, which is heard then.
  bool hear_inner(const std::string& text, Surroundings at) {
    at.is_reparsed = true;
    const std::vector<Json> objects = objects_in(text);
    for (const Json& object : objects) listen(object, at);
    return !objects.empty();
  }

  EventKind kind_;
  const OwnReading& own_;
  Heard heard_;
  Heard wrapped_;
  bool has_permission_ = false;  ///< a verdict word lets the event go on
};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_word_part(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '-';
}

/// `%22` and `&quot;` as the marks that they stand for, so that an answer in a URL or in HTML can be read.
std::string without_escapes(std::string_view text) {
  const auto hex = [](char c) {
    return is_digit(c) ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
  };
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    const bool is_percent = rest.size() > 2 && rest[0] == '%' && hex(rest[1]) >= 0 && hex(rest[2]) >= 0;
    if (is_percent) {
      out += static_cast<char>(hex(rest[1]) * 16 + hex(rest[2]));
      i += 2;
    } else if (rest.starts_with("&quot;") || rest.starts_with("&#34;")) {
      out += '"';
      i += rest.find(';');
    } else {
      out += rest[0];
    }
  }
  return out;
}

/// One word of a text, and the marks in front of it.
struct TextWord {
  std::string_view word;
  std::string_view before;  ///< between the previous word, or the start of the line, and this one
  std::string_view after;   ///< from the word to the end of the line
  bool starts_line = false;
};

std::vector<TextWord> words_of(std::string_view text) {
  std::vector<TextWord> out;
  size_t gap = 0;
  bool starts_line = true;
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '\n' || text[i] == '\r') starts_line = true;
    if (!is_letter(text[i]) && !is_digit(text[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < text.size() && is_word_part(text[end])) ++end;
    const size_t line_end = std::min(text.find_first_of("\r\n", end), text.size());
    out.push_back({text.substr(i, end - i), text.substr(gap, i - gap), text.substr(end, line_end - end), starts_line});
    starts_line = false;
    gap = i = end;
  }
  return out;
}

bool denies(std::string_view word) {
  return spoken_word(word) == Verdict::Deny;
}

/// Names for a verdict that are in no dialect. In JSON a refusal behind them is doubtful; in a text it is, too.
bool is_other_place(std::string_view name) {
  constexpr auto kOtherPlaces =
      std::to_array<std::string_view>({"result", "outcome", "status", "action", "answer", "judgement", "judgment"});
  return std::ranges::any_of(kOtherPlaces, [&](std::string_view place) { return spelled_alike(place, name); });
}

/// What stands between a member and its value, in any notation: `: "`, `=`, ` => `, `>`, `", "`.
bool assigns(std::string_view marks) {
  if (marks.size() > 16 || marks.find('\n') != std::string_view::npos) return false;
  return marks.find_first_of(":=>") != std::string_view::npos || marks.find("\", \"") != std::string_view::npos ||
         marks.find("', '") != std::string_view::npos;
}

/// What a member with this value says: `decision: deny`, `continue: false`.
Hint hint_of_member(EventKind kind, std::string_view key, std::string_view value, bool is_flag) {
  if (const auto verdict = spoken_word(value)) {
    const bool restricts = *verdict >= Verdict::Ask;
    if (restricts && is_other_place(key)) return Hint::Denies;
    if (spoken_member(kind, key) != Spoken::Verdict) return Hint::None;
    return restricts ? Hint::Denies : Hint::Allows;
  }
  const auto flag = is_flag ? spoken_flag(Json::string(value)) : std::nullopt;
  if (!flag) return Hint::None;
  const Spoken meaning = spoken_member(kind, key);
  const bool if_true = meaning == Spoken::DeniesIfTrue || meaning == Spoken::StopsIfTrue;
  const bool if_false = meaning == Spoken::DeniesIfFalse || meaning == Spoken::StopsIfFalse;
  if (!if_true && !if_false) return Hint::None;
  return *flag == if_true ? Hint::Denies : Hint::Allows;
}

/// Whether the rest of a line says that nothing was refused: `blocked: none`, `denied: false, 3 checked`.
bool is_nothing(std::string_view rest, bool is_after_capitals) {
  const std::string_view first = rest.substr(0, rest.find_first_of(" \t,;.)"));
  constexpr auto kNothing = std::to_array<std::string_view>({"none", "nothing", "false", "null", "off", "never"});
  if (std::ranges::any_of(kNothing, [&](std::string_view word) { return spelled_alike(word, first); })) return true;
  return !is_after_capitals && rest == "no";  // `DENY: no` refuses, `denied: no` does not
}

/// Whether a program complains about a file of that name: `grep: block: No such file or directory`.
bool is_complaint(std::string_view rest) {
  constexpr auto kComplaints = std::to_array<std::string_view>(
      {"No such file", "command not found", "not found", "Is a directory", "Not a directory", "Permission denied"});
  return std::ranges::any_of(kComplaints, [&](std::string_view start) { return rest.starts_with(start); });
}

/// Whether a line is a refusal: `DENY`, `Blocked: no writes here`, `[guard] DENIED by policy`. A count (`Denied: 3`) or
/// a line about something else (`deny list loaded`) is none.
bool line_refuses(const TextWord& at) {
  if (!denies(at.word)) return false;
  const bool is_capital = std::ranges::none_of(at.word, [](char c) { return c >= 'a' && c <= 'z'; });
  const size_t next = at.after.find_first_not_of(" \t:!.,;]\"'`*-");
  const std::string_view marks = at.after.substr(0, std::min(next, at.after.size()));
  // Behind other words only a mark at both sides makes it a statement: `::error title=guard::deny: …`.
  const bool follows_mark = at.before.find_first_of(":]>|)") != std::string_view::npos;
  if (!at.starts_line && !follows_mark) return false;
  if (next == std::string_view::npos) return at.starts_line;
  const std::string_view rest = at.after.substr(next);
  if (is_digit(rest[0]) || is_nothing(rest, is_capital) || is_complaint(rest)) return false;
  const bool is_stated = marks.find_first_of(":\t!,;]") != std::string_view::npos;
  return is_stated || (at.starts_line && (is_capital || rest.starts_with("by ") || rest.starts_with("because") ||
                                          rest.starts_with("reason")));
}

bool ends_line(const TextWord& at) {
  return at.after.find_first_not_of(" \t.!;,\"'") == std::string_view::npos;
}

/// Whether a line ends with what the program does about it: `error: no writes here, refusing`.
bool ends_in_refusal(const TextWord& at) {
  constexpr auto kWords = std::to_array<std::string_view>(
      {"refusing", "blocking", "denying", "rejecting", "refused", "blocked", "rejected"});
  const auto is_said = [&](std::string_view word) { return spelled_alike(word, at.word); };
  const bool is_apart = at.before.find_first_of(",;:-") != std::string_view::npos;
  return is_apart && ends_line(at) && std::ranges::any_of(kWords, is_said);
}

/// Whether a member outside of braces may be a flag. In a longer line it may belong to anything (`strict=true,
/// block=false`), and a number behind a colon is a count.
bool is_flag_line(const TextWord& key, const TextWord& value) {
  return key.starts_line && ends_line(value) && (!is_digit(value.word[0]) || value.before == "=");
}

/// Two words that are a refusal together, and no more than the beginning or the end of a line: `not allowed`, `Access
/// denied`, `decision<tab>deny`.
bool pair_refuses(EventKind kind, const TextWord& first, const TextWord& second) {
  const bool is_joined = second.before.find_first_not_of(" \t") == std::string_view::npos;
  const bool begins = first.starts_line || first.before.find_first_of(":]>|)") != std::string_view::npos;
  if (!is_joined || !begins) return false;
  if (spelled_alike(first.word, "not") && spoken_word(second.word) == Verdict::Allow) return true;
  if (spelled_alike(first.word, "policy") && spelled_alike(second.word, "violation")) return true;
  if (!denies(second.word) || !ends_line(second)) return false;
  constexpr auto kSubjects = std::to_array<std::string_view>(
      {"access", "command", "request", "tool", "operation", "action", "call", "execution"});
  const auto is_said = [&](std::string_view subject) { return spelled_alike(subject, first.word); };
  // `Permission denied` is what programs say about files, although `permission` is a member of answers.
  const bool is_complaint = spelled_alike(second.word, "denied");
  return std::ranges::any_of(kSubjects, is_said) ||
         (!is_complaint && first.starts_line && spoken_member(kind, first.word) == Spoken::Verdict);
}

}  // namespace

Heard hear(EventKind kind, const Json& object, const OwnReading& own) {
  Listener listener(kind, own);
  listener.listen(object, {});
  return std::move(listener).result();
}

Hint hint_in(EventKind kind, std::string_view text) {
  const std::string plain = without_escapes(text);
  const std::vector<TextWord> words = words_of(plain);
  const size_t last = plain.find_last_not_of("` \t\r\n");  // a fence may follow
  const bool is_closed = last != std::string::npos && plain[last] == '}';
  Hint hint = Hint::None;
  bool in_braces = false;
  for (size_t i = 0; i < words.size(); ++i) {
    const bool opens = words[i].before.find('{') != std::string_view::npos;
    in_braces |= opens;
    if (line_refuses(words[i]) || ends_in_refusal(words[i]) || (i > 0 && pair_refuses(kind, words[i - 1], words[i])))
      return Hint::Denies;
    const bool is_value = i > 0 && assigns(words[i].before);
    // `The decision is: deny`
    const size_t key = i > 1 && spelled_alike(words[i - 1].word, "is") ? i - 2 : i - 1;
    if (is_value) {
      const bool is_flag = in_braces || is_flag_line(words[key], words[i]);
      hint = std::max(hint, hint_of_member(kind, words[key].word, words[i].word, is_flag));
    }
    // An answer that was cut: an opening brace and the name of a verdict, and the text ends with it or its value.
    const bool is_cut = opens && i + 2 >= words.size() && !is_closed;
    if (is_cut && spoken_member(kind, words[i].word) == Spoken::Verdict) hint = Hint::Denies;
    if (hint == Hint::Denies) return hint;
  }
  return hint;
}

}  // namespace grapnel
