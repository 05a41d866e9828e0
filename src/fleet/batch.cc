#include "fleet/batch.h"

#include "base/text.h"

namespace grapnel::fleet {

Json Position::to_json() const {
  return Json::object({{"file", Json::string(file)}, {"offset", Json::number(offset)}, {"hash", Json::string(hash)}});
}

Position Position::from_json(const Json& json) {
  Position out;
  out.file = json["file"].as_string().value_or("");
  out.offset = json["offset"].as_integer().value_or(0);
  out.hash = json["hash"].as_string().value_or("");
  return out;
}

std::string Batch::to_text() const {
  const Json head = Json::object({{"v", Json::number(int64_t{1})},
                                  {"after", after.to_json()},
                                  {"upto", upto.to_json()},
                                  {"registries", registries.empty() ? Json() : Json::object(registries)}});
  std::string out = head.dump();
  for (const std::string& line : lines) out.append("\n").append(line);
  return out;
}

std::optional<Batch> Batch::parse(std::string_view text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const auto head = Json::parse(std::string(text.substr(0, end)));
  if (!head || (*head)["v"].as_integer() != 1 || !(*head)["upto"].is_object()) return std::nullopt;
  Batch out;
  out.after = Position::from_json((*head)["after"]);
  out.upto = Position::from_json((*head)["upto"]);
  for (const JsonMember& registry : (*head)["registries"].members())
    out.registries.emplace_back(registry.key, registry.value);
  if (end == text.size()) return out;
  for (const std::string_view line : text::split(text.substr(end + 1), '\n')) out.lines.emplace_back(line);
  return out;
}

}  // namespace grapnel::fleet
