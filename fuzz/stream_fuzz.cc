#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "llm/anthropic.h"
#include "llm/gemini.h"
#include "llm/gemini_wire.h"
#include "llm/openai.h"
#include "net/sse.h"

// Input: what a model's server streams. The first byte chooses the format, the second how the rest is cut into pieces.
// There must be no crash, and the pieces must make no difference. In an answer, the input of every tool call is an
// object, and the answer is the same after it was translated for hooks and back.

namespace {

using namespace grapnel;
using namespace grapnel::llm;

const WireFormat* const kFormats[] = {&kAnthropicFormat, &kOpenAiFormat, &kGeminiFormat};

Result<ModelResponse> decode(const WireFormat& format, std::string_view stream, size_t piece) {
  const auto decoder = format.make_decoder({}, [] { return std::string("call"); });
  net::SseParser parser(4096);
  while (!stream.empty()) {
    const auto take = [&](const net::SseEvent& event) { return decoder->take(event); };
    if (auto fed = parser.feed(stream.substr(0, piece), take); !fed) return std::unexpected(fed.error());
    stream.remove_prefix(std::min(piece, stream.size()));
  }
  return decoder->finish();
}

void check_response(const ModelResponse& response) {
  for (const ToolCallPart& call : response.calls()) GRAPNEL_CHECK(call.input.is_object() && !call.id.empty());
  GRAPNEL_CHECK(text::is_valid_utf8(response.text()));
  const ModelResponse back = from_gemini_response(to_gemini_response(response), response);
  GRAPNEL_CHECK(back.text() == response.text() && back.calls() == response.calls());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return -1;
  const WireFormat& format = *kFormats[data[0] % 3U];
  const std::string_view stream(reinterpret_cast<const char*>(data) + 2, size - 2);
  const auto whole = decode(format, stream, stream.size() + 1);
  const auto pieces = decode(format, stream, data[1] % 16U + 1U);
  GRAPNEL_CHECK(whole.has_value() == pieces.has_value());
  if (!whole) return 0;
  GRAPNEL_CHECK(*whole == *pieces);
  check_response(*whole);
  return 0;
}
