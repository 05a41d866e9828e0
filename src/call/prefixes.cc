#include <algorithm>
#include <array>
#include <span>

#include "base/row_index.h"
#include "call/effects.h"
#include "call/options.h"
#include "call/words.h"
#include "call/wrappers.h"
#include "shell/shell_words.h"
#include "shell/word_scan.h"

// Wrappers whose operands are a command: `sudo -u me cmd args`. What options they take is in `options.cc`.

namespace grapnel::call {

namespace {

using shell::drop_front;
using shell::literal_word;

constexpr unsigned kAssigns = 1;      ///< NAME=value may precede the command
constexpr unsigned kOpen = 2;         ///< it adds words to the command, as xargs does
constexpr unsigned kContainer = 4;    ///< the command runs in a container or on another machine
constexpr unsigned kNamesArch = 8;    ///< the first operand may be a machine type: `setarch x86_64 cmd`
constexpr unsigned kDashes = 16;      ///< only what is behind `--` is the command
constexpr unsigned kShellWords = 32;  ///< what is behind `--` are arguments of a shell: `capsh -- -c 'text'`

/// A program whose operands are a command.
struct PrefixRow {
  std::string_view name;
  std::string_view subcommand = "";  ///< it is a wrapper only with these words: `uv run cmd`
  int operands = 0;                  ///< how many operands precede the command: `timeout 5 cmd` has one
  unsigned is = 0;
};
constexpr auto kPrefixes = std::to_array<PrefixRow>({
    {"!", "", 0, kAssigns},
    {"{", "", 0, kAssigns},
    {"sudo", "", 0, kAssigns},
    {"doas"},
    {"env", "", 0, kAssigns},
    {"command"},
    {"builtin"},
    {"exec"},
    {"nohup"},
    {"time", "", 0, kAssigns},
    {"gtime"},
    {"timeout", "", 1},
    {"gtimeout", "", 1},
    {"nice"},
    {"ionice"},
    {"chrt", "", 1},
    {"taskset", "", 1},
    {"setsid"},
    {"stdbuf"},
    {"unbuffer"},
    {"strace"},
    {"ltrace"},
    {"fakeroot"},
    {"fakechroot"},
    {"eatmydata"},
    {"catchsegv"},
    {"chronic"},
    {"ifne"},
    {"chroot", "", 1},
    {"caffeinate"},
    {"unshare"},
    {"nsenter"},
    {"systemd-run"},
    {"systemd-inhibit"},
    {"systemd-cat"},
    {"pkexec"},
    {"runuser"},
    {"setpriv"},
    {"prlimit"},
    {"choom"},
    {"numactl"},
    {"cgexec"},
    {"runcon", "", 1},
    {"gosu", "", 1},
    {"su-exec", "", 1},
    {"setuidgid", "", 1},
    {"s6-setuidgid", "", 1},
    {"chpst"},
    {"softlimit"},
    {"envdir", "", 1},
    {"tini"},
    {"dumb-init"},
    {"logsave", "", 1},
    {"capsh", "", 0, kShellWords},
    {"proxychains4"},
    {"proxychains"},
    {"torsocks"},
    {"torify"},
    {"tsocks"},
    {"coproc", "", 0, kAssigns},
    {"busybox"},
    {"toybox"},
    {"xvfb-run"},
    {"dbus-run-session"},
    {"dbus-launch"},
    {"ssh-agent"},
    {"sshpass"},
    {"cpulimit"},
    {"trickle"},
    {"rlwrap"},
    {"faketime", "", 1},
    {"flock", "", 1},
    {"setarch", "", 0, kNamesArch},
    {"linux64"},
    {"linux32"},
    {"i386"},
    {"x86_64"},
    {"uname26"},
    {"valgrind"},
    {"heaptrack"},
    {"rr", "record"},
    {"gdb", "", 0, kDashes},
    {"lldb", "", 0, kDashes},
    {"entr"},
    {"watchexec"},
    {"noglob"},
    {"nocorrect"},
    {"winpty"},
    {"screen"},
    {"mpirun"},
    {"mpiexec"},
    {"srun"},
    {"npx"},
    {"bunx"},
    {"pnpx"},
    {"uvx"},
    {"pipx", "run"},
    {"dotenv"},
    {"cross-env", "", 0, kAssigns},
    {"env-cmd"},
    {"xargs", "", 0, kOpen},
    {"uv", "run"},
    {"rye", "run"},
    {"pdm", "run"},
    {"hatch", "run"},
    {"poetry", "run"},
    {"pipenv", "run"},
    {"conda", "run"},
    {"mamba", "run"},
    {"bundle", "exec"},
    {"npm", "exec"},
    {"npm", "x"},
    {"pnpm", "exec"},
    {"pnpm", "dlx"},
    {"yarn", "exec"},
    {"yarn", "dlx"},
    {"rbenv", "exec"},
    {"pyenv", "exec"},
    {"asdf", "exec"},
    {"mise", "exec", 0, kDashes},
    {"mise", "x", 0, kDashes},
    {"nvm", "exec", 1},
    {"direnv", "exec", 1},
    {"doppler", "run", 0, kDashes},
    {"op", "run", 0, kDashes},
    {"aws-vault", "exec", 0, kDashes},
    {"chamber", "exec", 0, kDashes},
    {"dotenvx", "run", 0, kDashes},
    {"guix", "shell", 0, kDashes},
    {"git", "bisect run"},
    {"perf", "stat"},
    {"perf", "record"},
    {"perf", "trace"},
    {"docker", "exec", 1, kContainer},
    {"docker", "container exec", 1, kContainer},
    {"docker", "run", 1, kContainer},
    {"docker", "container run", 1, kContainer},
    {"docker", "compose exec", 1, kContainer},
    {"docker", "compose run", 1, kContainer},
    {"docker-compose", "exec", 1, kContainer},
    {"docker-compose", "run", 1, kContainer},
    {"podman", "exec", 1, kContainer},
    {"podman", "run", 1, kContainer},
    {"nerdctl", "exec", 1, kContainer},
    {"nerdctl", "run", 1, kContainer},
    {"kubectl", "exec", 1, kContainer},
    {"kubectl", "run", 1, kContainer},
    {"oc", "exec", 1, kContainer},
    {"lxc", "exec", 1, kContainer},
    {"adb", "shell", 0, kContainer},
    {"mosh", "", 1, kContainer},
});

constexpr RowIndex kPrefixIndex(kPrefixes, &PrefixRow::name);

/// Without a command, these start a shell, which reads standard input.
constexpr auto kStartShells = std::to_array<std::string_view>(
    {"sudo", "doas", "chroot", "unshare", "nsenter", "fakeroot", "setarch", "linux64", "linux32"});

constexpr auto kMachines = std::to_array<std::string_view>(
    {"x86_64", "i386",    "i486", "i586",  "i686",    "athlon", "linux32", "linux64", "uname26", "arm",
     "armv7l", "aarch64", "ppc",  "ppc64", "ppc64le", "s390",   "s390x",   "sparc",   "mips",    "riscv64"});

bool is_machine(std::string_view name) {
  return std::ranges::find(kMachines, name) != kMachines.end();
}

/// `command -v` prints where a program is and runs nothing.
bool is_query(std::string_view option) {
  return option == "-v" || option == "-V";
}

/// Whether a container gets to see the files here, so that what runs in it may change them.
bool is_mount(std::string_view option) {
  return option == "-v" || option == "--volume" || option == "--mount" || option == "--volumes-from";
}

/// Skips a wrapper's own options, assignments and operands; the remaining words are the inner command. It inherits the
/// assignments that precede the wrapper, since they apply to both.
class PrefixReader {
 public:
  PrefixReader(const PrefixRow& row, const SimpleCommand& outer)
      : row_(row), words_(outer.words), options_(find_options(row.name)) {
    inner_.command.assignments = outer.assignments;
    inner_.command.is_open = outer.is_open || has(kOpen);
    inner_.wrapper = row.name;
    inner_.is_remote = has(kContainer);
  }

