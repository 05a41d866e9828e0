#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "grapnel/error.h"

/// Server-sent events, as the HTML standard defines the format:
///
///   stream  = [BOM] *(field-or-comment line | blank line)      lines end with LF, CR or CRLF
///   field   = name [":" [" "] value]                           `data`, `event`, `id`; others are ignored
///   comment = ":" anything
///
/// A blank line ends an event. Several `data` lines are joined by line feeds; an event without any is dropped, and so
/// is one that the end of the stream cuts off.
namespace grapnel::net {

/// One event; `event` is `message` where the stream names none.
struct SseEvent {
  std::string event;
  std::string data;
  std::string id;

  bool operator==(const SseEvent&) const = default;
};

/// Reads a stream in pieces of any size; how it is cut makes no difference. Pure. Thread: one at a time.
class SseParser {
 public:
  using Sink = std::function<Result<void>(const SseEvent&)>;

  /// Limit: the bytes of one event.
  explicit SseParser(size_t max_event_bytes = size_t{16} << 20) : max_event_bytes_(max_event_bytes) {}

  /// Passes on every event that `bytes` complete. Fails: LimitExceeded, or as the sink did; the parser is then done.
  Result<void> feed(std::string_view bytes, const Sink& sink);

 private:
  Result<void> end_line(const Sink& sink);
  void read_field(std::string_view line);
  bool is_too_large() const;

  size_t max_event_bytes_;
  std::string line_;
  std::string data_;
  std::string event_;
  std::string id_;
  bool has_data_ = false;
  bool after_cr_ = false;
  bool at_start_ = true;
};

}  // namespace grapnel::net
