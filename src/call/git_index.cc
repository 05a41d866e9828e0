#include "call/git_index.h"

#include <filesystem>
#include <string_view>

#include "base/text.h"
#include "os/files.h"

/// The format is in git's documentation (gitformat-index): a header of twelve bytes, then entries of 62 bytes and a
/// name. Versions 2 and 3 pad entries to eight bytes; version 4 leaves out what a name shares with the one before.
namespace grapnel::call {

namespace {

constexpr size_t kMaxIndex = size_t{32} << 20;
constexpr size_t kFixed = 62;

uint32_t number_at(std::string_view bytes, size_t at) {
  uint32_t out = 0;
  for (size_t i = 0; i < 4; ++i) out = (out << 8) | static_cast<unsigned char>(bytes[at + i]);
  return out;
}

/// The directory of the repository's index: `.git`, or where a `.git` file leads to.
std::string index_directory(const std::string& root) {
  std::error_code error;
  const std::string git = root + "/.git";
  if (std::filesystem::is_directory(git, error)) return git;
  const auto link = os::read_file(git, 4096);
  if (!link || !link->starts_with("gitdir: ")) return "";
  const std::string to(text::trim(std::string_view(*link).substr(8)));
  return to.starts_with('/') ? to : root + "/" + to;
}

/// How many bytes of the last name version 4 takes away; moves `at` behind the number.
size_t read_strip(std::string_view bytes, size_t& at) {
  size_t out = 0;
  while (at < bytes.size()) {
    const auto byte = static_cast<unsigned char>(bytes[at++]);
    out = (out << 7) | (byte & 0x7F);
    if ((byte & 0x80) == 0) return out;
    ++out;
  }
  return out;
}

std::vector<TrackedFile> read_index(std::string_view bytes, const std::string& root) {
  std::vector<TrackedFile> out;
  if (bytes.size() < 12 || !bytes.starts_with("DIRC")) return out;
  const uint32_t version = number_at(bytes, 4);
  const uint32_t count = number_at(bytes, 8);
  std::string name;
  size_t at = 12;
  for (uint32_t i = 0; i < count && at + kFixed < bytes.size(); ++i) {
    const size_t begin = at;
    const bool is_extended = (static_cast<unsigned char>(bytes[begin + 60]) & 0x40) != 0;
    at += kFixed + (is_extended ? 2 : 0);
    if (version == 4) {
      const size_t strip = read_strip(bytes, at);
      name.resize(name.size() - std::min(strip, name.size()));
    } else {
      name.clear();
    }
    const size_t end = bytes.find('\0', at);
    if (end == std::string_view::npos) break;
    name += bytes.substr(at, end - at);
    out.push_back({root + "/" + name, number_at(bytes, begin + 8), number_at(bytes, begin + 36)});
    at = version == 4 ? end + 1 : begin + ((end - begin + 8) / 8) * 8;
  }
  return out;
}

}  // namespace

std::vector<TrackedFile> tracked_files(const std::string& directory) {
  std::filesystem::path root = directory;
  for (; !root.empty(); root = root.parent_path()) {
    if (const std::string git = index_directory(root); !git.empty()) {
      const auto bytes = os::read_file(git + "/index", kMaxIndex);
      return bytes ? read_index(*bytes, root) : std::vector<TrackedFile>{};
    }
    if (root == root.parent_path()) break;
  }
  return {};
}

}  // namespace grapnel::call
