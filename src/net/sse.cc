#include "net/sse.h"

#include <charconv>
#include <cstdint>
#include <utility>

#include "base/error.h"

/// The parser collects one line at a time in `line_` and the fields of the current event in `data_` and `event_`. A
/// blank line completes the event. `id_` stays until the stream changes it, as the standard requires.
namespace grapnel::net {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

/// The limit covers everything that is kept, so a server cannot use up memory with one endless line or with many short
/// ones.
bool SseParser::is_too_large() const {
  return line_.size() + data_.size() + event_.size() + id_.size() > max_event_bytes_;
}

/// A line that begins with a colon is a comment: its name is empty, which matches no field.
void SseParser::read_field(std::string_view line) {
  const size_t colon = line.find(':');
  const std::string_view name = line.substr(0, colon);
  std::string_view value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
  if (value.starts_with(' ')) value.remove_prefix(1);
  if (name == "data") {
    if (has_data_) data_ += '\n';
    data_ += value;
    has_data_ = true;
  } else if (name == "event") {
    event_ = value;
  } else if (name == "id" && value.find('\0') == std::string_view::npos) {
    id_ = value;
  } else if (name == "retry") {
    uint32_t delay = 0;
    const auto [end, failed] = std::from_chars(value.data(), value.data() + value.size(), delay);
    if (failed == std::errc() && end == value.data() + value.size()) retry_ = std::chrono::milliseconds(delay);
  }
}

Result<void> SseParser::end_line(const Sink& sink) {
  std::string_view line = line_;
  if (std::exchange(at_start_, false) && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  if (!line.empty()) {
    read_field(line);
    line_.clear();
    return {};
  }
  line_.clear();
  // The event's name is forgotten even if the event has no data and is dropped.
  const std::string event = std::exchange(event_, {});
  if (!std::exchange(has_data_, false)) return {};
  return sink({event.empty() ? "message" : event, std::exchange(data_, {}), id_});
}

Result<void> SseParser::feed(std::string_view bytes, const Sink& sink) {
  while (!bytes.empty()) {
    // The LF of a CRLF may arrive with the next piece.
    if (std::exchange(after_cr_, false) && bytes.front() == '\n') {
      bytes.remove_prefix(1);
      continue;
    }
    const size_t end = bytes.find_first_of("\r\n");
    line_ += bytes.substr(0, end);
    if (is_too_large()) return fail(Errc::LimitExceeded, "an event of the stream is larger than allowed");
    if (end == std::string_view::npos) return {};
    after_cr_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    if (auto ended = end_line(sink); !ended) return ended;
  }
  return {};
}

}  // namespace grapnel::net
