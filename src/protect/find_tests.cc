#include "protect/find_tests.h"

#include <fnmatch.h>
#include <regex.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <optional>

#include <sys/stat.h>

#include "protect/command_words.h"

namespace grapnel::protect {

namespace {

using call::Certainty;
using shell::SimpleCommand;
using shell::Word;

/// Tests, actions and options with one value that are not worked out. The others have none.
constexpr auto kWithValue = std::to_array<std::string_view>(
    {"-anewer", "-cnewer",  "-fstype", "-gid",      "-group",   "-ilname",  "-links",
     "-lname",  "-newer",   "-perm",   "-samefile", "-uid",     "-used",    "-user",
     "-xtype",  "-context", "-flags",  "-newermt",  "-newerct", "-newerat", "-regextype"});
constexpr auto kActions = std::to_array<std::string_view>(
    {"-print", "-print0", "-ls", "-delete", "-printf", "-fprint", "-fprint0", "-fls", "-fprintf"});
constexpr auto kProgramActions = std::to_array<std::string_view>({"-exec", "-execdir", "-ok", "-okdir"});

Certainty yes_if(bool is_true) {
  return is_true ? Certainty::Yes : Certainty::No;
}

Certainty opposite(Certainty value) {
  return value == Certainty::Maybe ? value : yes_if(value == Certainty::No);
}

/// Reads the expression from left to right, as find does, for one file.
class Expression {
 public:
  Expression(const SimpleCommand& command, const Candidate& file) : words_(command.words), file_(file) {
    const auto is_start = [](const Word& word) {
      return word.text == "(" || word.text == "!" || (word.text.size() > 2 && word.text.starts_with('-'));
    };
    at_ = static_cast<size_t>(std::ranges::find_if(words_.begin() + 1, words_.end(), is_start) - words_.begin());
    has_stat_ = ::lstat(file.path.c_str(), &stat_) == 0;
  }

  void evaluate() {
    const Certainty all = any_of(Certainty::Yes);
    if (!has_action_) reached_ = all;
    if (!is_deep_enough_) reached_ = Certainty::No;
  }
  /// Whether an action is reached, and whether find leaves out what is below.
  Certainty reached() const { return reached_; }
  Certainty pruned() const { return pruned_; }

 private:
  bool is_at(std::string_view text) const { return at_ < words_.size() && words_[at_].text == text; }

  Certainty any_of(Certainty before) {
    Certainty value = all_of(before);
    while (is_at("-o") || is_at("-or") || is_at(",")) {
      ++at_;
      value = std::max(value, all_of(std::min(before, opposite(value))));
    }
    return value;
  }

  Certainty all_of(Certainty before) {
    Certainty value = Certainty::Yes;
    while (at_ < words_.size() && !is_at("-o") && !is_at("-or") && !is_at(",") && !is_at(")")) {
      if (is_at("-a") || is_at("-and")) {
        ++at_;
        continue;
      }
      value = std::min(value, one(std::min(before, value)));
    }
    return value;
  }

  Certainty one(Certainty before) {
    const Word& word = words_[at_++];
    if (word.text == "!" || word.text == "-not") return at_ < words_.size() ? opposite(one(before)) : Certainty::Maybe;
    if (word.text != "(") return primary(word.text, before);
    const Certainty value = any_of(before);
    if (is_at(")")) ++at_;
    return value;
  }

  Certainty primary(std::string_view name, Certainty before) {
    if (lists(kProgramActions, name)) {
      while (at_ < words_.size() && !is_at(";") && !is_at("+")) ++at_;
      ++at_;
      act(before);
      return Certainty::Maybe;  // a program that fails ends the list
    }
    if (lists(kActions, name)) {
      if (name.starts_with("-f") || name == "-printf") ++at_;
      if (name == "-fprintf") ++at_;
      // A directory that contains something is not deleted.
      if (name != "-delete" || !file_.is_directory) act(before);
      has_action_ = true;
      return Certainty::Yes;
    }
    if (name == "-prune") {
      pruned_ = std::max(pruned_, before);
      return Certainty::Yes;
    }
    if (name == "-false") return Certainty::No;
    if (name == "-quit") return Certainty::Maybe;
    if (name == "-empty") return is_empty();
    if (const auto value = with_value(name)) return *value;
    if (lists(kWithValue, name)) {
      ++at_;
      return name == "-regextype" ? Certainty::Yes : Certainty::Maybe;
    }
    const bool is_plain = name == "-depth" || name == "-xdev" || name == "-mount" || name == "-true" || name == "-d" ||
                          name == "-follow" || name == "-noleaf" || name == "-daystart" || name == "-print";
    return is_plain ? Certainty::Yes : Certainty::Maybe;
  }

  void act(Certainty before) {
    has_action_ = true;
    reached_ = std::max(reached_, before);
  }

  /// A directory above a protected file is not empty.
  Certainty is_empty() const {
    if (file_.is_directory) return Certainty::No;
    return has_stat_ ? yes_if(stat_.st_size == 0) : Certainty::Maybe;
  }

