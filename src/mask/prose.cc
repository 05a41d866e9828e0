#include <algorithm>
#include <array>

#include "base/text.h"
#include "mask/chars.h"
#include "mask/names.h"
#include "mask/secrets.h"
#include "mask/values.h"

namespace grapnel::mask {

namespace {

// "the password for the database is hunter2", "log in with admin:hunter2", "use hunter2 as the password". A word near a
// telling noun is a secret if it does not look like a word.

constexpr size_t kReach = 12;  ///< words between the noun and the secret

/// Words that lead from the noun to the secret.
constexpr auto kLeading =
    std::to_array<std::string_view>({"is", "was", "to", "are", "be", "equals", "becomes", "of", "as", "with", "using",
                                     "value", "named", "called", "from", "=", "reads",
                                     // in other languages
                                     "ist", "lautet", "heißt", "war", "est", "es", "era", "è", "é", "sera", "siendo"});
/// Nouns in front of `user:password`.
constexpr auto kLogins =
    std::to_array<std::string_view>({"credentials", "creds", "credential", "login", "log", "account", "auth", "logged",
                                     "authenticate", "signed", "user", "in"});

/// "Password" in languages whose word is no name of a variable in any program.
constexpr auto kForeignNouns =
    std::to_array<std::string_view>({"contraseña", "clave", "lösenord", "passord", "hasło", "jelszó", "parola",
                                     "salasana", "adgangskode", "пароль", "Пароль", "zugangscode", "parole"});

struct ProseWord {
  Span span;       ///< without signs around it
  char before;     ///< the sign in front: a quote, a bracket
  bool ends;       ///< a sentence ends here
  bool has_colon;  ///< `:` or `=` follows
};

bool is_sign_around(char c) {
  return std::string_view("\"'`()[]{}<>*,;").contains(c);
}

std::vector<ProseWord> words_in(std::string_view text) {
  std::vector<ProseWord> words;
  for (size_t at = 0; at < text.size();) {
    at = skip(text, at, is_space);
    size_t end = at;
    while (end < text.size() && !is_space(text[end])) ++end;
    if (end == at) break;
    size_t from = at;
    size_t to = end;
    while (from < to && is_sign_around(text[from])) ++from;
    bool ends = false;
    bool has_colon = false;
    while (to > from && (is_sign_around(text[to - 1]) || std::string_view(".:=!?").contains(text[to - 1]))) {
      const char c = text[to - 1];
      // A password may end in `!`, but a sentence, too. The sign is masked with it.
      ends = ends || c == '.' || c == '?' || c == ';';
      has_colon = has_colon || c == ':' || c == '=';
      if (c == '!' || c == '?') break;
      --to;
    }
    const char sign = from > at ? text[from - 1] : '\0';
    words.push_back({{from, to}, sign, ends || char_at(text, end) == '\n', has_colon});
    at = end;
  }
  return words;
}

class Prose {
 public:
  Prose(std::string_view text, Spans& out) : text_(text), out_(out), words_(words_in(text)) {}

  void find_all() {
    for (size_t i = 0; i < words_.size(); ++i) {
      const std::string word = text::to_lower(content(i));
      if (is_noun(i, word)) {
        look_ahead(i, word);
        look_back(i);
      }
      if (std::ranges::find(kLogins, word) != kLogins.end()) look_for_login(i);
    }
  }

 private:
  std::string_view content(size_t i) const {
    const Span span = words_[i].span;
    return text_.substr(span.begin, span.end - span.begin);
  }

  bool is_noun(size_t i, const std::string& word) const {
    if (is_among(word, kForeignNouns)) return true;
    if (word.empty() || word.size() > 24 || !std::ranges::all_of(word, is_name_char)) return false;
    if (word == "key" || word == "keys")
      return i > 0 && how_telling(std::string(content(i - 1)) + "_key") == Telling::Yes;
    if (word == "pin" || word == "otp") return true;
    if (word == "code") {
      return i > 0 && (content(i - 1) == "recovery" || content(i - 1) == "access" || content(i - 1) == "backup");
    }
    return how_telling(word) == Telling::Yes && !word.starts_with('-');
  }

  void look_ahead(size_t noun, const std::string& word) {
    bool is_led = words_[noun].has_colon;
    for (size_t i = noun + 1; i < words_.size() && i <= noun + kReach; ++i) {
      const bool is_next = i == noun + 1;
      const std::string_view candidate = content(i);
      const std::string lower = text::to_lower(candidate);
      if ((is_led || is_next) && is_secret(i, word)) {
        out_.push_back(words_[i].span);
        return;
      }
      if (words_[i - 1].ends) return;
      is_led = std::ranges::find(kLeading, lower) != kLeading.end() || words_[i].has_colon || candidate.empty() ||
               candidate == "->" || candidate == "→" || candidate == "-" || lower == "now" || lower == "the" ||
               (is_led && (lower == "probably" || lower == "just" || lower == "still" || lower == "currently"));
    }
  }

  /// "hunter2 is the password", "use hunter2 as the token".
  void look_back(size_t noun) {
    for (size_t i = noun; i > 0 && i + 4 > noun; --i) {
      const std::string link = text::to_lower(content(i));
      if (link != "as" && link != "is") continue;
      if (has_odd_part(content(i - 1)) && !is_uuid(content(i - 1))) out_.push_back(words_[i - 1].span);
      return;
    }
  }

  bool is_secret(size_t i, const std::string& noun) const {
    const std::string_view word = content(i);
    if (is_number(word))
      return (noun == "pin" || noun.starts_with("pass") || noun == "code" || noun == "otp") && word.size() >= 4;
    if (is_harmless(word, false)) return false;
    return has_odd_part(word) || is_random(word) || (noun.starts_with("pass") && is_mixed(i));
  }

  /// `Winter2024_abcX`, which elsewhere could be the name of something: letters in both cases, or quotes, and digits.
  bool is_mixed(size_t i) const {
    const std::string_view word = content(i);
    const char sign = words_[i].before;
    const bool is_marked = sign == '"' || sign == '\'' || sign == '`' ||
                           (std::ranges::any_of(word, is_upper) && std::ranges::any_of(word, is_lower));
    return word.size() >= 8 && is_marked && std::ranges::any_of(word, is_digit) &&
           std::ranges::any_of(word, is_letter) && !word.contains('/');
  }

  /// "credentials admin:hunter2", "login admin / hunter2".
  void look_for_login(size_t noun) {
    for (size_t i = noun + 1; i < words_.size() && i <= noun + 4; ++i) {
      const std::string_view word = content(i);
      const size_t sign = word.find_first_of(":/");
      if (sign == std::string_view::npos || sign == 0 || word.contains("://") || word.starts_with('/')) continue;
      const std::string_view secret = word.substr(sign + 1);
      if (has_odd_part(secret) && !secret.contains('/'))
        out_.push_back({words_[i].span.begin + sign + 1, words_[i].span.end});
      return;
    }
    // "admin / hunter2"
    for (size_t i = noun + 2; i + 1 < words_.size() && i <= noun + 5; ++i) {
      if (content(i) == "/" && has_odd_part(content(i + 1))) out_.push_back(words_[i + 1].span);
    }
  }

  std::string_view text_;
  Spans& out_;
  std::vector<ProseWord> words_;
};

}  // namespace

void find_in_prose(std::string_view text, Spans& out) {
  Prose(text, out).find_all();
}

}  // namespace grapnel::mask
