#include "call/doubt.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"
#include "call/words.h"
#include "call/wrappers.h"
#include "shell/parameter.h"
#include "shell/shell_words.h"
#include "shell/word_scan.h"

namespace grapnel::call {

namespace {

/// Programs that decode text, with the option that makes them do it.
struct DecoderRow {
  std::string_view program;
  std::string_view option;
};
constexpr auto kDecodingPrograms = std::to_array<DecoderRow>({
    {"base64", "-d"},
    {"base64", "-D"},
    {"base64", "--d"},
    {"base32", "-d"},
    {"basenc", "-d"},
    {"basenc", "--d"},
    {"xxd", "-r"},
    {"openssl", "enc"},
    {"openssl", "base64"},
    {"uudecode", ""},
    {"rev", ""},
    {"tr", "n-za-m"},
    {"tr", "N-ZA-M"},
});

/// Programs that make other text of what they read.
constexpr auto kEditors = std::to_array<std::string_view>(
    {"sed",  "gsed",   "tr",      "awk",  "gawk",   "mawk", "cut",  "rev",     "perl", "head",
     "tail", "paste",  "fold",    "expr", "printf", "jq",   "sort", "join",    "dd",   "od",
     "xxd",  "python", "python3", "ruby", "node",   "php",  "m4",   "envsubst"});

/// The longest piece that a word may be put together from; words in rules are short.
constexpr size_t kMaxPiece = 16;

/// Texts that edit more values than this are not written by people.
constexpr size_t kMaxEdited = 256;

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The values that the environment has for variables in the text: `$NAME` and `${NAME…}`.
void add_values(std::string_view text, const Environment& env, std::string& out) {
  for (size_t at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
    size_t from = at + 1;
    if (from < text.size() && text[from] == '{') ++from;
    size_t end = from;
    while (end < text.size() && is_name_character(text[end])) ++end;
    if (end > from) (out += '\n') += env.get(text.substr(from, end - from));
  }
}

/// What `${NAME/a/b}` and its like give for every value that the text assigns to the variable, wherever that is.
std::vector<std::string> edited_values(std::string_view text, const std::vector<SimpleCommand>& commands) {
  std::vector<std::string> out;
  for (size_t at = text.find("${"); at != std::string_view::npos; at = text.find("${", at + 2)) {
    const std::string_view inside = text.substr(at + 2, text.find('}', at) - at - 2);
    const size_t size = static_cast<size_t>(std::ranges::find_if_not(inside, is_name_character) - inside.begin());
    if (size == 0 || size == inside.size()) continue;
    for (const SimpleCommand& command : commands) {
      for (const Assignment& assignment : command.assignments) {
        if (assignment.name != inside.substr(0, size) || assignment.value.is_dynamic()) continue;
        auto value = shell::expand_parameter(assignment.value.text, inside.substr(size));
        if (value && out.size() < kMaxEdited) out.push_back(std::move(*value));
      }
    }
  }
  return out;
}

void add_edited(std::string_view text, const std::vector<SimpleCommand>& commands, std::string& out) {
  for (const std::string& value : edited_values(text, commands)) (out += '\n') += value;
}

/// The text without quotes, backslashes and empty substitutions: what quoted code is when it runs, `git pus\\h`.
std::string without_marks(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("$()")) {
      i += 2;
    } else if (text.substr(i).starts_with("``")) {
      ++i;
    } else if (!std::string_view("\\'\"").contains(text[i])) {
      out += text[i];
    }
  }
  return out;
}

void add_without_marks(std::string_view text, std::string& out) {
  if (text.contains('\\') || text.contains("$()") || text.contains("``")) (out += '\n') += without_marks(text);
}

/// The text without the signs of extended globs: `/bin/+(r)m` fits what `/bin/rm` is.
void add_without_choices(std::string_view text, std::string& out) {
  if (!text.contains("extglob")) return;
  out += '\n';
  for (size_t i = 0; i < text.size(); ++i) {
    const bool opens = i + 1 < text.size() && text[i + 1] == '(' && std::string_view("?*+@").contains(text[i]);
    if (opens) {
      ++i;
    } else if (text[i] != ')') {
      out += text[i];
    }
  }
}

