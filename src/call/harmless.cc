#include "call/harmless.h"

#include <algorithm>
#include <array>

#include "call/effects.h"
#include "call/harmless_table.h"
#include "call/options.h"
#include "call/words.h"
#include "call/wrappers.h"

namespace grapnel::call {

namespace {

/// Reads a sed script and answers whether all its commands are known to print
/// or to edit what is printed. Everything that it does not understand is a no.
class SedScript {
 public:
  explicit SedScript(std::string_view text) : text_(text) {}

  bool is_harmless() {
    while (at_ < text_.size()) {
      skip(" \t\n;}");
      if (at_ == text_.size()) return true;
      if (!skip_address() || !skip_command()) return false;
    }
    return true;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip(std::string_view characters) {
    while (at_ < text_.size() && characters.contains(text_[at_])) ++at_;
  }

  /// Moves behind the next `end` that is not escaped, nor in brackets.
  bool skip_to(char end) {
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == '\n') {
        return false;
      } else if (text_[at_] == end) {
        ++at_;
        return true;
      } else if (text_[at_] == '[') {
        // Brackets are read differently by different programs; a plain set
        // without the delimiter is enough here.
        const size_t close = text_.find(']', at_ + 2);
        const bool is_plain = close != std::string_view::npos && !text_.substr(at_, close - at_).contains(end) &&
                              !text_.substr(at_ + 1, close - at_ - 1).contains('[');
        if (!is_plain) return false;
        at_ = close;
      }
    }
    return false;
  }

  bool skip_one_address() {
    if (peek() == '/') {
      ++at_;
      if (!skip_to('/')) return false;
      skip("IM");
    } else {
      skip("0123456789$~+");
    }
    return true;
  }

  bool skip_address() {
    if (!skip_one_address()) return false;
    skip(" ");
    if (peek() == ',') {
      ++at_;
      skip(" ");
      if (!skip_one_address()) return false;
    }
    skip(" !");
    return true;
  }

  bool skip_command() {
    const char command = peek();
    ++at_;
    if (std::string_view("{}").contains(command)) return true;
    if (std::string_view("pPdDhHgGxnN=lFz").contains(command)) return ends();
    if (command == 'q' || command == 'Q') {
      skip(" 0123456789");
      return ends();
    }
    if (command == 's' || command == 'y') {
      const char end = peek();
      if (!std::string_view("/|#,:@!%_").contains(end)) return false;
      ++at_;
      if (!skip_to(end) || !skip_to(end)) return false;
      skip(command == 's' ? "gpiI0123456789" : "");
      return ends();
    }
    return false;
  }

  bool ends() {
    skip(" ");
    return at_ == text_.size() || std::string_view(";}\n").contains(peek());
  }

