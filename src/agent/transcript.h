#pragma once

#include <string>

#include "agent/conversation.h"
#include "base/unique_fd.h"

namespace grapnel::agent {

/// A session on disk: one JSON line per message, written when the message is added, and one `{"type":"reset"}` where
/// the conversation starts over (after compaction or a cleared context). Each line is appended in one write, so an
/// agent that is killed leaves at most a torn last line, which readers ignore.
class Transcript {
 public:
  /// A transcript that writes nothing.
  Transcript() = default;
  /// Opens `<directory>/<session>.jsonl` and creates it if needed. Fails: System.
  static Result<Transcript> open(const std::string& directory, const std::string& session_id);

  void add(const llm::ModelMessage& message);
  /// Starts over with `messages`.
  void reset(const Messages& messages);
  const std::string& path() const { return path_; }

 private:
  void write(const Json& line);

  std::string path_;
  UniqueFd file_;
};

/// The path of a session's transcript.
std::string transcript_path(const std::string& directory, const std::string& session_id);

/// Returns the conversation as it was when the agent last wrote it. Fails: NotFound; BadInput for a file that is not a
/// transcript.
Result<Messages> load_transcript(const std::string& path);

/// Returns the id of the most recently written session in the directory; "" when there is none.
std::string newest_session(const std::string& directory);

}  // namespace grapnel::agent
