#include "rule/files.h"

#include <algorithm>

namespace grapnel::rule {

namespace {

using call::Certainty;

/// Whether a part of the condition asks about files at all. Other parts hold for the whole call, and so for each file.
bool asks_for_files(const Condition& condition) {
  if (condition.op == Condition::Op::Ask) {
    return std::holds_alternative<PathQuestion>(condition.question) ||
           std::holds_alternative<ChangedQuestion>(condition.question);
  }
  return std::ranges::any_of(condition.parts, asks_for_files);
}

const std::vector<Matcher>& patterns_of(const Question& question) {
  static const std::vector<Matcher> kNone;
  if (const auto* path = std::get_if<PathQuestion>(&question)) return path->patterns;
  if (const auto* changed = std::get_if<ChangedQuestion>(&question)) return changed->patterns;
  return kNone;
}

/// Whether one of the names of a file satisfies the parts of a condition that are about files.
bool is_meant(const Condition& condition, const std::vector<std::string>& names, const call::PathRoots& places) {
  const auto holds = [&](const Condition& part) { return is_meant(part, names, places); };
  if (!asks_for_files(condition)) return true;
  switch (condition.op) {
    case Condition::Op::Not:
      return !holds(condition.parts.front());
    case Condition::Op::All:
      return std::ranges::all_of(condition.parts, holds);
    case Condition::Op::Any:
      return std::ranges::any_of(condition.parts,
                                 [&](const Condition& part) { return asks_for_files(part) && holds(part); });
    case Condition::Op::Ask:
      break;
  }
  return std::ranges::any_of(patterns_of(condition.question), [&](const Matcher& pattern) {
    return std::ranges::any_of(
        names, [&](const std::string& name) { return call::matches_name(pattern, name, places) == Certainty::Yes; });
  });
}

/// Adds the file if the hook is about it and it is not in the list yet.
void add_if_meant(const HookSpec& hook, const std::vector<std::string>& names, const call::PathRoots& places,
                  std::vector<std::string>& out) {
  if (hook.when && !is_meant(*hook.when, names, places)) return;
  if (std::ranges::find(out, names.front()) == out.end()) out.push_back(names.front());
}

}  // namespace

std::vector<std::string> files_for(const HookSpec& hook, call::ToolCall& subject) {
  const EventKind kind = subject.event().kind();
  const bool has_run = kind == EventKind::PostToolUse || kind == EventKind::PostToolUseFailure;
  std::vector<std::string> out;
  for (call::File& file : subject.files().files) {
    // A name that only the running shell knows cannot be passed on.
    if (!file.is_known || (has_run && !file.is_written)) continue;
    std::vector<std::string> names = {file.written};
    if (hook.when) std::ranges::copy(subject.names_of(file).names, std::back_inserter(names));
    add_if_meant(hook, names, subject.real_places(), out);
  }
  return out;
}

std::vector<std::string> touched_files_for(const HookSpec& hook, call::ToolCall& subject) {
  std::vector<std::string> out;
  const std::set<std::string>* touched = subject.touched();
  if (touched == nullptr) return out;
  for (const std::string& name : *touched) add_if_meant(hook, {name}, subject.real_places(), out);
  return out;
}

}  // namespace grapnel::rule
