#include "rule/rewrite.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "base/error.h"
#include "base/shell_word.h"
#include "base/text.h"
#include "call/words.h"
#include "dialect/payload.h"

/// How a command is rewritten.
///
/// `call::align_words` tells which words of the command each word of the pattern stands for. The parser has noted where
/// each word stands in the source. So the new words are put in the place of the first matched word, the other matched
/// words are removed, and the bytes in between are copied. Reprinting the command from its parsed form would lose
/// comments, quotes and line breaks.
///
/// The words under a `*` stay where they are, unless the new words refer to stars by number (`{1}`). Then they are
/// removed too, and appear again where the new words name them.
namespace grapnel::rule {

namespace {

using call::WordRange;
using shell::SimpleCommand;
using shell::Word;

/// The parts of a word that the stars in a pattern stand for: `a*b*` in `axby` gives `x` and `y`. The last star takes
/// the rest. Empty if the pattern does not fit.
std::vector<std::string> taken_by_stars(std::string_view text, std::string_view pattern) {
  std::vector<std::string> out;
  const std::vector<std::string_view> parts = text::split(pattern, '*');
  size_t at = parts.front().size();
  for (size_t i = 1; i < parts.size(); ++i) {
    const bool is_last = i + 1 == parts.size();
    // What follows the last star is at the end of the word. Any other part ends its star at the first place where it
    // fits.
    const size_t end = is_last ? text.size() - parts[i].size() : text.find(parts[i], at);
    if (end == std::string_view::npos || end < at) return {};
    out.emplace_back(text.substr(at, end - at));
    at = end + parts[i].size();
  }
  return out;
}

/// The words or parts that each star of the pattern stands for, as shell text. Nothing if a word among them is dynamic.
std::optional<std::vector<std::string>> captures(const SimpleCommand& command,
                                                 const std::vector<std::string>& pattern) {
  const auto ranges = call::align_words(command, pattern);
  if (!ranges) return std::nullopt;
  std::vector<std::string> out;
  for (size_t i = 0; i < pattern.size(); ++i) {
    if (!pattern[i].contains('*')) continue;
    std::string words;
    for (size_t k = (*ranges)[i].from; k < (*ranges)[i].to; ++k) {
      const Word& word = command.words[k];
      if (word.is_dynamic() || word.has_glob) return std::nullopt;
      words += (words.empty() ? "" : " ") + shell_word(word.text);
    }
    if (pattern[i] == "*") {
      // More words may follow that are not in the text, so the words of this star are not known.
      if (command.is_open) return std::nullopt;
      out.push_back(std::move(words));
      continue;
    }
    const Word& word = command.words[(*ranges)[i].from];
    // The program was compared by its base name, see `call::matches_command`.
    const std::string_view text = i == 0 && !pattern[i].contains('/') ? shell::base_name(word.text) : word.text;
    for (std::string& part : taken_by_stars(text, pattern[i])) out.push_back(shell_word(part));
  }
  return out;
}

/// The number in `{1}`; nothing for other names. Stars are counted from 1.
std::optional<size_t> number_of(std::string_view name) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc{} && end == name.data() + name.size() && number > 0 ? std::optional(number) : std::nullopt;
}

/// A string, number or truth value as text. Lists and objects have no text.
std::optional<std::string> text_of(const Json& value) {
  if (auto text = value.as_string()) return text;
  const bool is_scalar = value.kind() == JsonKind::Number || value.kind() == JsonKind::Bool;
  return is_scalar ? std::optional(std::string(value.raw())) : std::nullopt;
}

/// Only such names are placeholders: `{ print $1 }` in an awk script is not.
bool is_name(std::string_view text) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  return !text.empty() && text.find_first_not_of(kLetters) == std::string_view::npos;
}

