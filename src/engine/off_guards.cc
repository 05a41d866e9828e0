#include "engine/off_guards.h"

#include <algorithm>

#include "trust/sha256.h"

namespace grapnel {

namespace {

/// Names a file for people: below the project or the home directory it is shorter.
class Names {
 public:
  Names(const std::string& project_dir, const std::string& home) : project_(project_dir), home_(home) {}

  std::string of(const std::string& path) const {
    if (is_below(path, project_)) return path.substr(project_.size() + 1);
    return is_below(path, home_) ? "~" + path.substr(home_.size()) : path;
  }
  std::string of(const SourcePos& at) const {
    return at.line == 0 ? of(at.file) : of(at.file) + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
  }

 private:
  static bool is_below(const std::string& path, const std::string& directory) {
    return directory.size() > 1 && path.starts_with(directory + "/");
  }
  const std::string& project_;
  const std::string& home_;
};

std::string hooks_text(size_t count) {
  return std::to_string(count) + (count == 1 ? " hook" : " hooks");
}

/// The digest of the set is the key, so a new untrusted hook is told again.
void add_untrusted(const Snapshot& snapshot, std::vector<GuardOff>& out) {
  const size_t count = snapshot.untrusted_count;
  if (count == 0) return;
  Sha256 hash;
  for (const HookSpec& hook : snapshot.registry.hooks) {
    if (hook.trust == Trust::Untrusted) hash.add(hook.name).add(hook.digest);
  }
  out.push_back({"untrusted " + hash.hex().substr(0, 32),
                 hooks_text(count) + (count == 1 ? " of this project is" : " of this project are") +
                     " not trusted and will not run; `grapnel trust` shows them"});
}

/// What a broken file without a good version means for tool calls.
std::string policy_text(OnFailure policy) {
  switch (policy) {
    case OnFailure::Open:
      return "its guards are off (on_broken_config: open)";
    case OnFailure::Ask:
      return "a person is asked about every tool call until it is repaired";
    case OnFailure::Closed:
      return "every tool call is refused until it is repaired";
  }
  return "";
}

std::string broken_text(const BrokenFile& file, const Names& names, OnFailure policy) {
  const bool is_gone = file.state == BrokenFile::State::Gone;
  if (is_gone || file.state == BrokenFile::State::Emptied) {
    return names.of(file.at.file) + (is_gone ? " is gone, and with it " : " no longer has ") +
           hooks_text(file.good_hooks) + " that guarded before; if you wanted that, `grapnel trust` forgets it";
  }
  const std::string what = names.of(file.at) + ": " + file.why + "; ";
  if (!file.good_from.empty()) {
    return what + "its last good version, of " + file.good_from + ", holds until it is repaired";
  }
  return what + (file.was_trusted ? "none of its hooks runs, and " + policy_text(policy) : "none of its hooks runs");
}

void add_broken(const Snapshot& snapshot, const Names& names, std::vector<GuardOff>& out) {
  for (const BrokenFile& file : snapshot.registry.broken) {
    // A file that was never trusted guarded nothing, so nothing is lost when it disappears.
    if (file.state != BrokenFile::State::Unreadable && !file.was_trusted) continue;
    std::string text = broken_text(file, names, snapshot.on_broken_config);
    out.push_back({"broken " + Sha256().add(text).hex().substr(0, 32), std::move(text)});
  }
}

/// Mistakes in single entries. The first is shown, and the others are counted.
void add_left_out(const Snapshot& snapshot, const Names& names, std::vector<GuardOff>& out) {
  Sha256 hash;
  const ConfigProblem* first = nullptr;
  size_t count = 0;
  for (const ConfigProblem& problem : snapshot.registry.problems) {
    const bool is_whole_file = std::ranges::any_of(
        snapshot.registry.broken, [&](const BrokenFile& file) { return file.at.file == problem.at.file; });
    if (!problem.is_error() || is_whole_file) continue;
    if (first == nullptr) first = &problem;
    hash.add(problem.to_string());
    ++count;
  }
  if (first == nullptr) return;
  // Some messages name the file themselves.
  const bool says_place = first->at.file.empty() || first->message.starts_with(first->at.file);
  const std::string place = says_place ? "" : names.of(first->at) + ": ";
  out.push_back({"mistakes " + hash.hex().substr(0, 32),
                 place + first->message + (count == 1 ? "" : ", and " + std::to_string(count - 1) + " more") +
                     "; what has a mistake does not run; `grapnel check` shows it"});
}

}  // namespace

bool may_be_off(const Snapshot& snapshot) {
  return snapshot.untrusted_count > 0 || !snapshot.registry.problems.empty() || !snapshot.registry.broken.empty();
}

std::vector<GuardOff> off_guards(const Snapshot& snapshot, const std::string& project_dir, const std::string& home) {
  std::vector<GuardOff> out;
  if (!may_be_off(snapshot)) return out;
  const Names names(project_dir, home);
  add_broken(snapshot, names, out);
  add_untrusted(snapshot, out);
  add_left_out(snapshot, names, out);
  return out;
}

}  // namespace grapnel
