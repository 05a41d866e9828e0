#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "grapnel/record.h"

namespace grapnel::abi {

/// A record sink that can be switched on and off while events are fired. Thread: any.
class JournalSwitch final : public RecordSink {
 public:
  /// Null switches it off.
  void set(std::shared_ptr<RecordSink> sink);

  void record(const Record& record) noexcept override;
  void snapshot(const std::string& digest, const Json& registry) noexcept override;
  bool has_snapshot(const std::string& digest) noexcept override;
  std::string last_failure() const noexcept override;

 private:
  std::shared_ptr<RecordSink> current() const;

  mutable std::mutex mutex_;
  std::shared_ptr<RecordSink> sink_;
};

}  // namespace grapnel::abi
