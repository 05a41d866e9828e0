#pragma once

#include <cstdint>
#include <string>

#include "grapnel/json.h"

namespace grapnel::fleet {

/// A place in a machine's journal: behind a record. Record files are renamed, copied and restored, so a file is named
/// after its first line, which never changes. An empty file is the beginning of everything.
struct Position {
  std::string file;    ///< the SHA-256 of the file's first line
  int64_t offset = 0;  ///< the byte behind the record's line
  std::string hash;    ///< of that record, as the chain has it

  bool operator==(const Position&) const = default;
  Json to_json() const;
  /// The beginning if the text is something else.
  static Position from_json(const Json& json);
};

}  // namespace grapnel::fleet
