#include "call/command_input.h"

#include <algorithm>
#include <array>
#include <vector>

#include "base/shell_word.h"
#include "base/text.h"
#include "dialect/spoken.h"
#include "dialect/tools.h"

namespace grapnel::call {

namespace {

/// Arguments of shells that no agent documents but that would be part of the command, if the tool looked at them.
constexpr auto kMoreArguments = std::to_array<std::string_view>(
    {"args", "arguments", "argv", "flags", "options", "params", "parameters", "stdin", "input"});
/// Arguments that describe a command in prose, or say how and where to run it.
constexpr auto kProse = std::to_array<std::string_view>({"description", "title", "explanation", "reason", "summary",
                                                         "comment", "cwd", "workdir", "dir_path", "directory",
                                                         "working_directory", "timeout", "shell", "env"});
constexpr int kMaxDepth = 8;

/// `["bash", "-lc", "…"]` as one text, with each word quoted.
std::optional<std::string> joined_words(const Json& words) {
  std::string out;
  for (const Json& word : words.elements()) {
    const auto text = word.as_string();
    if (!text) return std::nullopt;
    out += (out.empty() ? "" : " ") + shell_word(*text);
  }
  return out.empty() ? std::nullopt : std::optional(out);
}

/// JSON in a string, perhaps several times, as the value that it stands for.
Json unwrapped(Json value) {
  for (int i = 0; i < kMaxDepth; ++i) {
    const auto text = value.as_string();
    auto inner = text ? Json::parse(*text) : Result<Json>(Json());
    const bool is_json = inner && (inner->is_object() || inner->is_array() || inner->is_string());
    if (!is_json) break;
    value = *inner;
  }
  return value;
}

/// Whether a text is JSON that a tool would take apart, or a list of words in another notation: `["rm", "-r"]`.
bool looks_wrapped(std::string_view text) {
  return text.starts_with('[') || text.starts_with('{') || text.starts_with('"');
}

/// Whether the words of a list are a command line, and not a program with its arguments: `["ls", ";", "rm"]`.
bool has_operator(const Json& words) {
  constexpr auto kOperators = std::to_array<std::string_view>({";", "&&", "||", "|", "&", "\n"});
  return std::ranges::any_of(words.elements(), [&](const Json& word) {
    return std::ranges::any_of(kOperators, [&](std::string_view sign) { return word.equals_string(sign); });
  });
}

/// All texts inside a value, except for prose.
void add_texts(const Json& value, int depth, std::vector<std::string>& out) {
  if (depth > kMaxDepth) return;
  if (auto text = value.as_string(); text && !text->empty()) {
    // `command=rm -r x`, as in a form.
    const size_t sign = text->find_first_of("=:");
    const bool is_member = sign != std::string::npos && names_command(text::trim(text->substr(0, sign)));
    if (is_member) out.push_back(text->substr(sign + 1));
    out.push_back(std::move(*text));
  }
  for (const Json& element : value.elements()) add_texts(element, depth + 1, out);
  for (const JsonMember& member : value.members()) {
    if (!Spelling(member.key).is_one_of(kProse)) add_texts(member.value, depth + 1, out);
  }
}

/// The texts of an odd value: each alone, and all together, since they may be the words of one command.
std::string every_reading(const Json& value) {
  std::vector<std::string> texts;
  add_texts(unwrapped(value), 0, texts);
  std::string lines;
  std::string together;
  for (const std::string& text : texts) {
    lines += text + "\n";
    together += (together.empty() ? "" : " ") + text;
  }
  return texts.size() > 1 ? lines + together : lines;
}

/// What the call has besides its command and would be part of it: `{"command": "rm", "args": ["-rf", "x"]}`.
std::string more_of(const Json& input, std::string_view command_key, const std::string& command) {
  std::string out;
  for (const JsonMember& member : input.members()) {
    if (member.key == command_key) continue;
    if (!names_command(member.key) && !Spelling(member.key).is_one_of(kMoreArguments)) continue;
    const std::string reading = every_reading(member.value);
    if (reading.empty()) continue;
    out += "\n" + reading;
    const auto words = member.value.is_string() ? member.value.as_string() : joined_words(member.value);
    if (words) out += "\n" + command + " " + *words;
  }
  return out;
}

}  // namespace

std::optional<CommandInput> command_in(const Dialect& dialect, std::string_view tool, const Json& input,
                                       bool is_shell) {
  for (const std::string_view key : dialect.tools.input_keys.command_keys) {
    const Json value = input[key];
    auto text = value.as_string();
    if (!text || text->empty()) text = joined_words(value);
    if (!text) continue;
    std::string more = more_of(input, key, *text);
    // A list of one text is a command line and not the name of a program.
    if (value.is_array() && (value.size() == 1 || has_operator(value))) more += "\n" + every_reading(value);
    if (looks_wrapped(*text) && !unwrapped(value).equals_string(*text)) more += "\n" + every_reading(value);
    return CommandInput{*text + more, !more.empty()};
  }
  if (auto text = tool_command(dialect, tool, input).as_string(); text && !text->empty()) return CommandInput{*text};
  std::string odd;
  if (is_shell) {
    odd = every_reading(input);
    // A command under a name that otherwise says where to run one: `{"shell": "rm -r x"}`.
    if (odd.empty()) {
      for (const JsonMember& member : input.members()) odd += every_reading(member.value);
    }
  } else {
    for (const JsonMember& member : input.members()) {
      if (names_command(member.key)) odd += every_reading(member.value) + "\n";
    }
  }
  return odd.empty() ? std::nullopt : std::optional(CommandInput{std::move(odd), true});
}

}  // namespace grapnel::call
