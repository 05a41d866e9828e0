#include "trust/trust_history.h"

#include <unistd.h>

#include <algorithm>

#include "grapnel/json.h"

#include "base/line_diff.h"
#include "base/text.h"
#include "os/files.h"
#include "trust/pinned_files.h"
#include "trust/private_file.h"
#include "trust/sha256.h"
#include "trust/trust_store.h"

namespace grapnel {

namespace {

// One JSON file per project. It has the definition of each trusted hook and its files: a digest of each, and the text
// of small ones. The digests say whether something changed, the texts show what.

constexpr size_t kMaxText = size_t{64} << 10;
constexpr size_t kMaxFile = size_t{64} << 20;
constexpr size_t kMaxMemory = size_t{16} << 20;

/// Only small text files are kept, because only they can be shown as a diff.
bool is_text(const std::string& content) {
  return content.size() <= kMaxText && !content.contains('\0') && text::is_valid_utf8(content);
}

Json to_json(const PinnedFile& file) {
  return Json::object({{"path", Json::string(file.path)},
                       {"digest", Json::string(file.digest)},
                       {"text", file.text ? Json::string(*file.text) : Json()}});
}

Json to_json(const PinnedHook& hook) {
  std::vector<Json> files;
  for (const PinnedFile& file : hook.files) files.push_back(to_json(file));
  return Json::object({{"name", Json::string(hook.name)},
                       {"digest", Json::string(hook.digest)},
                       {"definition", Json::string(hook.definition)},
                       {"source", Json::string(hook.source)},
                       {"files", Json::array(files)}});
}

PinnedHook from_json(const Json& stored) {
  PinnedHook hook{stored["name"].as_string().value_or(""),
                  stored["digest"].as_string().value_or(""),
                  stored["definition"].as_string().value_or(""),
                  {},
                  stored["source"].as_string().value_or("")};
  for (const Json& file : stored["files"].elements()) {
    hook.files.push_back(
        {file["path"].as_string().value_or(""), file["digest"].as_string().value_or(""), file["text"].as_string()});
  }
  return hook;
}

/// The definition as indented JSON with many lines, so that a diff shows only the lines that differ.
std::string in_lines(const std::string& definition) {
  const auto json = Json::parse(definition);
  return json ? json->dump(JsonStyle::Pretty) + "\n" : definition + "\n";
}

/// The change of one file. A null pointer means that the file was not pinned then, or is not pinned now.
std::string file_difference(const std::string& name, const PinnedFile* before, const PinnedFile* now) {
  if (before == nullptr) return now->text ? text::line_diff(name, "", *now->text) : name + ": new\n";
  if (now == nullptr) return name + ": no longer used by the hook\n";
  if (before->digest == now->digest) return "";
  if (before->text && now->text) return text::line_diff(name, *before->text, *now->text);
  return name + ": the content has changed\n";
}

const PinnedFile* find_file(const std::vector<PinnedFile>& files, const std::string& path) {
  const auto found = std::ranges::find(files, path, &PinnedFile::path);
  return found == files.end() ? nullptr : &*found;
}

}  // namespace

PinnedHook pin(const HookSpec& hook, const std::string& project_dir) {
  const bool is_below = !hook.project.empty() && hook.source.file.starts_with(hook.project + "/");
  const std::string source = is_below ? hook.source.file.substr(hook.project.size() + 1) : "";
  PinnedHook out{hook.name, hook.digest, hook.definition, {}, source};
  for (const std::string& path : files_of_hook(hook, project_dir)) {
    // A file that cannot be read gets an empty digest and shows up as changed.
    auto content = os::read_file(path, kMaxFile);
    PinnedFile& file = out.files.emplace_back(PinnedFile{path, content ? Sha256().add(*content).hex() : "", {}});
    if (content && is_text(*content)) file.text = std::move(*content);
  }
  return out;
}

/// The files are in `trusted/` beside the store.
TrustHistory::TrustHistory(const std::string& store_path)
    : directory_(store_path.substr(0, store_path.rfind('/') + 1) + "trusted") {}

std::string TrustHistory::path_of(const std::string& project_dir) const {
  return directory_ + "/" + Sha256().add(canonical_directory(project_dir)).hex().substr(0, 32) + ".json";
}

Result<std::vector<PinnedHook>> TrustHistory::load(const std::string& project_dir) const {
  std::vector<PinnedHook> hooks;
  const auto content = read_private_file(path_of(project_dir), kMaxMemory);
  if (!content) return std::unexpected(content.error());
  if (!*content) return hooks;
  const auto json = Json::parse(**content);
  if (!json) return std::unexpected(json.error());
  for (const Json& hook : (*json)["hooks"].elements()) hooks.push_back(from_json(hook));
  return hooks;
}

Result<void> TrustHistory::save(const std::string& project_dir, const std::vector<PinnedHook>& hooks) const {
  const std::string path = path_of(project_dir);
  if (hooks.empty()) {
    ::unlink(path.c_str());
    return {};
  }
  std::vector<Json> list;
  for (const PinnedHook& hook : hooks) list.push_back(to_json(hook));
  const Json memory = Json::object({{"version", Json::number(int64_t{1})},
                                    {"project", Json::string(canonical_directory(project_dir))},
                                    {"hooks", Json::array(list)}});
  return write_private_file(path, memory.dump(JsonStyle::Pretty) + "\n");
}

/// Hooks are matched by name: a renamed hook counts as new.
const PinnedHook* changed_from(const std::vector<PinnedHook>& before, const HookSpec& hook) {
  const auto found = std::ranges::find(before, hook.name, &PinnedHook::name);
  return found == before.end() || found->digest == hook.digest ? nullptr : &*found;
}

std::string differences(const PinnedHook& before, const PinnedHook& now, const std::string& project_dir) {
  const auto shown = [&](const std::string& path) {
    return path.starts_with(project_dir + "/") ? path.substr(project_dir.size() + 1) : path;
  };
  std::string out = text::line_diff("definition", in_lines(before.definition), in_lines(now.definition));
  for (const PinnedFile& file : before.files) {
    out += file_difference(shown(file.path), &file, find_file(now.files, file.path));
  }
  // Files that only the present hook has.
  for (const PinnedFile& file : now.files) {
    if (find_file(before.files, file.path) == nullptr) out += file_difference(shown(file.path), nullptr, &file);
  }
  return out;
}

}  // namespace grapnel
