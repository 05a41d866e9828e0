#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "history/database.h"
#include "history/number_range.h"

/// An index for parts of texts. Records with numbers that follow each other are a block. A block has one bit for every
/// three letters that occur in its subjects (several such triples share a bit). A word can only be in blocks that have
/// the bits of all its triples, so a rare word is found without reading all subjects.
namespace grapnel {

/// Collects the bits of new records.
class TextBlocks {
 public:
  void add(int64_t number, std::string_view text);
  /// Adds the bits to those of the database, and starts again with none. Fails: System, BadInput.
  Result<void> store(Database& database);

  /// Two rows of this size fit into a page of the database.
  static constexpr size_t kBytes = 1920;
  using Bits = std::array<char, kBytes>;

 private:
  std::map<int64_t, Bits> blocks_;
};

/// Removes the blocks before the first record. Fails: System, BadInput.
Result<void> forget_text_blocks(Database& database);

/// Where there may be records that have all these parts in their subject, in any case. Parts of less than three letters
/// exclude nothing. Fails: System, BadInput.
Result<std::vector<NumberRange>> find_text_ranges(Database& database, const std::vector<std::string>& parts);

}  // namespace grapnel
