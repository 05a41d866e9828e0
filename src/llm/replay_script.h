#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/json.h"

/// A script of model turns: one JSON object per line, played in order. Blank lines and lines that begin with `#` or
/// `//` are skipped. Lines are recordings of Gemini CLI,
///
///   {"method": "generateContentStream", "response": [chunk, …]}     a streamed call
///   {"method": "generateContent", "response": chunk}                any other call
///   {"method": "countTokens" or "embedContent", …}                  skipped: the agent never makes these calls
///
/// or a shorter form for writing by hand, which fits both kinds of call:
///
///   {"say": "Hello"}                              text; a list of texts arrives in pieces
///   {"think": "Hm", "say": "Hello"}               a thought before it
///   {"call": "read_file", "input": {"path": "a"}} one call
///   {"say": "…", "calls": [{"name": "read_file", "input": {…}, "id": "c1"}, …]}
///   {…, "stop": "max_tokens"}                     or `refusal`, `other`: why the answer ended
///   {…, "usage": {"input": 10, "output": 5}}
///   {…, "expect": "text"}                         fails unless the request has that text in it; or a list
///   {"error": "overloaded"}                       the call fails
///   {"hang": true}                                nothing comes until the call is cancelled
///
/// Both forms may have `"for": "name"`: the turn is for that type of subagent. A subagent without turns of its own uses
/// the main agent's.
namespace grapnel::llm {

inline constexpr std::string_view kStreamMethod = "generateContentStream";
inline constexpr std::string_view kWholeMethod = "generateContent";
inline constexpr std::string_view kMainLane = "main";

struct ReplayTurn {
  uint32_t line = 0;
  std::string lane{kMainLane};
  std::string method;  ///< empty: any
  std::vector<Json> chunks;
  std::vector<std::string> expect;
  std::string error;
  bool hangs = false;
};

/// Reads a whole script. Fails: BadInput at the first line that is wrong.
Result<std::vector<ReplayTurn>> parse_replay(std::string_view text, const std::string& file);

}  // namespace grapnel::llm
