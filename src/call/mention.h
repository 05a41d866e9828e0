#pragma once

#include <string>
#include <string_view>
#include <vector>

/// What code that is not read here mentions.
///
/// `python -c …`, `perl -e …`, a here-document for `node`: nothing here reads these languages, so such code is the
/// unknown command, which may be anything. But its text is there. Code that has none of the words that a rule is about
/// hardly does what the rule is about: `python -c "print(1)"` is no force push. So a question about such code is
/// answered with `Maybe` if the code mentions what the question asks for, and with `No` otherwise.
///
/// A word counts in any place: as an identifier, in a string, or put together from strings (`"r" + "m"`). Code that
/// decodes text and runs it (`exec(b64decode(…))`) may mean any word, so it mentions everything. Thread: any.
namespace grapnel::call {

class Mentions {
 public:
  /// `code` may hold several texts, for example the code itself and the arguments that it gets. It must outlive this.
  static Mentions of_code(std::string_view code);
  /// Any other text. `hides_words`: it may mean any word, so it mentions everything.
  Mentions(std::string_view text, bool hides_words);

  /// Whether the text may mean words that it does not show, so that it mentions everything.
  bool hides_words() const { return hides_words_; }

  /// The word that makes it possible that the code runs a command that starts with these words; "" if there is none.
  /// Most languages have functions for common commands, so `rm` is also mentioned by `unlink` or `rmtree`.
  std::string command_word(const std::vector<std::string>& pattern) const;
  bool command(const std::vector<std::string>& pattern) const { return !command_word(pattern).empty(); }
  /// Whether it may use this option: `--force` is mentioned by `force=True`, and `-r` by `rmtree`.
  bool flag(std::string_view flag) const;
  /// Whether it may delete or destroy something.
  bool destruction() const;
  /// Whether it may write files, or run something that does.
  bool writing() const;
  /// Whether it may use the network.
  bool network() const;
  /// The strings of code that runs strings as commands, if a shell would make other words of them: `r$()m -r` of
  /// `system("r$()m -r")`.
  static std::vector<std::string> shell_texts(std::string_view code);
  /// Whether the code does nothing but print one plain string.
  static bool only_prints(std::string_view code);
  /// What makes it possible that it names a file that the glob matches: a known part of the glob that the code has. ""
  /// if there is none.
  std::string path(std::string_view glob) const;
  /// The known parts of a glob of which one is in every name that it matches; empty if it has none.
  static std::vector<std::string_view> parts_of(std::string_view glob);

 private:
  bool has_word(std::string_view word) const;
  bool has_spelling(std::string_view flag) const;
  std::string_view find_any(std::string_view words) const;
  bool has_any(std::string_view words) const { return !find_any(words).empty(); }
  /// Whether the numbers of all characters of the part are there.
  bool has_codes(std::string_view part) const;
  bool has_part(std::string_view part, bool begins_name, bool ends_name) const;

  std::string_view code_;
  std::string strings_;  ///< all strings of the code, one behind the other: `"r" + "m"` gives `rm`
  bool hides_words_ = false;
  bool hides_names_ = false;  ///< it makes text from numbers or codes and opens files
};

}  // namespace grapnel::call
