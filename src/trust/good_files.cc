#include "trust/good_files.h"

#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "grapnel/json.h"

#include "base/clock.h"
#include "base/error.h"
#include "os/files.h"
#include "trust/private_file.h"
#include "trust/sha256.h"

namespace grapnel {

namespace {

constexpr size_t kMaxGood = size_t{32} << 20;

/// `2026-01-02T03:04:05.678Z` as people read it.
std::string minutes_of(const std::string& timestamp) {
  return timestamp.substr(0, 10) + " " + timestamp.substr(11, 5) + " UTC";
}

}  // namespace

GoodFiles::GoodFiles(const std::string& store_path)
    : directory_(store_path.substr(0, store_path.rfind('/') + 1) + "good") {}

bool GoodFiles::has_any() const {
  return ::access(directory_.c_str(), F_OK) == 0;
}

std::string GoodFiles::place_of(const std::string& path) const {
  return directory_ + "/" + Sha256().add(path).hex().substr(0, 32);
}

Result<std::optional<GoodFile>> GoodFiles::load(const std::string& path) const {
  auto file = load_place(place_of(path));
  // Bytes that were moved here from the version of another file do not count.
  if (file && *file && (*file)->path != path) return fail(Errc::BadInput, place_of(path) + ": damaged");
  return file;
}

Result<std::optional<GoodFile>> GoodFiles::load_place(const std::string& place) const {
  auto content = read_private_file(place, kMaxGood);
  if (!content) return std::unexpected(content.error());
  if (!*content) return std::nullopt;
  const size_t line = (*content)->find('\n');
  const auto head = Json::parse((*content)->substr(0, line));
  if (line == std::string::npos || !head) return fail(Errc::BadInput, place + ": damaged");
  GoodFile file{(*head)["path"].as_string().value_or(""), (*head)["project"].as_string().value_or(""),
                (*head)["saved"].as_string().value_or(""),
                static_cast<uint32_t>((*head)["hooks"].as_integer().value_or(0)), (*content)->substr(line + 1)};
  const std::string digest = (*head)["digest"].as_string().value_or("");
  if (digest != Sha256().add(file.text).hex()) return fail(Errc::BadInput, place + ": damaged");
  return file;
}

Result<void> GoodFiles::keep(GoodFile file) const {
  const auto known = load(file.path);
  if (known && *known && (*known)->text == file.text && (*known)->hooks == file.hooks) return {};
  const Json head =
      Json::object({{"version", Json::number(int64_t{1})},
                    {"path", Json::string(file.path)},
                    {"project", Json::string(file.project)},
                    {"saved", Json::string(minutes_of(format_timestamp(std::chrono::system_clock::now())))},
                    {"hooks", Json::number(int64_t{file.hooks})},
                    {"digest", Json::string(Sha256().add(file.text).hex())}});
  return write_private_file(place_of(file.path), head.dump() + "\n" + file.text, os::Durability::Lazy);
}

void GoodFiles::forget(const std::string& project, const std::function<bool(const GoodFile&)>& is_over) const {
  namespace fs = std::filesystem;
  std::error_code error;
  for (fs::directory_iterator entry(directory_, error), end; !error && entry != end; entry.increment(error)) {
    const auto file = load_place(entry->path().string());
    const bool is_meant = file && *file && (*file)->project == project && is_over(**file);
    if (is_meant) ::unlink(entry->path().c_str());
  }
}

}  // namespace grapnel
