#include "shell/printed.h"

#include <algorithm>
#include <string_view>

#include "shell/tree.h"

namespace grapnel::shell {

namespace {

/// The output of `echo`. Without `-e`, it depends on the shell whether escapes are decoded; then the output is not
/// known if it contains one.
std::optional<std::string> echoed(const SimpleCommand& command) {
  std::string out;
  size_t at = 1;
  bool decodes = false;
  for (; at < command.words.size() && is_any_of(command.words[at].text, {"-n", "-e", "-E", "-ne", "-en"}); ++at) {
    decodes = decodes || command.words[at].text.contains('e');
  }
  for (const size_t first = at; at < command.words.size(); ++at) {
    (out += at == first ? "" : " ") += command.words[at].text;
  }
  if (decodes) return decode_escapes(out, Escapes::Echo);
  return out.contains('\\') ? std::nullopt : std::optional(out);
}

/// The output of `printf`, for formats that print each argument as it is. A format is used again until no argument is
/// left.
std::optional<std::string> printed(const SimpleCommand& command) {
  size_t at = 1;
  if (at < command.words.size() && command.words[at].text == "--") ++at;
  if (at >= command.words.size() || command.words[at].text.starts_with("-v")) return std::nullopt;
  const std::string format = decode_escapes(command.words[at++].text, Escapes::Ansi);
  std::string out;
  do {
    const size_t first = at;
    for (size_t i = 0; i < format.size(); ++i) {
      if (format[i] != '%') {
        out += format[i];
        continue;
      }
      const char conversion = ++i < format.size() ? format[i] : '\0';
      if (!std::string_view("sb%").contains(conversion)) return std::nullopt;
      const std::string argument = conversion != '%' && at < command.words.size() ? command.words[at++].text : "";
      out += conversion == '%' ? "%" : conversion == 'b' ? decode_escapes(argument, Escapes::Ansi) : argument;
    }
    if (at == first) break;
  } while (at < command.words.size());
  return out;
}

}  // namespace

bool is_uncertain(const Word& word) {
  return word.is_dynamic() || word.has_glob;
}

std::optional<std::string> text_of(const SimpleCommand& command) {
  const std::string_view name = command.words.empty() ? "" : base_name(command.words[0].text);
  if (name == "echo") return echoed(command);
  return name == "printf" ? printed(command) : std::nullopt;
}

std::optional<Output> named_by(const SimpleCommand& command, const Variables& variables) {
  const auto& words = command.words;
  if (words.empty() || std::ranges::any_of(words, is_uncertain)) return std::nullopt;
  const std::string_view name = base_name(words[0].text);
  if (name == "pwd" && words.size() == 1 && variables.contains("PWD")) return Output{variables.find("PWD")->second};
  if (words.size() < 2) return std::nullopt;
  const std::string& last = words.back().text;
  const bool looks_up = (name == "which" && words.size() == 2) ||
                        (words.size() == 3 &&
                         ((name == "type" && is_any_of(words[1].text, {"-P", "-p", "-fP"})) ||
                          (name == "command" && words[1].text == "-v") || (name == "whence" && words[1].text == "-p")));
  if (looks_up && !last.starts_with('-')) return Output{"/bin/" + std::string(base_name(last)), true};
  if (words[1].text.starts_with('-') || words[1].text.ends_with('/')) return std::nullopt;
  if (name == "dirname" && words.size() == 2) {
    const size_t slash = last.rfind('/');
    return Output{slash == std::string::npos ? "." : slash == 0 ? "/" : last.substr(0, slash)};
  }
  if (name != "basename" || words.size() > 3) return std::nullopt;
  std::string base(base_name(words[1].text));
  if (words.size() == 3 && base.size() > last.size() && base.ends_with(last)) base.resize(base.size() - last.size());
  return Output{std::move(base)};
}

}  // namespace grapnel::shell