/// The text with blanks in place of the separators that it sets: `IFS=_; x=rm_-r; $x`.
void add_separated(std::string_view text, std::string& out) {
  std::string separators;
  constexpr std::string_view kSets = "IFS=";
  for (size_t at = text.find(kSets); at != std::string_view::npos; at = text.find(kSets, at + 1)) {
    const std::string_view behind = text.substr(at + kSets.size());
    for (const char c : behind.substr(0, behind.find_first_of(" \t\n;"))) {
      if (!std::string_view("'\"\\$").contains(c)) separators += c;
    }
  }
  if (separators.empty()) return;
  out += '\n';
  for (const char c : std::string(text) + '\n' + without_marks(text)) out += separators.contains(c) ? ' ' : c;
}

void add_words(const std::vector<SimpleCommand>& commands, std::string& out) {
  const auto add = [&](const Word& word) { (out += '\n') += word.text; };
  for (const SimpleCommand& command : commands) {
    std::ranges::for_each(command.words, add);
    for (const Assignment& assignment : command.assignments) add(assignment.value);
    for (const Redirection& redirection : command.redirections) add(redirection.target);
    if (command.code) (out += '\n') += *command.code;
  }
}

/// The text, what its words are without quotes, and the values of its variables. Nothing is lost by adding too much.
std::string everything(std::string_view text, const ParsedCommand& parsed, const std::vector<SimpleCommand>& again,
                       const Environment* env) {
  std::string out(text);
  add_words(parsed.commands, out);
  add_words(again, out);
  add_edited(text, parsed.commands, out);
  add_without_choices(text, out);
  add_separated(text, out);
  add_without_marks(text, out);
  if (env != nullptr) add_values(text, *env, out);
  return out;
}

/// Programs whose words become the words of others.
constexpr auto kPrinters = std::to_array<std::string_view>({"echo", "printf", "set", "export", "declare", "typeset",
                                                            "local", "readonly", "read", "yes", "seq", "alias", ":",
                                                            "true", "parallel", "xargs", "getopts", ".", "source"});

/// Whether the words of the command may become words of another one: it prints them, or is a shell, a script that is
/// sourced or a function that gets them as its arguments.
bool passes_words_on(std::string_view text, std::string_view program) {
  if (std::ranges::find(kPrinters, program) != kPrinters.end() || shell::is_shell(program)) return true;
  const std::string name(program);
  const bool is_alias = text.contains("alias") && text.contains(name + "=");
  return is_alias || text.contains(name + "()") || text.contains(name + " ()") || text.contains("function " + name);
}

/// Where the options stand that surely belong to a program. `sed -r` says nothing about the words of `rm $X`.
std::vector<std::pair<size_t, size_t>> settled_options(std::string_view text, const ParsedCommand& parsed) {
  std::vector<std::pair<size_t, size_t>> out;
  // The grammar may have taken a part of an extended glob for a program.
  if (text.contains("extglob")) return out;
  std::vector<std::pair<size_t, size_t>> doubtful;
  for (const SimpleCommand& command : parsed.commands) {
    if (command.words.empty()) continue;
    const bool is_known = !command.words[0].is_dynamic();
    const std::string_view program = base_name(command.words[0].text);
    const bool hands_on =
        is_known && (passes_words_on(text, program) || is_prefix(program) || shell::opens_block(program));
    if (hands_on) continue;
    for (const Word& word : command.words) {
      if (word.end > word.begin && word.text.starts_with('-') && word.gaps.empty())
        (is_known ? out : doubtful).emplace_back(word.begin, word.end);
    }
  }
  // In `nice ${x}it push -f`, the option is that of `push` or that of a program that nobody knows.
  std::erase_if(out, [&](const auto& one) { return std::ranges::find(doubtful, one) != doubtful.end(); });
  return out;
}

/// The text without these options, followed by what else `everything` adds behind it.
std::string without_options(const std::string& everything, size_t text_size, const ParsedCommand& parsed,
                            const std::vector<SimpleCommand>& again, const Environment* env) {
  std::string out = everything.substr(0, text_size);
  for (const auto& [begin, end] : settled_options(std::string_view(everything).substr(0, text_size), parsed)) {
    if (end <= out.size())
      std::fill(out.begin() + static_cast<ptrdiff_t>(begin), out.begin() + static_cast<ptrdiff_t>(end), ' ');
  }
  for (const SimpleCommand& command : parsed.commands) {
    for (const Assignment& assignment : command.assignments) (out += '\n') += assignment.value.text;
    if (command.code) (out += '\n') += *command.code;
  }
  add_words(again, out);
  const std::string seen = out.substr(0, text_size);
  add_edited(seen, parsed.commands, out);
  add_without_choices(seen, out);
  add_separated(seen, out);
  add_without_marks(seen, out);
  if (env != nullptr) add_values(std::string_view(everything).substr(0, text_size), *env, out);
  return out;
}

