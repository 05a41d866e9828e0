#include "abi/journal_switch.h"

namespace grapnel::abi {

void JournalSwitch::set(std::shared_ptr<RecordSink> sink) {
  const std::lock_guard lock(mutex_);
  sink_.swap(sink);
}

std::shared_ptr<RecordSink> JournalSwitch::current() const {
  const std::lock_guard lock(mutex_);
  return sink_;
}

void JournalSwitch::record(const Record& record) noexcept {
  if (const auto sink = current()) sink->record(record);
}

void JournalSwitch::snapshot(const std::string& digest, const Json& registry) noexcept {
  if (const auto sink = current()) sink->snapshot(digest, registry);
}

// While it is off, nobody needs a snapshot. Whoever switches it on has the hooks read again, which makes one.
bool JournalSwitch::has_snapshot(const std::string& digest) noexcept {
  const auto sink = current();
  return !sink || sink->has_snapshot(digest);
}

std::string JournalSwitch::last_failure() const noexcept {
  const auto sink = current();
  return sink ? sink->last_failure() : "";
}

}  // namespace grapnel::abi