  std::string_view text_;
  size_t at_ = 0;
};

bool is_harmless_find(const SimpleCommand& command) {
  constexpr std::string_view kWords =
      " -name -iname -path -ipath -wholename -iwholename -regex -iregex -type "
      "-size -mtime -mmin -atime -amin -ctime "
      "-cmin -newer -anewer -cnewer -newermt -maxdepth -mindepth -depth -print "
      "-print0 -printf -ls -prune -o -or -a "
      "-and "
      "-not -empty -perm -user -group -uid -gid -links -inum -samefile -xdev "
      "-mount -follow -L -H -P -executable "
      "-readable -writable -true -false -quit -daystart -nouser -nogroup "
      "-regextype -lname -ilname -xtype -fstype "
      "-noleaf -ignore_readdir_race -warn -nowarn -used ";
  return std::ranges::all_of(command.words.begin() + 1, command.words.end(), [&](const Word& word) {
    return !word.is_dynamic() && (!word.text.starts_with('-') || has_name(kWords, word.text) ||
                                  word.text.find_first_not_of("-0123456789") == std::string::npos);
  });
}

/// The row whose words the command starts with: the longest one. `rest` is set
/// to the index of the first word behind.
const HarmlessRow* find_harmless(const SimpleCommand& command, size_t& rest) {
  const HarmlessRow* best = nullptr;
  const std::string_view program = base_name(command.words[0].text);
  for (const HarmlessRow& row : harmless_rows()) {
    size_t at = 0;
    std::string_view left = row.program;
    // Most rows are about another program.
    bool fits = left.starts_with(program);
    for (; fits && !left.empty(); ++at) {
      const std::string_view word = left.substr(0, left.find(' '));
      fits = at < command.words.size() && !command.words[at].is_dynamic() &&
             (at == 0 ? program : std::string_view(command.words[at].text)) == word;
      left.remove_prefix(std::min(left.size(), word.size() + 1));
    }
    if (!fits || (best != nullptr && best->program.size() >= row.program.size())) continue;
    best = &row;
    rest = at;
  }
  return best;
}

/// The words of a command, sorted into options and operands.
struct Parts {
  std::vector<std::string> options;
  std::vector<const Word*> operands;
  std::vector<const Word*> scripts;  ///< values of -e and --expression
};

/// Reads the words; false as soon as one of them is not in the row.
bool read_parts(const HarmlessRow& row, const SimpleCommand& command, size_t rest, Parts& parts) {
  const OptionRow* const options = find_options(command);
  bool has_options = true;
  for (size_t i = rest; i < command.words.size(); ++i) {
    const Word& word = command.words[i];
    // What it is when it runs may be an option: `find . $(echo -delete)`, a
    // file called `-o`.
    const bool may_be_option = word.is_dynamic() || (word.has_glob && std::string_view("*?[").contains(word.text[0]));
    if (may_be_option && has_options) return false;
    if (has_options && word.text == "--") {
      has_options = false;
      continue;
    }
    if (!has_options || !is_option(word.text)) {
      parts.operands.push_back(&word);
      continue;
    }
    const OptionUse use = read_option(options, word.text);
    if (word.text.starts_with("--")) {
      // As it is written: an abbreviation is not looked up.
      const std::string name = word.text.substr(2, word.text.find('=') - 2);
      if (row.longs != "*" && !has_name(row.longs, name)) return false;
      parts.options.push_back("--" + name);
    } else {
      const size_t end = use.value_at == std::string_view::npos ? word.text.size() : use.value_at;
      for (const char letter : std::string_view(word.text).substr(1, end - 1)) {
        if (row.letters != "*" && !row.letters.contains(letter)) return false;
        parts.options.push_back(std::string("-") + letter);
      }
    }
    const bool is_script = use.name == "-e" || use.name == "--expression";
    if (use.takes_next) {
      if (++i == command.words.size() || command.words[i].is_dynamic()) return false;
      if (is_script) parts.scripts.push_back(&command.words[i]);
    } else if (is_script && row.check == Check::Sed) {
      return false;
    }
  }
  return true;
}

bool has_any(const Parts& parts, std::string_view names) {
  return std::ranges::any_of(parts.options, [&](const std::string& option) { return has_name(names, option); });
}

bool passes(const HarmlessRow& row, const SimpleCommand& command, const Parts& parts) {
  const auto& operands = parts.operands;
  switch (row.check) {
    case Check::None:
      return true;
    case Check::Sed: {
      std::vector<const Word*> scripts = parts.scripts;
      if (scripts.empty() && !operands.empty()) scripts = {operands[0]};
      return !scripts.empty() && std::ranges::all_of(scripts, [](const Word* script) {
        return !script->is_dynamic() && SedScript(script->text).is_harmless();
      });
    }
    case Check::Awk:
      return !operands.empty() && !operands[0]->is_dynamic() && is_harmless_awk(operands[0]->text);
    case Check::Find:
      return is_harmless_find(command);
    case Check::Format:
      return std::ranges::all_of(operands, [](const Word* word) { return word->text.starts_with('+'); });
    case Check::Version:
      return command.words.size() == 2;
    case Check::List:
      return operands.empty() || has_any(parts,
                                         " -l --list --contains --no-contains --merged "
                                         "--no-merged --points-at ");
    case Check::Get:
      return operands.size() <= 1 || has_any(parts, " --get --get-all --get-regexp ");
    case Check::Names:
      return std::ranges::all_of(operands, [](const Word* word) {
        return std::ranges::all_of(word->text, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
      });
    case Check::Plain:
      return std::ranges::none_of(operands, [](const Word* word) { return word->text.starts_with('@'); });
    case Check::Local:
      return std::ranges::none_of(operands, [](const Word* word) { return word->text.contains(':'); });
  }
  return false;
}

}  // namespace

bool is_harmless_sed(std::string_view script) {
  return SedScript(script).is_harmless();
}

/// Strings and regular expressions are
/// left out first; a `/` is the start of one only where a division cannot be.
bool is_harmless_awk(std::string_view program) {
  std::string code;
  char before = ';';
  for (size_t i = 0; i < program.size(); ++i) {
    const char c = program[i];
    const bool is_regex = c == '/' && std::string_view(";{}(,!~&|\n").contains(before);
    if (c == '"' || is_regex) {
      for (++i; i < program.size() && program[i] != c; ++i) {
        if (program[i] == '\\') ++i;
        if (i < program.size() && program[i] == '\n') return false;
        // Whether a slash in brackets ends the expression depends on the awk.
        const size_t close = is_regex && program[std::min(i, program.size() - 1)] == '[' ? program.find(']', i + 3) : i;
        if (program.substr(i, close - i).contains('/')) return false;
      }
      if (i >= program.size()) return false;
      code += ' ';
      before = 'x';
      continue;
    }
    code += c;
    if (c != ' ' && c != '\t') before = c;
  }
  for (size_t at = code.find("||"); at != std::string::npos; at = code.find("||")) code.replace(at, 2, "  ");
  // In front of the first `print`, a `>` compares; behind it, it may be a
  // redirection.
  const size_t end = std::min(code.find("print"), code.size());
  std::replace(code.begin(), code.begin() + static_cast<ptrdiff_t>(end), '>', ' ');
  for (const std::string_view word : {"system", "getline", "close", "@", "|", ">", "#", "\\"}) {
    if (code.contains(word)) return false;
  }
  return true;
}

bool is_harmless(const SimpleCommand& command) {
  const auto writes_or_connects = [](const Redirection& redirection) {
    return writes_file(redirection) || redirection.target.text.starts_with("/dev/tcp") ||
           redirection.target.text.starts_with("/dev/udp");
  };
  const bool only_opens = command.words.empty() && command.assignments.empty() && !command.redirections.empty();
  if (only_opens) return std::ranges::none_of(command.redirections, writes_or_connects);
  if (command.words.empty() || command.code || command.is_remote || !command.assignments.empty()) return false;
  if (command.words[0].is_dynamic() || std::ranges::any_of(command.redirections, writes_or_connects)) return false;
  const std::string_view program = base_name(command.words[0].text);
  if (is_one_of(program, always_harmless())) return true;
  // More words are to come, and they may be options.
  if (command.is_open) return false;
  // What a wrapper runs is judged by itself; here only the wrapper's own
  // options count.
  SimpleCommand own = command;
  // Where git works, and that it shows no pager, changes nothing about what it
  // does.
  while (program == "git" && own.words.size() > 2 && !own.words[2].is_dynamic()) {
    const std::string& option = own.words[1].text;
    const size_t width = option == "-C" ? 2 : option == "--no-pager" || option == "-P" ? 1 : 0;
    if (width == 0) break;
    own.words.erase(own.words.begin() + 1, own.words.begin() + 1 + static_cast<ptrdiff_t>(width));
  }
  size_t rest = 1;
  const HarmlessRow* const row = find_harmless(own, rest);
  if (row == nullptr) return false;
  if (program == "printf") return command.words.size() > 1 && !is_option(command.words[1].text);
  if (row->check == Check::Find) return is_harmless_find(command);
  const bool asks_version = command.words.size() == 2 && command.words[1].text == "--version";
  if (row->check == Check::Version && asks_version) return true;
  const bool is_wrapper =
      is_one_of(program, std::to_array<std::string_view>({"time", "timeout", "nice", "stdbuf", "xargs", "!"}));
  if (is_wrapper) {
    const OptionRow* const options = find_options(program);
    size_t end = 1;
    while (end < own.words.size() && is_option(own.words[end].text)) {
      end += read_option(options, own.words[end].text).takes_next ? 2 : 1;
    }
    own.words.resize(std::min(end, own.words.size()));
  }
  if (program == "tar" && own.words.size() > 1 && !own.words[1].text.starts_with('-')) {
    own.words[1].text.insert(0, "-");
  }
  Parts parts;
  if (!read_parts(*row, own, rest, parts)) return false;
  if (!row->needs.empty() && !has_any(parts, row->needs)) return false;
  if (static_cast<int>(parts.operands.size()) > row->max_operands) return false;
  return passes(*row, own, parts);
}

}  // namespace grapnel::call
