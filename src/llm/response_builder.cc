#include "llm/response_builder.h"

#include <algorithm>
#include <array>
#include <random>
#include <utility>

#include "base/error.h"
#include "base/text.h"

namespace grapnel::llm {

namespace {

/// A kind of error that a provider reports inside a stream, and the code that tells the caller what to do about it.
/// Words in lower case are Anthropic's and OpenAI's, words in capitals are Gemini's. Kinds without a row become
/// `System`, which means that the call may work another time.
struct ReportedKind {
  std::string_view word;
  Errc code;
};
constexpr auto kReportedKinds = std::to_array<ReportedKind>({
    {"invalid_request_error", Errc::BadInput},
    {"INVALID_ARGUMENT", Errc::BadInput},
    {"not_found_error", Errc::NotFound},
    {"NOT_FOUND", Errc::NotFound},
    {"authentication_error", Errc::Refused},
    {"permission_error", Errc::Refused},
    {"UNAUTHENTICATED", Errc::Refused},
    {"PERMISSION_DENIED", Errc::Refused},
    {"request_too_large", Errc::LimitExceeded},
});

}  // namespace

std::string random_call_id() {
  std::random_device random;
  std::string id = "call_";
  for (int i = 0; i < 16; ++i) id += "0123456789abcdef"[random() % 16];
  return id;
}

ResponseBuilder::ResponseBuilder(ChunkSink on_chunk, CallIdSource make_call_id)
    : on_chunk_(std::move(on_chunk)), make_call_id_(std::move(make_call_id)) {}

void ResponseBuilder::tell(const ModelChunk& chunk) const {
  if (on_chunk_) on_chunk_(chunk);
}

void ResponseBuilder::add_text(std::string_view delta) {
  if (delta.empty()) return;
  // Text continues the last part if that is text; after a thought or a call it begins a new part.
  auto* const last = response_.parts.empty() ? nullptr : std::get_if<TextPart>(&response_.parts.back());
  if (last != nullptr) {
    last->text += delta;
  } else {
    response_.parts.emplace_back(TextPart{std::string(delta)});
  }
  tell(TextDelta{std::string(delta)});
}

void ResponseBuilder::add_thought(std::string_view delta, std::string_view signature) {
  if (delta.empty() && signature.empty()) return;
  auto* last = response_.parts.empty() ? nullptr : std::get_if<ThoughtPart>(&response_.parts.back());
  // A signature completes a thought, so whatever follows it is a new one.
  if (last == nullptr || !last->signature.empty()) {
    last = &std::get<ThoughtPart>(response_.parts.emplace_back(ThoughtPart{}));
  }
  last->text += delta;
  last->signature += signature;
  if (!delta.empty()) tell(TextDelta{std::string(delta), true});
}

void ResponseBuilder::add_call(ToolCallPart call) {
  if (call.id.empty()) call.id = make_call_id_();
  response_.parts.emplace_back(call);
  tell(call);
}

/// `finish` decides about an input that cannot be read, because only then is it known why the answer ended.
void ResponseBuilder::add_call(std::string id, std::string name, const std::string& input_text) {
  auto input = text::trim(input_text).empty() ? Json::object() : Json::parse(input_text);
  if (input && input->is_object()) {
    add_call({std::move(id), std::move(name), *input, ""});
  } else {
    unreadable_call_ = std::move(name);
  }
}

/// Some providers repeat the usage in every chunk; the sink only gets changes.
void ResponseBuilder::set_usage(ModelUsage usage) {
  if (usage == response_.usage) return;
  response_.usage = usage;
  tell(usage);
}

void ResponseBuilder::set_stop(StopReason reason) {
  response_.stop_reason = reason;
  has_stop_ = true;
}

Result<ModelResponse> ResponseBuilder::finish() {
  // An answer that was cut off may end in the middle of a call's input. In any other case the input is simply wrong.
  if (!unreadable_call_.empty() && response_.stop_reason != StopReason::MaxTokens) {
    return fail(Errc::BadInput, "the model called " + unreadable_call_ + " with an input that is not a JSON object");
  }
  // Some providers report an ordinary end even if there are calls.
  if (response_.stop_reason == StopReason::EndTurn && !response_.calls().empty()) {
    response_.stop_reason = StopReason::ToolCalls;
  }
  tell(response_.stop_reason);
  return std::move(response_);
}

Result<Json> parse_event(const net::SseEvent& event) {
  auto json = Json::parse(event.data);
  if (json && json->is_object()) return json;
  return fail(Errc::BadInput, "an event of the stream is not a JSON object");
}

/// The server's own message is passed on; `HttpModel` adds the provider's name and removes the key.
std::unexpected<Error> fail_reported(std::string_view kind, const Json& message) {
  const auto* const found = std::ranges::find(kReportedKinds, kind, &ReportedKind::word);
  const std::string text = message.as_string().value_or("the server reported an error without a message");
  return fail(found == kReportedKinds.end() ? Errc::System : found->code, text);
}

}  // namespace grapnel::llm
