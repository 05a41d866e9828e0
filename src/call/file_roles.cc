#include "call/file_roles.h"

#include <algorithm>
#include <map>
#include <string>

#include "base/text.h"
#include "call/effects.h"
#include "call/file_table.h"
#include "call/options.h"
#include "call/words.h"
#include "shell/shell_words.h"
#include "shell/word_scan.h"

/// It errs on the side of too many files: a word that is no file matches no pattern about files, so it does little
/// harm.
namespace grapnel::call {

namespace {

using shell::drop_front;
using shell::literal_word;
using shell::unknown_word;

/// Where the revision ends in `git show HEAD:.env`. What is behind the colon of an address may be a password, so an
/// address has no revision; but `@` and `HEAD@{1}` are revisions.
size_t end_of_revision(std::string_view word) {
  const size_t at = word.find('@');
  const bool has_user = at != std::string_view::npos && at > 0 && word.substr(at + 1, 1) != "{";
  return word.contains("://") || has_user ? std::string_view::npos : word.find(':');
}

/// Collects the files of one command.
class FileReader {
 public:
  FileReader(const SimpleCommand& command, std::vector<PathUse>& out)
      : command_(command),
        program_(base_name(command.words[0].text)),
        files_(find_files(command)),
        options_(find_options(command)),
        out_(out) {
    // `cat a > b` writes b, not a: redirections must not make the operands look written.
    SimpleCommand alone = command;
    alone.redirections.clear();
    writes_ = effects_by_table(alone).writes;
    if (program_ == "tar" || program_ == "bsdtar") read_tar_mode();
    // A module may do anything with its operands.
    if (program_.starts_with("python") && has_flag(command, "-m") == Certainty::Yes) {
      files_ = nullptr;
      writes_ = Certainty::Maybe;
    }
  }

  void read() {
    if (program_ == "find" || program_ == "gfind") return read_find();
    if (files_ != nullptr && files_->operands == Operands::None && program_ != "ssh") return read_options_only();
    bool has_options = true;
    for (size_t i = 1; i < command_.words.size(); ++i) {
      const Word& word = command_.words[i];
      if (has_options && word.text == "--") {
        has_options = false;
      } else if (has_options && is_option(word.text)) {
        i += i < global_ ? read_global_at(i) : read_option_at(i);
      } else {
        operands_.push_back(word);
      }
    }
    add_operands();
  }

 private:
  /// tar's first word may be letters without a dash: `tar xzf a.tgz`.
  void read_tar_mode() {
    if (command_.words.size() < 2) return;
    for (size_t i = 1; i < command_.words.size(); ++i) {
      const std::string& text = command_.words[i].text;
      const bool is_bundle = i == 1 ? !text.starts_with("--") : text.size() > 1 && text[0] == '-' && text[1] != '-';
      // What is behind a letter with a value is the value: `-czf/etc/x.tgz`. Without a dash, values come later.
      const size_t valued =
          is_bundle && text[0] == '-' ? text.find_first_of(find_options("tar")->letters, 1) : std::string::npos;
      const std::string_view letters = is_bundle ? std::string_view(text).substr(0, valued) : "";
      if (text == "--extract" || text == "--get" || letters.contains('x')) extracts_ = true;
      if (text == "--list" || letters.contains('t')) lists_ = true;
    }
  }

  /// An option of git in front of its subcommand: the directory that it works in.
  size_t read_global_at(size_t i) {
    const OptionUse use = call::read_option(find_options("git"), command_.words[i].text);
    const bool is_place = use.name == "-C" || use.name == "--git-dir" || use.name == "--work-tree";
    const bool is_written = writes_ != Certainty::No;
    if (is_place && use.takes_next && i + 1 < command_.words.size()) add(command_.words[i + 1], is_written, false);
    if (is_place && use.value_at != std::string_view::npos) {
      add(drop_front(command_.words[i], use.value_at), is_written, false);
    }
    if (use.name == "-c") add_git_setting(i, use);
    return use.takes_next ? 1 : 0;
  }

