#pragma once

#include <array>

#include "dialect/dialect.h"

/// The parts of Gemini CLI's format that Qwen Code shares.
namespace grapnel::gemini {

/// The entry of an MCP server. `trust` would let a server's tools run without asking; only Grapnel's own rules do that.
inline constexpr auto kServerKeys = std::to_array<ServerKeyRow>({
    {"type", ServerKey::Type},
    {"command", ServerKey::Command},
    {"args", ServerKey::Args},
    {"env", ServerKey::Env},
    {"cwd", ServerKey::Cwd},
    {"httpUrl", ServerKey::Url},
    {"url", ServerKey::Url},
    {"headers", ServerKey::Headers},
    {"timeout", ServerKey::CallTimeout},
    {"includeTools", ServerKey::OnlyTools},
    {"excludeTools", ServerKey::WithoutTools},
    {"trust", ServerKey::Ignored},
    {"description", ServerKey::Ignored},
    {"oauth", ServerKey::Ignored},
    {"authProviderType", ServerKey::Ignored},
    {"targetAudience", ServerKey::Ignored},
    {"targetServiceAccount", ServerKey::Ignored},
    {"extension", ServerKey::Ignored},
    {"extensionName", ServerKey::Ignored},
});

}  // namespace grapnel::gemini
