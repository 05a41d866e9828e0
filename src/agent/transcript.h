#pragma once

#include <string>

#include "agent/conversation.h"
#include "base/unique_fd.h"

namespace grapnel::agent {

/// A session on disk: one JSON line for each message as it comes, and one `{"type":"reset"}` where the conversation
/// starts anew (compaction, cleared context). Lines are appended whole, so a killed agent leaves at most a torn last
/// line, which reading ignores.
class Transcript {
 public:
  /// One that writes nothing.
  Transcript() = default;
  /// `<directory>/<session>.jsonl`, made when missing. Fails: System.
  static Result<Transcript> open(const std::string& directory, const std::string& session_id);

  void add(const llm::ModelMessage& message);
  void reset(const Messages& messages);
  const std::string& path() const { return path_; }

 private:
  void write(const Json& line);

  std::string path_;
  UniqueFd file_;
};

/// Where a session's transcript lies.
std::string transcript_path(const std::string& directory, const std::string& session_id);

/// The conversation as it stood. Fails: NotFound, BadInput when it is no transcript.
Result<Messages> load_transcript(const std::string& path);

/// The id of the newest session in the directory; "" when there is none.
std::string newest_session(const std::string& directory);

}  // namespace grapnel::agent
