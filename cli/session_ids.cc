#include "cli/session_ids.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "cli/console.h"

namespace grapnel::cli {

namespace fs = std::filesystem;

std::string transcripts_dir(const Environment& env) {
  return env.state_dir() + "/transcripts";
}

std::vector<std::string> agent_sessions(const std::string& directory) {
  struct Found {
    fs::file_time_type changed;
    std::string id;
  };
  std::vector<Found> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(directory, error)) {
    // The directory belongs to the agent, but other files in it do no harm.
    if (entry.path().extension() == ".jsonl") found.push_back({entry.last_write_time(error), entry.path().stem()});
  }
  std::ranges::sort(found, std::ranges::greater(), &Found::changed);
  std::vector<std::string> ids;
  for (Found& one : found) ids.push_back(std::move(one.id));
  return ids;
}

Result<std::string> id_meant_by(const std::string& given, const std::vector<std::string>& ids) {
  if (given.empty()) return std::string();
  if (std::ranges::find(ids, given) != ids.end()) return given;
  std::string found;
  for (const std::string& id : ids) {
    if (!id.starts_with(given)) continue;
    if (!found.empty()) {
      return fail(Errc::BadInput, "more than one session begins with '" + printable(given) + "': " + printable(found) +
                                      ", " + printable(id));
    }
    found = id;
  }
  return found;
}

}  // namespace grapnel::cli