/// Fills in a text that becomes input. Every placeholder in it has to be known.
Result<std::string> fill_strictly(std::string_view text, call::ToolCall& subject, const Match& match, Quoting quoting) {
  std::string unknown;
  std::string out = fill(text, [&](std::string_view name) -> std::optional<std::string> {
    if (!is_name(name)) return std::nullopt;
    auto value = placeholder(name, subject, match, quoting);
    if (!value && unknown.empty()) unknown = name;
    return value;
  });
  if (!unknown.empty()) return fail(Errc::BadInput, "the value of {" + unknown + "} is not known");
  return out;
}

/// The new value of a member. If the old value was not a string, a text that is a number or a truth value becomes one,
/// because the tool expects that type.
Json typed_value(const std::string& text, const Json& old) {
  if (old.is_string() || old.is_null()) return Json::string(text);
  auto parsed = Json::parse(text);
  const bool is_scalar = parsed && (parsed->kind() == JsonKind::Number || parsed->kind() == JsonKind::Bool);
  return is_scalar ? *parsed : Json::string(text);
}

/// Replacements in a text: where each starts, where it ends, and the new text.
using Edits = std::map<size_t, std::pair<size_t, std::string>>;

std::string apply_edits(std::string_view text, const Edits& edits) {
  std::string out;
  size_t at = 0;
  for (const auto& [begin, edit] : edits) {
    out += text.substr(at, begin - at);
    out += edit.second;
    at = edit.first;
  }
  return out + std::string(text.substr(at));
}

/// The new words as shell text, with `{1}`… filled in. A `*` at the end means that the remaining words stay.
Result<std::string> new_words(const std::vector<std::string>& words, const std::vector<std::string>& captured) {
  std::string out;
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "*" && i + 1 == words.size()) break;
    std::string word = words[i];
    if (word.starts_with('{') && word.ends_with('}')) {
      const auto number = number_of(std::string_view(word).substr(1, word.size() - 2));
      if (number && *number > captured.size()) return fail(Errc::BadInput, "the pattern has no '*' for " + word);
      if (number) word = captured[*number - 1];
    }
    out += (out.empty() || word.empty() ? "" : " ") + word;
  }
  return out;
}

/// Adds the edits for one command: the new words take the place of the first old word, the other old words are removed.
Result<void> add_edits(std::string_view text, const SimpleCommand& command, const std::vector<std::string>& pattern,
                       const std::vector<std::string>& words, Edits& edits) {
  const auto ranges = call::align_words(command, pattern);
  const bool needs_captures = std::ranges::any_of(words, [](const std::string& w) { return w.contains('{'); });
  const auto captured = needs_captures ? captures(command, pattern) : std::vector<std::string>{};
  if (!ranges || !captured) return fail(Errc::BadInput, "the words to rewrite are not known before the command runs");
  const auto instead = new_words(words, *captured);
  if (!instead) return std::unexpected(instead.error());
  bool is_first = true;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const WordRange range = (*ranges)[i];
    const bool is_named = needs_captures && pattern[i] == "*";
    if (range.from == range.to || (pattern[i] == "*" && !is_named)) continue;
    for (size_t k = range.from; k < range.to; ++k) {
      const Word& word = command.words[k];
      // A word that came from an expansion, or is in the script of a wrapper, has no place in the text.
      if (word.end <= word.begin || word.end > text.size() || word.is_dynamic()) {
        return fail(Errc::BadInput,
                    "the text does not contain the word \"" + word.text + "\" as such, so it cannot be replaced");
      }
      size_t begin = word.begin;
      // The blanks in front of a removed word go with it.
      while (!is_first && begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
      edits[begin] = {word.end, is_first ? *instead : ""};
      is_first = false;
    }
  }
  return {};
}

}  // namespace

std::string fill(std::string_view text, const std::function<std::optional<std::string>(std::string_view name)>& value) {
  std::string out;
  while (!text.empty()) {
    const size_t open = text.find('{');
    out += text.substr(0, open);
    if (open == std::string_view::npos) break;
    text.remove_prefix(open);
    const size_t close = text.find('}');
    const auto found = close == std::string_view::npos ? std::nullopt : value(text.substr(1, close - 1));
    // A brace that is not a placeholder is copied alone, because another one may follow right behind it.
    out += found ? *found : "{";
    text.remove_prefix(found ? close + 1 : 1);
  }
  return out;
}

