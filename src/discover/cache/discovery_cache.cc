#include "discover/cache/discovery_cache.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/bytes.h"
#include "discover/cache/registry_bytes.h"
#include "discover/cache/watched_files.h"
#include "os/build_id.h"
#include "trust/private_file.h"

// The cache file has three parts:
//
//   FileHead   checksum and size of the front
//   front      key, stamps of the watched files, problems and heads of the hooks    always read
//   hooks      the bytes of all hooks, one behind the other                         read hook by hook
//
// A process that serves one event reads the front, checks the stamps, and then reads only the hooks whose heads show
// that they may concern the event.
namespace grapnel {

namespace {

using std::chrono::nanoseconds;

/// A damaged size must not make us allocate all memory.
constexpr size_t kMaxPiece = size_t{256} << 20;
constexpr std::string_view kSuffix = ".hooks";
constexpr std::chrono::hours kKeep{24 * 30};
/// The clock of a file system advances in ticks of at most this length. Clocks that only count milliseconds may be much
/// slower.
constexpr nanoseconds kTick = std::chrono::milliseconds{20};
constexpr nanoseconds kSlowTick = std::chrono::seconds{2};

/// The NUL behind each part keeps `ab` + `c` apart from `a` + `bc`.
void add_part(std::string& key, std::string_view part) {
  key.append(part).push_back('\0');
}

/// Adds the environment variables that decide where hook files are.
void add_variables(std::string& key, const Environment& env) {
  for (const std::string_view name : {"HOME", "XDG_CONFIG_HOME"}) add_part(key, env.get(name));
  for (const Dialect* dialect : all_dialects()) {
    for (const HookFilePlace& place : dialect->files.places) {
      for (const std::string_view name : {place.path_override, place.dir_override, place.home_override}) {
        if (!name.empty()) add_part(key, env.get(name));
      }
    }
  }
}

/// Everything besides files that decides what is read, or "" when the build has no name. The build is part of it
/// because the bytes have no version of their own: only the build that wrote them can read them.
std::string make_key(const DiscoverOptions& options) {
  std::string key = os::build_id();
  if (key.empty()) return key;
  key.push_back('\0');
  add_part(key, options.roots.root);
  add_part(key, options.roots.project_dir);
  for (const std::string& part : options.roots.project_parts) add_part(key, part);
  add_part(key, "");  // behind the parts, which have no empty name
  add_part(key, options.bridged != nullptr ? options.bridged->name : std::string_view{});
  add_part(key, options.default_timeout ? std::to_string(options.default_timeout->count()) : "");
  add_part(key, std::to_string(options.max_file_bytes));
  add_variables(key, *options.roots.env);
  return key;
}

/// Whether a file changed long enough before `started`. A change within the same clock tick would leave the stamp as it
/// is.
bool is_settled(const os::FileStamp& stamp, nanoseconds started) {
  const nanoseconds changed(std::max(stamp.ctime_ns, stamp.mtime_ns));
  const bool is_slow = stamp.ctime_ns % nanoseconds(std::chrono::milliseconds{1}).count() == 0;
  return changed + (is_slow ? kSlowTick : kTick) < started;
}

/// The start of the cache file. It describes the part that is always read; each hook has a checksum of its own.
struct FileHead {
  uint64_t sum = 0;
  uint64_t size = 0;
};

/// A part of the file, or nothing when the file is too short.
std::optional<std::string> read_piece(int fd, size_t from, size_t size) {
  if (size > kMaxPiece) return std::nullopt;
  std::string piece;
  piece.resize_and_overwrite(size, [&](char* to, size_t) {
    const ssize_t got = ::pread(fd, to, size, static_cast<off_t>(from));
    return got < 0 ? size_t{0} : static_cast<size_t>(got);
  });
  return piece.size() == size ? std::optional(std::move(piece)) : std::nullopt;
}

/// As fixed-width digits, for the name of the file.
std::string hex(uint64_t number) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (int shift = 60; shift >= 0; shift -= 4) out += kDigits[(number >> shift) & 0xF];
  return out;
}

}  // namespace

