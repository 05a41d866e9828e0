#include "conformance/compare.h"

namespace grapnel::conformance {

namespace {

constexpr std::string_view kAnything = "…";

std::string mismatch(const Json& want, const Json& got, const std::string& path) {
  return path + ": want " + want.dump() + ", got " + (got ? got.dump() : "nothing") + "\n";
}

}  // namespace

bool text_fits(std::string_view want, std::string_view got) {
  const size_t gap = want.find(kAnything);
  if (gap == std::string_view::npos) return want == got;
  const std::string_view before = want.substr(0, gap);
  const std::string_view after = want.substr(gap + kAnything.size());
  if (!got.starts_with(before)) return false;
  got.remove_prefix(before.size());
  for (size_t skip = 0; skip <= got.size(); ++skip) {
    if (text_fits(after, got.substr(skip))) return true;
  }
  return false;
}

std::string difference(const Json& want, const Json& got, const std::string& path) {
  if (want.is_null() && (!got || got.is_null())) return "";
  if (const auto text = want.as_string()) {
    const Json actual = got.is_object() ? got["text"] : got;
    const bool fits = actual.is_string() && text_fits(*text, *actual.as_string());
    return fits ? "" : mismatch(want, got, path);
  }
  if (want.is_object() && got.is_object()) {
    std::string all;
    for (const JsonMember& member : want.members())
      all += difference(member.value, got[member.key], path + "/" + member.key);
    return all;
  }
  if (want.is_array() && got.is_array() && want.size() == got.size()) {
    std::string all;
    for (size_t i = 0; i < want.size(); ++i) all += difference(want.at(i), got.at(i), path + "/" + std::to_string(i));
    return all;
  }
  return want == got ? "" : mismatch(want, got, path);
}

}  // namespace grapnel::conformance
