#pragma once

#include <optional>
#include <string>
#include <string_view>

/// How records hold on to each other, so that one that was removed, changed or cut off is missed.
///
/// Every line ends with two members: `prev`, the hash of the record before it, and `hash`, SHA-256 over everything in
/// front of it. All processes that append to a directory's `records.jsonl` continue one chain:
///
///   records.jsonl          the newest records; writers only append
///   records.000001.jsonl   older ones, once a reader has set them aside
///   records.head           the lock of the chain; the hash of its last record and the size of the file behind it
///   records.base           the last hash of what retention has removed
///
/// A writer that does not get the lock in time writes all the same: its record names the last one it saw, and the chain
/// has a fork. A chain without a key tells of slips and of careless hands; who rewrites all of it is not found out.
namespace grapnel {

inline constexpr std::string_view kRecordFile = "/records.jsonl";
inline constexpr std::string_view kHeadFile = "/records.head";
inline constexpr std::string_view kBaseFile = "/records.base";

/// The text of an object as a line of the chain, newline included.
std::string chained_line(std::string_view object, std::string_view prev);
/// The hash in a line that `chained_line` made.
std::string_view hash_in(std::string_view chained_line);

/// A line's place in the chain.
struct ChainLink {
  std::string prev;  ///< "" for the first of all
  std::string hash;
  bool is_intact = false;  ///< the hash is that of the line
};

/// Nothing when that is no whole line of a chain; the newline is not part of it.
std::optional<ChainLink> read_link(std::string_view line);

/// The hash of the last whole line in a piece of a file, or "".
std::string last_hash(std::string_view text);

/// What `records.head` says.
struct ChainHead {
  std::string hash;
  size_t size = 0;  ///< of records.jsonl behind that record

  std::string to_text() const;
  /// Nothing when that is no such text.
  static std::optional<ChainHead> parse(std::string_view text);
};

}  // namespace grapnel
