#include <cstdint>
#include <string_view>

#include "base/error.h"
#include "call/commands.h"
#include "call/effects.h"
#include "call/words.h"

// Input: a shell command. No text may crash, and the results must be consistent: gaps are inside their words, ranges
// are inside the text, and a command that is certainly `rm` is never called read-only.

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace grapnel::call;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const ParsedCommand parsed = commands_of(text);
  for (const SimpleCommand& command : parsed.commands) {
    GRAPNEL_CHECK(command.begin <= command.end && command.end <= text.size());
    for (const Word& word : command.words) {
      for (const size_t gap : word.gaps) GRAPNEL_CHECK(gap <= word.text.size());
    }
    matches_command(command, {"git", "*", "push", "--force"});
  }
  const Effects effects = effects_of(parsed);
  if (any_matches(parsed, {"rm"}) == Certainty::Yes) GRAPNEL_CHECK(effects.readonly == Certainty::No);
  paths_of(parsed);
  return 0;
}
