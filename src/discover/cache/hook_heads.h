#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/event.h"

#include "model/hook_spec.h"

/// What tells, without reading a hook, that it cannot concern an event; and where the rest of it is.
///
///   lookups   a field as a dialect reads it, and names of which it has to be one, or a text that has to be in it;
///             each is kept once, however many hooks share it
///   heads     of each hook: its events, its lookup, its place among the bytes of all hooks
///
/// A hook is left out when it does not listen to the event or its lookup fails: then the planner would not have planned
/// it either. Where that cannot be said, it is read.
namespace grapnel {

/// Where a hook's bytes are among those of all.
struct HookBytes {
  uint64_t sum = 0;
  uint32_t from = 0;
  uint32_t size = 0;
};

/// As it is kept, byte for byte.
struct HookHead {
  HookBytes bytes;
  uint32_t events = 0;
  uint32_t lookup = 0;  ///< 0: none
};

class HeadWriter {
 public:
  void add(const HookSpec& hook, const HookBytes& bytes);
  std::string take() const;

 private:
  std::map<std::string, uint32_t> lookups_;  ///< by their bytes; their numbers start at 1
  std::vector<HookHead> heads_;
};

/// Borrows the bytes that a `HeadWriter` made.
class HookHeads {
 public:
  explicit HookHeads(std::string_view bytes);

  /// False when these are no such bytes; then there are no heads.
  bool is_good() const { return is_good_; }
  size_t size() const { return heads_.size() / sizeof(HookHead); }
  /// How long all hooks are.
  uint64_t hook_bytes() const;
  /// Those of the hooks that may concern an event, in order; without one, of all.
  std::vector<HookHead> concerning(const Event* event) const;

 private:
  HookHead at(size_t index) const;

  std::vector<std::string_view> lookups_;
  std::string_view heads_;
  bool is_good_ = false;
};

}  // namespace grapnel