  /// `git -c include.path=file`, `git -c core.worktree=directory`
  void add_git_setting(size_t i, const OptionUse& use) {
    if (use.takes_next && i + 1 == command_.words.size()) return;
    const Word setting = use.takes_next ? command_.words[i + 1] : drop_front(command_.words[i], use.value_at);
    const size_t equals = setting.text.find('=');
    if (equals == std::string::npos || setting.text.find_first_of("/.", equals) == std::string::npos) {
      return;
    }
    const bool is_tree = text::to_lower(setting.text.substr(0, equals)) == "core.worktree";
    add(drop_front(setting, equals + 1), is_tree && writes_ != Certainty::No, false);
  }

  void read_options_only() {
    for (size_t i = 1; i < command_.words.size(); ++i) {
      const Word& word = command_.words[i];
      const OptionUse use = call::read_option(options_, word.text);
      if (files_->outputs.empty() || use.name.empty()) continue;
      if (!has_name(files_->outputs, use.name) && !has_name(files_->outputs, word.text)) continue;
      read_option_at(i);
    }
  }

  /// Whether the option's value is no file.
  bool is_text(std::string_view option) const {
    if (option.starts_with("--")) return takes_text(option);
    return option.size() == 2 && is_text_letter(program_, option[1]);
  }

  /// Reads the option at `i`. Returns how many of the following words belong to it.
  size_t read_option_at(size_t i) {
    const Word& word = command_.words[i];
    OptionUse use = call::read_option(options_, word.text);
    // `gcc -MF file`, `ld -Map=file`: a name of more than one letter behind one dash.
    const std::string whole = word.text.substr(0, word.text.find('='));
    if (whole.size() > 2 && whole[1] != '-' && files_ != nullptr && has_name(files_->outputs, whole)) {
      use = {.name = whole, .value_at = whole.size() < word.text.size() ? whole.size() + 1 : std::string_view::npos};
    }
    // The value of a program without a row may be in the next word; that is read as an operand.
    const bool has_pattern = use.name == "-e" || use.name == "--regexp" || use.name == "--expression" ||
                             use.name == "-f" || use.name == "--file" || use.name == "--from-file";
    if (has_pattern && files_ != nullptr && files_->is_pattern_first) gives_pattern_ = true;
    const bool is_output = files_ != nullptr && has_name(files_->outputs, use.name);
    const bool takes_next = use.takes_next || (is_output && use.value_at == std::string_view::npos);
    if (takes_next) {
      if (i + 1 < command_.words.size()) add_value_or_text(use.name, command_.words[i + 1]);
      return 1;
    }
    if (use.value_at != std::string_view::npos) add_value_or_text(use.name, drop_front(word, use.value_at));
    return 0;
  }

  /// Text is no file, unless it is one that is taken for text: `curl -H @file`.
  void add_value_or_text(std::string_view option, const Word& value) {
    if (!is_text(option)) return add_value(option, value);
    if (value.text.starts_with('@')) add(drop_front(value, 1), false, false);
  }

