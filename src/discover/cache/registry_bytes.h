#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "discover/discover.h"

namespace grapnel {

/// A discovery result as bytes that only this build can read back. `front` holds what is always needed; `hooks` holds
/// the hooks, each with the stamps that matter when it runs. Other stamps and callbacks are not included.
struct RegistryBytes {
  std::string front;
  std::string hooks;
};
RegistryBytes write_bytes(const Discovered& discovered);

/// Reads a part of `RegistryBytes::hooks`; nothing when that fails.
using ReadHooks = std::function<std::optional<std::string>(size_t from, size_t size)>;

/// The result, or nothing when the bytes are malformed. Patterns are compiled on first use. With an event, hooks that
/// cannot concern it are left out, unless trust still has to be decided.
std::optional<Discovered> read_bytes(std::string_view front, const ReadHooks& hooks, const Event* only_event = nullptr);

}  // namespace grapnel
