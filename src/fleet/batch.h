#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fleet/position.h"

/// What a machine sends at once: some records, as the bytes of their lines, and the configurations that they name.
///
///   {"v":1,"after":POSITION,"upto":POSITION,"registries":{DIGEST:…}}
///   RECORD
///   RECORD
///
/// `after` is where the batch begins. A collector that does not have everything up to there notes the records, but its
/// mark stays, and the machine sends again from the mark.
namespace grapnel::fleet {

struct Batch {
  Position after;
  Position upto;
  std::vector<std::pair<std::string, Json>> registries;
  std::vector<std::string> lines;

  std::string to_text() const;
  /// Nothing if the text is no batch.
  static std::optional<Batch> parse(std::string_view text);
};

}  // namespace grapnel::fleet
