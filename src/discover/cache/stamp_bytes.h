#pragma once

#include "os/files.h"

/// Stamps for `ByteWriter` and `ByteReader`.
namespace grapnel::os {

void each_member(auto& bytes, FileStamp& stamp) {
  auto& [dev, ino, size, mtime, ctime] = stamp;
  bytes(dev, ino, size, mtime, ctime);
}

}  // namespace grapnel::os
