#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "grapnel/error.h"

/// Server-sent events, as the HTML standard defines the format:
///
///   stream  = [BOM] *(field-or-comment line | blank line)      lines end with LF, CR or CRLF
///   field   = name [":" [" "] value]                           `data`, `event`, `id`, `retry`; others are ignored
///   comment = ":" anything
///
/// A blank line ends an event. Several `data` lines are joined with line feeds. An event without data is dropped, and
/// so is an event that the end of the stream cuts off.
namespace grapnel::net {

/// One event. `event` is `message` if the stream gives no name.
struct SseEvent {
  std::string event;
  std::string data;
  std::string id;

  bool operator==(const SseEvent&) const = default;
};

/// Reads a stream in pieces of any size; where the pieces are cut makes no difference. Pure. Thread: one at a time.
class SseParser {
 public:
  using Sink = std::function<Result<void>(const SseEvent&)>;

  /// Limit: the size of one event in bytes.
  explicit SseParser(size_t max_event_bytes = size_t{16} << 20) : max_event_bytes_(max_event_bytes) {}

  /// Passes every event that `bytes` complete to the sink. Fails: LimitExceeded, or with the sink's error. The parser
  /// cannot be used after that.
  Result<void> feed(std::string_view bytes, const Sink& sink);

  /// How long to wait before the stream is asked for again, as far as it has said so.
  std::optional<std::chrono::milliseconds> retry() const { return retry_; }

 private:
  Result<void> end_line(const Sink& sink);
  void read_field(std::string_view line);
  bool is_too_large() const;

  size_t max_event_bytes_;
  std::string line_;
  std::string data_;
  std::string event_;
  std::string id_;
  std::optional<std::chrono::milliseconds> retry_;
  bool has_data_ = false;
  bool after_cr_ = false;
  bool at_start_ = true;
};

}  // namespace grapnel::net
