#include "cli/ask.h"

#include <unistd.h>

#include <array>

#include "base/text.h"

namespace grapnel::cli {

bool can_ask(const Console& console) {
  return console.is_terminal() && ::isatty(STDIN_FILENO) == 1;
}

std::string answer_to(Console& console, std::string_view question) {
  console.out(question);
  console.flush();
  std::array<char, 1024> line{};  // a terminal gives one line
  const ssize_t n = ::read(STDIN_FILENO, line.data(), line.size());
  return n > 0 ? std::string(text::trim({line.data(), static_cast<size_t>(n)})) : "";
}

bool says_yes(Console& console, std::string_view question, bool fallback) {
  const std::string answer = answer_to(console, std::string(question) + (fallback ? " [Y/n] " : " [y/N] "));
  return answer.empty() ? fallback : answer.starts_with('y') || answer.starts_with('Y');
}

}  // namespace grapnel::cli