  /// The tests that are worked out.
  std::optional<Certainty> with_value(std::string_view name) {
    if (at_ >= words_.size()) return std::nullopt;
    const Word& value = words_[at_];
    const std::string base(shell::base_name(file_.path));
    const std::string printed = file_.as_printed + file_.path.substr(file_.root == "/" ? 0 : file_.root.size());
    const auto depth =
        std::ranges::count(file_.path, '/') - (file_.root == "/" ? 0 : std::ranges::count(file_.root, '/'));
    std::optional<Certainty> out;
    if (name == "-name" || name == "-iname") out = fits(value, base);
    if (name == "-path" || name == "-wholename" || name == "-ipath" || name == "-iwholename")
      out = fits(value, printed);
    if (name == "-regex" || name == "-iregex") out = fits_regex(value, printed);
    if (name == "-type") out = yes_if(value.is_dynamic() || value.text.contains(file_.is_directory ? 'd' : 'f'));
    if (name == "-size" || name == "-mtime" || name == "-mmin" || name == "-ctime" || name == "-cmin" ||
        name == "-atime" || name == "-amin" || name == "-inum")
      out = compares(name, value);
    if (name == "-maxdepth" || name == "-mindepth") {
      const auto limit = number(value.text);
      const bool fits_depth = !limit || (name == "-maxdepth" ? depth <= *limit : depth >= *limit);
      is_deep_enough_ = is_deep_enough_ && fits_depth;
      out = Certainty::Yes;
    }
    if (out) ++at_;
    return out;
  }

  /// With unknown parts, any text may stand there.
  static Certainty fits(const Word& pattern, const std::string& name) {
    std::string glob = pattern.text;
    for (auto gap = pattern.gaps.rbegin(); gap != pattern.gaps.rend(); ++gap) glob.insert(*gap, "*");
    if (::fnmatch(glob.c_str(), name.c_str(), FNM_CASEFOLD) != 0) return Certainty::No;
    return pattern.gaps.empty() ? Certainty::Yes : Certainty::Maybe;
  }

  /// Emacs' spelling, in which brackets need a backslash, and POSIX' spelling: one that fits is enough.
  static Certainty fits_regex(const Word& pattern, const std::string& name) {
    if (pattern.is_dynamic()) return Certainty::Maybe;
    for (const int flags : {REG_EXTENDED | REG_ICASE | REG_NOSUB, REG_ICASE | REG_NOSUB}) {
      regex_t compiled;
      if (::regcomp(&compiled, ("^" + pattern.text + "$").c_str(), flags) != 0) return Certainty::Maybe;
      const bool is_match = ::regexec(&compiled, name.c_str(), 0, nullptr, 0) == 0;
      ::regfree(&compiled);
      if (is_match) return Certainty::Yes;
    }
    return Certainty::No;
  }

  static std::optional<int64_t> number(std::string_view text) {
    int64_t out = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc{} ? std::optional(out) : std::nullopt;
  }

  /// `-size +1M`, `-mtime -7`, `-inum 5`.
  Certainty compares(std::string_view name, const Word& value) const {
    constexpr int64_t kDay = 86400;
    const char sign = value.text.empty() ? ' ' : value.text[0];
    const auto wanted = number(sign == '+' || sign == '-' ? std::string_view(value.text).substr(1) : value.text);
    if (value.is_dynamic() || !wanted || !has_stat_) return Certainty::Maybe;
    int64_t own = 0;
    if (name == "-inum") {
      own = static_cast<int64_t>(stat_.st_ino);
    } else if (name == "-size") {
      const char unit = value.text.back();
      const int64_t size = unit == 'c' ? 1 : unit == 'k' ? 1024 : unit == 'M' ? 1 << 20 : unit == 'G' ? 1 << 30 : 512;
      own = (stat_.st_size + size - 1) / size;
    } else {
      const time_t then = name[1] == 'm' ? stat_.st_mtime : name[1] == 'c' ? stat_.st_ctime : stat_.st_atime;
      own = (std::time(nullptr) - then) / (name.ends_with("min") ? 60 : kDay);
    }
    return yes_if(sign == '+' ? own > *wanted : sign == '-' ? own < *wanted : own == *wanted);
  }

  const std::vector<Word>& words_;
  const Candidate& file_;
  size_t at_ = 1;
  struct stat stat_{};
  bool has_stat_ = false;
  bool has_action_ = false;
  bool is_deep_enough_ = true;
  Certainty reached_ = Certainty::No;
  Certainty pruned_ = Certainty::No;
};

}  // namespace

Certainty finds(const SimpleCommand& find, const Candidate& file) {
  // A directory above the file may be left out.
  for (size_t slash = file.path.find('/', file.root.size() + 1); slash != std::string::npos;
       slash = file.path.find('/', slash + 1)) {
    Candidate above = file;
    above.path.resize(slash);
    above.is_directory = true;
    Expression expression(find, above);
    expression.evaluate();
    if (expression.pruned() == Certainty::Yes) return Certainty::No;
  }
  Expression expression(find, file);
  expression.evaluate();
  return expression.reached();
}

bool singles_out(const SimpleCommand& find, const Candidate& file) {
  if (finds(find, file) == Certainty::No) return false;
  Candidate other = file;
  const std::string rest = file.path.substr(file.root == "/" ? 0 : file.root.size());
  other.path = file.root == "/" ? "" : file.root;
  for (auto count = std::ranges::count(rest, '/'); count > 0; --count) other.path += "/qzkqzk";
  const std::filesystem::path name = shell::base_name(file.path);
  other.path += name.extension().string();
  return finds(find, other) == Certainty::No;
}

}  // namespace grapnel::protect
