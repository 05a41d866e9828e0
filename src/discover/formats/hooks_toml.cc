#include "discover/formats/hooks_toml.h"

#include <algorithm>
#include <array>

#include "discover/formats/toml_document.h"
#include "discover/problems.h"

namespace grapnel {

namespace {

/// Reads the tables of one `hooks.toml`. Unknown keys are warnings; the rest of the file is still used.
class TomlReader {
 public:
  TomlReader(const std::string& path, TomlDocument document)
      : root_(std::move(document.root)), problems_(path, std::move(document.places)) {}

  HooksToml read() {
    for (const JsonMember& member : root_.members()) {
      if (member.key == "hooks" && member.value.is_object()) {
        for (const JsonMember& setting : member.value.members()) read_setting(setting);
      } else {
        problems_.warning(member.value, "hooks.toml has no table or key '" + member.key + "'; it is ignored");
      }
    }
    out_.problems = problems_.take();
    return std::move(out_);
  }

 private:
  void read_setting(const JsonMember& setting) {
    if (setting.key == "enabled") {
      out_.enabled = setting.value.as_bool();
      if (!out_.enabled) problems_.error(setting.value, "'enabled' must be true or false");
    } else if (setting.key == "defaults") {
      read_defaults(setting.value);
    } else if (setting.key == "disable" || setting.key == "override") {
      read_entries(setting);
      // `debug` belongs to the format but has no effect here.
    } else if (setting.key != "debug") {
      problems_.warning(setting.value, "[hooks] has no key '" + setting.key + "'; it is ignored");
    }
  }

  /// The values of these defaults are checked by the caller, with the same rules as the fields of a hook.
  void read_defaults(const Json& value) {
    constexpr auto kKnown = std::to_array<std::string_view>({"timeout", "async"});
    if (!value.is_object()) return problems_.error(value, "'defaults' must be a table");
    out_.defaults.kind = YamlNode::Kind::Map;
    for (const JsonMember& member : value.members()) {
      if (std::ranges::find(kKnown, member.key) != kKnown.end()) {
        out_.defaults.members.emplace_back(member.key, convert(member.value));
      } else {
        problems_.warning(value, "'" + member.key + "' cannot have a default; only 'timeout' and 'async' can");
      }
    }
  }

  void read_entries(const JsonMember& setting) {
    if (!setting.value.is_array()) {
      return problems_.error(setting.value, "write [[hooks." + setting.key + "]] with a 'name'");
    }
    for (const Json& entry : setting.value.elements()) read_entry(setting.key, entry);
  }

  /// One `[[hooks.disable]]` or `[[hooks.override]]`. An override keeps its fields as a tree: they are laid over the
  /// fields of the hook and checked together with them.
  void read_entry(const std::string& kind, const Json& entry) {
    const std::string name = entry["name"].as_string().value_or("");
    if (name.empty()) return problems_.error(entry, "[[hooks." + kind + "]] needs a 'name'");
    if (kind == "disable") return out_.disabled.push_back(name);
    YamlNode fields = convert(entry);
    // The name says which hook is meant; it must not rename the hook.
    std::erase_if(fields.members, [](const auto& member) { return member.key == "name"; });
    out_.overrides.emplace_back(name, std::move(fields));
  }

  /// The value as the same kind of tree that HOOK.md is read into. Numbers and truth values become text, as there.
  YamlNode convert(const Json& value) const {
    YamlNode node;
    node.at = problems_.position_of(value);
    if (value.is_object()) {
      node.kind = YamlNode::Kind::Map;
      for (const JsonMember& member : value.members()) node.members.emplace_back(member.key, convert(member.value));
    } else if (value.is_array()) {
      node.kind = YamlNode::Kind::List;
      for (const Json& element : value.elements()) node.members.emplace_back("", convert(element));
    } else {
      node.kind = YamlNode::Kind::Text;
      node.text = value.as_string().value_or(value.dump());
    }
    return node;
  }

  Json root_;
  Problems problems_;
  HooksToml out_;
};

}  // namespace

HooksToml read_hooks_toml(std::string_view text, const std::string& path) {
  auto document = read_toml(text);
  if (document) return TomlReader(path, std::move(*document)).read();
  HooksToml broken;
  SourcePos at = document.error().at.value_or(SourcePos{});
  at.file = path;
  // A syntax error makes the whole file unusable.
  broken.problems.push_back(
      {ConfigProblem::Severity::Error, document.error().message, at, "nothing in this file is used"});
  return broken;
}

}  // namespace grapnel
