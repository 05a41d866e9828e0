#pragma once

#include <optional>
#include <string>
#include <string_view>

/// The records of a directory form a chain, so that it shows when a record was removed, changed or cut off.
///
/// Every line ends with two members: `prev`, the hash of the record before it, and `hash`, the SHA-256 of everything in
/// front of it. All processes that append to a directory's `records.jsonl` continue the same chain:
///
///   records.jsonl          the newest records; writers only append
///   records.000001.jsonl   older records, after a reader renamed the file (history/retention.cc)
///   records.head           the lock of the chain; the hash of its last record and the size of the file after it
///   records.base           the last hash of the records that retention removed
///
/// A writer that does not get the lock in time writes anyway. Its record then names the last one that it saw, and the
/// chain has a fork. The chain uses no secret key, so it reveals accidents and careless changes. It does not reveal
/// somebody who recomputes the whole chain.
namespace grapnel {

inline constexpr std::string_view kRecordFile = "/records.jsonl";
inline constexpr std::string_view kHeadFile = "/records.head";
inline constexpr std::string_view kBaseFile = "/records.base";

/// The line of the chain for the text of a JSON object, with the newline.
std::string chained_line(std::string_view object, std::string_view prev);
/// The hash in a line that `chained_line` made.
std::string_view hash_in(std::string_view chained_line);

/// The position of a line in the chain.
struct ChainLink {
  std::string prev;  ///< "" for the first record of all
  std::string hash;
  bool is_intact = false;  ///< the hash is the one that the line should have
};

/// Reads a line without its newline. Returns nullopt when it is not a complete line of a chain.
std::optional<ChainLink> read_link(std::string_view line);

/// The hash of the last complete line in a piece of a file, or "".
std::string last_hash(std::string_view text);

/// The content of `records.head`.
struct ChainHead {
  std::string hash;
  size_t size = 0;  ///< of records.jsonl after that record was written

  std::string to_text() const;
  /// Returns nullopt when the text is not a head.
  static std::optional<ChainHead> parse(std::string_view text);
};

}  // namespace grapnel
