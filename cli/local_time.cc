#include "cli/local_time.h"

#include <array>
#include <charconv>
#include <ctime>

#include "base/clock.h"
#include "cli/console.h"

namespace grapnel::cli {

namespace {

constexpr std::string_view kShape = "dddd-dd-ddTdd:dd:dd.dddZ";
constexpr size_t kDay = 10;            ///< the length of `2026-01-31`
constexpr size_t kSecondsLength = 19;  ///< the length of `2026-01-31T10:30:05`

/// Whether the text is a time of that shape. Any part behind the day may be missing.
bool is_time(std::string_view text) {
  if (text.size() < kDay || text.size() > kShape.size()) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_digit = text[i] >= '0' && text[i] <= '9';
    if (kShape[i] == 'd' ? !is_digit : text[i] != kShape[i]) return false;
  }
  return true;
}

int number_at(std::string_view text, size_t at, size_t length) {
  int number = 0;
  if (at + length <= text.size()) std::from_chars(text.data() + at, text.data() + at + length, number);
  return number;
}

/// The parts of a time; parts that are missing are 0.
std::tm parts_of(std::string_view text) {
  std::tm parts{};
  parts.tm_year = number_at(text, 0, 4) - 1900;
  parts.tm_mon = number_at(text, 5, 2) - 1;
  parts.tm_mday = number_at(text, 8, 2);
  parts.tm_hour = number_at(text, 11, 2);
  parts.tm_min = number_at(text, 14, 2);
  parts.tm_sec = number_at(text, 17, 2);
  parts.tm_isdst = -1;  // mktime finds out
  return parts;
}

}  // namespace

std::string time_text(std::string_view time, Zone zone) {
  if (!is_time(time) || time.size() < kSecondsLength) return printable(time);
  std::tm parts = parts_of(time);
  if (zone == Zone::Local) {
    const std::time_t seconds = ::timegm(&parts);
    ::localtime_r(&seconds, &parts);
  }
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &parts)};
}

std::optional<std::string> record_time(std::string_view text, Zone zone) {
  std::string time(text);
  const bool is_utc = zone == Zone::Utc || time.ends_with('Z');
  if (time.size() > kDay && time.ends_with('Z')) time.pop_back();
  // The log shows times with a blank; they can be copied from there.
  if (time.size() > kDay && time[kDay] == ' ') time[kDay] = 'T';
  if (!is_time(time)) return std::nullopt;
  // Records are compared as text, and a shorter time sorts before all times that begin with it.
  if (is_utc) return time;
  std::tm parts = parts_of(time);
  return format_timestamp(std::chrono::system_clock::from_time_t(std::mktime(&parts)));
}

}  // namespace grapnel::cli
