#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Times for people. Records have `2026-01-31T10:30:05.123Z`, which is UTC; people read and write the time of their
/// clock. The time zone is that of the process (the variable TZ, or else the one of the machine).
namespace grapnel::cli {

enum class Zone : uint8_t { Local, Utc };

/// `2026-01-31 11:30:05`, from a record's time. A text that is not a time is returned as it is.
std::string time_text(std::string_view time, Zone zone = Zone::Local);

/// The opposite: `2026-01-31`, `2026-01-31 11:30` and the like in the form of records. A time that ends in `Z` is in
/// UTC, whatever the zone. Nothing for other texts.
std::optional<std::string> record_time(std::string_view text, Zone zone);

}  // namespace grapnel::cli
