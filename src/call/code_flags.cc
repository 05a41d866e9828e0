#include <algorithm>
#include <array>

#include "base/row_index.h"
#include "call/options.h"
#include "call/wrappers.h"
#include "shell/word_scan.h"

// Programs that run code given to them as an argument. Many rows come from public lists of programs that let a user
// break out of a restricted shell. Code in a shell's language is parsed like any other command; all other code becomes
// the unknown command, since nothing here reads Python or awk.

namespace grapnel::call {

namespace {

using shell::literal_word;

enum class Code { Shell, Other };

/// An option of a program whose value is code.
struct CodeRow {
  std::string_view program;
  std::string_view flag;  ///< "": any word of the command may be the code
  Code kind = Code::Other;
  std::string_view marker = "";  ///< the value is code only when it contains this text
};
constexpr auto kCodeFlags = std::to_array<CodeRow>({
    {"su", "-c", Code::Shell},
    {"su", "--command", Code::Shell},
    {"runuser", "-c", Code::Shell},
    {"sg", "-c", Code::Shell},
    {"script", "-c", Code::Shell},
    {"script", "--command", Code::Shell},
    {"flock", "-c", Code::Shell},
    {"npx", "-c", Code::Shell},
    {"npm", "-c", Code::Shell},
    {"rsync", "-e", Code::Shell},
    {"rsync", "--rsh", Code::Shell},
    {"rsync", "--rsync-path", Code::Shell},
    {"runuser", "--command", Code::Shell},
    {"runuser", "--session-command", Code::Shell},
    {"su", "--session-command", Code::Shell},
    {"flock", "--command", Code::Shell},
    {"nix-shell", "--run", Code::Shell},
    {"nix-shell", "--command", Code::Shell},
    {"sbatch", "--wrap", Code::Shell},
    {"perf", "--pre", Code::Shell},
    {"perf", "--post", Code::Shell},
    {"docker", "--health-cmd", Code::Shell},
    {"podman", "--health-cmd", Code::Shell},
    {"rg", "--pre", Code::Shell},
    {"rg", "--hostname-bin", Code::Shell},
    {"mapfile", "-C", Code::Shell},
    {"readarray", "-C", Code::Shell},
    {"compgen", "-C", Code::Shell},
    {"complete", "-C", Code::Shell},
    {"compgen", "-W", Code::Shell, "$("},
    {"bind", "-x"},
    {"fc", "-e", Code::Shell},
    {"less", "-P", Code::Shell, "!"},
    {"less", "", Code::Other, "+!"},
    {"xterm", "-e", Code::Shell},
    {"ansible", "-a", Code::Shell},
    {"watchexec", "--exec", Code::Shell},
    {"ssh-keygen", "-D", Code::Shell},
    {"logrotate", "-m", Code::Shell},
    {"ncat", "--lua-exec"},
    {"tar", "--to-command", Code::Shell},
    {"tar", "--checkpoint-action", Code::Shell, "exec="},
    {"tar", "--info-script", Code::Shell},
    {"tar", "--new-volume-script", Code::Shell},
    {"tar", "-F", Code::Shell},
    {"tar", "--rsh-command", Code::Shell},
    {"tar", "--rmt-command", Code::Shell},
    {"tar", "-I", Code::Shell},
    {"tar", "--use-compress-program", Code::Shell},
    {"split", "--filter", Code::Shell},
    {"sort", "--compress-program", Code::Shell},
    {"man", "-P", Code::Shell},
    {"man", "--pager", Code::Shell},
    {"fzf", "--preview", Code::Shell},
    {"nodemon", "--exec", Code::Shell},
    {"nodemon", "-x", Code::Shell},
    {"vim", "-c"},
    {"vim", "--cmd"},
    {"vi", "-c"},
    {"nvim", "-c"},
    {"ex", "-c"},
    {"view", "-c"},
    {"vim", "", Code::Other, "+"},
    {"vi", "", Code::Other, "+"},
    {"nvim", "", Code::Other, "+"},
    {"ex", "", Code::Other, "+"},
    {"emacs", "--eval"},
    {"gdb", "-ex"},
    {"gdb", "--ex"},
    {"gdb", "--eval-command"},
    {"expect", "-c"},
    {"sqlite3", "", Code::Other, ".shell"},
    {"sqlite3", "", Code::Other, ".system"},
    {"psql", "", Code::Other, "\\!"},
    {"psql", "", Code::Other, "PROGRAM"},
    {"mysql", "", Code::Other, "\\!"},
    {"mysql", "", Code::Other, "system "},
    {"mysql", "", Code::Other, "source "},
    {"mysql", "", Code::Other, "\\."},
    {"mysql", "", Code::Other, "LOAD"},
    {"mysql", "", Code::Other, "FILE"},
    {"psql", "", Code::Other, "\\i"},
    {"psql", "", Code::Other, "\\copy"},
    {"psql", "", Code::Other, "\\o"},
    {"psql", "", Code::Other, "\\w"},
    {"psql", "", Code::Other, "pg_read"},
    {"psql", "", Code::Other, "COPY"},
    {"ansible", "-a"},
    {"puppet", "-e"},
    {"puppet", "--execute"},
    {"ssh", "-o", Code::Shell, "Command"},
    {"scp", "-o", Code::Shell, "Command"},
    {"sftp", "-o", Code::Shell, "Command"},
    {"scp", "-S", Code::Shell},
    {"sftp", "-S", Code::Shell},
    {"socat", "", Code::Other, "EXEC:"},
    {"socat", "", Code::Other, "exec:"},
    {"socat", "", Code::Other, "SYSTEM:"},
    {"socat", "", Code::Other, "system:"},
    {"nc", "-e", Code::Shell},
    {"nc", "-c", Code::Shell},
    {"ncat", "-e", Code::Shell},
    {"ncat", "-c", Code::Shell},
    {"ncat", "--exec", Code::Shell},
    {"ncat", "--sh-exec", Code::Shell},
    {"zip", "-TT", Code::Shell},
    {"zip", "--unzip-command", Code::Shell},
    {"wget", "--use-askpass", Code::Shell},
    {"sqlite3", "", Code::Other, "."},
    {"awk", "", Code::Other, "getline"},
    {"gawk", "", Code::Other, "getline"},
    {"mawk", "", Code::Other, "getline"},
    {"awk", "", Code::Other, "print >"},
    {"awk", "", Code::Other, "print>"},
    {"awk", "", Code::Other, "ARGV"},
    {"vim", "", Code::Other, "delete("},
    {"emacs", "-eval"},
    {"emacs", "--execute"},
    {"emacsclient", "--eval"},
    {"emacsclient", "-e"},
    {"m4", "", Code::Other, "syscmd"},
    {"gawk", "-e"},
    {"gawk", "--source"},
    {"awk", "", Code::Other, "@include"},
    {"gawk", "", Code::Other, "@include"},
    {"gawk", "", Code::Other, "@load"},
    {"crystal", "", Code::Other, "system"},
    {"make", "--eval"},
    {"make", "", Code::Other, "SHELL="},
    {"awk", "", Code::Other, "system"},
    {"gawk", "", Code::Other, "system"},
    {"mawk", "", Code::Other, "system"},
    {"awk", "", Code::Other, "|"},
    {"awk", "", Code::Other, ">"},
    {"awk", "", Code::Other, "getline"},
    {"gawk", "", Code::Other, "|"},
    {"gawk", "", Code::Other, ">"},
    {"gawk", "", Code::Other, "getline"},
    {"mawk", "", Code::Other, "|"},
    {"mawk", "", Code::Other, ">"},
    {"mawk", "", Code::Other, "getline"},
    {"crontab", "-", Code::Other},
    {"dc", "-e"},
    {"cargo", "-s", Code::Shell},
    {"gcloud", "--command", Code::Shell},
    {"sqlite3", "", Code::Other, "file("},
    {"sqlite3", "", Code::Other, ".once"},
});

constexpr RowIndex kCodeIndex(kCodeFlags, &CodeRow::program);

/// An interpreter, the letters of its options that take code (they may be bundled: `-ne`), and its long options that
/// do.
struct InterpreterRow {
  std::string_view name;
  std::string_view letters;
  std::string_view long_flag = "";
};
constexpr auto kInterpreters = std::to_array<InterpreterRow>({
    {"python", "c"},
    {"python2", "c"},
    {"python3", "c"},
    {"pypy", "c"},
    {"pypy3", "c"},
    {"perl", "eE"},
    {"ruby", "e"},
    {"node", "ep", "--eval --print"},
    {"nodejs", "ep", "--eval --print"},
    {"bun", "e", "--eval --print"},
    {"php", "rRBE"},
    {"lua", "e"},
    {"luajit", "e"},
    {"osascript", "e"},
    {"Rscript", "e"},
    {"guile", "c"},
    {"julia", "eE"},
    {"groovy", "e"},
    {"pwsh", "c", "-Command -EncodedCommand -EncodedC -enc"},
    {"powershell", "c", "-Command -EncodedCommand -EncodedC -enc"},
    {"tclsh", ""},
    {"jshell", ""},
    {"irb", ""},
    {"ghci", "e"},
    {"elixir", "e"},
    {"erl", "", "-eval"},
    {"scala", "e"},
    {"swift", "e"},
    {"R", "e"},
    {"octave", "", "--eval"},
    {"octave-cli", "", "--eval"},
    {"matlab", "", "-batch -r"},
    {"scilab", "e"},
    {"sage", "c"},
    {"maxima", "", "--batch-string"},
    {"sbcl", "", "--eval --load"},
    {"clisp", "x"},
    {"ecl", "", "-eval --eval"},
    {"ccl", "e", "--eval"},
    {"racket", "e", "--eval"},
    {"csi", "ep", "-eval -print"},
    {"gosh", "eE"},
    {"chez", "", ""},
    {"scheme", "", ""},
    {"clojure", "e", "--eval"},
    {"clj", "e", "--eval"},
    {"bb", "e", "--eval"},
    {"janet", "e"},
    {"fennel", "e", "--eval"},
    {"hy", "c"},
    {"ipython", "c"},
    {"ipython3", "c"},
    {"xonsh", "c"},
    {"raku", "e"},
    {"perl6", "e"},
    {"pike", "ex"},
    {"ocaml", "e"},
    {"utop", "e"},
    {"ghc", "e"},
    {"runghc", ""},
    {"kotlin", "e"},
    {"kotlinc", "e"},
    {"swipl", "g"},
    {"gprolog", "", "--init-goal --query-goal --entry-goal"},
    {"gforth", "e", "--evaluate"},
    {"gnuplot", "e"},
    {"jjs", ""},
    {"qjs", "e", "--eval"},
    {"d8", "e"},
    {"gjs", "c", "--command"},
    {"tcl", ""},
    {"wish", ""},
    {"nu", "c", "--commands"},
    {"elvish", "c"},
    {"txr", "eEpPc"},
    {"newlisp", "e"},
    {"picolisp", ""},
});

constexpr RowIndex kInterpreterIndex(kInterpreters, &InterpreterRow::name);

/// Programs that are no interpreters, but take commands, or names of files, from standard input.
constexpr auto kFedPrograms = std::to_array<std::string_view>(
    {"ed",  "ex",  "red",   "dc",      "bc",      "gdb",  "sqlite3", "psql", "mysql", "sftp", "cpio",
     "m4",  "ftp", "lftp",  "gnuplot", "telnet",  "mail", "mailx",   "vim",  "vi",    "nvim", "emacs",
     "gcc", "cc",  "clang", "g++",     "clang++", "tcc",  "rustc",   "go",   "ninja"});

/// Compilers and build tools: what the same text wrote runs there, or may run as soon as they are done.
constexpr auto kCompilers =
    std::to_array<std::string_view>({"gcc", "cc", "clang", "g++", "clang++", "c++", "tcc", "rustc", "go", "ghc",
                                     "javac", "swiftc", "zig", "cmake", "ctest", "meson", "scons", "gradle"});

constexpr RowIndex kFedIndex(kFedPrograms);

/// The row for a program's name; a version at its end is ignored, so `python3.11` finds `python3`. Null when there is
/// none.
const InterpreterRow* find_interpreter(std::string_view name) {
  while (!name.empty() && (name.back() == '.' || (name.back() >= '0' && name.back() <= '9'))) {
    if (const InterpreterRow* const found = kInterpreterIndex.find(name)) return found;
    name.remove_suffix(1);
  }
  return kInterpreterIndex.find(name);
}

/// Whether the word is an option that takes code: a short bundle (`-ne`), or one letter with the code attached.
bool takes_code(const InterpreterRow& row, const Word& word) {
  const std::string& text = word.text;
  if (text.size() < 2 || text[0] != '-') return false;
  const std::string_view name = std::string_view(text).substr(0, text.find('='));
  if (name.size() > 2 && row.long_flag.contains(name)) return true;
  if (text[1] == '-') return false;
  const bool is_attached = row.letters.contains(text[1]) && text.find_first_of(" (;$'\"{`") != std::string::npos;
  return is_attached || (text.size() <= 6 && text.find_first_of(row.letters, 1) != std::string::npos);
}

/// Reports the unknown command when the interpreter runs code from an option or from standard input, or may do so. A
/// script file or a module (`-m`) is not code in this sense: the command names it.
void unwrap_interpreter(const InterpreterRow& row, const SimpleCommand& command, const Feed& feed,
                        std::vector<Inner>& found) {
  const std::string name(row.name);
  const auto& words = command.words;
  if (command.is_open && words.size() < 2) return add_unknown(name, found);
  for (size_t i = 1; i < words.size(); ++i) {
    const Word& word = words[i];
    if (word.is_dynamic() && word.gaps.size() == 1 && word.text.empty()) return add_unknown(name, found);
    if (takes_code(row, word)) {
      const bool is_attached =
          word.text.contains('=') || (word.text[1] != '-' && !row.letters.contains(word.text.back()));
      const Word& code = is_attached || i + 1 == words.size() ? word : words[i + 1];
      return add_unread(name + " " + word.text.substr(0, word.text.find('=')), command, &code, feed, found);
    }
    if (word.text == "-" || word.text.starts_with("/dev/")) return add_unread(name, command, nullptr, feed, found);
    if (!word.text.starts_with('-') && feed.written != nullptr) {
      const auto file = feed.written->find(base_name(word.text));
      if (file != feed.written->end()) return add_unread(name, command, nullptr, {true, file->second}, found);
    }
    if (word.text.starts_with("-m")) {
      // `python -m timeit 'code'`
      for (size_t k = i + 1; k < words.size(); ++k) {
        if (words[k].text.contains('(')) return add_unread(name + " -m", command, &words[k], feed, found);
      }
      return;
    }
    if (!word.text.starts_with('-')) return;
    if (word.text == "--version" || word.text == "-V" || word.text == "-v" || word.text == "--help") return;
  }
  if (feed.is_there || words.size() == 1) add_unread(name, command, nullptr, feed, found);
}

/// Adds the value of an option as a script or as the unknown command. A value without the row's marker is not code.
void add_code(const CodeRow& row, const SimpleCommand& command, const Word& code, std::vector<Inner>& found) {
  if (!code.text.contains(row.marker) && !code.is_dynamic()) return;
  const std::string wrapper = std::string(row.program) + (row.flag.empty() ? "" : " " + std::string(row.flag));
  if (row.kind == Code::Shell) {
    // `ProxyCommand=cmd`, `exec=cmd`: the code is behind the name.
    const size_t marker = row.marker.empty() ? std::string::npos : code.text.find(row.marker);
    const size_t equals = marker == std::string::npos ? marker : code.text.find_first_of("= ", marker);
    return add_script({equals == std::string::npos ? code : drop_front(code, equals + 1)}, wrapper, found);
  }
  add_unread(wrapper, command, &code, {}, found);
}

/// The option by itself, or as the last letter of a bundle: `script -qc`.
bool is_flag(std::string_view text, std::string_view flag) {
  if (text == flag) return true;
  const bool is_bundle = text.size() > 2 && text.size() < 6 && text[0] == '-' && text[1] != '-';
  return flag.size() == 2 && flag[1] != '-' && is_bundle && text.back() == flag[1] && text[1] != flag[1];
}

/// Finds the value of the row's option: in the next word, attached to the letter, or behind a `=`.
void unwrap_code_flag(const CodeRow& row, const SimpleCommand& command, const Feed& feed, std::vector<Inner>& found) {
  for (size_t i = 1; i < command.words.size(); ++i) {
    const Word& word = command.words[i];
    if (row.flag.empty()) {
      // `awk 'NR > 10'` compares.
      const bool compares = (row.marker == ">" || row.marker == "|") && is_harmless_awk(word.text);
      if (word.text.contains(row.marker) && !compares)
        add_unread(std::string(row.program), command, &word, feed, found);
      continue;
    }
    if (is_flag(word.text, row.flag)) {
      if (row.flag == "-") {
        add_unread(std::string(row.program), command, nullptr, feed, found);
      } else if (i + 1 < command.words.size()) {
        add_code(row, command, command.words[i + 1], found);
      }
    } else if (row.flag.size() == 2 && word.text.starts_with(row.flag)) {
      add_code(row, command, drop_front(word, 2), found);
    } else if (row.flag.size() > 2 && word.text.starts_with(std::string(row.flag) + "=")) {
      add_code(row, command, drop_front(word, row.flag.size() + 1), found);
    }
  }
}

/// The scripts of sed: the values of `-e`, or the first operand if there is none.
std::vector<Word> sed_scripts(const SimpleCommand& command) {
  std::vector<Word> scripts;
  const Word* operand = nullptr;
  const auto& words = command.words;
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    const bool is_bundle = text.size() > 1 && text[0] == '-' && text[1] != '-';
    const size_t letter = is_bundle ? text.find('e') : std::string::npos;
    const bool is_before_suffix = letter < text.find('i');  // what follows `i` is the ending of the copy: `-i.orig`
    if (text.starts_with("--expression=")) {
      scripts.push_back(drop_front(words[i], text.find('=') + 1));
    } else if (text == "--expression" || (is_before_suffix && letter + 1 == text.size())) {
      if (i + 1 < words.size()) scripts.push_back(words[++i]);
    } else if (is_bundle && is_before_suffix) {
      scripts.push_back(drop_front(words[i], letter + 1));
    } else if (!text.starts_with('-') && operand == nullptr) {
      operand = &words[i];
    }
  }
  if (scripts.empty() && operand != nullptr) scripts.push_back(*operand);
  return scripts;
}

}  // namespace