  void add_value(std::string_view option, Word value) {
    const bool is_output = files_ != nullptr && has_name(files_->outputs, option);
    const bool is_tar = program_ == "tar" || program_ == "bsdtar";
    bool is_written = is_output || (program_ == "git" && option == "--prefix");
    if (is_tar && (option == "-C" || option == "--directory" || option == "--one-top-level")) is_written = extracts_;
    if (is_tar && (option == "-f" || option == "--file")) is_written = !extracts_ && !lists_;
    if (is_output || (is_tar && is_written)) has_target_ = true;
    // `make -C x` works there, and what it does is in a file.
    const bool is_place = is_make() && is_output;
    const bool is_told = files_ != nullptr && option.size() > 2 && !is_output && names_target(option);
    const bool is_guess =
        is_place || is_told || (files_ == nullptr && writes_ == Certainty::Maybe && names_output(option));
    if (is_tar && extracts_ && (option == "--transform" || option == "--xform" || option == "-s")) {
      // It makes names of others.
      value.gaps = {0};
      return add(std::move(value), true, true);
    }
    if (program_ == "ssh" && option == "-o") return add_ssh_setting(value);
    if (is_config_file(option)) return add(std::move(value), !asks_git(), false);
    // `-v /etc:/host:ro`, `--mount type=bind,src=/etc,dst=/host`
    if (option == "-v" || option == "--volume") return add_mount(value);
    if (option == "--mount") return add_parts(value);
    // `cmake -DCMAKE_INSTALL_PREFIX=/x`
    const size_t equals = value.text.find('=');
    if (equals != std::string::npos && names_target(value.text.substr(0, equals)) && writes_ != Certainty::No) {
      add(drop_front(value, equals + 1), true, true);
    }
    // `curl -F 'x=<file'`, `curl --data-urlencode x@file`
    const size_t sign = program_ == "curl" ? value.text.find_first_of("@<") : std::string::npos;
    const bool is_seen =
        sign == 0 || (sign != std::string::npos && value.text[sign] == '@' && value.text[sign - 1] == '=');
    if (sign != std::string::npos && !is_seen) add(drop_front(value, sign + 1), false, false);
    add(value, is_written || is_guess, is_guess);
  }

  bool is_make() const { return program_ == "make" || program_ == "gmake" || program_ == "ninja"; }

  bool is_config_file(std::string_view option) const {
    const bool is_config = files_ != nullptr && files_->program == "git config";
    return is_config && (option == "-f" || option == "--file");
  }

  /// Whether `git config` only tells what is set.
  bool asks_git() const {
    return std::ranges::any_of(command_.words, [](const Word& word) {
      return word.text.starts_with("--get") || word.text == "get" || word.text == "-l" || word.text == "--list" ||
             word.text == "list";
    });
  }

  /// `ssh -o ControlPath=file`
  void add_ssh_setting(const Word& setting) {
    const size_t equals = setting.text.find_first_of("= ");
    if (equals == std::string::npos) return;
    const bool is_target = names_target(setting.text.substr(0, equals));
    add(drop_front(setting, equals + 1), is_target, is_target);
  }

  /// Whether the name of the option says that its value is written.
  static bool names_output(std::string_view option) {
    return option == "-o" || option == "-O" || option == "-d" || option.contains("out") || option.contains("dest") ||
           option.contains("dir") || names_target(option);
  }

  void add_mount(const Word& value) {
    const size_t colon = value.text.find(':');
    if (colon == std::string::npos || !value.gaps.empty()) return add(value, false, false);
    const bool is_fixed = value.text.ends_with(":ro") || value.text.contains(":ro,");
    Word from = literal_word(value.text.substr(0, colon));
    // What is mounted to be written may be written.
    add(std::move(from), !is_fixed, !is_fixed);
  }

  void add_parts(const Word& value) {
    const bool is_fixed = value.text.contains("readonly") || value.text.contains(",ro");
    for (size_t at = 0; at < value.text.size();) {
      const size_t end = std::min(value.text.find(',', at), value.text.size());
      const std::string part = value.text.substr(at, end - at);
      if (part.starts_with("src=") || part.starts_with("source=")) {
        add(literal_word(part.substr(part.find('=') + 1)), !is_fixed, !is_fixed);
      }
      at = end + 1;
    }
  }