/// Programs that bring text from other machines.
constexpr auto kDownloaders = std::to_array<std::string_view>(
    {"curl", "wget", "nc", "ncat", "netcat", "socat", "ftp", "lftp", "aria2c", "http", "xh", "telnet", "openssl"});

bool downloads_text(std::string_view text, const ParsedCommand& parsed) {
  if (text.contains("/dev/tcp/") || text.contains("/dev/udp/")) return true;
  return std::ranges::any_of(parsed.commands, [](const SimpleCommand& command) {
    return !command.words.empty() &&
           std::ranges::find(kDownloaders, base_name(command.words[0].text)) != kDownloaders.end();
  });
}

bool is_program_of(const SimpleCommand& command, std::span<const std::string_view> names) {
  return !command.words.empty() && std::ranges::find(names, base_name(command.words[0].text)) != names.end();
}

bool edits(const SimpleCommand& command) {
  return is_program_of(command, kEditors);
}

/// Whether it prints words that stand in the text.
bool says_text(const SimpleCommand& command) {
  constexpr auto kSaying = std::to_array<std::string_view>({"echo", "printf"});
  return is_program_of(command, kSaying) && command.words.size() > 1 &&
         std::ranges::none_of(command.words, [](const Word& word) { return word.is_dynamic(); });
}

bool is_fed_text(const SimpleCommand& command) {
  return std::ranges::any_of(command.redirections,
                             [](const Redirection& redirection) { return redirection.op.starts_with("<<"); });
}

/// Whether only the running shell knows which program it is.
bool has_no_name(const SimpleCommand& command) {
  return !command.words.empty() && command.words[0].text.empty() && !command.words[0].gaps.empty();
}

/// Whether a text that stands in the command line goes through a program that makes another one of it, so that what is
/// run may have none of its words: `echo sm -r | tr s r | sh`.
bool edits_text(const ParsedCommand& parsed) {
  constexpr auto kChanging = std::to_array<std::string_view>({"tr", "sed", "gsed", "cut", "awk", "gawk", "perl"});
  const auto changes = [&](const SimpleCommand& one) { return is_program_of(one, kChanging); };
  const auto runs = [](const SimpleCommand& command) {
    const std::string_view program = command.words.empty() ? "" : base_name(command.words[0].text);
    return shell::is_shell(program) || program == "eval" || program == "source" || program == ".";
  };
  return std::ranges::any_of(parsed.commands, runs) && std::ranges::any_of(parsed.commands, changes) &&
         std::ranges::any_of(parsed.commands, [&](const SimpleCommand& one) {
           return says_text(one) || (changes(one) && is_fed_text(one));
         });
}

void add_piece(std::string_view piece, std::vector<std::string>& out) {
  if (!piece.empty() && piece.size() <= kMaxPiece) out.emplace_back(piece);
  // `/e` and `tc/hosts` make the name of a directory.
  const size_t slash = piece.find('/');
  if (slash == std::string_view::npos) return;
  if (slash > 0) add_piece(piece.substr(0, slash), out);
  add_piece(piece.substr(slash + 1), out);
}

/// The known parts between the gaps of a word.
void add_parts(const Word& word, std::vector<std::string>& out) {
  size_t from = 0;
  for (const size_t gap : word.gaps) {
    add_piece(std::string_view(word.text).substr(from, gap - from), out);
    from = gap;
  }
  add_piece(std::string_view(word.text).substr(from), out);
}

/// What is around the variables in a word: `m` in `${w}m`.
void add_around_variables(std::string_view word, std::vector<std::string>& out) {
  size_t from = 0;
  for (size_t at = word.find('$'); at != std::string_view::npos; at = word.find('$', from)) {
    add_piece(word.substr(from, at - from), out);
    from = at + 1;
    if (from < word.size() && word[from] == '{') {
      from = std::min(word.find('}', from), word.size() - 1) + 1;
    } else {
      while (from < word.size() && is_name_character(word[from])) ++from;
    }
  }
  add_piece(word.substr(std::min(from, word.size())), out);
}

