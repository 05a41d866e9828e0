#include <cstdint>

#include "discover/formats/hooks_toml.h"
#include "discover/formats/toml_document.h"
#include "settings_check.h"

// Input: a TOML text. It becomes JSON in which every value has a position, or an error with a position. It is also read
// as a settings file and as a hooks.toml.

namespace {

using namespace grapnel;

void check_value(const Json& value, const Problems& problems, std::string_view content) {
  GRAPNEL_CHECK(!value.is_null() && fuzz::is_inside(problems.position_of(value), content));
  for (const Json& element : value.elements()) check_value(element, problems, content);
  for (const JsonMember& member : value.members()) check_value(member.value, problems, content);
}

void check_document(const std::string& content) {
  const auto document = read_toml(content);
  if (!document) {
    GRAPNEL_CHECK(document.error().at.has_value() && fuzz::is_inside(*document.error().at, content));
    return;
  }
  GRAPNEL_CHECK(document->root.is_object());
  GRAPNEL_CHECK(std::ranges::is_sorted(document->places, {}, &TextPlace::offset));
  check_value(document->root, Problems("f", document->places), content);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string content(reinterpret_cast<const char*>(data), size);
  check_document(content);
  fuzz::check_settings(content, PlaceFormat::Toml);
  for (const ConfigProblem& problem : read_hooks_toml(content, "hooks.toml").problems) {
    GRAPNEL_CHECK(fuzz::is_inside(problem.at, content));
  }
  return 0;
}