  /// `find` starts with its directories; in the expression behind them only some words are files.
  void read_find() {
    bool is_expression = false;
    for (size_t i = 1; i < command_.words.size(); ++i) {
      const std::string& text = command_.words[i].text;
      if (text == "-exec" || text == "-execdir" || text == "-ok" || text == "-okdir") {
        while (i < command_.words.size() && command_.words[i].text != ";" && command_.words[i].text != "+") ++i;
        continue;
      }
      const bool starts = text.starts_with('-') || text == "(" || text == "!";
      const bool is_follow = text == "-L" || text == "-H" || text == "-P";
      is_expression = is_expression || (starts && !is_follow);
      if (!is_expression && !is_follow) add(command_.words[i], writes_ == Certainty::Yes, false);
      const bool names = text == "-name" || text == "-iname" || text == "-path" || text == "-wholename";
      if (names && i + 1 < command_.words.size()) add(as_glob(command_.words[++i]), writes_ == Certainty::Yes, false);
      const bool writes = text.starts_with("-fprint") || text == "-fls";
      const bool reads = text.starts_with("-newer") || text == "-samefile" || text == "-files0-from";
      if ((writes || reads) && i + 1 < command_.words.size()) add(command_.words[++i], writes, false);
    }
  }

  /// The word as a pattern of names that the program itself expands.
  static Word as_glob(Word word) {
    word.has_glob = word.has_glob || word.text.find_first_of("*?[") != std::string::npos;
    return word;
  }

  void add_operands() {
    if (program_ == "tar" && !operands_.empty() && !command_.words[1].text.starts_with('-')) {
      // `tar cf out.tar in`: the word behind the letters is the archive.
      const std::string letters = operands_[0].text;
      operands_.erase(operands_.begin());
      if (letters.contains('f') && !operands_.empty()) {
        add(operands_[0], !extracts_ && !letters.contains('t'), false);
        operands_.erase(operands_.begin());
      }
    }
    size_t from = files_ != nullptr && files_->is_pattern_first && !gives_pattern_ ? 1 : 0;
    if (program_ == "git" && global_ < command_.words.size()) from = 1;
    for (size_t i = from; i < operands_.size(); ++i) add_operand(operands_[i], i);
    if (unpacks_anywhere()) out_.push_back({unknown_word(), true, true, true});
  }

  /// Whether an archive is unpacked that says itself where its files go.
  bool unpacks_anywhere() const {
    const bool is_tar = program_ == "tar" || program_ == "bsdtar";
    const auto has = [&](std::string_view option) {
      return std::ranges::any_of(command_.words, [&](const Word& word) { return word.text == option; });
    };
    const bool has_letter = command_.words.size() > 1 && has_flag(command_, "-P") == Certainty::Yes;
    const bool has_old_letter = command_.words.size() > 1 && !command_.words[1].text.starts_with('-') &&
                                command_.words[1].text.contains('P') && !command_.words[1].text.contains('/');
    if (is_tar && extracts_) return has_letter || has_old_letter || has("--absolute-names");
    return program_ == "cpio" && has("--absolute-filenames");
  }

  void add_operand(const Word& word, size_t i) {
    if (program_ == "dd" && (word.text.starts_with("of=") || word.text.starts_with("if="))) {
      return add(drop_front(word, 3), word.text[0] == 'o', false);
    }
    const bool is_last = i + 1 == operands_.size();
    const bool is_guess = files_ == nullptr && writes_ == Certainty::Maybe;
    add(program_ == "git" ? as_glob(word) : word, is_guess || is_operand_written(i, is_last), is_guess);
    // `:(top).env`, `:/.env`
    if (program_ == "git" && word.text.starts_with(':') && word.text.size() > 2) {
      const size_t end = word.text[1] == '(' ? word.text.find(')') : 1;
      if (end != std::string::npos) add(as_glob(drop_front(word, end + 1)), is_operand_written(i, is_last), false);
    }
    if (program_ == "sqlite3" && word.text.starts_with('.')) return add_dot_command(word);
    // `FILE:.env`, `localhost:/etc/motd`
    const size_t address = word.text.find(':');
    const bool is_here = word.text.starts_with("localhost:") || word.text.starts_with("127.0.0.1:");
    if (address != std::string::npos && (is_here || program_ == "socat")) {
      const std::string name = word.text.substr(address + 1, word.text.find(',', address) - address - 1);
      add(literal_word(name), is_operand_written(i, is_last) || program_ == "socat", program_ == "socat");
    }
    // `NAME=file`, as for make.
    const size_t equals = word.text.find('=');
    if (equals != std::string::npos && equals > 0) {
      const bool is_target = is_guess || (is_make() && names_target(word.text.substr(0, equals)));
      add(drop_front(word, equals + 1), is_target, is_target);
    }
    const size_t colon = program_ == "git" ? end_of_revision(word.text) : std::string::npos;
    if (colon != std::string::npos) add(drop_front(word, colon + 1), false, false);
  }

