#include "conformance/case.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace grapnel::conformance {

namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::string text_of(const Json& value) {
  return value.as_string().value_or("");
}

std::optional<Difference> read_difference(const Json& json) {
  const Json differs = json["differs"];
  if (!differs) return std::nullopt;
  if (differs.is_string()) return Difference{text_of(json["spec"]), "", text_of(differs)};
  return Difference{text_of(differs["real"]), text_of(differs["ours"]), text_of(differs["why"])};
}

Case read_case(const Json& json, const std::string& dialect) {
  Case out;
  out.id = text_of(json["id"]);
  out.dialect = dialect;
  out.spec = text_of(json["spec"]);
  out.where = text_of(json["where"]);
  out.json = json;
  out.differs = read_difference(json);
  if (out.id.empty()) out.problem = "a case needs an 'id': " + json.dump().substr(0, 120);
  if (out.spec.empty()) out.problem = out.id + ": a case needs a 'spec'";
  return out;
}

Case broken_file(const fs::path& path, const std::string& dialect, std::string problem) {
  Case out;
  out.id = dialect + "-" + path.stem().string();
  out.dialect = dialect;
  out.problem = path.string() + ": " + std::move(problem);
  return out;
}

void read_file(const fs::path& path, const std::string& dialect, std::vector<Case>& out) {
  const auto json = Json::parse(read_text(path), {.comments = true});
  if (!json) return out.push_back(broken_file(path, dialect, json.error().to_string()));
  if (!json->is_array()) return out.push_back(broken_file(path, dialect, "must be an array of cases"));
  for (const Json& entry : json->elements()) out.push_back(read_case(entry, dialect));
}

std::vector<fs::path> sorted_entries(const fs::path& directory) {
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(directory)) entries.push_back(entry.path());
  std::ranges::sort(entries);
  return entries;
}

}  // namespace

std::vector<Case> load_cases(const std::string& directory) {
  std::vector<Case> cases;
  for (const fs::path& dialect : sorted_entries(directory)) {
    if (!fs::is_directory(dialect)) continue;
    for (const fs::path& file : sorted_entries(dialect)) {
      if (file.extension() == ".json") read_file(file, dialect.filename().string(), cases);
    }
  }
  return cases;
}

}  // namespace grapnel::conformance
