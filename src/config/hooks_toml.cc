#include "config/hooks_toml.h"

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <algorithm>
#include <array>

#include <toml++/toml.h>

namespace grapnel {

namespace {

class TomlReader {
 public:
  explicit TomlReader(const std::string& path) : path_(path) {}

  HooksToml read(const toml::table& root) {
    for (const auto& [key, value] : root) {
      if (key != "hooks" || !value.is_table()) {
        problem(Problem::Severity::Warning, value, "'" + std::string(key) + "' is nothing hooks.toml has");
        continue;
      }
      for (const auto& [name, setting] : *value.as_table()) read_setting(name.str(), setting);
    }
    return std::move(out_);
  }

 private:
  SourcePos position(const toml::node& node) const {
    const toml::source_position& begin = node.source().begin;
    return {path_, begin.line, begin.column};
  }

  void problem(Problem::Severity severity, const toml::node& node, std::string message) {
    out_.problems.push_back({severity, std::move(message), position(node), ""});
  }

  void read_setting(std::string_view key, const toml::node& value) {
    if (key == "enabled") {
      out_.enabled = value.value_exact<bool>();
      if (!out_.enabled) problem(Problem::Severity::Error, value, "'enabled' must be true or false");
    } else if (key == "defaults") {
      read_defaults(value);
    } else if (key == "disable" || key == "override") {
      read_entries(key, value);
    } else if (key != "debug") {
      problem(Problem::Severity::Warning, value, "'" + std::string(key) + "' is nothing [hooks] has");
    }
  }

  void read_defaults(const toml::node& value) {
    constexpr auto kKnown = std::to_array<std::string_view>({"timeout", "async"});
    const FieldNode defaults = convert(value);
    if (!defaults.is_map()) return problem(Problem::Severity::Error, value, "'defaults' must be a table");
    out_.defaults.kind = FieldNode::Kind::Map;
    for (const auto& member : defaults.members) {
      const bool is_known = std::ranges::find(kKnown, member.first) != kKnown.end();
      if (is_known) out_.defaults.members.push_back(member);
      if (!is_known) problem(Problem::Severity::Warning, value, "'" + member.first + "' has no default");
    }
  }

  void read_entries(std::string_view kind, const toml::node& value) {
    const toml::array* entries = value.as_array();
    if (entries == nullptr) {
      return problem(Problem::Severity::Error, value, "write [[hooks." + std::string(kind) + "]] with a 'name'");
    }
    for (const toml::node& entry : *entries) read_entry(kind, entry);
  }

  void read_entry(std::string_view kind, const toml::node& entry) {
    FieldNode fields = convert(entry);
    const FieldNode* name = fields.find("name");
    if (name == nullptr || !name->is_text() || name->text.empty()) {
      return problem(Problem::Severity::Error, entry, "[[hooks." + std::string(kind) + "]] needs a 'name'");
    }
    std::string text = name->text;
    if (kind == "disable") return out_.disabled.push_back(std::move(text));
    std::erase_if(fields.members, [](const auto& member) { return member.first == "name"; });
    out_.overrides.emplace_back(std::move(text), std::move(fields));
  }

  FieldNode convert(const toml::node& value) const {
    FieldNode node;
    node.at = position(value);
    if (const toml::table* table = value.as_table()) {
      node.kind = FieldNode::Kind::Map;
      for (const auto& [key, member] : *table) node.members.emplace_back(key.str(), convert(member));
    } else if (const toml::array* array = value.as_array()) {
      node.kind = FieldNode::Kind::List;
      for (const toml::node& element : *array) node.members.emplace_back("", convert(element));
    } else {
      node.kind = FieldNode::Kind::Text;
      node.text = text_of(value);
    }
    return node;
  }

  static std::string text_of(const toml::node& value) {
    if (const auto text = value.value_exact<std::string>()) return *text;
    if (const auto flag = value.value_exact<bool>()) return *flag ? "true" : "false";
    if (const auto number = value.value_exact<int64_t>()) return std::to_string(*number);
    if (const auto number = value.value_exact<double>()) return std::to_string(*number);
    return "";
  }

  const std::string& path_;
  HooksToml out_;
};

}  // namespace

HooksToml read_hooks_toml(std::string_view text, const std::string& path) {
  const toml::parse_result parsed = toml::parse(text, path);
  if (parsed) return TomlReader(path).read(parsed.table());
  HooksToml broken;
  const toml::source_position& begin = parsed.error().source().begin;
  broken.problems.push_back({Problem::Severity::Error,
                             "invalid TOML: " + std::string(parsed.error().description()),
                             {path, begin.line, begin.column},
                             "nothing of this file counts"});
  return broken;
}

}  // namespace grapnel
