#include "discover/cache/watched_files.h"

#include <map>

#include "base/bytes.h"
#include "discover/cache/stamp_bytes.h"
#include "os/stamp_at.h"

// Layout, as `ByteWriter` writes it:
//
//   number of groups, then for each group:   directory NUL, number of files, then for each file:   name NUL, stamp
//
// A process with a valid cache compares all these stamps before it does anything else, so this must be fast. Names end
// with a NUL, because the kernel wants them so and can then be handed a part of the bytes without a copy.
namespace grapnel {

namespace {

constexpr uint32_t kLargeGroup = 16;  ///< from this many files on, opening and closing the directory pays off

/// The directory with its last slash; "" when there is none.
std::string_view directory_in(std::string_view path) {
  return path.substr(0, path.rfind('/') + 1);
}

/// The directory that contains this one, with its last slash; the root stays the root.
std::string_view directory_above(std::string_view directory) {
  return directory.size() <= 1 ? directory : directory_in(directory.substr(0, directory.size() - 1));
}

/// The text with a NUL behind it, which becomes part of the stored name.
std::string terminated(std::string_view text) {
  return std::string(text) + '\0';
}

using Groups = std::map<std::string_view, std::vector<const Sources::Stamps::value_type*>>;

/// The files by the directory they are checked from. A file that is alone in its directory joins the group of the
/// directory above, since a group of one saves nothing.
Groups group(const Sources::Stamps& stamps) {
  std::map<std::string_view, size_t> counts;
  for (const auto& [path, stamp] : stamps) ++counts[directory_in(path)];
  Groups groups;
  for (const auto& file : stamps) {
    const std::string_view own = directory_in(file.first);
    groups[counts[own] == 1 ? directory_above(own) : own].push_back(&file);
  }
  return groups;
}

/// Calls `see(directory, count)` for each group and `look(name, stamp)` for each file, both with NUL-terminated texts.
/// Stops when one of them returns false. Returns false then, and also when the bytes are malformed.
bool walk(std::string_view watched, const auto& see, const auto& look) {
  ByteReader reader(watched);
  uint32_t groups = 0;
  reader(groups);
  for (; groups > 0 && reader.is_good(); --groups) {
    const std::string_view directory = reader.next_text();
    uint32_t files = 0;
    reader(files);
    if (!directory.ends_with('\0') || !see(directory, files)) return false;
    for (; files > 0 && reader.is_good(); --files) {
      const std::string_view name = reader.next_text();
      std::optional<os::FileStamp> stamp;
      reader(stamp);
      if (!reader.is_good() || !name.ends_with('\0') || !look(name, stamp)) return false;
    }
  }
  return reader.is_good() && reader.is_at_end();
}

/// The path of a file, without the NULs.
std::string join(std::string_view directory, std::string_view name) {
  std::string path(directory.substr(0, directory.size() - 1));
  return path.append(name.substr(0, name.size() - 1));
}

}  // namespace

std::string write_watched(const Sources::Stamps& stamps) {
  const Groups groups = group(stamps);
  ByteWriter out;
  out(static_cast<uint32_t>(groups.size()));
  for (const auto& [directory, files] : groups) {
    out(terminated(directory), static_cast<uint32_t>(files.size()));
    for (const auto* file : files) {
      out(terminated(std::string_view(file->first).substr(directory.size())), file->second);
    }
  }
  return out.take();
}

bool has_changed(std::string_view watched) {
  std::string_view directory;
  UniqueFd opened;
  const auto see = [&](std::string_view next, uint32_t count) {
    directory = next;
    // A small group is not worth opening its directory: that costs two system calls.
    opened = count < kLargeGroup ? UniqueFd() : os::open_directory(directory.data());
    return true;
  };
  const auto is_the_same = [&](std::string_view name, const std::optional<os::FileStamp>& stamp) {
    const auto now = opened ? os::stamp_at(opened.get(), name.data()) : os::stamp(join(directory, name));
    return now == stamp;
  };
  return !walk(watched, see, is_the_same);
}

std::optional<Sources::Stamps> read_watched(std::string_view watched) {
  Sources::Stamps out;
  std::string_view directory;
  const auto see = [&](std::string_view next, uint32_t) {
    directory = next;
    return true;
  };
  const auto take = [&](std::string_view name, const std::optional<os::FileStamp>& stamp) {
    out.emplace_back(join(directory, name), stamp);
    return true;
  };
  return walk(watched, see, take) ? std::optional(std::move(out)) : std::nullopt;
}

}  // namespace grapnel