  std::vector<Inner> read() {
    const bool only_asks = row_.name == "command" && words_.size() > 1 && is_query(words_[1].text);
    if (only_asks) return {};
    size_t at = 1;
    if (!skip_subcommand(at)) return {};
    // `! { ! rm x; }`, `time ! rm x`: the grammar takes the words in between for words of the command.
    const bool is_keyword = row_.name == "!" || row_.name == "{" || row_.name == "time";
    at = skip_options(at);
    while (is_keyword && at < words_.size() && shell::frames_command(words_[at].text)) at = skip_options(at + 1);
    if (has(kDashes | kShellWords) && !has_dashes_) return std::move(found_);
    if (has(kNamesArch) && at < words_.size() && is_machine(words_[at].text)) {
      at = skip_options(at + 1);
    }
    for (int i = 0; i < row_.operands && at < words_.size(); ++i) ++at;
    if (has(kContainer) && row_.subcommand.ends_with("run") && at > 0 && at < words_.size()) add_image(at);
    // Everything behind the name of an image or a container is the command.
    const bool ends_options = has(kContainer) && row_.name != "kubectl" && row_.name != "oc" && row_.name != "lxc";
    if (row_.operands > 0 && !ends_options) at = skip_options(at);
    if (has(kShellWords)) inner_.command.words.push_back(literal_word("bash"));
    // The program comes from an option, and the operands are its arguments.
    if (entry_) inner_.command.words.push_back(*entry_);
    if (at < words_.size())
      inner_.command.words.insert(inner_.command.words.end(), words_.begin() + static_cast<ptrdiff_t>(at),
                                  words_.end());
    // `time x=rm` sets a variable of this shell.
    const bool only_assigns = is_keyword && !inner_.command.assignments.empty();
    if (!inner_.command.words.empty() || only_assigns) {
      found_.push_back(std::move(inner_));
    } else if (inner_.command.is_open) {
      add_unknown(std::string(row_.name), found_);
    }
    return std::move(found_);
  }

