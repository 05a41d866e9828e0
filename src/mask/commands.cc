#include <algorithm>
#include <array>

#include "base/text.h"
#include "mask/chars.h"
#include "mask/names.h"
#include "mask/secret_arguments.h"
#include "mask/secrets.h"
#include "mask/values.h"

namespace grapnel::mask {

namespace {

// A text is cut into commands and these into words, roughly as a shell does it. A program that takes a secret has rows
// in the table of `secret_arguments.h`. What is between quotes may be a command, too (`ssh host '…'`), so it is looked
// at again.

/// A word of a command, as it stands in the text.
struct ShellWord {
  Span span;  ///< without the quotes around it
  bool is_quoted = false;
};

constexpr std::string_view kEnds = "|;&\n()`{}";

/// Whether the character ends a command, looked up in a table: this is asked for every character of every text.
constexpr bool ends_command(char c) {
  constexpr auto kIsEnd = [] {
    std::array<bool, 256> table{};
    for (const char end : kEnds) table[static_cast<unsigned char>(end)] = true;
    return table;
  }();
  return kIsEnd[static_cast<unsigned char>(c)];
}

/// Reads one command from `at` on, up to the sign that ends it, which `at` then points to.
std::vector<ShellWord> read_command(std::string_view text, size_t& at) {
  std::vector<ShellWord> words;
  words.reserve(16);
  while (at < text.size()) {
    at = skip(text, at, is_blank);
    // A backslash at the end of a line continues the command.
    if (text.substr(at).starts_with("\\\n")) {
      at += 2;
      continue;
    }
    if (at >= text.size() || ends_command(text[at])) break;
    const size_t begin = at;
    char quote = '\0';
    while (at < text.size()) {
      const char c = text[at];
      if (quote != '\0') {
        if (c == '\\' && quote == '"')
          ++at;
        else if (c == quote)
          quote = '\0';
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '\\') {
        ++at;
      } else if (is_blank(c) || (ends_command(c) && c != '{' && c != '}')) {
        break;
      }
      ++at;
    }
    at = std::min(at, text.size());
    Span span{begin, at};
    const char first = text[begin];
    const bool is_quoted = (first == '"' || first == '\'') && span.end - span.begin >= 2 && text[span.end - 1] == first;
    if (is_quoted) ++span.begin, --span.end;
    words.push_back({span, is_quoted});
  }
  return words;
}

class Command {
 public:
  Command(std::string_view text, std::vector<ShellWord> words, Spans& out)
      : text_(text), words_(std::move(words)), out_(out) {}

  std::string_view word(size_t i) const { return slice(words_[i].span); }

  void apply_rows() {
    for (size_t i = 0; i < words_.size(); ++i) {
      const std::string_view name = base_of(word(i));
      if (name.empty() || name.size() > 24) continue;
      for (const ProgramRow& known : rows_about(name)) {
        const size_t blank = known.row->program.find(' ');
        const size_t from =
            blank == std::string_view::npos ? i + 1 : behind(known.row->program.substr(blank + 1), i + 1);
        if (from != 0) apply(*known.row, i, from);
      }
      if (name == "sqlplus" || name == "sqlldr" || name == "expdp" || name == "impdp") add_oracle(i);
    }
    add_login_pairs();
    add_user_and_password();
    add_askers();
    add_formatted();
  }

  bool empty() const { return words_.empty(); }
  Span all() const { return {words_.front().span.begin, words_.back().span.end}; }

  /// The words that `echo` or `printf` would print.
  std::vector<Span> printed() const {
    std::vector<Span> spans;
    const std::string_view name = base_of(word(0));
    if (name != "echo" && name != "printf") return spans;
    for (size_t i = 1; i < words_.size(); ++i) {
      const std::string_view text = word(i);
      if (text.starts_with('-') && text.size() <= 3) continue;
      if (text == ">" || text == ">>" || text.starts_with(">")) break;
      const bool is_format = name == "printf" && i == 1 && words_.size() > 2;
      if (!is_format) spans.push_back(words_[i].span);
    }
    return spans;
  }