bool is_interpreter(std::string_view program) {
  return find_interpreter(program) != nullptr;
}

std::vector<Inner> unwrap_code(const SimpleCommand& command, const Feed& feed) {
  const std::string_view name = base_name(command.words[0].text);
  std::vector<Inner> found;
  if (feed.is_there && kFedIndex.contains(name)) add_unread(std::string(name), command, nullptr, feed, found);
  if (const InterpreterRow* row = find_interpreter(name)) unwrap_interpreter(*row, command, feed, found);
  if (feed.written != nullptr && !feed.written->empty() && is_one_of(name, kCompilers)) {
    for (const Word& word : command.words) {
      const auto file = feed.written->find(base_name(word.text));
      if (file != feed.written->end()) add_unread(std::string(name), command, nullptr, {true, file->second}, found);
    }
  }
  kCodeIndex.each(name, [&](const CodeRow& row) { unwrap_code_flag(row, command, feed, found); });
  if (name == "deno" && command.words.size() > 2 && command.words[1].text == "eval") {
    add_unread("deno eval", command, &command.words[2], feed, found);
  }
  if (name == "sed" || name == "gsed") {
    for (const Word& script : sed_scripts(command)) {
      // It may run programs: `e`, and the flag `e` of `s`.
      if (script.text.contains('e') && !is_harmless_sed(script.text)) add_unread("sed", command, &script, feed, found);
    }
  }
  const bool reads_makefile =
      (name == "make" || name == "just") && std::ranges::any_of(command.words, [](const Word& w) {
        return w.text == "-" || w.text == "/dev/stdin" || (w.text.starts_with('-') && w.text.ends_with("f-")) ||
               w.text.starts_with("--file=-");
      });
  if (reads_makefile) add_unread("make -f", command, nullptr, feed, found);
  return found;
}

}  // namespace grapnel::call
