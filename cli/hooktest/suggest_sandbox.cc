#include "cli/hooktest/suggest_sandbox.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "base/error.h"
#include "base/text.h"

namespace grapnel::cli {

namespace {

// Processes are not among these: they are counted from time to time, so a test may pass with too few by chance.

/// One member of the map, and its values from the narrowest on. The last one is to leave the member out.
struct Dimension {
  std::string_view key;
  std::vector<std::string_view> values;
};

const std::vector<Dimension>& dimensions() {
  static const std::vector<Dimension> kAll = {
      {"network", {"false"}},
      {"write", {"[]", "[$TMPDIR]", "[project, $TMPDIR]", "[project, home, $TMPDIR]"}},
      {"read", {"[system]", "[project, system]", "[project, system, home]"}},
      {"memory", {"64M", "256M", "1G"}},
  };
  return kAll;
}

bool all_pass(const CaseResults& results) {
  return std::ranges::all_of(results, &CaseResult::passed);
}

/// The map with these members; "" if it takes nothing away.
std::string map_of(const std::vector<std::pair<std::string_view, std::string_view>>& members) {
  if (members.empty()) return "contain";
  std::vector<std::string> parts;
  for (const auto& [key, value] : members) parts.push_back(std::string(key) + ": " + std::string(value));
  return "{ " + text::join(parts, ", ") + " }";
}

std::string narrowest(const std::string& hook, const std::vector<CaseToRun>& runs, const Environment& env,
                      size_t threads) {
  std::vector<std::pair<std::string_view, std::string_view>> kept;
  for (const Dimension& dimension : dimensions()) {
    for (const std::string_view value : dimension.values) {
      auto tried = kept;
      tried.emplace_back(dimension.key, value);
      if (!all_pass(run_cases(runs, env, threads, {{hook, map_of(tried)}}))) continue;
      kept = std::move(tried);
      break;
    }
  }
  return map_of(kept);
}

}  // namespace

Result<std::vector<SandboxSuggestion>> suggest_sandboxes(const std::vector<CaseToRun>& runs, const Environment& env,
                                                         size_t threads) {
  const CaseResults first = run_cases(runs, env, threads);
  if (!all_pass(first)) return fail(Errc::BadInput, "the tests do not pass without a sandbox; run `grapnel test`");
  std::set<std::string> hooks;
  for (const CaseResult& result : first) hooks.insert(result.with_processes.begin(), result.with_processes.end());
  std::vector<SandboxSuggestion> out;
  for (const std::string& hook : hooks) out.push_back({hook, narrowest(hook, runs, env, threads)});
  return out;
}

}  // namespace grapnel::cli
