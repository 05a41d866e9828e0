#pragma once

namespace grapnel {

/// Calls somebody of the host's who only watches, and must not change what happens: what it throws is dropped.
template <typename Call>
void tell(const Call& call) noexcept {
  try {
    call();
  } catch (...) {
    return;
  }
}

}  // namespace grapnel