  /// Whether the output goes to a file that holds a secret and nothing else, or a login: `> ~/.vault-token`.
  bool writes_secret() const {
    constexpr auto kFiles = std::to_array<std::string_view>({".pgpass", ".netrc", "_netrc", ".git-credentials"});
    for (size_t i = 1; i < words_.size(); ++i) {
      std::string_view target = word(i);
      if (!target.starts_with('>')) continue;
      while (target.starts_with('>')) target.remove_prefix(1);
      if (target.empty() && i + 1 < words_.size()) target = word(i + 1);
      const std::string_view name = base_of(target);
      return is_among(name, kFiles) || how_telling(name) == Telling::Yes;
    }
    return false;
  }

  /// What stands behind `<<<`.
  void add_fed() {
    for (size_t i = 0; i < words_.size(); ++i) {
      const std::string_view sign = word(i);
      if (sign == "<<<" && i + 1 < words_.size()) add(words_[i + 1].span);
      if (sign.starts_with("<<<") && sign.size() > 3) add(value_at(text_, words_[i].span.begin + 3).span);
    }
  }

  void add(Span span) {
    if (slice(span).starts_with("pass:")) span.begin += 5;  // openssl
    const std::string_view value = slice(span);
    if (span.end > span.begin && !is_harmless(value, true) && !value.starts_with('-')) out_.push_back(span);
  }

 private:
  std::string_view slice(Span span) const { return text_.substr(span.begin, span.end - span.begin); }

  static std::string_view base_of(std::string_view word) {
    const size_t slash = word.rfind('/');
    std::string_view base = slash == std::string_view::npos ? word : word.substr(slash + 1);
    if (base.ends_with(".exe")) base.remove_suffix(4);
    return base;
  }

  /// The position behind these words, which have to follow in order, with others between them; 0 if they do not.
  size_t behind(std::string_view sub, size_t from) const {
    for (const std::string_view part : text::split(sub, ' ')) {
      while (from < words_.size() && word(from) != part) ++from;
      if (from == words_.size()) return 0;
      ++from;
    }
    return from;
  }

  void apply(const ArgumentRow& row, size_t program, size_t from) {
    switch (row.place) {
      case Place::Word:
      case Place::Last:
      case Place::OddWord:
        return add_word(row, from);
      case Place::Values:
        return add_values(row, from);
      default:
        break;
    }
    for (size_t i = program + 1; i < words_.size(); ++i) {
      const size_t flags = flags_in_front(row, word(i));
      const std::string_view option = word(i).substr(flags);
      if (!option.substr(flags == 0 ? 0 : 1).starts_with(row.option.substr(flags == 0 ? 0 : 1))) continue;
      const bool is_exact = option.size() == row.option.size();
      const bool is_joined = !is_exact && option[row.option.size()] == '=';
      const bool takes_next = row.place != Place::Attached && is_exact && i + 1 < words_.size();
      const bool is_long = row.option.starts_with("--");
      const bool takes_rest = !is_exact && (is_joined || (row.place != Place::Next && !is_long));
      if (takes_next) add_part(row.place, words_[i + 1].span);
      if (takes_rest) {
        const Value rest = value_at(text_, words_[i].span.begin + flags + row.option.size() + (is_joined ? 1 : 0));
        add_part(row.place, {rest.span.begin, rest.is_quoted ? rest.span.end : words_[i].span.end});
      }
    }
  }

  /// How many flags without a value stand in front of the option in one word: `curl -sSfu me:pw`. Only `user:secret` is
  /// looked for in such a word, because its colon shows that it is one.
  static size_t flags_in_front(const ArgumentRow& row, std::string_view word) {
    constexpr std::string_view kFlags = "sSfLkvigIjNOJRqG#0123456";
    if (row.place != Place::Pair || row.option.size() != 2 || !word.starts_with('-') || word.starts_with("--"))
      return 0;
    const size_t letter = word.find_first_not_of(kFlags, 1);
    return letter != std::string_view::npos && letter > 1 && word[letter] == row.option[1] ? letter - 1 : 0;
  }

  /// The part of the value that is secret.
  void add_part(Place place, Span span) {
    const char sign = place == Place::Pair ? ':' : place == Place::Comma ? ',' : place == Place::Percent ? '%' : '\0';
    if (sign == '\0') return add(span);
    const size_t found = slice(span).find(sign);
    if (found != std::string_view::npos) add({span.begin + found + 1, span.end});
  }