  /// sqlite3's own commands: `.output file`.
  void add_dot_command(const Word& word) {
    const size_t space = word.text.find(' ');
    if (space == std::string::npos) return;
    const size_t end = std::min(word.text.find(' ', space + 1), word.text.size());
    const std::string_view name = std::string_view(word.text).substr(0, space);
    const bool reads = name == ".read" || name == ".import" || name == ".open" || name == ".restore";
    add(literal_word(word.text.substr(space + 1, end - space - 1)), !reads, false);
  }

  bool is_operand_written(size_t i, bool is_last) const {
    if (files_ == nullptr) return writes_ != Certainty::No;
    if (extracts_) return true;
    if (program_ == "install" && has_flag(command_, "-d") == Certainty::Yes) return true;
    if (program_ == "cpio") return writes_ != Certainty::No && has_flag(command_, "-p") != Certainty::No;
    switch (files_->operands) {
      case Operands::Written:
        return true;
      case Operands::LastWritten:
        return is_last && !has_target_ && operands_.size() > 1;
      case Operands::LastOfTwo:
        return is_last && i > 0 && operands_.size() > 1;
      case Operands::FirstWritten:
        return i == 0;
      case Operands::Read:
        // `sed -i`, `perl -i`: an option makes the operands written.
        return edits_in_place();
      case Operands::None:
        return false;
    }
    return true;
  }

  bool edits_in_place() const {
    const bool can = program_ == "sed" || program_ == "gsed" || program_ == "perl" || program_ == "ruby" ||
                     program_ == "gawk" || program_ == "awk" || program_ == "yq";
    return can && (has_flag(command_, "-i") != Certainty::No || has_flag(command_, "--in-place") == Certainty::Yes);
  }

  /// Adds a file; `@file` and `name=@file`, as curl takes them, name the file as well.
  void add(Word word, bool is_written, bool is_guess) {
    const size_t sign = word.text.find('@');
    const bool is_content = sign == 0 || (sign != std::string::npos && sign > 0 && word.text[sign - 1] == '=');
    if (is_content) out_.push_back({drop_front(word, sign + 1), false, false});
    out_.push_back({std::move(word), is_written, is_guess});
  }

