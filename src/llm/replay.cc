#include "llm/replay.h"

#include <algorithm>
#include <condition_variable>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "llm/gemini.h"
#include "os/files.h"

namespace grapnel::llm {

namespace {

constexpr size_t kMaxScript = size_t{64} << 20;
constexpr size_t kMaxPromptQuote = 80;

/// The name that Gemini CLI's recordings have for this kind of call.
std::string_view method_of(const ModelRequest& request) {
  return request.stream ? kStreamMethod : kWholeMethod;
}

/// Everything that the model would read, one part per line; `expect` searches in it.
std::string all_text(const ModelRequest& request) {
  std::string out = request.system + "\n";
  for (const ModelMessage& message : request.messages) {
    for (const ModelPart& part : message.parts) {
      if (const auto* text = std::get_if<TextPart>(&part)) out += text->text + "\n";
      if (const auto* result = std::get_if<ToolResultPart>(&part)) out += text_of(*result) + "\n";
    }
  }
  return out;
}

/// The newest part of the conversation: it shows best where the session left the script.
std::string last_text(const ModelRequest& request) {
  if (request.messages.empty()) return "";
  ModelRequest last;
  last.messages = {request.messages.back()};
  return std::string(text::trim(all_text(last)));
}

/// The request in a few words, for errors.
std::string describe(const ModelRequest& request) {
  return std::string(method_of(request)) + " of '" + request.model + "' after \"" +
         text::cap(last_text(request), kMaxPromptQuote) + "\"";
}

/// Blocks until the stop request. Nothing ever notifies the condition; only the token ends the wait.
void wait_for_stop(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait(lock, stop, [] { return false; });
}

}  // namespace

ReplayModel::ReplayModel(std::vector<ReplayTurn> turns, std::string file)
    : turns_(std::move(turns)), file_(std::move(file)) {
  // The main lane must exist even in an empty script, because it is the fallback of all others.
  lanes_[std::string(kMainLane)];
  for (const ReplayTurn& turn : turns_) lanes_[turn.lane].push_back(&turn);
}

/// A turn that does not fit the request stays in its place. Such an error means that the script and the agent disagree,
/// and the message shows where.
Result<const ReplayTurn*> ReplayModel::take_turn(const ModelRequest& request) {
  const std::scoped_lock lock(mutex_);
  auto lane = lanes_.find(request.lane);
  if (lane == lanes_.end()) lane = lanes_.find(kMainLane);
  // Progress is counted per lane, so the order in which subagents run at the same time makes no difference.
  size_t& played = played_[&lane->second];
  if (played == lane->second.size()) {
    const uint32_t last = played == 0 ? 0 : lane->second.back()->line;
    return fail(
        Errc::NotFound,
        "no turn left for '" + lane->first + "' after " + std::to_string(played) + "; requested: " + describe(request),
        SourcePos{file_, last, 0});
  }
  const ReplayTurn& turn = *lane->second[played];
  if (!turn.method.empty() && turn.method != method_of(request)) {
    return fail(Errc::BadInput, "the next turn is a " + turn.method + "; requested: " + describe(request),
                position(turn));
  }
  ++played;
  return &turn;
}

Result<ModelResponse> ReplayModel::play(const ReplayTurn& turn, const ChunkSink& on_chunk,
                                        const std::stop_token& stop) {
  GeminiDecoder decoder(on_chunk, [this] {
    const std::scoped_lock lock(mutex_);
    return "call_" + std::to_string(++call_ids_);
  });
  for (const Json& chunk : turn.chunks) {
    if (stop.stop_requested()) break;
    if (auto taken = decoder.take_chunk(chunk); !taken) return std::unexpected(taken.error());
  }
  // The chunks come first: a turn can say something and then hang or fail, like a real connection.
  if (turn.hangs && stop.stop_possible()) wait_for_stop(stop);
  if (stop.stop_requested()) return fail(Errc::Cancelled, "replay: cancelled");
  if (turn.hangs) return fail(Errc::BadInput, "this turn hangs, and the caller cannot cancel it", position(turn));
  if (!turn.error.empty()) return fail(Errc::System, "replay: " + turn.error);
  return decoder.finish_anyway();
}

/// Expectations are checked before anything is played: a script whose assumptions are wrong should fail at that line,
/// not later.
Result<ModelResponse> ReplayModel::generate(const ModelRequest& request, const ChunkSink& on_chunk,
                                            std::stop_token stop) {
  const auto turn = take_turn(request);
  if (!turn) return std::unexpected(turn.error());
  const std::string text = all_text(request);
  for (const std::string& expected : (*turn)->expect) {
    if (text.find(expected) != std::string::npos) continue;
    return fail(Errc::BadInput, "the request has no \"" + expected + "\" in it; requested: " + describe(request),
                position(**turn));
  }
  return play(**turn, on_chunk, stop);
}

Result<std::unique_ptr<ModelClient>> open_replay(const std::string& file) {
  const auto text = os::read_file(file, kMaxScript);
  if (!text) return std::unexpected(text.error());
  auto turns = parse_replay(*text, file);
  if (!turns) return std::unexpected(turns.error());
  return std::make_unique<ReplayModel>(std::move(*turns), file);
}

}  // namespace grapnel::llm
