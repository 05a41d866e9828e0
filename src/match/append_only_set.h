#pragma once

#include <cstddef>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

namespace grapnel::match {

/// A hash set that only grows, for answers that many threads look up and few threads add.
///
/// Values are never changed or removed, so a reference to one stays valid as long as the set lives, also after the lock
/// has been given back. Callers bring their own hash and equality: what they look up is not always a `Value`.
/// Thread: any.
template <typename Value>
class AppendOnlySet {
 public:
  /// The value with this hash that `is_it` accepts, or null. The pointer stays valid.
  template <typename Predicate>
  const Value* find(size_t hash, Predicate is_it) const {
    const std::shared_lock lock(mutex_);
    return find_locked(hash, is_it);
  }

  /// Adds `value` unless one is there that `is_it` accepts; returns the one that is there now.
  template <typename Predicate>
  const Value& add(size_t hash, Value value, Predicate is_it) {
    const std::unique_lock lock(mutex_);
    if (const Value* other = find_locked(hash, is_it)) return *other;
    return values_.emplace(hash, std::move(value))->second;
  }

 private:
  template <typename Predicate>
  const Value* find_locked(size_t hash, Predicate is_it) const {
    const auto [from, until] = values_.equal_range(hash);
    for (auto at = from; at != until; ++at)
      if (is_it(at->second)) return &at->second;
    return nullptr;
  }

  mutable std::shared_mutex mutex_;
  std::unordered_multimap<size_t, Value> values_;  ///< its nodes stay where they are when it grows
};

}  // namespace grapnel::match
