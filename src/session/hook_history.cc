#include "session/hook_history.h"

#include <algorithm>
#include <filesystem>

#include "os/files.h"
#include "trust/sha256.h"

namespace grapnel {

namespace {

// `SessionState::done` is one set of texts for several purposes. A plain hook key means that a `once` hook ran. With
// one of the prefixes below it means that the hook's text was injected. A compaction removes only the second prefix.

constexpr size_t kMaxEntries = 50'000;
constexpr std::string_view kInjected = "injected ";
constexpr std::string_view kInjectedUntilCompaction = "injected until compaction ";

/// The hook's `inject` setting, which rules and commands may have; null for all others.
const Inject* inject_of(const HookSpec& hook) {
  if (const CommandHandler* command = hook.command()) return command->inject ? &*command->inject : nullptr;
  const auto* rule = std::get_if<RuleHandler>(&hook.handler);
  return rule != nullptr && rule->inject ? &*rule->inject : nullptr;
}

std::string injected_key(const HookSpec& hook, Inject::How how) {
  const std::string_view prefix = how == Inject::How::OncePerCompaction ? kInjectedUntilCompaction : kInjected;
  return std::string(prefix) + session_key(hook);
}

/// Directories that are large and that no hook wants to watch.
bool is_left_out(const std::filesystem::path& name) {
  return name == ".git" || name == "node_modules";
}

}  // namespace

std::string session_key(const HookSpec& hook) {
  // Two directories of a project may have hooks of the same name.
  return std::string(to_string(hook.scope)) + " " + hook.name + (hook.project.empty() ? "" : " " + hook.project);
}

std::string digest_files(const std::vector<Matcher>& patterns, const std::string& project) {
  namespace fs = std::filesystem;
  std::error_code error;
  std::vector<std::string> found;
  size_t entries = 0;
  fs::recursive_directory_iterator walk(project, fs::directory_options::skip_permission_denied, error);
  for (; !error && walk != fs::recursive_directory_iterator(); walk.increment(error)) {
    // Without a digest the hook runs every time, which is slow but never wrong.
    if (++entries > kMaxEntries) return "";
    if (walk->is_directory(error) && is_left_out(walk->path().filename())) walk.disable_recursion_pending();
    const std::string path = walk->path().string();
    const std::string_view name = std::string_view(path).substr(std::min(path.size(), project.size() + 1));
    const auto matches = [&](const Matcher& pattern) { return pattern.matches(name); };
    if (std::ranges::any_of(patterns, matches)) found.push_back(path);
  }
  if (error) return "";
  std::ranges::sort(found);
  Sha256 digest;
  for (const std::string& path : found) {
    // Stamps are enough and much cheaper than contents. A file that is written without a change only makes the hook
    // run.
    const os::FileStamp stamp = os::stamp(path).value_or(os::FileStamp{});
    digest.add(path).add(std::to_string(stamp.size)).add(std::to_string(stamp.ino)).add(std::to_string(stamp.mtime_ns));
  }
  return digest.hex();
}

std::optional<std::string> HookHistory::reason_to_skip(const HookSpec& hook, const SessionState& session, bool is_gate,
                                                       const std::string& project) {
  if (hook.once && session.done.contains(session_key(hook))) return "it already ran once in this session";
  // A command injects what it prints, so skipping it is all that is needed. A rule may still have a verdict to give; it
  // is asked and only its text is left out (`answer_rule`).
  const Inject* printed = hook.command() != nullptr ? inject_of(hook) : nullptr;
  if (printed != nullptr && is_injected(hook, *printed, session)) return "its output was already injected";
  if (is_gate && hook.max_blocks) {
    const auto blocks = session.hook_blocks.find(session_key(hook));
    if (blocks != session.hook_blocks.end() && blocks->second >= *hook.max_blocks) {
      return std::string(kWornOut);
    }
  }
  if (hook.unless_unchanged.empty()) return std::nullopt;
  const std::string digest = digest_files(hook.unless_unchanged, project);
  // The digest is taken before the hook runs. If the hook changes files itself, it runs again the next time.
  digests_[&hook] = digest;
  const auto passed = session.passed.find(session_key(hook));
  if (digest.empty() || passed == session.passed.end() || passed->second != digest) return std::nullopt;
  return "its files have not changed since it passed";
}

bool HookHistory::is_injected(const HookSpec& hook, const Inject& inject, const SessionState& session) {
  return inject.how != Inject::How::Always && session.done.contains(injected_key(hook, inject.how));
}

void HookHistory::add(const HookSpec& hook, Verdict verdict, bool failed) {
  const Inject* inject = inject_of(hook);
  const bool leaves_mark = hook.once || hook.max_blocks || !hook.unless_unchanged.empty() ||
                           (inject != nullptr && inject->how != Inject::How::Always);
  if (leaves_mark) ran_.push_back({&hook, verdict, failed});
}

void HookHistory::apply(SessionState& session, bool is_gate) const {
  for (const auto& [hook, verdict, failed] : ran_) {
    const std::string key = session_key(*hook);
    // A hook that failed did not approve the files, so it must run again.
    const bool objected = failed || verdict >= Verdict::Ask;
    if (hook->once && !failed) session.done.insert(key);
    const Inject* inject = inject_of(*hook);
    if (!failed && inject != nullptr && inject->how != Inject::How::Always) {
      session.done.insert(injected_key(*hook, inject->how));
    }
    // A hook that only observes closes no gate.
    const bool has_closed = is_gate && verdict == Verdict::Deny && !hook->observes();
    if (hook->max_blocks && has_closed) ++session.hook_blocks[key];
    if (const auto digest = digests_.find(hook); digest != digests_.end()) {
      if (objected) {
        session.passed.erase(key);
      } else {
        session.passed[key] = digest->second;
      }
    }
  }
}

void forget_injected(SessionState& session) {
  std::erase_if(session.done, [](const std::string& key) { return key.starts_with(kInjectedUntilCompaction); });
}

}  // namespace grapnel
