#pragma once

#include "os/files.h"

/// Lets `ByteWriter` and `ByteReader` (base/bytes.h) write and read file stamps. Members are named one by one, so that
/// a new member does not compile before it is added here.
namespace grapnel::os {

void each_member(auto& bytes, FileStamp& stamp) {
  auto& [dev, ino, size, mtime, ctime] = stamp;
  bytes(dev, ino, size, mtime, ctime);
}

}  // namespace grapnel::os
