#include "engine/leftovers.h"

#include <unistd.h>

#include <algorithm>
#include <map>

#include "grapnel/json.h"

#include "base/clock.h"
#include "base/text.h"
#include "os/ancestors.h"
#include "os/files.h"
#include "trust/private_file.h"

namespace grapnel {

namespace {

constexpr size_t kMaxLeftoverList = size_t{1} << 20;
constexpr size_t kMaxLeftovers = 200;

/// One that has ended keeps its number until its parent asks how.
bool still_runs(const HookLeftover& process) {
  const auto stat = os::read_file("/proc/" + std::to_string(process.pid) + "/stat", 4096);
  const size_t name_end = stat ? stat->rfind(") ") : std::string::npos;
  if (name_end == std::string::npos) return false;
  const char state = (*stat)[name_end + 2];
  return state != 'Z' && state != 'X' && os::process_start(process.pid) == process.started;
}

std::string line_of(const KnownLeftover& one) {
  return Json::object({{"time", Json::string(one.time)},
                       {"hook", Json::string(one.hook)},
                       {"name", Json::string(one.process.name)},
                       {"pid", Json::number(int64_t{one.process.pid})},
                       {"started", Json::number(static_cast<int64_t>(one.process.started))}})
             .dump() +
         "\n";
}

std::string text_for_people(const std::string& hook, const std::vector<HookLeftover>& left) {
  std::vector<std::string> names;
  for (const HookLeftover& one : left) names.push_back(one.name + " (" + std::to_string(one.pid) + ")");
  return "hook '" + hook + "' has ended and left running: " + text::join(names, ", ") +
         "; `sandbox: { leftovers: kill }` ends them, `keep` says nothing, and `grapnel status` lists them";
}

/// By the names of the programs: the next run of the hook leaves other processes of the same kind.
std::string key_of(const std::string& hook, const std::vector<HookLeftover>& left) {
  std::vector<std::string> names;
  for (const HookLeftover& one : left) names.push_back(one.name);
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  return "left " + hook + " " + text::join(names, " ");
}

}  // namespace

void add_leftovers(const std::string& path, const std::string& hook, const std::vector<HookLeftover>& left) {
  std::vector<KnownLeftover> all = running_leftovers(path);
  const std::string time = format_timestamp(std::chrono::system_clock::now());
  for (const HookLeftover& one : left) all.push_back({hook, time, one});
  std::string text;
  for (size_t i = all.size() > kMaxLeftovers ? all.size() - kMaxLeftovers : 0; i < all.size(); ++i) {
    text += line_of(all[i]);
  }
  static_cast<void>(write_private_file(path, text));
}

std::vector<KnownLeftover> running_leftovers(const std::string& path) {
  std::vector<KnownLeftover> out;
  if (::access(path.c_str(), F_OK) != 0) return out;  // the usual case
  const auto text = read_private_file(path, kMaxLeftoverList);
  const std::string lines = text ? text->value_or("") : "";
  for (const std::string_view line : text::split(lines, '\n')) {
    const Json one = Json::parse(std::string(line)).value_or(Json());
    const auto pid = static_cast<int>(one["pid"].as_integer().value_or(0));
    const auto started = static_cast<uint64_t>(one["started"].as_integer().value_or(0));
    HookLeftover process{pid, started, one["name"].as_string().value_or("")};
    if (pid <= 0 || !still_runs(process)) continue;
    out.push_back({one["hook"].as_string().value_or(""), one["time"].as_string().value_or(""), std::move(process)});
  }
  return out;
}

GuardOff told_leftover(const std::string& hook, const std::vector<HookLeftover>& left) {
  return {key_of(hook, left), text_for_people(hook, left)};
}

std::vector<GuardOff> told_leftovers(const std::string& path) {
  std::map<std::string, std::vector<HookLeftover>> by_hook;
  for (KnownLeftover& one : running_leftovers(path)) by_hook[one.hook].push_back(std::move(one.process));
  std::vector<GuardOff> out;
  for (const auto& [hook, left] : by_hook) out.push_back(told_leftover(hook, left));
  return out;
}

}  // namespace grapnel
