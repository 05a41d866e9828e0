#include "record/chain.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"
#include "trust/sha256.h"

namespace grapnel {

namespace {

// The two members are appended as text, not through the JSON writer: the hash is computed over the exact bytes of the
// line. For the same reason they are read back from fixed positions at the end of the line. A line therefore looks like
//
//   {"v":1,…,"prev":"<hash or empty>","hash":"<64 digits>"}
//   └─────────── hashed ────────────┘
//
// where the hashed part ends right in front of the quote that closes `prev`.

constexpr std::string_view kPrev = ",\"prev\":\"";
constexpr std::string_view kHash = "\",\"hash\":\"";
constexpr std::string_view kEnd = "\"}";
constexpr size_t kHashSize = 64;

bool is_hash(std::string_view text) {
  return text.size() == kHashSize && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

std::string chained_line(std::string_view object, std::string_view prev) {
  std::string line;
  line.reserve(object.size() + kPrev.size() + kHash.size() + 2 * kHashSize + kEnd.size() + 1);
  // The object's closing brace is left out here; `kEnd` adds it.
  line.append(object, 0, object.size() - 1).append(kPrev).append(prev);
  const std::string hash = Sha256().add(line).hex();
  return line.append(kHash).append(hash).append(kEnd).append("\n");
}

std::string_view hash_in(std::string_view chained_line) {
  return chained_line.substr(chained_line.size() - kEnd.size() - 1 - kHashSize, kHashSize);
}

std::optional<ChainLink> read_link(std::string_view line) {
  constexpr size_t kTail = kHash.size() + kHashSize + kEnd.size();
  if (line.size() < kTail || !line.ends_with(kEnd)) return std::nullopt;
  const std::string_view body = line.substr(0, line.size() - kTail);
  const std::string_view hash = line.substr(line.size() - kEnd.size() - kHashSize, kHashSize);
  if (line.substr(body.size(), kHash.size()) != kHash || !is_hash(hash)) return std::nullopt;
  // Searched from the end, because a payload may contain the same text.
  const size_t at = body.rfind(kPrev);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view prev = body.substr(at + kPrev.size());
  if (!prev.empty() && !is_hash(prev)) return std::nullopt;
  return ChainLink{std::string(prev), std::string(hash), Sha256().add(body).hex() == hash};
}

std::string last_hash(std::string_view text) {
  // From the last line to the first. Lines that a writer could not finish are skipped.
  for (size_t end = text.rfind('\n'); end != std::string_view::npos && end > 0; end = text.rfind('\n', end - 1)) {
    const size_t before = text.rfind('\n', end - 1);
    const size_t start = before == std::string_view::npos ? 0 : before + 1;
    if (const auto link = read_link(text.substr(start, end - start))) return link->hash;
  }
  return "";
}

std::string ChainHead::to_text() const {
  // The size is padded to a fixed width, so a new head always covers the old one completely.
  const std::string digits = std::to_string(size);
  return hash + " " + std::string(20 - std::min<size_t>(digits.size(), 20), '0') + digits + "\n";
}

std::optional<ChainHead> ChainHead::parse(std::string_view text) {
  const auto words = text::split(text::trim(text), ' ');
  if (words.size() != 2 || !is_hash(words[0])) return std::nullopt;
  ChainHead head{std::string(words[0]), 0};
  const auto [end, error] = std::from_chars(words[1].data(), words[1].data() + words[1].size(), head.size);
  if (error != std::errc() || end != words[1].data() + words[1].size()) return std::nullopt;
  return head;
}

}  // namespace grapnel
