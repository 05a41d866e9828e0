#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/event.h"

#include "model/hook_spec.h"

/// Short index entries (heads) that show, without reading a hook, that it cannot concern an event.
///
///   lookups   a field as a dialect reads it, and either names it must equal or a text it must contain;
///             each lookup is stored once, however many hooks share it
///   heads     one for each hook: its events, its lookup, and where its bytes are
///
/// A hook is left out when it does not listen to the event or its lookup fails; the planner would not have planned it
/// either. When this cannot be decided, the hook is read.
namespace grapnel {

/// Position and checksum of one hook in the bytes of all hooks.
struct HookBytes {
  uint64_t sum = 0;
  uint32_t from = 0;
  uint32_t size = 0;
};

/// Stored byte for byte as it is in memory.
struct HookHead {
  HookBytes bytes;
  uint64_t events = 0;
  uint32_t lookup = 0;  ///< 0: none
  uint32_t unused = 0;  ///< so that no byte of a stored head is undefined
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

  /// False when the bytes are malformed; then there are no heads.
  bool is_good() const { return is_good_; }
  size_t size() const { return heads_.size() / sizeof(HookHead); }
  /// The length of the bytes of all hooks.
  uint64_t hook_bytes() const;
  /// The heads of the hooks that may concern the event, in order; all heads without an event.
  std::vector<HookHead> concerning(const Event* event) const;

 private:
  HookHead at(size_t index) const;

  std::vector<std::string_view> lookups_;
  std::string_view heads_;
  bool is_good_ = false;
};

}  // namespace grapnel
