#include "discover/file_reader.h"

#include <algorithm>

#include "base/text.h"
#include "discover/find/bridge_entry.h"
#include "discover/problems.h"
#include "os/files.h"

namespace grapnel {

namespace {

void set_project(HookSpec& hook, const HookFile& place) {
  hook.project = place.project;
  hook.trusted_as = place.trusted_as;
}

/// The hooks that a file has of its own. Entries that call Grapnel come and go with `grapnel install`.
size_t count_own(const RuleFile& file) {
  return file.hooks.size();
}
size_t count_own(const SettingsFile& file) {
  const auto is_own = [](const ParsedHook& hook) { return bridged_agent(hook.spec.command_text()).empty(); };
  return static_cast<size_t>(std::ranges::count_if(file.hooks, is_own));
}

/// A message or a hint without the remark that nothing of the file is loaded.
std::string without_remark(std::string text) {
  if (!text.ends_with(kNothingLoaded)) return text;
  text.resize(text.size() - kNothingLoaded.size());
  text.resize(text.find_last_not_of("; ") + 1);
  return text;
}

/// What is wrong, without what is said anyway: the name of the file, and that nothing of it is loaded.
std::string bare_message(std::string message, const std::string& path) {
  message = without_remark(std::move(message));
  if (!message.starts_with(path)) return message;
  return message.substr(std::min(message.size(), message.find_first_not_of(": ", path.size())));
}

}  // namespace

std::optional<std::string> FileReader::load(const std::string& path, bool must_exist) {
  watch(path);
  if (!out_.sources.stamps.back().second && !must_exist) return std::nullopt;
  auto text = os::read_file(path, options_.max_file_bytes);
  if (text) return std::move(*text);
  out_.registry.problems.push_back({ConfigProblem::Severity::Error, text.error().message, {path, 0, 0}, ""});
  return std::nullopt;
}

void FileReader::watch(const std::string& path) {
  out_.sources.stamps.emplace_back(path, os::stamp(path));
}

/// The first mistake of the file that is being read, or null.
ConfigProblem* FileReader::first_error(size_t known_problems) {
  auto& problems = out_.registry.problems;
  for (size_t i = known_problems; i < problems.size(); ++i) {
    if (problems[i].is_error()) return &problems[i];
  }
  return nullptr;
}

template <typename Read>
auto FileReader::read_place(const HookFile& place, const Read& read) -> std::optional<decltype(read(std::string()))> {
  const size_t known_problems = out_.registry.problems.size();
  const auto text = load(place.path, false);
  if (!text && !out_.sources.stamps.back().second) {
    note_lost(place, BrokenFile::State::Gone);
    return std::nullopt;
  }
  std::optional<decltype(read(std::string()))> file;
  if (text) file = read(*text);
  if (file) take_problems(*file);
  const size_t hooks = file ? count_own(*file) : 0;
  // People start with an empty file. But a file that had hooks is not emptied on purpose, and if all of them are lost
  // because of a mistake (`hoks:`), it is as good as broken.
  const bool is_blank = text && text::trim(*text).empty();
  const bool has_lost_all = hooks == 0 && (is_blank || first_error(known_problems) != nullptr);
  if (file && !file->is_broken && !(has_lost_all && good_.version_of(place))) {
    note_usable(place, *text, hooks, known_problems);
    return file;
  }
  if (is_blank) {
    out_.registry.problems.push_back({ConfigProblem::Severity::Error, "the file is empty", {place.path, 1, 1}, ""});
  }
  if (const auto good = note_broken(place, known_problems)) {
    file = read(good->text);
    file->problems.clear();  // they were reported when this version was the present one
  }
  return file;
}

std::optional<RuleFile> FileReader::rules(const HookFile& place) {
  return read_place(place, [&](const std::string& text) {
    RuleFile file = read_rules(text, {place.scope, place.path, options_.default_timeout});
    for (HookSpec& hook : file.hooks) set_project(hook, place);
    return file;
  });
}

std::optional<SettingsFile> FileReader::settings(const HookFile& place) {
  return read_place(place, [&](const std::string& text) {
    SettingsFile file = read_settings(text, {place.dialect, place.scope, place.path, place.format});
    file.project = place.project;
    for (ParsedHook& hook : file.hooks) set_project(hook.spec, place);
    return file;
  });
}

/// The file works. It becomes the good version unless it has a mistake. If it has no hooks any more, people are told.
void FileReader::note_usable(const HookFile& place, const std::string& text, size_t hooks, size_t known_problems) {
  if (first_error(known_problems) != nullptr) return;
  good_.note(place, text, hooks);
  if (hooks == 0) note_lost(place, BrokenFile::State::Emptied);
}

/// The hooks that the file had are not there any more.
void FileReader::note_lost(const HookFile& place, BrokenFile::State state) {
  const auto good = good_.version_of(place);
  if (!good) return;
  watch(good_.place_of(place));
  out_.registry.broken.push_back(good_.describe(place, state));
  out_.registry.broken.back().good_hooks = good->hooks;
}

/// The file as a whole does not work. Returns the version that holds instead, if there is one.
std::optional<GoodFile> FileReader::note_broken(const HookFile& place, size_t known_problems) {
  ConfigProblem* first = first_error(known_problems);
  BrokenFile broken = good_.describe(place, BrokenFile::State::Unreadable);
  if (first != nullptr) {
    broken.at = first->at;
    broken.why = bare_message(first->message, place.path);
  }
  auto good = good_.version_of(place);
  if (good) {
    broken.good_from = good->saved;
    broken.good_hooks = good->hooks;
    if (first != nullptr) {
      first->message = broken.why + "; its last good version, of " + good->saved + ", holds until it is repaired";
      first->hint = without_remark(std::move(first->hint));
    }
  }
  watch(good_.place_of(place));
  out_.registry.broken.push_back(std::move(broken));
  return good;
}

void FileReader::note_named(const std::string& path, size_t known_problems) {
  const ConfigProblem& problem = out_.registry.problems[known_problems];
  out_.registry.broken.push_back(
      {.at = {path, problem.at.line, problem.at.column}, .why = bare_message(problem.message, path)});
}

}  // namespace grapnel
