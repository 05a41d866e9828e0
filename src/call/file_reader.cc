#include "call/file_reader.h"

#include <algorithm>
#include <string>

#include "base/text.h"
#include "call/effects.h"
#include "call/file_table.h"
#include "call/options.h"
#include "call/words.h"
#include "shell/word_scan.h"

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

}  // namespace

void read_files(const SimpleCommand& command, std::vector<PathUse>& out) {
  FileReader(command, out).read();
}

}  // namespace grapnel::call
