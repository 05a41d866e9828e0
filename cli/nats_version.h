#pragma once

#include <string>
#include <string_view>

/// What is known of versions of nats-server, for `doctor` and `fleet status`.
namespace grapnel::cli {

/// The file in which a machine notes which server it met, below its state directory: {"url": …, "version": …}.
inline constexpr std::string_view kMetServerFile = "fleet/server.json";

/// Why that version should be replaced: "" if it need not be, or if it is no version.
std::string trouble_with_server(std::string_view version);

}  // namespace grapnel::cli
