#pragma once

#include <chrono>
#include <cstddef>
#include <string>

/// What sessions leave behind. Most sessions are never ended: their agent is closed or killed, and no event says so.
namespace grapnel {

/// The state of a session that had no event for so long is removed. If it goes on after all, it starts anew: with all
/// its hooks on, and with nothing approved.
inline constexpr std::chrono::hours kSessionKept{24 * 30};

/// Removes old sessions from a directory of `make_file_session_store`, and old texts from that of `LongTexts`. One call
/// looks at a bounded number of files and removes a bounded number, and the next one goes on. Never called in an event.
/// Returns how many entries are gone. Thread: any.
size_t forget_old_sessions(const std::string& sessions, const std::string& texts,
                           std::chrono::system_clock::time_point now);

}  // namespace grapnel
