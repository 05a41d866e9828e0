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

Result<void> add_weakening(const std::string& path, const std::string& what, Weakening how) {
  auto before = read_private_file(path, kMaxList);
  if (!before) return std::unexpected(before.error());
  const std::string text = before->value_or("");
  const Json told = Json::object({{"what", Json::string(what)}, {"refused", Json::boolean(how == Weakening::Refused)}});
  // An agent may try it again and again.
  const std::string members = told.dump().substr(1);
  if (how == Weakening::Refused && text.contains(members)) return {};
  const std::string time = Json::string(format_timestamp(std::chrono::system_clock::now())).dump();
  return write_private_file(path, text + "{\"time\":" + time + "," + members + "\n");
}

std::vector<GuardOff> weakenings(const std::string& path) {
  std::vector<GuardOff> out;
  if (::access(path.c_str(), F_OK) != 0) return out;  // the usual case
  const auto text = read_private_file(path, kMaxList);
  if (!text) return {{"weakened unreadable", text.error().to_string()}};
  const std::string lines = text->value_or("");
  for (const std::string_view line : text::split(lines, '\n')) {
    const Json one = Json::parse(std::string(line)).value_or(Json());
    const std::string what = one["what"].as_string().value_or("");
    if (what.empty()) continue;
    const std::string when = "`" + what + "` at " + one["time"].as_string().value_or("");
    const bool is_refused = one["refused"].as_bool() == true;
    out.push_back({"weakened " + Sha256().add(line).hex().substr(0, 32),
                   is_refused ? "an agent tried to make guards weaker: " + when + "; it was refused"
                              : "guards were made weaker: " + when +
                                    "; if that was not you, look at `grapnel log` and `grapnel status`"});
  }
  if (out.size() > kMaxWeakenings) out.erase(out.begin(), out.end() - kMaxWeakenings);
  return out;
}

void forget_weakenings(const std::string& path) {
  ::unlink(path.c_str());
}

}  // namespace grapnel
