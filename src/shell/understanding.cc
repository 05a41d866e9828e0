#include "shell/understanding.h"

#include "shell/odd_text.h"
#include "shell/parse.h"
#include "shell/syntax.h"

namespace grapnel::shell {

std::string_view why_unclear(std::string_view text) {
  if (!has_grammar()) return "this build has no shell grammar and understands plain words only";
  if (text.size() > kMaxText) return "it is longer than 256 KiB";
  const Syntax syntax = read_syntax(text);
  if (syntax.nodes.empty()) return "it is nested too deeply or takes too long to read";
  if (has_odd_characters(text)) return kWhyOdd;
  if (!syntax.is_whole) return "it is nested too deeply, or not valid for a shell";
  return "it has too many commands, or commands nested too deeply in each other";
}

}  // namespace grapnel::shell
