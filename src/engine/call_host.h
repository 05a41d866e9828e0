#pragma once

namespace grapnel {

/// Calls a function of the host's that only watches (an observer, a receiver of notices) and must not change what
/// happens: what it throws is dropped.
template <typename Call>
void call_host(const Call& call) noexcept {
  try {
    call();
  } catch (...) {
    return;
  }
}

}  // namespace grapnel