/// Words that variables may get without an assignment: those of loops, of `set`, of arrays, the arguments of functions,
/// and what `${NAME:-text}` gives.
void add_loose_words(std::string_view text, std::vector<std::string>& out) {
  constexpr auto kSigns =
      std::to_array<std::string_view>({"for ", "set -", "=(", "()", "read ", "printf", "tr ", ":-"});
  const auto has = [&](std::string_view sign) { return text.contains(sign); };
  for (size_t at = text.find("${"); at != std::string_view::npos; at = text.find("${", at + 2)) {
    const std::string_view inside = text.substr(at + 2, text.find('}', at) - at - 2);
    const size_t sign = inside.find_first_of("-=+");
    if (sign != std::string_view::npos) add_piece(inside.substr(sign + 1), out);
  }
  if (std::ranges::none_of(kSigns, has)) return;
  for (const shell::Token& token : shell::tokenize(text)) {
    if (token.is_operator) continue;
    add_piece(token.text, out);
    if (token.text.contains('$')) add_around_variables(token.text, out);
    // Quoted code.
    if (token.text.size() < text.size() && token.text.contains(' ')) add_loose_words(token.text, out);
  }
}

/// What `printf` prints of its format, without the conversions; other words at their blanks.
void add_printed(std::string_view word, std::vector<std::string>& out) {
  size_t from = 0;
  for (size_t i = 0; i <= word.size(); ++i) {
    const bool is_conversion = i + 1 < word.size() && word[i] == '%';
    if (i < word.size() && !is_conversion && word[i] != ' ') continue;
    add_piece(word.substr(from, i - from), out);
    if (is_conversion) ++i;
    from = i + 1;
  }
}

/// What words may be put together from: values of variables, the known parts of words with gaps, and what `echo` and
/// `printf` print.
void add_pieces(const std::vector<SimpleCommand>& commands, std::vector<std::string>& out) {
  for (const SimpleCommand& command : commands) {
    for (const Assignment& assignment : command.assignments) add_parts(assignment.value, out);
    for (const Redirection& redirection : command.redirections) {
      if (!redirection.target.gaps.empty()) add_parts(redirection.target, out);
    }
    const std::string_view program = command.words.empty() ? "" : base_name(command.words[0].text);
    const bool declares = program == "export" || program == "declare" || program == "typeset" || program == "local" ||
                          program == "readonly" || program == "env" || program == "read";
    const bool prints = program == "echo" || program == "printf" || declares;
    for (const Word& word : command.words) {
      if (prints || !word.gaps.empty()) add_parts(word, out);
      if (prints) add_printed(word.text, out);
      // `time a=r` assigns, and so does every word of `export`.
      const size_t equals = word.text.find('=');
      const bool is_named = equals != std::string::npos && equals > 0 &&
                            std::ranges::all_of(std::string_view(word.text).substr(0, equals), is_name_character);
      if (is_named || (declares && equals != std::string::npos))
        add_piece(std::string_view(word.text).substr(equals + 1), out);
    }
  }
}

std::vector<std::string> pieces_of(std::string_view text, const ParsedCommand& parsed,
                                   const std::vector<SimpleCommand>& again) {
  std::vector<std::string> out;
  add_loose_words(text, out);
  add_pieces(parsed.commands, out);
  add_pieces(again, out);
  for (const std::string& value : edited_values(text, parsed.commands)) add_piece(value, out);
  return out;
}

}  // namespace

bool decodes_text(const ParsedCommand& parsed) {
  return std::ranges::any_of(parsed.commands, [](const SimpleCommand& command) {
    if (command.words.empty()) return false;
    const std::string_view program = base_name(command.words[0].text);
    // `printf "\\$((100 + 45))"` prints a character by its number.
    const auto escapes_gap = [](const Word& word) {
      return std::ranges::any_of(word.gaps, [&](size_t gap) { return gap > 0 && word.text[gap - 1] == '\\'; });
    };
    if ((program == "printf" || program == "echo") && std::ranges::any_of(command.words, escapes_gap)) return true;
    return std::ranges::any_of(kDecodingPrograms, [&](const DecoderRow& row) {
      const auto has = [&](const Word& word) { return row.option.empty() || word.text.starts_with(row.option); };
      return row.program == program && std::ranges::any_of(command.words, has);
    });
  });
}

bool is_unseen_code(const SimpleCommand& command) {
  return !command.code && !command.words.empty() && command.is_open && command.words[0].text.empty() &&
         !command.words[0].gaps.empty();
}

