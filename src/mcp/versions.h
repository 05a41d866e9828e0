#pragma once

#include <array>
#include <optional>
#include <string_view>

/// The versions of the protocol. Those up to 2025-11-25 begin with a handshake (`initialize`) and belong to a session;
/// later ones have neither: every request says its version. The client asks `server/discover` first, which only servers
/// of the second kind understand, and falls back to the handshake.
namespace grapnel::mcp {

inline constexpr std::string_view kStateless = "2026-07-28";
/// Versions with a handshake, the newest first.
inline constexpr auto kWithHandshake =
    std::to_array<std::string_view>({"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"});

// Members of `_meta` in requests of the stateless version.
inline constexpr std::string_view kVersionKey = "io.modelcontextprotocol/protocolVersion";
inline constexpr std::string_view kClientKey = "io.modelcontextprotocol/clientInfo";
inline constexpr std::string_view kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
inline constexpr std::string_view kServerKey = "io.modelcontextprotocol/serverInfo";

/// Errors that only servers of the stateless version send: a header does not fit, a capability is missing, the version
/// is not supported.
inline constexpr int64_t kHeaderMismatch = -32020;
inline constexpr int64_t kMissingCapability = -32021;
inline constexpr int64_t kUnsupportedVersion = -32022;

/// The error of the version 2025-11-25 for a call before which the user has to open an address.
inline constexpr int64_t kAddressNeeded = -32042;

}  // namespace grapnel::mcp
