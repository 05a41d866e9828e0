#include "config/problems.h"

#include <algorithm>

#include "base/text.h"

namespace grapnel {

Problems::Problems(std::string path, const Json& root) : path_(std::move(path)) {
  const std::string_view text = root.document_text();
  for (size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
    line_starts_.push_back(at + 1);
}

SourcePos Problems::position(size_t offset) const {
  const auto next = std::ranges::upper_bound(line_starts_, offset);
  const size_t start = next == line_starts_.begin() ? 0 : *std::prev(next);
  return {path_, static_cast<uint32_t>(next - line_starts_.begin() + 1), static_cast<uint32_t>(offset - start + 1)};
}

void Problems::error(const Json& where, std::string message, std::string hint) {
  error_at(where.begin_offset(), std::move(message), std::move(hint));
}

void Problems::error_at(size_t offset, std::string message, std::string hint) {
  problems_.push_back({Problem::Severity::Error, std::move(message), position(offset), std::move(hint)});
}

void Problems::warning(const Json& where, std::string message, std::string hint) {
  warning_at(where.begin_offset(), std::move(message), std::move(hint));
}

void Problems::warning_at(size_t offset, std::string message, std::string hint) {
  problems_.push_back({Problem::Severity::Warning, std::move(message), position(offset), std::move(hint)});
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::string_view near = text::nearest(word, candidates);
  return near.empty() ? "" : "did you mean '" + std::string(near) + "'?";
}

}  // namespace grapnel
