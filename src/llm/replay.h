#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "grapnel_agent/model.h"
#include "llm/replay_script.h"

namespace grapnel::llm {

/// A model that plays the turns of a script in order, whatever it is asked. Each subagent type (*lane*) may have its
/// own queue of turns. A call fails if it is of another kind than the next turn, or if no turn is left; the error names
/// the line of the script and what was requested. Needs no network. Thread: any.
class ReplayModel : public ModelClient {
 public:
  ReplayModel(std::vector<ReplayTurn> turns, std::string file);

  Result<ModelResponse> generate(const ModelRequest& request, const ChunkSink& on_chunk, std::stop_token stop) override;
  std::string_view name() const override { return "replay"; }

 private:
  /// The turns of one lane, in the order of the script.
  using Lane = std::vector<const ReplayTurn*>;

  /// Returns the next turn of the request's lane and counts it as played.
  Result<const ReplayTurn*> take_turn(const ModelRequest& request);
  /// Sends the turn's chunks to the sink, then answers, fails or hangs as the turn says.
  Result<ModelResponse> play(const ReplayTurn& turn, const ChunkSink& on_chunk, const std::stop_token& stop);
  SourcePos position(const ReplayTurn& turn) const { return {file_, turn.line, 1}; }

  std::vector<ReplayTurn> turns_;
  std::string file_;
  /// Filled by the constructor and never changed.
  std::map<std::string, Lane, std::less<>> lanes_;
  /// Protects the members below.
  std::mutex mutex_;
  std::map<const Lane*, size_t> played_;
  size_t call_ids_ = 0;
};

/// Fails: errors of reading the file; BadInput with file and line.
Result<std::unique_ptr<ModelClient>> open_replay(const std::string& file);

}  // namespace grapnel::llm