  void add_word(const ArgumentRow& row, size_t from) {
    std::vector<size_t> plain;
    for (size_t i = from; i < words_.size(); ++i) {
      const std::string_view text = word(i);
      if (text.starts_with('>') || text.starts_with('<')) break;
      if (text.starts_with("/user:")) continue;  // `net use`
      if (!text.starts_with('-') || words_[i].is_quoted) plain.push_back(i);
    }
    const size_t count = static_cast<size_t>(row.option.front() - '0');
    if (plain.size() < count) return;
    const size_t i = row.place == Place::Word ? plain[count - 1] : plain.back();
    if (row.place == Place::OddWord && !has_odd_part(without_escapes(word(i)))) return;
    // `htpasswd -c file user` asks for the password.
    if (row.program == "htpasswd" && !asks_batch(from)) return;
    add(words_[i].span);
  }

  /// Without `\\r` and `\\n` at the end.
  static std::string_view without_escapes(std::string_view word) {
    while (word.ends_with("\\r") || word.ends_with("\\n")) word.remove_suffix(2);
    return word;
  }

  bool asks_batch(size_t from) const {
    return std::ranges::any_of(words_.begin() + static_cast<std::ptrdiff_t>(from), words_.end(),
                               [&](const ShellWord& one) {
                                 const std::string_view text = slice(one.span);
                                 return text.starts_with('-') && !text.starts_with("--") && text.contains('b');
                               });
  }

  void add_values(const ArgumentRow& row, size_t from) {
    const bool has_option = row.option.starts_with('-');
    for (size_t i = from; i < words_.size(); ++i) {
      std::string_view text = word(i);
      size_t begin = words_[i].span.begin;
      if (has_option) {
        if (text == row.option && i + 1 < words_.size()) {
          text = word(i + 1);
          begin = words_[i + 1].span.begin;
        } else if (text.starts_with(row.option)) {
          begin += row.option.size() + 1;
          text.remove_prefix(std::min(row.option.size() + 1, text.size()));
        } else {
          continue;
        }
      } else if (text.starts_with('-')) {
        continue;
      }
      const size_t equals = text.find('=');
      if (equals == std::string_view::npos || equals == 0) continue;
      const Value value = value_at(text_, begin + equals + 1);
      add({value.span.begin, value.is_quoted ? value.span.end : begin + text.size()});
    }
  }

  /// `sqlplus user/secret@db`.
  void add_oracle(size_t program) {
    for (size_t i = program + 1; i < words_.size(); ++i) {
      const std::string_view text = word(i);
      const size_t slash = text.find('/');
      if (slash == std::string_view::npos || slash == 0 || text.starts_with('@') || text.starts_with('-')) continue;
      const size_t sign = std::min(text.rfind('@'), text.size());
      if (sign > slash + 1) add({words_[i].span.begin + slash + 1, words_[i].span.begin + sign});
      return;
    }
  }

  /// `-u user:secret` of any program. Users and groups (`-u 1000:1000`, `-u www:www`) look alike.
  void add_login_pairs() {
    for (size_t i = 1; i + 1 < words_.size(); ++i) {
      const std::string_view option = word(i);
      if (!option.starts_with('-')) continue;
      if (option != "-u" && option != "--user" && option != "-a" && option != "--auth" && option != "-c" &&
          option != "--creds" && option != "--login")
        continue;
      const std::string_view value = word(i + 1);
      const size_t colon = value.find(':');
      if (colon == std::string_view::npos || colon == 0 || value.contains("://")) continue;
      const std::string_view secret = value.substr(colon + 1);
      const bool is_group = is_number(secret) || secret == value.substr(0, colon);
      if (!is_group && has_odd_part(secret)) add({words_[i + 1].span.begin + colon + 1, words_[i + 1].span.end});
    }
  }

