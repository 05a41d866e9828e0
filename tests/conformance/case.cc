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

std::optional<Example> read_example(const Json& json) {
  const Json example = json["example"];
  if (!example) return std::nullopt;
  if (example.is_string()) return Example{text_of(example), ""};
  return Example{text_of(example["of"]), text_of(example["changed"])};
}

Case read_case(const Json& json, const std::string& dialect) {
  Case out;
  out.id = text_of(json["id"]);
  out.dialect = dialect;
  out.spec = text_of(json["spec"]);
  out.where = text_of(json["where"]);
  out.json = json;
  out.differs = read_difference(json);
  out.example = read_example(json);
  if (out.id.empty()) out.problem = "a case needs an 'id': " + json.dump().substr(0, 120);
  if (out.spec.empty()) out.problem = out.id + ": a case needs a 'spec'";
  return out;
}

/// Text as it stands between the quotes of a JSON string.
std::string escaped(const Json& value) {
  const std::string quoted = value.is_string() ? value.dump() : Json::string(value.dump()).dump();
  return quoted.substr(1, quoted.size() - 2);
}

void replace_all(std::string& text, const std::string& mark, const std::string& value) {
  for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size())) {
    text.replace(at, mark.size(), value);
  }
}

/// A row of a table of cases: the rest of the case with the row's `@MARKS@` filled in and its own members on top.
Json fill_row(const Json& table, const Json& row) {
  std::string text = table.without("rows").dump();
  for (const JsonMember& member : row.members()) {
    if (!member.key.starts_with('@')) continue;
    if (!member.value.is_string()) replace_all(text, "\"" + member.key + "\"", member.value.dump());
    replace_all(text, member.key, escaped(member.value));
  }
  Json filled = Json::parse(text).value_or(Json());
  const Json want = filled["want"];
  for (const JsonMember& member : row.members()) {
    if (!member.key.starts_with('@')) filled = filled.with(member.key, member.value);
  }
  if (want.is_object() && row["want"]) filled = filled.with("want", want.merged(row["want"]));
  return filled.with("id", Json::string(text_of(table["id"]) + "-" + text_of(row["id"])));
}

void read_entry(const Json& json, const std::string& dialect, std::vector<Case>& out) {
  if (!json["rows"]) return out.push_back(read_case(json, dialect));
  for (const Json& row : json["rows"].elements()) out.push_back(read_case(fill_row(json, row), dialect));
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
  for (const Json& entry : json->elements()) read_entry(entry, dialect, out);
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