DiscoveryCache::DiscoveryCache(const DiscoverOptions& options) {
  // The key covers neither files nor objects that the host names, so results with them are not cached. A relative
  // project directory would mean another directory after `chdir`, so it cannot be part of a key either.
  const bool is_usual = options.use_standard_places && options.files.empty() && options.objects.empty();
  const auto is_absolute = [](const std::string& path) { return path.starts_with('/'); };
  const bool is_placed = (options.roots.project_dir.empty() || is_absolute(options.roots.project_dir)) &&
                         std::ranges::all_of(options.roots.project_parts, is_absolute);
  if (options.cache_dir.empty() || !is_usual || !is_placed) return;
  key_ = make_key(options);
  if (key_.empty()) return;
  directory_ = options.cache_dir;
  path_ = directory_ + "/" + hex(quick_hash(key_)) + std::string(kSuffix);
}

std::optional<Discovered> DiscoveryCache::load(const Event* only_event) const {
  if (directory_.empty()) return std::nullopt;
  const auto file = open_private_file(path_);
  if (!file || !*file) return std::nullopt;
  const auto read = [fd = file->get()](size_t from, size_t size) { return read_piece(fd, from, size); };
  FileHead head;
  const auto start = read(0, sizeof head);
  if (!start) return std::nullopt;
  std::memcpy(&head, start->data(), sizeof head);
  auto front = read(sizeof head, head.size);
  // Two keys may have the same hash, and so the same file. The key inside the file tells them apart.
  if (!front || quick_hash(*front) != head.sum || !front->starts_with(key_)) return std::nullopt;
  const auto holder = std::make_shared<const std::string>(std::move(*front));
  ByteReader reader(std::string_view(*holder).substr(key_.size()));
  const std::string_view watched = reader.next_text();
  const std::string_view registry = reader.next_text();
  if (!reader.is_good() || !reader.is_at_end() || has_changed(watched)) return std::nullopt;
  // Positions of hooks are relative to the end of the front.
  const auto read_hooks = [&](size_t from, size_t size) { return read(sizeof head + head.size + from, size); };
  auto discovered = read_bytes(registry, read_hooks, only_event);
  // So far only the stamps shared by all hooks were checked. The hooks that were read bring stamps of their own.
  if (!discovered || discovered->sources.have_changed()) return std::nullopt;
  // A process for one event ends soon and keeps the stamps as bytes. One that lives longer needs the paths, because it
  // watches them for changes.
  if (only_event != nullptr) {
    discovered->sources.kept = {holder, watched};
  } else if (auto stamps = read_watched(watched)) {
    discovered->sources.stamps = std::move(*stamps);
  }
  return discovered;
}

void DiscoveryCache::store(const Discovered& discovered, std::chrono::system_clock::time_point started) const {
  if (directory_.empty()) return;
  const nanoseconds since = started.time_since_epoch();
  // A file that was written just now could be written again within the same clock tick, and its stamp would not show
  // it.
  const auto is_unsettled = [&](const auto& file) { return file.second && !is_settled(*file.second, since); };
  const auto has_unsettled = [&](const auto& own) { return std::ranges::any_of(own.second, is_unsettled); };
  const Sources& sources = discovered.sources;
  if (std::ranges::any_of(sources.stamps, is_unsettled) || std::ranges::any_of(sources.of_hooks, has_unsettled)) return;
  const RegistryBytes bytes = write_bytes(discovered);
  if (bytes.hooks.size() > kMaxPiece) return;
  ByteWriter parts;
  parts(write_watched(sources.stamps), bytes.front);
  const std::string front = key_ + parts.take();
  const FileHead head{quick_hash(front), front.size()};
  const std::string all = std::string(reinterpret_cast<const char*>(&head), sizeof head) + front + bytes.hooks;
  // Losing the file in a crash does no harm, so we do not wait for the disk.
  if (write_private_file(path_, all, os::Durability::Lazy)) drop_old();
}

/// Deletes cache files that were not written for a month: their project is gone or an older build wrote them.
void DiscoveryCache::drop_old() const {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (fs::directory_iterator entry(directory_, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code gone;
    const auto written = entry->last_write_time(gone);
    if (!gone && entry->path().native().ends_with(kSuffix) && now - written > kKeep) fs::remove(entry->path(), gone);
  }
}

}  // namespace grapnel