 private:
  bool has(unsigned trait) const { return (row_.is & trait) != 0; }

  /// `nice ${x}it push`: the word is the program, or an option of the wrapper.
  void add_from(size_t at) {
    Inner inner = inner_;
    inner.command.words.assign(words_.begin() + static_cast<ptrdiff_t>(at), words_.end());
    found_.push_back(std::move(inner));
  }

  /// `docker run alpine/git push`: an image that is called like a program usually runs it.
  void add_image(size_t at) {
    const std::string_view image = base_name(words_[at - 1].text);
    const std::string_view program = image.substr(0, image.find_first_of(":@"));
    if (program != "git" && !is_known_program(program)) return;
    Inner inner = inner_;
    inner.command.words = {literal_word(program)};
    inner.command.words.insert(inner.command.words.end(), words_.begin() + static_cast<ptrdiff_t>(at), words_.end());
    found_.push_back(std::move(inner));
  }

  /// Moves `at` behind the words of the subcommand. Options may stand in front of each. False if it is another one.
  bool skip_subcommand(size_t& at) {
    std::string_view rest = row_.subcommand;
    while (!rest.empty()) {
      while (at < words_.size() && is_option(words_[at].text)) {
        at += read_option(options_, words_[at].text).takes_next ? 2 : 1;
      }
      const std::string_view wanted = rest.substr(0, rest.find(' '));
      if (at >= words_.size() || words_[at].text != wanted) return false;
      ++at;
      rest.remove_prefix(std::min(rest.size(), wanted.size() + 1));
      if (rest.empty()) options_ = find_options(row_.name, wanted);
    }
    return true;
  }

  /// The index of the first word that is neither an option nor an assignment. An unquoted gap at the front of a word
  /// may expand to options and a whole command, so it adds the unknown command.
  size_t skip_options(size_t at) {
    while (at < words_.size() && !has_dashes_) {
      const Word& word = words_[at];
      if (!word.gaps.empty() && word.splits && word.gaps.front() == 0) {
        add_unknown(std::string(row_.name), found_);
        if (at + 1 == words_.size()) return at;
        if (!word.text.empty()) add_from(at);
        ++at;
      } else if (word.text == "--") {
        has_dashes_ = true;
        return at + 1;
      } else if (is_option(word.text)) {
        at += skip_option(at);
      } else if (word.text == "-" && row_.name == "env") {
        ++at;
      } else if (has(kAssigns) && is_assignment(word)) {
        const size_t equals = word.text.find('=');
        inner_.command.assignments.push_back({word.text.substr(0, equals), drop_front(word, equals + 1)});
        ++at;
      } else if (has(kDashes)) {
        ++at;
      } else {
        return at;
      }
    }
    return at;
  }