  /// `-u user -p secret` of any program. Alone, `-p` has many meanings.
  void add_user_and_password() {
    const bool has_user = std::ranges::any_of(words_, [&](const ShellWord& one) {
      const std::string_view text = slice(one.span);
      if (!text.starts_with('-')) return text == "login";
      return text == "-u" || text == "-U" || text == "-D" || text.starts_with("--user") || text == "-user" ||
             text == "--login" || (text.starts_with("-u") && text.size() > 3 && is_letter(text[2]));
    });
    if (!has_user) return;
    for (size_t i = 1; i < words_.size(); ++i) {
      const std::string_view option = word(i);
      const bool is_password = option.starts_with("-p") || option.starts_with("-P") || option.starts_with("-w");
      if (!is_password) continue;
      const Span value = option.size() > 2       ? Span{words_[i].span.begin + 2, words_[i].span.end}
                         : i + 1 < words_.size() ? words_[i + 1].span
                                                 : Span{0, 0};
      if (has_odd_part(slice(value)) && !slice(value).contains('/')) add(value);
    }
  }

  /// `--password-command 'echo secret'`.
  void add_askers() {
    for (size_t i = 0; i + 1 < words_.size(); ++i) {
      if (!word(i).starts_with('-')) continue;
      const std::vector<std::string> parts = words_of_name(word(i));
      if (parts.size() < 2) continue;
      const bool is_asker = parts.back() == "command" || parts.back() == "cmd" || parts.back() == "program";
      if (!is_asker || how_telling(parts.front()) != Telling::Yes) continue;
      const std::string_view command = word(i + 1);
      if (command.starts_with("echo ")) add({words_[i + 1].span.begin + 5, words_[i + 1].span.end});
    }
  }

  /// `printf 'password %s' secret`: the name of an argument stands in the format.
  void add_formatted() {
    for (size_t i = 0; i + 2 < words_.size(); ++i) {
      if (!word(i).ends_with('f') || base_of(word(i)) != "printf") continue;
      const std::string_view format = word(i + 1);
      size_t argument = i + 2;
      for (size_t at = format.find('%'); at != std::string_view::npos; at = format.find('%', at + 2)) {
        if (char_at(format, at + 1) == '%') continue;
        size_t end = at;
        while (end > 0 && !is_name_char(format[end - 1]) && at - end < 5) --end;
        size_t begin = end;
        while (begin > 0 && is_name_char(format[begin - 1])) --begin;
        const Telling telling = how_telling(format.substr(begin, end - begin));
        if (argument < words_.size() && (telling == Telling::Yes || telling == Telling::Header)) {
          add(words_[argument].span);
        }
        ++argument;
      }
    }
  }

  std::string_view text_;
  std::vector<ShellWord> words_;
  Spans& out_;
};

void find_in(std::string_view text, size_t begin, size_t end, Spans& out, int depth);

/// Looks into quotes and substitutions: each piece may be a command.
void look_inside(std::string_view text, Span span, Spans& out, int depth) {
  const std::string_view inner = text.substr(span.begin, span.end - span.begin);
  if (depth > 0 && inner.contains(' ')) find_in(text, span.begin, span.end, out, depth - 1);
}

void find_in(std::string_view text, size_t begin, size_t end, Spans& out, int depth) {
  const std::string_view part = text.substr(0, end);
  std::vector<Span> printed;
  bool is_piped = false;
  for (size_t at = begin; at < end; ++at) {
    std::vector<ShellWord> words = read_command(part, at);
    for (const ShellWord& word : words) {
      if (word.is_quoted) look_inside(part, word.span, out, depth);
    }
    Command command(part, std::move(words), out);
    if (!command.empty()) {
      command.apply_rows();
      const Span all = command.all();
      const bool is_fed = is_piped || part.substr(all.begin, all.end - all.begin).contains("<<<");
      if (is_fed && reads_secret(part.substr(all.begin, all.end - all.begin))) {
        command.add_fed();
        if (is_piped) std::ranges::for_each(printed, [&](Span span) { command.add(span); });
      }
      if (!is_piped || !command.printed().empty()) printed = command.printed();
      if (command.writes_secret()) {
        for (const Span span : command.printed()) {
          const std::string_view word = part.substr(span.begin, span.end - span.begin);
          if (has_odd_part(word) || is_uuid(word)) command.add(span);
        }
      }
    }
    is_piped = at < end && part[at] == '|' && char_at(part, at + 1) != '|';
  }
}

}  // namespace

void find_in_commands(std::string_view text, Spans& out) {
  constexpr int kDepth = 3;
  find_in(text, 0, text.size(), out, kDepth);
}

}  // namespace grapnel::mask
