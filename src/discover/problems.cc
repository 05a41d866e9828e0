#include "discover/problems.h"

#include <algorithm>
#include <unordered_map>

#include "base/text.h"

namespace grapnel {

namespace {
/// Messages quote values from files, and these can be of any length.
constexpr size_t kMaxMessage = 400;
}  // namespace

Problems::Problems(std::string path, const Json& root) : path_(std::move(path)) {
  const std::string_view text = root.document_text();
  // Positions are asked for often, so the line breaks are found once and then searched by halves.
  for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    line_starts_.push_back(at + 1);
}

/// A converted document has a table of places. Its last entry at or in front of the offset is the key or value that the
/// offset belongs to. Any other document is read as it stands, so lines and columns follow from the offset.
SourcePos Problems::position_at(size_t offset) const {
  if (!places_.empty()) {
    const auto behind = std::ranges::upper_bound(places_, offset, {}, &TextPlace::offset);
    const TextPlace& place = behind == places_.begin() ? *behind : *std::prev(behind);
    return {path_, place.line, place.column};
  }
  const auto next = std::ranges::upper_bound(line_starts_, offset);
  const size_t start = next == line_starts_.begin() ? 0 : *std::prev(next);
  return {path_, static_cast<uint32_t>(next - line_starts_.begin() + 1), static_cast<uint32_t>(offset - start + 1)};
}

void Problems::error(const Json& where, std::string_view message, std::string hint) {
  error_at(where.begin_offset(), message, std::move(hint));
}

void Problems::error_at(size_t offset, std::string_view message, std::string hint) {
  add(ConfigProblem::Severity::Error, offset, message, std::move(hint));
}

void Problems::warning(const Json& where, std::string_view message, std::string hint) {
  warning_at(where.begin_offset(), message, std::move(hint));
}

void Problems::warning_at(size_t offset, std::string_view message, std::string hint) {
  add(ConfigProblem::Severity::Warning, offset, message, std::move(hint));
}

void Problems::add(ConfigProblem::Severity severity, size_t offset, std::string_view message, std::string hint) {
  problems_.push_back({severity, text::cap(message, kMaxMessage), position_at(offset), std::move(hint)});
}

/// Finds the last member of each key first. Usually no key repeats and the list is returned as it is.
std::vector<JsonMember> counting_members(const Json& object, Problems& problems) {
  std::vector<JsonMember> out;
  for (JsonMember member : object.members()) out.push_back(std::move(member));
  std::unordered_map<std::string_view, const JsonMember*> last;
  for (const JsonMember& member : out) last[member.key] = &member;
  if (last.size() == out.size()) return out;
  std::vector<JsonMember> kept;
  for (const JsonMember& member : out) {
    if (last[member.key] == &member) {
      kept.push_back(member);
    } else {
      problems.warning_at(member.key_offset, "'" + member.key + "' appears twice; only the last one is used");
    }
  }
  return kept;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::string_view near = text::nearest(word, candidates);
  return near.empty() ? "" : "did you mean '" + std::string(near) + "'?";
}

}  // namespace grapnel
