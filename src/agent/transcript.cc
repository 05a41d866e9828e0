#include "agent/transcript.h"

#include <unistd.h>

#include <filesystem>

#include "base/error.h"
#include "os/files.h"

namespace grapnel::agent {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSuffix = ".jsonl";
/// A guard against reading a file that cannot be a transcript into memory.
constexpr size_t kMaxTranscript = size_t{1} << 30;

/// Removes the half line that a killed agent left, so that the next line does not continue it.
void drop_torn_line(const std::string& path) {
  const auto text = os::read_file(path, kMaxTranscript);
  if (!text || text->empty() || text->back() == '\n') return;
  std::error_code error;
  fs::resize_file(path, text->rfind('\n') + 1, error);
}

}  // namespace

std::string transcript_path(const std::string& directory, const std::string& session_id) {
  return directory + "/" + session_id + std::string(kSuffix);
}

Result<Transcript> Transcript::open(const std::string& directory, const std::string& session_id) {
  Transcript transcript;
  transcript.path_ = transcript_path(directory, session_id);
  // Conversations contain file contents and secrets, so only the user may read them.
  if (auto made = os::make_dirs(directory, 0700); !made) return std::unexpected(made.error());
  drop_torn_line(transcript.path_);
  auto file = os::open_append(transcript.path_, 0600);
  if (!file) return std::unexpected(file.error());
  transcript.file_ = std::move(*file);
  return transcript;
}

void Transcript::write(const Json& line) {
  if (!file_) return;
  const std::string text = line.dump() + "\n";
  // If the disk is full, the transcript loses its rest, but the session goes on.
  static_cast<void>(::write(file_.get(), text.data(), text.size()) < 0);
}

void Transcript::add(const llm::ModelMessage& message) {
  write(Json::object({{"type", Json::string("message")}, {"message", to_json(message)}}));
}

/// Earlier lines stay in the file; `load_transcript` ignores the messages before the last reset.
void Transcript::reset(const Messages& messages) {
  write(Json::object({{"type", Json::string("reset")}}));
  for (const llm::ModelMessage& message : messages) add(message);
}

Result<Messages> load_transcript(const std::string& path) {
  auto text = os::read_file(path, kMaxTranscript);
  if (!text) return std::unexpected(text.error());
  Messages messages;
  uint32_t line = 0;
  for (size_t begin = 0; begin < text->size();) {
    ++line;
    const size_t end = text->find('\n', begin);
    if (end == std::string::npos) break;  // torn by a kill
    // A complete line that is not JSON was not written by the agent, so this is not a transcript.
    const auto entry = Json::parse(text->substr(begin, end - begin));
    begin = end + 1;
    if (!entry) return fail(Errc::BadInput, "this is not a line of a transcript", SourcePos{path, line, 1});
    // Lines of any other type are ignored.
    if ((*entry)["type"].equals_string("reset")) messages.clear();
    if ((*entry)["type"].equals_string("message")) messages.push_back(message_from((*entry)["message"]));
  }
  return messages;
}

/// Compares modification times, because ids are random. A directory that cannot be read has no sessions.
std::string newest_session(const std::string& directory) {
  std::error_code error;
  fs::file_time_type newest{};
  std::string id;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
    if (entry.path().extension() != kSuffix) continue;
    const fs::file_time_type written = entry.last_write_time(error);
    if (!id.empty() && written <= newest) continue;
    newest = written;
    id = entry.path().stem();
  }
  return id;
}

}  // namespace grapnel::agent