  /// How many words the option takes.
  size_t skip_option(size_t at) {
    const Word& word = words_[at];
    const OptionUse use = read_option(options_, word.text);
    if (has(kContainer) && is_mount(use.name)) inner_.is_remote = false;
    if (has(kContainer) && use.name == "--entrypoint") {
      entry_ = use.takes_next && at + 1 < words_.size() ? words_[at + 1] : drop_front(word, use.value_at);
    }
    if (row_.name == "sudo" && (use.name == "-e" || use.name == "--edit")) entry_ = literal_word("sudoedit");
    if (row_.name == "gdb" && word.text == "--args") has_dashes_ = true;
    if (row_.name == "dbus-launch" && word.text == "--exit-with-session") return 1;
    return use.takes_next && !word.is_dynamic() ? 2 : 1;
  }

  const PrefixRow& row_;
  std::span<const Word> words_;
  const OptionRow* options_;
  Inner inner_;
  std::optional<Word> entry_;
  bool has_dashes_ = false;
  std::vector<Inner> found_;
};

/// `nice cat /bin/rm > x`: the inner command prints into the file.
void note_printed(const std::vector<Inner>& inner, const SimpleCommand& outer, const Feed& feed) {
  if (outer.redirections.empty()) return;
  for (const Inner& one : inner) {
    if (one.command.words.empty()) continue;
    SimpleCommand printing = one.command;
    printing.redirections = outer.redirections;
    note_written(base_name(printing.words[0].text), printing, feed);
  }
}

/// The placeholder of `xargs -I TEXT`; `{}` when none is given.
std::string replacement_of(std::span<const Word> words) {
  for (size_t i = 1; i < words.size() && is_option(words[i].text); ++i) {
    const std::string& text = words[i].text;
    if (text == "-I" && i + 1 < words.size()) return words[i + 1].text;
    if (text.starts_with("-I")) return text.substr(2);
    if (text.starts_with("--replace=")) return text.substr(10);
  }
  return "{}";
}

/// `echo rm x | xargs env`: the words that xargs reads are known, so the command is.
void add_fed(const std::vector<Word>& words, const std::string& mark, std::string text, std::vector<Inner>& found) {
  std::ranges::replace(text, '\n', ' ');
  std::string script;
  bool is_marked = false;
  for (const Word& word : words) {
    std::string one = word.text;
    for (size_t at = one.find(mark); at != std::string::npos; at = one.find(mark, at + text.size())) {
      one.replace(at, mark.size(), text);
      is_marked = true;
    }
    (script += one) += ' ';
  }
  found.push_back({.wrapper = "xargs", .script = is_marked ? script : script + text});
}

}  // namespace

bool is_assignment(const Word& word) {
  const size_t equals = word.text.find('=');
  return equals != std::string::npos && equals > 0;
}

bool is_prefix(std::string_view program) {
  return kPrefixIndex.contains(program);
}

void unwrap_prefix(std::string_view name, const SimpleCommand& command, const Feed& feed, std::vector<Inner>& found) {
  // A name may have several rows, one for each subcommand.
  kPrefixIndex.each(name, [&](const PrefixRow& row) {
    std::vector<Inner> inner = PrefixReader(row, command).read();
    if (inner.empty() && feed.is_there && is_one_of(name, kStartShells)) add_feed(std::string(name), feed, found);
    if (name == "xargs") {
      if (feed.text && !inner.empty())
        add_fed(inner.front().command.words, replacement_of(command.words), *feed.text, found);
      for (Inner& one : inner) replace_all_with_gaps(one.command.words, replacement_of(command.words));
    }
    note_printed(inner, command, feed);
    std::ranges::move(inner, std::back_inserter(found));
  });
}

}  // namespace grapnel::call
