#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace grapnel::match {

/// A hash set that only grows. Readers take no lock: a value is complete before its address is published, and is
/// neither changed nor freed before the set is. References to values stay valid as long. Thread: any.
template <typename Value, size_t kBuckets>
class PublishedSet {
 public:
  PublishedSet() = default;
  PublishedSet(const PublishedSet&) = delete;
  PublishedSet& operator=(const PublishedSet&) = delete;
  ~PublishedSet() {
    for (auto& bucket : buckets_)
      for (const Node* node = bucket.load(); node;) delete std::exchange(node, node->next);
  }

  /// The value with this hash that `is_it` accepts, or null.
  template <typename Predicate>
  const Value* find(size_t hash, Predicate is_it) const {
    return find_between(buckets_[hash % kBuckets].load(std::memory_order_acquire), nullptr, hash, is_it);
  }

  /// Adds `value` unless one is there that `is_it` accepts; returns the one that is there now.
  template <typename Predicate>
  const Value& add(size_t hash, Value value, Predicate is_it) {
    auto& bucket = buckets_[hash % kBuckets];
    auto node = std::make_unique<Node>(Node{hash, std::move(value), nullptr});
    const Node* seen = nullptr;
    const Node* head = bucket.load(std::memory_order_acquire);
    do {
      if (const Value* other = find_between(head, seen, hash, is_it)) return *other;
      seen = head;
      node->next = head;
    } while (!bucket.compare_exchange_weak(head, node.get(), std::memory_order_acq_rel, std::memory_order_acquire));
    return node.release()->value;
  }

 private:
  struct Node {
    size_t hash = 0;
    Value value;
    const Node* next = nullptr;
  };

  template <typename Predicate>
  static const Value* find_between(const Node* from, const Node* until, size_t hash, Predicate is_it) {
    for (const Node* node = from; node != until; node = node->next)
      if (node->hash == hash && is_it(node->value)) return &node->value;
    return nullptr;
  }

  std::array<std::atomic<const Node*>, kBuckets> buckets_{};
};

}  // namespace grapnel::match
