#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "mask/chars.h"
#include "mask/names.h"
#include "mask/secrets.h"
#include "mask/values.h"

namespace grapnel::mask {

namespace {

// A name may be followed by its value in many ways; `link_behind` reads what is between them:
//
//   NAME=value  NAME = value  NAME := value  name: value  "name": "value"  'name' => 'value'  x['name'] = 'value'
//   --name value  -name value  set NAME value  ENV NAME value                                     a blank
//   put("name", "value")  setName("value")  name("value")                                          quoted values only
//   <name>value</name>  name="value"  key="name" value="value"                                     markup
//   - name: NAME⏎  value: value                                                                    pairs

/// How the value is linked to its name. `Colon` is a colon without a blank, as in `token:refresh`.
enum class Link : uint8_t { None, Assigned, Colon, Spaced, Call, Blank, Markup, Attribute };

struct Linked {
  Link link = Link::None;
  size_t value = 0;  ///< where the value begins
};

/// Words in front of a name that is followed by its value without any sign: `npm config set NAME value`.
constexpr auto kSetters =
    std::to_array<std::string_view>({"set", "ENV", "ARG", "setx", "setenv", "SET", "add", "SetEnv", "put", "set-secret",
                                     "fastcgi_param", "env", "--arg", "config"});
/// The member that holds the value if a name is itself a value: `{"name": "DB_PASSWORD", "value": "…"}`.
constexpr auto kValueNames =
    std::to_array<std::string_view>({"value", "val", "default", "defaultvalue", "text", "content"});
/// In front of "token", these speak of the words of a language.
constexpr auto kGrammarWords = std::to_array<std::string_view>(
    {"unexpected", "invalid", "illegal", "unknown", "next", "current", "expected", "reserved", "lookahead", "per"});

/// The word in front of `at`; options in between do not count: `git config --global user.password …`.
std::string_view word_before_options(std::string_view text, size_t at) {
  for (;;) {
    while (at > 0 && is_blank(text[at - 1])) --at;
    size_t begin = at;
    while (begin > 0 && !is_space(text[begin - 1])) --begin;
    if (begin == at || text[begin] != '-') return text.substr(begin, at - begin);
    at = begin;
  }
}

/// The word in front of `at`, without what separates them.
std::string_view word_before(std::string_view text, size_t at) {
  size_t end = at;
  while (end > 0 && (is_blank(text[end - 1]) || text[end - 1] == '$')) --end;
  size_t begin = end;
  while (begin > 0 && is_name_char(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

bool is_closing(char c) {
  return is_quote(c) || c == ']' || c == '\\';
}

/// `name: str = "value"`, `name string = "value"`: a type may stand between a name and its value.
size_t skip_type(std::string_view text, size_t at) {
  const size_t type = skip(text, at, is_blank);
  const size_t array = char_at(text, type) == '[' ? text.substr(0, type + 20).find(']', type) : std::string_view::npos;
  const size_t end = array != std::string_view::npos ? array + 1 : skip(text, type, [](char c) {
    return is_letter(c) || is_digit(c) || std::string_view("_&[]<>?'*|").contains(c);
  });
  const size_t next = skip(text, end, is_blank);
  const bool is_assigned = end > type && next > end && char_at(text, next) == '=' && char_at(text, next + 1) != '=';
  return is_assigned ? next : at;
}

Linked link_behind(std::string_view text, size_t name, size_t name_end) {
  const size_t closed = skip(text, name_end, is_closing);
  size_t at = skip(text, closed, is_blank);
  const char c = char_at(text, at);
  const bool was_quoted = closed > name_end;
  // `${PASSWORD:-secret}`: what counts if the variable is not set.
  if (text.substr(0, name).ends_with("${") && at == name_end) {
    const size_t sign = c == ':' ? at + 1 : at;
    if (char_at(text, sign) == '-' || char_at(text, sign) == '=') return {Link::Assigned, sign + 1};
  }
  if (c == '=' || c == ':' || (c == '?' && char_at(text, at + 1) == '=') ||
      (c == '+' && char_at(text, at + 1) == '=')) {
    const bool has_blank = at > closed;
    size_t next = skip(text, at, [](char s) { return s == '=' || s == ':' || s == '>' || s == '?' || s == '+'; });
    if (c == ':') {
      const size_t behind = skip_type(text, next);
      if (behind != next) next = skip(text, behind, [](char s) { return s == '='; });
    }
    const size_t value = skip(text, next, is_blank);
    const bool is_spaced = value > next && (c == ':' || has_blank);
    const bool is_bare_colon = c == ':' && value == at + 1 && !was_quoted;
    return {is_spaced ? Link::Spaced : is_bare_colon ? Link::Colon : Link::Assigned, value};
  }
  if (c == '!' && char_at(text, at + 1) == '=') {
    return {Link::Call, skip(text, at + 2, [](char s) { return s == '=' || is_blank(s); })};
  }
  if (c == '>' && name > 0 && text[name - 1] == '<') return {Link::Markup, at + 1};
  if (c == '>' && text.substr(0, name).ends_with(":") && text.substr(0, name).rfind('<') != std::string_view::npos &&
      text.substr(0, name).rfind('<') > text.substr(0, name).rfind('>') + 1) {
    return {Link::Markup, at + 1};
  }
  if (c == '>' && was_quoted) return {Link::Attribute, at + 1};
  if (c == ',' && was_quoted) return {Link::Call, skip(text, at + 1, is_space)};
  if (c == '(') return {Link::Call, skip(text, at + 1, is_space)};
  if (at > closed && !was_quoted && skip_type(text, closed) != closed) {
    return {Link::Spaced, skip(text, skip_type(text, closed) + 1, is_blank)};
  }
  const bool is_option =
      text.substr(name).starts_with('-') && (name == 0 || is_space(text[name - 1]) || is_quote(text[name - 1]));
  size_t word = name;  // `//registry/:_authToken` is one word
  while (word > 0 && !is_space(text[word - 1])) --word;
  const bool is_set =
      is_among(word_before(text, word), kSetters) || is_among(word_before_options(text, word), kSetters);
  if (at > closed && (is_option || is_set || was_quoted)) return {was_quoted && !is_set ? Link::Call : Link::Blank, at};
  return {};
}

/// Whether only blanks, dashes and quotes stand between the start of the line and `at`, as in YAML and INI files.
bool begins_line(std::string_view text, size_t at) {
  while (at > 0 && text[at - 1] != '\n') {
    const char c = text[at - 1];
    if (!is_blank(c) && c != '-' && c != '"' && c != '\'') return false;
    --at;
  }
  return true;
}

/// A value of several words, as YAML and INI files have them, without a comment behind it.
Span rest_of_line(std::string_view text, size_t at) {
  size_t end = std::min(text.find('\n', at), text.size());
  if (const size_t comment = text.substr(0, end).find(" #", at); comment != std::string_view::npos) end = comment;
  while (end > at && is_space(text[end - 1])) --end;
  return {at, end};
}

/// Whether these are words of a sentence and not of a passphrase.
bool is_sentence(std::string_view value) {
  constexpr auto kSmall = std::to_array<std::string_view>(
      {"the",  "an",     "is",       "are",      "be",      "must",    "not",  "at",     "of",   "for",
       "to",   "and",    "or",       "in",       "was",     "has",     "with", "please", "no",   "on",
       "by",   "as",     "it",       "this",     "that",    "from",    "your", "you",    "if",   "can",
       "will", "should", "expected", "required", "invalid", "missing", "but",  "cannot", "than", "string"});
  return std::ranges::any_of(text::split(value, ' '),
                             [&](std::string_view word) { return is_among(text::to_lower(word), kSmall); });
}

/// The indented lines behind `password: |`.
void add_block(std::string_view text, size_t at, Spans& out) {
  size_t line = text.find('\n', at);
  while (line != std::string_view::npos && line + 1 < text.size()) {
    const size_t begin = skip(text, line + 1, is_blank);
    const size_t end = std::min(text.find('\n', begin), text.size());
    if (begin < line + 3 && begin < end) return;
    if (end > begin) out.push_back({begin, end});
    line = end == text.size() ? std::string_view::npos : end;
  }
}

/// Whether this value of a telling name is a secret.
bool is_secret_under(std::string_view name, Telling telling, std::string_view value, bool is_quoted) {
  if (is_harmless(value, is_quoted)) return false;
  if (is_quoted && value.contains(' ') && is_sentence(value)) return false;
  const bool is_count = is_number(value) && (counts_something(name) || value.size() < 4);
  const bool is_pin = is_number(value) && value.size() >= 3 && value.size() <= 8;
  switch (telling) {
    case Telling::No:
      return false;
    case Telling::IfDigits:
      return is_pin || looks_made_up(value);
    case Telling::IfOdd:
      return looks_made_up(value) || is_random(value);
    case Telling::Yes:
    case Telling::Header:
      break;
  }
  return !is_count || (value.size() > 9 && is_quoted);
}

class NamedValues {
 public:
  NamedValues(std::string_view text, Spans& out) : text_(text), out_(out) {}

  void find_all() {
    for (size_t at = 0; at < text_.size();) {
      if (!is_name_char(text_[at])) {
        ++at;
        continue;
      }
      const size_t end = skip(text_, at, is_name_char);
      judge(at, end);
      at = end;
    }
    find_in_secret_objects();
  }

 private:
  void judge(size_t at, size_t end) {
    std::string_view name = text_.substr(at, end - at);
    // `sed s/x/TOKEN=y/`, `\nTOKEN=y` in a string: the escape is no part of the name.
    if (at > 0 && text_[at - 1] == '\\' && name.size() > 1 && (name[0] == 'n' || name[0] == 't' || name[0] == 'r')) {
      name.remove_prefix(1);
    }
    if (text::to_lower(name) == "identified") return judge_sql(end);
    if (const std::string lower = text::to_lower(name); lower.ends_with("auth") || lower.ends_with("login") ||
                                                        lower.ends_with("credentials") ||
                                                        lower.ends_with("credential")) {
      judge_login(end);
    }
    Telling telling = how_telling(name);
    // "API key", "secret key": two words.
    const std::string_view before = word_before(text_, at);
    if (telling == Telling::IfOdd && text::to_lower(name) == "key") {
      telling = how_telling(std::string(before) + "_key");
      if (telling == Telling::No) return;
    }
    if (telling == Telling::No) return;
    if (text::to_lower(name).starts_with("token") && is_among(text::to_lower(before), kGrammarWords)) return;
    const Linked linked = link_behind(text_, at, end);
    if (linked.link == Link::None) return judge_pair(end, telling, name);
    if (linked.value >= text_.size()) return;
    if (telling == Telling::Header) return add_header(linked);
    add(linked, telling, name, at);
    judge_pair(end, telling, name);
  }

  void add_header(const Linked& linked) {
    const Value value = value_at(text_, linked.value);
    if (linked.link == Link::Call && !value.is_quoted) return;
    const size_t from = value.is_quoted ? value.span.begin : linked.value;
    Span span = header_value_at(text_, from);
    // Without a blank behind the colon, the header is one word: `-H Authorization:Bearer\\ x`.
    if (linked.link == Link::Colon) span.end = std::min(span.end, value_at(text_, span.begin).span.end);
    const Span secret{span.begin, value.is_quoted ? std::max(span.begin, value.span.end) : span.end};
    const std::string_view content = text_.substr(secret.begin, secret.end - secret.begin);
    // `cookie: theme`
    if (span.begin == from && std::ranges::all_of(content, is_lower)) return;
    if (!is_harmless(content, true) && !(content.contains(' ') && is_sentence(content))) out_.push_back(secret);
  }

  void add(const Linked& linked, Telling telling, std::string_view name, size_t at) {
    if (linked.link == Link::Markup || linked.link == Link::Attribute) {
      const size_t end = std::min(text_.find('<', linked.value), text_.size());
      // `<entry key="token">…`. Pages have such attributes in front of ordinary words.
      if (linked.link == Link::Attribute && !has_odd_part(text_.substr(linked.value, end - linked.value))) return;
      return add_if({{linked.value, end}, true}, telling, name);
    }
    Value value = value_at(text_, linked.value);
    const bool needs_quotes = linked.link == Link::Call;
    if (needs_quotes && !value.is_quoted) return;
    if (linked.link == Link::Blank && text_.substr(linked.value).starts_with('-')) return;
    const char first = text_[linked.value];
    if (linked.link == Link::Spaced && (first == '|' || first == '>') && telling == Telling::Yes) {
      return add_block(text_, linked.value, out_);
    }
    if (first == '\n' || first == '\r') return;
    if (linked.link == Link::Colon && !value.is_quoted &&
        !has_odd_part(text_.substr(value.span.begin, value.span.end - value.span.begin)))
      return;
    if (is_call(value)) return add_arguments(value, telling);
    // A scheme in front of the value: `token: Bearer …`.
    if (const Span behind = header_value_at(text_, value.span.begin); behind.begin > value.span.begin) {
      value.span.end = value.is_quoted ? value.span.end : value_at(text_, behind.begin).span.end;
      value.span.begin = behind.begin;
    }
    if (linked.link == Link::Spaced && !value.is_quoted && begins_line(text_, at) && telling == Telling::Yes) {
      const Span line = rest_of_line(text_, linked.value);
      const std::string_view words = text_.substr(line.begin, line.end - line.begin);
      if (words.contains(' ') && !is_sentence(words) && std::ranges::none_of(words, [](char c) {
            return c == '(' || c == '{' || c == ';' || c == '"' || c == '\'' || c == '=' || c == '|' || c == '$' ||
                   c == ',' || c == ':';
          })) {
        value.span = line;
      }
    }
    add_if(value, telling, name);
  }

  /// `SecretStr("…")`, `hex!("…")`, `env('NAME', '…')`.
  bool is_call(const Value& value) const { return !value.is_quoted && char_at(text_, name_of_call(value)) == '('; }
  size_t name_of_call(const Value& value) const {
    const size_t end =
        skip(text_, value.span.begin, [](char c) { return is_name_char(c) || std::string_view(".:!").contains(c); });
    return end == value.span.begin ? text_.size() : end;
  }

  /// The first two arguments, if they are texts. Names of variables and settings are none.
  void add_arguments(const Value& value, Telling telling) {
    size_t at = name_of_call(value);
    for (int i = 0; i < 2; ++i) {
      at = skip(text_, at + 1, is_space);
      const Value argument = value_at(text_, at);
      if (!argument.is_quoted) return;
      const std::string_view content = text_.substr(argument.span.begin, argument.span.end - argument.span.begin);
      const bool is_variable =
          std::ranges::all_of(content, [](char c) { return is_upper(c) || is_digit(c) || c == '_'; });
      const bool is_odd =
          looks_made_up(content) || is_random(content) || (telling == Telling::Yes && has_odd_part(content));
      if (is_odd && !is_variable && !is_harmless(content, true)) out_.push_back(argument.span);
      at = skip(text_, argument.span.end + 1, is_blank);
      if (char_at(text_, at) != ',') return;
    }
  }

  void add_if(const Value& value, Telling telling, std::string_view name) {
    const std::string_view content = text_.substr(value.span.begin, value.span.end - value.span.begin);
    if (is_secret_under(name, telling, content, value.is_quoted)) out_.push_back(value.span);
  }

  /// `name: DB_PASSWORD⏎value: x`, `key="ApiKey" value="x"`.
  void judge_pair(size_t end, Telling telling, std::string_view name) {
    const size_t next =
        skip(text_, end, [](char c) { return is_space(c) || is_quote(c) || std::string_view(",;->{}\\").contains(c); });
    if (next == end || next - end > 40) return;
    if (text_.substr(end, next - end).contains('{')) return judge_block(next, telling, name);
    const size_t member_end = skip(text_, next, is_letter);
    const size_t tag_end = char_at(text_, next) == '<' ? skip(text_, next + 1, is_letter) : next;
    const bool is_tag =
        tag_end > next && is_among(text::to_lower(text_.substr(next + 1, tag_end - next - 1)), kValueNames);
    if (is_tag && char_at(text_, tag_end) == '>') return add({Link::Markup, tag_end + 1}, telling, name, end);
    if (!is_among(text::to_lower(text_.substr(next, member_end - next)), kValueNames)) return;
    const Linked linked = link_behind(text_, next, member_end);
    if (linked.link == Link::None || linked.value >= text_.size()) return;
    add(linked, telling == Telling::Header ? Telling::Yes : telling, name, next);
  }

  /// `variable "db_password" { type = string⏎ default = "x" }`.
  void judge_block(size_t at, Telling telling, std::string_view name) {
    const size_t end = std::min({text_.find('}', at), text_.size(), at + 400});
    while (at < end) {
      const size_t member_end = skip(text_, at, is_name_char);
      if (is_among(text::to_lower(text_.substr(at, member_end - at)), kValueNames)) {
        const Linked linked = link_behind(text_, at, member_end);
        if (linked.link != Link::None && linked.value < end) return add(linked, telling, name, at);
      }
      at = member_end + 1;
    }
  }

  /// `auth=('user', 'secret')`, `basic_auth("user", "secret")`.
  void judge_login(size_t end) {
    const size_t open = skip(text_, end, [](char c) {
      return is_blank(c) || c == '=' || c == ':' || c == '(' || c == '[' || c == '{' || c == ',';
    });
    if (open == end || !is_quote(char_at(text_, open))) return;
    const size_t comma = skip(text_, value_at(text_, open).span.end + 1, is_blank);
    if (char_at(text_, comma) != ',') return;
    const Value secret = value_at(text_, skip(text_, comma + 1, is_space));
    if (secret.is_quoted && !is_harmless(text_.substr(secret.span.begin, secret.span.end - secret.span.begin), true))
      out_.push_back(secret.span);
  }

  /// `IDENTIFIED BY 'x'`, `IDENTIFIED WITH plugin BY 'x'`.
  void judge_sql(size_t end) {
    const std::string lower = text::to_lower(text_.substr(end, 60));
    const size_t by = lower.find(" by ");
    if (by == std::string::npos) return;
    const Value value = value_at(text_, skip(text_, end + by + 4, is_blank));
    if (value.span.end > value.span.begin) out_.push_back(value.span);
  }

  /// All values below `data:` and `stringData:` of a Kubernetes object of the kind Secret.
  void find_in_secret_objects() {
    if (!text_.contains("kind: Secret") && !text_.contains("\"kind\": \"Secret\"") &&
        !text_.contains("\"kind\":\"Secret\""))
      return;
    for (size_t at = text_.find("ata:"); at != std::string_view::npos; at = text_.find("ata:", at + 1)) {
      size_t line = at + 4;
      const bool is_data =
          text_.substr(0, line).ends_with("\ndata:") || text_.substr(0, line).ends_with("\nstringData:");
      if (!is_data || char_at(text_, line) != '\n') continue;
      while (line + 1 < text_.size() && is_blank(text_[line + 1])) {
        const size_t end = std::min(text_.find('\n', line + 1), text_.size());
        const size_t colon = text_.find(": ", line);
        if (colon < end) {
          const Value value = value_at(text_, colon + 2);
          const bool is_block = char_at(text_, colon + 2) == '|' || char_at(text_, colon + 2) == '>';
          if (value.span.end > value.span.begin && !is_block) out_.push_back(value.span);
        } else {
          const size_t begin = skip(text_, line + 1, is_blank);
          if (end > begin) out_.push_back({begin, end});
        }
        line = end;
        if (end == text_.size()) break;
      }
    }
  }

  std::string_view text_;
  Spans& out_;
};

}  // namespace

bool is_secret_member(std::string_view name, std::string_view value) {
  return is_secret_under(name, how_telling(name), value, true);
}

void find_named_values(std::string_view text, Spans& out) {
  NamedValues(text, out).find_all();
}

}  // namespace grapnel::mask
