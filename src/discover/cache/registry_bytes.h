#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "discover/discover.h"

namespace grapnel {

/// What was discovered as bytes that this build reads back: in front what is always needed, behind it the hooks, each
/// with the stamps that matter when it runs. Other stamps, and callbacks, are not in them.
struct RegistryBytes {
  std::string front;
  std::string hooks;
};
RegistryBytes write_bytes(const Discovered& discovered);

/// A piece of `RegistryBytes::hooks`, or nothing.
using ReadHooks = std::function<std::optional<std::string>(size_t from, size_t size)>;

/// Nothing when the bytes are not what `write_bytes` wrote. Patterns are compiled when they are first asked. With an
/// event, hooks that cannot concern it are left out, unless somebody has yet to decide about trust.
std::optional<Discovered> read_bytes(std::string_view front, const ReadHooks& hooks, const Event* only_event = nullptr);

}  // namespace grapnel