  const SimpleCommand& command_;
  std::string_view program_;
  const FileRow* files_;
  const OptionRow* options_;
  std::vector<PathUse>& out_;
  Certainty writes_ = Certainty::No;
  size_t global_ = program_ == "git" ? find_subcommand(command_) : 0;  ///< options in front of it are git's own
  std::vector<Word> operands_;
  bool has_target_ = false;
  bool gives_pattern_ = false;
  bool extracts_ = false;
  bool lists_ = false;
};

/// Whether `command` is a wrapper that runs `next`. Then the words of `next` are its last words, and `next` reports
/// them itself.
bool runs(const SimpleCommand& command, const SimpleCommand& next) {
  if (command.words.empty() || next.wrappers.size() <= command.wrappers.size()) return false;
  if (next.words.empty() || !next.words[0].gaps.empty()) return false;
  const std::string program(base_name(command.words[0].text));
  return next.wrappers.back() == program || next.wrappers.back() == program + " -c";
}

/// The wrapper with its own words alone.
SimpleCommand without_inner(const SimpleCommand& command, const SimpleCommand& next) {
  SimpleCommand own = command;
  const size_t inner = next.words.size();
  const auto is_same = [](const Word& a, const Word& b) { return a.text == b.text; };
  const bool is_suffix =
      inner < own.words.size() &&
      std::equal(next.words.begin(), next.words.end(), own.words.end() - static_cast<ptrdiff_t>(inner), is_same);
  if (is_suffix) {
    own.words.resize(own.words.size() - inner);
  } else if (next.wrappers.back().ends_with(" -c") && shell::is_shell(base_name(own.words[0].text))) {
    own.words.resize(1);
  } else if (next.wrappers.back() == "eval" || next.wrappers.back() == "trap" || next.wrappers.back() == "ssh") {
    own.words.resize(1);
  }
  return own;
}

/// The files that sed's own commands write or read: `w file`, `r file`.
void add_sed_files(const SimpleCommand& command, std::vector<PathUse>& out) {
  for (size_t i = 1; i < command.words.size(); ++i) {
    const std::string& text = command.words[i].text;
    for (size_t at = text.find_first_of("wWrR"); at != std::string::npos; at = text.find_first_of("wWrR", at + 1)) {
      if (at + 2 >= text.size()) continue;
      const bool is_apart = text[at + 1] == ' ';
      const std::string_view before = is_apart ? "0123456789$/;{} \n,!gpiImMe" : "0123456789$;{}\n!";
      const bool is_command = is_apart || text[at + 1] == '.' || text[at + 1] == '/';
      const bool starts = at == 0 || before.contains(text[at - 1]);
      if (!is_command || !starts) continue;
      const size_t from = at + (is_apart ? 2 : 1);
      const size_t end = std::min(text.find_first_of("\n;}", from), text.size());
      out.push_back({literal_word(text.substr(from, end - from)), text[at] == 'w' || text[at] == 'W', false});
    }
  }
}

/// Files that variables name: those that a shell reads first, and places where the program shall write.
void add_variable_files(const SimpleCommand& command, std::vector<PathUse>& out) {
  if (command.assignments.empty()) return;
  const bool is_alone = command.words.empty();
  SimpleCommand alone = command;
  alone.redirections.clear();
  const bool may_write = !is_alone && effects_by_table(alone).writes != Certainty::No;
  for (const Assignment& assignment : command.assignments) {
    const std::string& name = assignment.name;
    const bool is_read = name == "ENV" || name == "BASH_ENV";
    const bool is_written = name == "HISTFILE" || name == "LESSHISTFILE" || name.starts_with("GIT_TRACE") ||
                            name.starts_with("GIT_CONFIG_GLOBAL") || name.starts_with("GIT_CONFIG_SYSTEM") ||
                            name == "GIT_INDEX_FILE";
    const bool is_place = name.ends_with("HOME") || name.ends_with("DIR") || name.ends_with("BIN");
    const bool is_target = may_write && (names_target(name) || is_place);
    const bool is_path = !is_alone && assignment.value.text.find_first_of("/.") != std::string::npos;
    if (is_read || is_written || is_path) {
      out.push_back({assignment.value, is_written || is_target, is_target && !is_written});
    }
  }
}

/// The name with the link in front of it replaced; "" if the link is not there.
std::string behind_link(const std::string& path, const std::string& link, const std::string& target) {
  std::string_view rest = path;
  if (rest.starts_with("./")) rest.remove_prefix(2);
  if (link.empty() || !rest.starts_with(link)) return "";
  rest.remove_prefix(link.size());
  if (rest.empty()) return target;
  return rest[0] == '/' ? target + std::string(rest) : "";
}

/// What `ln` makes, and what a container sees under another name: `-v /etc:/e`, `--mount src=/,dst=/h`.
void add_links(const SimpleCommand& command, std::map<std::string, Word>& links) {
  const std::string_view program = base_name(command.words[0].text);
  const OptionRow* const options = find_options(command);
  const bool is_container = program == "docker" || program == "podman" || program == "nerdctl";
  if (program != "ln" && program != "mount" && !is_container) return;
  std::vector<Word> operands;
  for (size_t i = 1; i < command.words.size(); ++i) {
    const std::string& text = command.words[i].text;
    const OptionUse use = read_option(options, text);
    if (!is_option(text)) operands.push_back(command.words[i]);
    const size_t colon = is_container ? text.find(":/") : std::string::npos;
    if (colon != std::string::npos && colon > 0) {
      const size_t from = is_option(text) ? text.find('=') + 1 : 0;
      links.emplace(text.substr(colon + 1, text.find(':', colon + 1) - colon - 1),
                    literal_word(text.substr(from, colon - from)));
    }
    const auto part = [&](std::string_view name) {
      const size_t at = text.find(name);
      return at == std::string::npos ? std::string()
                                     : text.substr(at + name.size(), text.find(',', at) - at - name.size());
    };
    for (const std::string_view to : {"dst=", "target=", "destination="}) {
      const std::string source = part("src=").empty() ? part("source=") : part("src=");
      if (is_container && !part(to).empty() && !source.empty()) links.emplace(part(to), literal_word(source));
    }
    if (use.takes_next && !is_container) ++i;
  }
  if (is_container || operands.empty()) return;
  const Word& target = operands.size() > 1 ? operands[operands.size() - 2] : operands[0];
  links.emplace(operands.size() > 1 ? operands.back().text : std::string(base_name(target.text)), target);
}

/// `ln -s /etc/motd m; echo x > m` writes the file behind the link. The link itself was only made.
void follow_links(const SimpleCommand& command, size_t made, std::vector<PathUse>& out,
                  std::map<std::string, Word>& links) {
  const size_t end = out.size();
  for (size_t i = made; i < end; ++i) {
    if (!out[i].path.gaps.empty()) continue;
    for (const auto& [link, target] : links) {
      Word path = target;
      path.text = behind_link(out[i].path.text, link, target.text == "/" ? "" : target.text);
      if (!path.text.empty()) out.push_back({std::move(path), out[i].is_written, out[i].is_guess});
    }
  }
  if (command.words.size() > 1) add_links(command, links);
}

void add_system_files(const SimpleCommand& command, std::vector<PathUse>& out) {
  const std::string_view program = base_name(command.words[0].text);
  const auto has = [&](std::string_view wanted) {
    return std::ranges::any_of(command.words, [&](const Word& word) { return word.text.starts_with(wanted); });
  };
  for (const SystemFileRow& row : system_files()) {
    if (row.program == program && has(row.word)) out.push_back({literal_word(row.file), true, false});
  }
  const bool asks = has("--get") || has("get") || has("-l") || has("--list") || has("list");
  if (program == "git" && has("config") && has("--system") && !asks) {
    out.push_back({literal_word("/etc/gitconfig"), true, false});
  }
  for (const Assignment& one : command.assignments) {
    if (program == "mktemp" && one.name == "TMPDIR") out.push_back({one.value, true, false});
  }
}

/// The targets of `cd` and `pushd`; `CDPATH` in front of it or before it gives further ones.
void add_cd(const SimpleCommand& command, const std::vector<std::string>& cdpath, std::vector<Word>& out) {
  Word target = command.words[0].text == "cd" ? literal_word("~") : unknown_word();
  for (size_t i = 1; i < command.words.size(); ++i) {
    const Word& word = command.words[i];
    const bool is_known = !word.is_dynamic() && !word.has_glob && word.text != "-";
    if (word.text.size() < 2 || word.text[0] != '-') target = is_known ? word : unknown_word();
  }
  if (command.words[0].text == "popd") target = unknown_word();
  out.push_back(target);
  if (!target.gaps.empty() || target.text.starts_with('/') || target.text.starts_with('.')) return;
  for (const std::string& base : cdpath) out.push_back(literal_word(base + "/" + target.text));
}

/// `find x -execdir cmd` runs it in `x`, in the directory that contains `x`, and in those below.
void add_find_directories(const SimpleCommand& command, std::vector<Word>& out) {
  const auto is_there = [](const Word& word) { return word.text == "-execdir" || word.text == "-okdir"; };
  if (std::ranges::none_of(command.words, is_there)) return;
  for (size_t i = 1; i < command.words.size() && !is_option(command.words[i].text); ++i) {
    const Word& from = command.words[i];
    out.push_back(from);
    if (!from.is_dynamic() && from.text != ".") out.push_back(literal_word(from.text + "/.."));
  }
}

void add_cdpath(const Word& value, std::vector<std::string>& out) {
  for (size_t at = 0; at <= value.text.size();) {
    const size_t end = std::min(value.text.find(':', at), value.text.size());
    if (end > at) out.push_back(value.text.substr(at, end - at));
    at = end + 1;
  }
}

}  // namespace

std::vector<PathUse> paths_of(const ParsedCommand& parsed) {
  std::vector<PathUse> out;
  std::map<std::string, Word> links;
  for (size_t i = 0; i < parsed.commands.size(); ++i) {
    const SimpleCommand& command = parsed.commands[i];
    if (command.is_remote) continue;
    const size_t made = out.size();
    for (const Redirection& redirection : command.redirections) {
      if (redirection.op.starts_with("<<") || is_duplicate(redirection)) continue;
      out.push_back({redirection.target, writes_file(redirection), false});
    }
    add_variable_files(command, out);
    if (command.words.empty()) {
      follow_links(command, made, out, links);
      continue;
    }
    const bool is_listed = i + 1 < parsed.commands.size() && runs(command, parsed.commands[i + 1]);
    const SimpleCommand own = is_listed ? without_inner(command, parsed.commands[i + 1]) : command;
    FileReader(own, out).read();
    add_system_files(command, out);
    const std::string_view program = base_name(command.words[0].text);
    if (program == "sed" || program == "gsed") add_sed_files(command, out);
    follow_links(command, made, out, links);
  }
  return out;
}

std::vector<Word> directories_of(const ParsedCommand& parsed) {
  std::vector<Word> out;
  std::vector<std::string> cdpath;
  std::map<std::string, Word> links;
  for (const SimpleCommand& command : parsed.commands) {
    for (const Assignment& assignment : command.assignments) {
      if (assignment.name == "CDPATH") add_cdpath(assignment.value, cdpath);
    }
    if (command.words.empty()) continue;
    const std::string_view program = base_name(command.words[0].text);
    for (const Word& word : command.words) {
      if (word.text.starts_with("CDPATH=")) add_cdpath(drop_front(word, 7), cdpath);
    }
    if (program == "cd" || program == "pushd" || program == "popd") add_cd(command, cdpath, out);
    if (command.words.size() > 1) {
      const auto link = links.find(command.words.back().text);
      if (program == "cd" && link != links.end()) out.push_back(link->second);
      add_links(command, links);
    }
    if (program == "find" || program == "gfind") add_find_directories(command, out);
    const std::string_view names = directory_options(program);
    if (names.empty()) continue;
    const OptionRow* const options = find_options(program);
    for (size_t i = 1; i < command.words.size(); ++i) {
      const OptionUse use = read_option(options, command.words[i].text);
      if (use.name.empty() || !has_name(names, use.name)) continue;
      if (use.takes_next && i + 1 < command.words.size()) out.push_back(command.words[i + 1]);
      if (use.value_at != std::string_view::npos) out.push_back(drop_front(command.words[i], use.value_at));
    }
  }
  return out;
}

}  // namespace grapnel::call