bool names_program_file(const SimpleCommand& command) {
  if (command.words.empty()) return false;
  const Word& name = command.words[0];
  const size_t slash = name.text.rfind('/');
  return slash != std::string::npos && slash + 1 < name.text.size() && !name.splits && !name.gaps.empty() &&
         name.gaps.front() > slash;
}

bool makes_own_name(const SimpleCommand& command, const ParsedCommand& parsed) {
  if (!has_no_name(command)) return false;
  const Word& name = command.words[0];
  return std::ranges::any_of(parsed.commands, [&](const SimpleCommand& other) {
    return other.begin > name.begin && other.end < name.end && edits(other);
  });
}

bool has_edited_name(const SimpleCommand& command, const ParsedCommand& parsed) {
  if (!has_no_name(command)) return false;
  const auto edits_between = [&](size_t begin, size_t end) {
    bool has_editor = false;
    bool has_text = false;
    for (const SimpleCommand& one : parsed.commands) {
      if (one.begin < begin || one.end > end) continue;
      const bool is_editor = edits(one);
      has_editor = has_editor || is_editor;
      has_text = has_text || says_text(one) || (is_editor && is_fed_text(one));
    }
    return has_editor && has_text;
  };
  // A word of a text that another command runs has no place. It may be anywhere in that command.
  if (command.words[0].end == 0 && edits_between(command.begin, command.end)) return true;
  // `x=$(tr -d x <<< rxm); $x`.
  return std::ranges::any_of(parsed.commands, [&](const SimpleCommand& one) {
    const auto is_dynamic = [](const Assignment& assignment) { return !assignment.value.gaps.empty(); };
    return one.words.empty() && one.end > 0 && std::ranges::any_of(one.assignments, is_dynamic) &&
           edits_between(one.begin, one.end);
  });
}

Doubt::Doubt(std::string_view text, const ParsedCommand& parsed, const std::vector<SimpleCommand>& again,
             const Environment* env)
    : text_(everything(text, parsed, again, env)),
      flag_text_(without_options(text_, text.size(), parsed, again, env)),
      mentions_(text_, decodes_text(parsed)),
      flag_mentions_(flag_text_, mentions_.hides_words()),
      may_hide_code_(mentions_.hides_words() || downloads_text(text, parsed) || edits_text(parsed)),
      pieces_(pieces_of(text, parsed, again)) {}

/// Whether the word is two or more pieces, one behind the other.
bool Doubt::can_build(std::string_view word) const {
  std::vector<bool> reached(word.size() + 1);
  reached[0] = true;
  for (size_t at = 0; at < word.size(); ++at) {
    if (!reached[at]) continue;
    for (const std::string& piece : pieces_) {
      const bool fits =
          piece.size() <= word.size() - at && text::to_lower(word.substr(at, piece.size())) == text::to_lower(piece);
      if (fits) reached[at + piece.size()] = true;
    }
  }
  return reached[word.size()];
}

/// Whether a piece is an option with this letter (`${x:--rf}`), or becomes one behind a dash: `printf 'rm -%s' rf`.
bool Doubt::can_bundle(std::string_view flag) const {
  if (flag.size() != 2 || flag[0] != '-') return false;
  const bool has_dash = std::ranges::find(pieces_, "-") != pieces_.end();
  return std::ranges::any_of(pieces_, [&](std::string_view piece) {
    const bool is_option = piece.starts_with('-');
    if (is_option) piece.remove_prefix(1);
    return (is_option || has_dash) && piece.size() <= 4 && piece.contains(flag[1]) &&
           std::ranges::all_of(piece, is_name_character);
  });
}

std::string Doubt::may_run(const std::vector<std::string>& pattern) const {
  if (std::string word = mentions_.command_word(pattern); !word.empty()) return word;
  const bool is_built = std::ranges::all_of(pattern, [&](const std::string& word) {
    return word.starts_with('-') || word.contains('*') || mentions_.command({word}) || can_build(word);
  });
  return is_built ? text::join(pattern, " ") : "";
}

bool Doubt::may_have_flag(std::string_view flag) const {
  return flag_mentions_.flag(flag) || can_build(flag) || can_bundle(flag);
}

std::string Doubt::may_name(std::string_view glob) const {
  if (std::string part = mentions_.path(glob); !part.empty()) return part;
  for (const std::string_view part : Mentions::parts_of(glob)) {
    if (can_build(part)) return std::string(part);
  }
  return "";
}

}  // namespace grapnel::call
