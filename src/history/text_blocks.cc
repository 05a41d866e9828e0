#include "history/text_blocks.h"

#include <algorithm>

#include "base/text.h"

namespace grapnel {

namespace {

constexpr int64_t kRecords = 256;  ///< of a block
constexpr size_t kTriple = 3;

/// Calls `take` with the bit of each three letters.
template <typename Take>
void each_bit(std::string_view text, Take take) {
  const std::string lower = text::to_lower(text);
  for (size_t i = 0; i + kTriple <= lower.size(); ++i) {
    uint32_t triple = 0;
    for (size_t j = 0; j < kTriple; ++j) triple = triple << 8 | static_cast<unsigned char>(lower[i + j]);
    take((triple * 2654435761U >> 8) % (TextBlocks::kBytes * 8));
  }
}

bool has_bit(std::string_view bits, size_t bit) {
  return bit / 8 < bits.size() && (bits[bit / 8] >> (bit % 8) & 1) != 0;
}

}  // namespace

void TextBlocks::add(int64_t number, std::string_view text) {
  Bits& bits = blocks_[number / kRecords];
  each_bit(text, [&](size_t bit) { bits[bit / 8] = static_cast<char>(bits[bit / 8] | 1 << (bit % 8)); });
}

Result<void> TextBlocks::store(Database& database) {
  auto find = database.prepare("SELECT bits FROM text_blocks WHERE block = ?1");
  if (!find) return std::unexpected(find.error());
  auto put = database.prepare("INSERT OR REPLACE INTO text_blocks VALUES(?1, ?2)");
  if (!put) return std::unexpected(put.error());
  for (auto& [block, bits] : blocks_) {
    const auto known = find->bind(1, block).step();
    if (!known) return std::unexpected(known.error());
    const std::string old = *known ? find->text(0) : "";
    find->reset();
    for (size_t i = 0; i < std::min(old.size(), kBytes); ++i) bits[i] = static_cast<char>(bits[i] | old[i]);
    put->bind_blob(2, {bits.data(), bits.size()});
    if (auto done = put->run_with({block}); !done) return done;
  }
  blocks_.clear();
  return {};
}

Result<void> forget_text_blocks(Database& database) {
  auto remove = database.prepare(
      "DELETE FROM text_blocks WHERE block < (SELECT coalesce(min(number), next) FROM numbers LEFT JOIN records) / ?1");
  return remove ? remove->run_with({kRecords}) : std::unexpected(remove.error());
}

Result<std::vector<NumberRange>> find_text_ranges(Database& database, const std::vector<std::string>& parts) {
  std::vector<size_t> wanted;
  for (const std::string& part : parts) {
    each_bit(part, [&](size_t bit) { wanted.push_back(bit); });
  }
  auto select = database.prepare("SELECT block, bits FROM text_blocks ORDER BY block");
  if (!select) return std::unexpected(select.error());
  std::vector<NumberRange> ranges;
  for (;;) {
    const auto row = select->step();
    if (!row) return std::unexpected(row.error());
    if (!*row) return ranges;
    const std::string bits = select->text(1);
    if (!std::ranges::all_of(wanted, [&](size_t bit) { return has_bit(bits, bit); })) continue;
    const int64_t low = select->number(0) * kRecords;
    if (ranges.empty() || ranges.back().high + 1 < low) ranges.push_back({low, low});
    ranges.back().high = low + kRecords - 1;
  }
}

}  // namespace grapnel
