#include "bridge/manifest.h"

#include <algorithm>

#include "grapnel/json.h"

#include "base/error.h"
#include "trust/private_file.h"
#include "trust/sha256.h"

namespace grapnel {

namespace {

// Each struct has a pair of functions, `write_…` and `read_…`. A member that is missing in the file is read as the
// value that does the least harm: a file that may have existed before is never deleted.

constexpr size_t kMaxManifestBytes = size_t{16} << 20;
constexpr int64_t kVersion = 1;
constexpr std::chrono::seconds kPatience{5};

Json strings(const std::vector<std::string>& texts) {
  std::vector<Json> out;
  for (const std::string& text : texts) out.push_back(Json::string(text));
  return Json::array(out);
}

std::vector<std::string> strings_of(const Json& list) {
  std::vector<std::string> out;
  for (const Json& text : list.elements()) out.push_back(text.as_string().value_or(""));
  return out;
}

std::string text_of(const Json& object, std::string_view key) {
  return object[key].as_string().value_or("");
}

Json write_file(const InstalledFile& file) {
  return Json::object({{"path", Json::string(file.path)},
                       {"after", Json::string(file.after)},
                       {"existed", Json::boolean(file.existed)},
                       {"made", strings(file.made)},
                       {"made_dirs", strings(file.made_dirs)}});
}

InstalledFile read_file(const Json& file) {
  return {text_of(file, "path"), text_of(file, "after"), file["existed"].as_bool().value_or(true),
          strings_of(file["made"]), strings_of(file["made_dirs"])};
}

Json write_record(const Installed& record) {
  std::vector<Json> files;
  for (const InstalledFile& file : record.files) files.push_back(write_file(file));
  return Json::object({{"agent", Json::string(record.agent)},
                       {"scope", Json::string(to_string(record.scope))},
                       {"program", Json::string(record.program)},
                       {"on_missing", Json::string(record.on_missing == OnMissing::Block ? "block" : "pass")},
                       {"events", strings(record.events)},
                       {"files", Json::array(files)}});
}

Installed read_record(const Json& record) {
  Installed out;
  out.agent = text_of(record, "agent");
  out.scope = text_of(record, "scope") == to_string(Scope::Project) ? Scope::Project : Scope::User;
  out.program = text_of(record, "program");
  out.on_missing = text_of(record, "on_missing") == "block" ? OnMissing::Block : OnMissing::Pass;
  out.events = strings_of(record["events"]);
  for (const Json& file : record["files"].elements()) out.files.push_back(read_file(file));
  return out;
}

}  // namespace

Result<std::vector<Installed>> Manifest::load() const {
  const auto text = read_private_file(path(), kMaxManifestBytes);
  if (!text) return std::unexpected(text.error());
  std::vector<Installed> out;
  if (!*text) return out;
  const auto root = Json::parse(**text);
  if (!root || (*root)["version"].as_integer() != kVersion) {
    // A list of an unknown version must not be overwritten, so this is an error and not an empty list.
    return fail(Errc::BadInput, "this is not a valid list of installed agents", {path(), 1, 1});
  }
  for (const Json& record : (*root)["installed"].elements()) {
    Installed one = read_record(record);
    // Every record has at least the settings file. Other code relies on that.
    if (!one.files.empty()) out.push_back(std::move(one));
  }
  return out;
}

Result<void> Manifest::save(const std::vector<Installed>& all) const {
  std::vector<Json> records;
  for (const Installed& record : all) records.push_back(write_record(record));
  const Json root = Json::object({{"version", Json::number(kVersion)}, {"installed", Json::array(records)}});
  return write_private_file(path(), root.dump(JsonStyle::Pretty) + "\n", durability_);
}

/// The digest makes the name unique, and the file's own name makes it recognisable for people.
std::string Manifest::backup_path(const std::string& settings) const {
  return dir_ + "/" + sha256_of(settings).substr(0, 16) + "-" + settings.substr(settings.rfind('/') + 1);
}

Result<std::string> Manifest::load_backup(const std::string& settings) const {
  auto text = read_private_file(backup_path(settings), kMaxManifestBytes);
  if (!text) return std::unexpected(text.error());
  if (!*text) return fail(Errc::NotFound, "the backup " + backup_path(settings) + " does not exist");
  return std::move(**text);
}

Result<void> Manifest::save_backup(const std::string& settings, std::string_view content) const {
  return write_private_file(backup_path(settings), content, durability_);
}

Result<UniqueFd> Manifest::lock() const {
  if (auto made = os::make_dirs(dir_, 0700); !made) return std::unexpected(made.error());
  return os::lock_file(dir_ + "/lock", kPatience);
}

const Installed* find_installed(const std::vector<Installed>& all, std::string_view agent, std::string_view settings) {
  const auto found = std::ranges::find_if(
      all, [&](const Installed& record) { return record.agent == agent && record.files.front().path == settings; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace grapnel
