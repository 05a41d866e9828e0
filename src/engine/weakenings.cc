#include "engine/weakenings.h"

#include <unistd.h>

#include "grapnel/json.h"

#include "base/clock.h"
#include "base/text.h"
#include "trust/private_file.h"
#include "trust/sha256.h"

namespace grapnel {

namespace {

constexpr size_t kMaxList = size_t{1} << 20;
constexpr size_t kMaxWeakenings = 20;  ///< of more, the last ones are told

}  // namespace

Result<void> add_weakening(const std::string& path, const std::string& what) {
  auto before = read_private_file(path, kMaxList);
  if (!before) return std::unexpected(before.error());
  const Json line = Json::object(
      {{"time", Json::string(format_timestamp(std::chrono::system_clock::now()))}, {"what", Json::string(what)}});
  return write_private_file(path, before->value_or("") + line.dump() + "\n");
}

std::vector<GuardOff> weakenings(const std::string& path) {
  std::vector<GuardOff> out;
  if (::access(path.c_str(), F_OK) != 0) return out;  // the usual case
  const auto text = read_private_file(path, kMaxList);
  if (!text) return {{"weakened unreadable", text.error().to_string()}};
  for (const std::string_view line : text::split(text->value_or(""), '\n')) {
    const Json one = Json::parse(std::string(line)).value_or(Json());
    const std::string what = one["what"].as_string().value_or("");
    if (what.empty()) continue;
    out.push_back({"weakened " + Sha256().add(line).hex().substr(0, 32),
                   "guards were made weaker: `" + what + "` at " + one["time"].as_string().value_or("") +
                       "; if that was not you, look at `grapnel log` and `grapnel status`"});
  }
  if (out.size() > kMaxWeakenings) out.erase(out.begin(), out.end() - kMaxWeakenings);
  return out;
}

void forget_weakenings(const std::string& path) {
  ::unlink(path.c_str());
}

}  // namespace grapnel
