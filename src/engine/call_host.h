#pragma once

namespace grapnel {

/// Calls a host function that only watches, such as an observer or a receiver of notices. Such a function must not
/// change the decision, so its exceptions are dropped.
template <typename Call>
void call_host(const Call& call) noexcept {
  try {
    call();
  } catch (...) {
    return;
  }
}

}  // namespace grapnel
