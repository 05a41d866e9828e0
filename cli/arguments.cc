#include "cli/arguments.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "cli/command.h"
#include "cli/guesses.h"

namespace grapnel::cli {

namespace {

/// Every verb has this option, so it is not in the verbs' own tables.
constexpr OptionRow kHelpRow{"--help", "-h", "", "show this text"};

/// The error for an option that the verb does not have, with what to do instead or the nearest one that it does have.
std::string explain_unknown(const Command& command, const std::string& word) {
  std::vector<std::string_view> known = {kHelpRow.name};
  for (const OptionRow& row : command.options) known.push_back(row.name);
  const std::string name = word.substr(0, word.find('='));
  const std::string error = "unknown option '" + name + "'";
  if (const auto advice = advice_on_option(command, name); !advice.empty()) {
    return error + "; " + std::string(advice);
  }
  const std::string_view near = text::nearest(name, known);
  return error + (near.empty() ? "" : "; did you mean '" + std::string(near) + "'?");
}

/// The error for a value that is not among the option's choices; "" when it is, or when any value is allowed.
std::string explain_choice(const OptionRow& row, const std::string& value) {
  const auto choices = choices_of(row);
  if (choices.empty() || std::ranges::find(choices, value) != choices.end()) return "";
  std::string known;
  for (const std::string_view choice : choices) known += (known.empty() ? "" : ", ") + std::string(choice);
  return "option " + std::string(row.name) + " does not accept '" + value + "'; choose one of " + known;
}

/// Whether the words ask for help, wherever that stands among them.
bool ask_for_help(std::span<const std::string> words) {
  const auto end = std::ranges::find(words, "--");
  return std::any_of(words.begin(), end,
                     [](const std::string& word) { return word == kHelpRow.name || word == kHelpRow.short_name; });
}

/// Goes through the words once, from left to right.
///
/// An option with a value is written `--name value`, `--name=value`, `-n value` or `-nvalue`. After `--` every word is
/// an argument, even if it starts with a dash. A lone `-` is an argument too: verbs read it as standard input. The
/// functions below return an error as a sentence, or "" if all is well.
class Parser {
 public:
  Parser(const Command& command, std::span<const std::string> words) : command_(command), words_(words) {}

  std::expected<Arguments, std::string> parse() {
    bool only_arguments = false;
    while (!words_.empty()) {
      const std::string& word = words_.front();
      words_ = words_.subspan(1);
      const bool is_option = !only_arguments && word.size() > 1 && word[0] == '-';
      std::string problem;
      if (is_option && word == "--") {
        only_arguments = true;
      } else {
        problem = is_option ? take_option(word) : take_argument(word);
      }
      if (!problem.empty()) return std::unexpected(std::move(problem));
    }
    // `grapnel VERB --help` has to work without the arguments that the verb requires.
    for (const ArgumentRow& row : command_.arguments) {
      if (row.required && !out_.has(row.name) && !out_.has(kHelpRow.name)) {
        return std::unexpected(std::string(row.name) + " is missing");
      }
    }
    return std::move(out_);
  }

 private:
  const OptionRow* find_option(std::string_view name) const {
    if (name == kHelpRow.name || name == kHelpRow.short_name) return &kHelpRow;
    const auto found = std::ranges::find_if(command_.options, [&](const OptionRow& row) {
      return row.name == name || (!row.short_name.empty() && row.short_name == name);
    });
    return found == command_.options.end() ? nullptr : &*found;
  }

  /// Reads one option, together with the word after it if that is its value.
  std::string take_option(const std::string& word) {
    const bool is_long = word.starts_with("--");
    const size_t name_end = is_long ? word.find('=') : 2;
    const std::string name = word.substr(0, name_end);
    const OptionRow* row = find_option(name);
    if (row == nullptr) return explain_unknown(command_, word);
    std::optional<std::string> attached;
    if (word.size() > name.size()) attached = word.substr(name.size() + (is_long ? 1 : 0));
    if (row->value.empty()) {
      if (attached) return "option " + std::string(row->name) + " takes no value";
      out_.add(row->name, {});
      return "";
    }
    if (!attached) attached = next_value(*row);
    if (!attached) return "option " + std::string(row->name) + " needs a value";
    if (std::string problem = explain_choice(*row, *attached); !problem.empty()) return problem;
    if (out_.has(row->name) && !row->repeats) return "option " + std::string(row->name) + " is given more than once";
    append(row->name, *attached);
    return "";
  }

  /// The word after the option, or nothing when there is none. An option that may stand alone does not take a word that
  /// starts with a dash, because that is the next option; its value is then "".
  std::optional<std::string> next_value(const OptionRow& row) {
    const bool is_there = !words_.empty() && !(row.may_stand_alone && words_.front().starts_with('-'));
    if (!is_there) return row.may_stand_alone ? std::optional<std::string>("") : std::nullopt;
    std::string value = words_.front();
    words_ = words_.subspan(1);
    return value;
  }

  /// Gives the word to the first argument that has no value yet; a repeating argument takes all the words that are
  /// left.
  std::string take_argument(const std::string& word) {
    for (const ArgumentRow& row : command_.arguments) {
      if (out_.has(row.name) && !row.repeats) continue;
      append(row.name, word);
      return "";
    }
    const std::string_view advice = advice_on_argument(command_, word);
    return "unexpected argument '" + word + "'" + (advice.empty() ? "" : "; " + std::string(advice));
  }

  void append(std::string_view name, std::string value) {
    std::vector<std::string> values = out_.all(name);
    values.push_back(std::move(value));
    out_.add(name, std::move(values));
  }

  const Command& command_;
  std::span<const std::string> words_;
  Arguments out_;
};

}  // namespace

std::vector<std::string_view> choices_of(const OptionRow& row) {
  if (row.value.find('|') == std::string_view::npos) return {};
  return text::split(row.value, '|');
}

std::string Arguments::text(std::string_view name) const {
  const auto& values = all(name);
  return values.empty() ? "" : values.back();
}

const std::vector<std::string>& Arguments::all(std::string_view name) const {
  static const std::vector<std::string> kNone;
  const auto found = values_.find(name);
  return found == values_.end() ? kNone : found->second;
}

void Arguments::add(std::string_view name, std::vector<std::string> values) {
  values_[std::string(name)] = std::move(values);
}

std::expected<Arguments, std::string> parse_arguments(const Command& command, std::span<const std::string> words) {
  auto parsed = Parser(command, words).parse();
  if (parsed || !ask_for_help(words)) return parsed;
  // Who asks for help need not get the rest right.
  Arguments help;
  help.add(kHelpRow.name, {});
  return help;
}

}  // namespace grapnel::cli