std::optional<std::string> placeholder(std::string_view name, call::ToolCall& subject, const Match& match,
                                       Quoting quoting) {
  const auto quote = [&](std::string text) { return quoting == Quoting::Shell ? shell_word(text) : text; };
  if (const auto number = number_of(name)) {
    if (match.command == nullptr || match.pattern == nullptr) return std::nullopt;
    auto taken = captures(*match.command, *match.pattern);
    if (!taken || *number > taken->size()) return std::nullopt;
    return (*taken)[*number - 1];
  }
  if (name == "path") {
    if (match.file != nullptr) return match.file->is_known ? std::optional(quote(match.file->said)) : std::nullopt;
    std::string said = subject.event().text(Field::ToolPath);
    return said.empty() ? std::nullopt : std::optional(quote(std::move(said)));
  }
  // It is shell text already, so it is not quoted.
  if (name == "command") return subject.command_text();
  if (name == "tool") return subject.tool().empty() ? std::nullopt : std::optional(quote(subject.tool()));
  auto value = text_of(subject.input()[name]);
  return value ? std::optional(quote(std::move(*value))) : std::nullopt;
}

Result<std::string> rewrite_command(std::string_view text, const shell::ParsedCommand& parsed,
                                    const CommandQuestion& question, const std::vector<std::string>& words) {
  if (parsed.is_unclear) return fail(Errc::BadInput, "Grapnel does not understand the whole command");
  Edits edits;
  for (const SimpleCommand& command : parsed.commands) {
    const std::vector<std::string>* pattern = nullptr;
    const call::Certainty answer = ask_command(question, command, pattern);
    if (answer == call::Certainty::No) continue;
    if (answer == call::Certainty::Maybe || pattern == nullptr) {
      return fail(Errc::BadInput, "it is not known before it runs whether this command has to be rewritten");
    }
    if (auto added = add_edits(text, command, *pattern, words, edits); !added) return std::unexpected(added.error());
  }
  if (edits.empty()) return fail(Errc::BadInput, "no command in the text matches the words to rewrite");
  return apply_edits(text, edits);
}

Result<Json> rewrite_input(const HookSpec& hook, const RuleRewrite& rewrite, call::ToolCall& subject,
                           const Match& match) {
  const Json old = field_as(subject.event(), *hook.dialect, Field::ToolInput);
  Json input = old;
  if (!rewrite.command.empty()) {
    const auto& text = subject.command_text();
    if (!text || match.question == nullptr) return fail(Errc::BadInput, "there is no command to rewrite");
    auto changed = rewrite_command(*text, *subject.commands(), *match.question, rewrite.command);
    if (!changed) return std::unexpected(changed.error());
    // Agents have different names for the member with the command, so it is found by its value.
    std::string key;
    for (const JsonMember& member : old.members()) {
      if (member.value.equals_string(*text)) key = member.key;
    }
    if (key.empty()) return fail(Errc::BadInput, "the command is not a single string in the input of the tool");
    input = input.with(key, Json::string(*changed));
  }
  for (const auto& [pointer, text] : rewrite.input) {
    // Values that are put into a command are quoted, so that they stay one word and cannot run anything.
    const bool is_command = subject.command_text() && old.at_pointer(pointer).equals_string(*subject.command_text());
    auto value = fill_strictly(text, subject, match, is_command ? Quoting::Shell : Quoting::Plain);
    if (!value) return std::unexpected(value.error());
    input = input.with_pointer(pointer, typed_value(*value, old.at_pointer(pointer)));
  }
  std::vector<std::pair<std::string, Json>> changed;
  for (const JsonMember& member : input.members()) {
    if (!(old[member.key] == member.value)) changed.emplace_back(member.key, member.value);
  }
  return Json::object(changed);
}

}  // namespace grapnel::rule
