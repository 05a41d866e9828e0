#include "cli/verbs/new_rule.h"

#include <algorithm>
#include <optional>
#include <span>

#include "base/error.h"
#include "base/text.h"
#include "cli/console.h"
#include "cli/yaml_text.h"
#include "discover/formats/frontmatter.h"
#include "discover/formats/rule_file.h"
#include "os/files.h"

namespace grapnel::cli {

namespace {

/// The indentation of a list in a file that has none yet.
constexpr size_t kUsualIndent = 2;

/// A text as YAML.
std::string scalar(std::string_view text) {
  return yaml_text(Json::string(text));
}

/// One value as it is, several as a list in brackets.
std::string list_or_one(const std::vector<std::string>& values) {
  if (values.size() == 1) return scalar(values.front());
  std::string out = "[";
  for (const std::string& value : values) out += (out.size() == 1 ? "" : ", ") + scalar(value);
  return out + "]";
}

/// The value of `when`: `{ tool: shell, flag: [-f, --force] }`. Values of the same key are joined into a list, and keys
/// keep their order.
std::string condition_text(const std::vector<std::pair<std::string, std::string>>& when) {
  std::vector<std::pair<std::string, std::vector<std::string>>> keys;
  for (const auto& [key, value] : when) {
    auto known = std::ranges::find(keys, key, [](const auto& pair) { return pair.first; });
    if (known == keys.end()) known = keys.insert(keys.end(), {key, {}});
    known->second.push_back(value);
  }
  std::string out = "{ ";
  for (const auto& [key, values] : keys)
    out += (out.size() == 2 ? "" : ", ") + scalar(key) + ": " + list_or_one(values);
  return out + " }";
}

/// The column of the dashes in the file's list, so that the new entry lines up with them; nothing when the list is
/// empty or written in brackets.
std::optional<size_t> dash_column(const std::string& file, const YamlNode& hooks) {
  if (hooks.members.empty()) return std::nullopt;
  const auto lines = text::split(file, '\n');
  const uint32_t line = hooks.members.back().value.at.line;
  if (line == 0 || line > lines.size()) return std::nullopt;
  const std::string_view text = lines[line - 1];
  const size_t dash = text.find_first_not_of(' ');
  return dash != std::string_view::npos && text.substr(dash).starts_with("- ") ? std::optional(dash) : std::nullopt;
}

/// The first error in the file, with its hint, or "".
std::string first_error(const RuleFile& file) {
  const auto found = std::ranges::find(file.problems, ConfigProblem::Severity::Error, &ConfigProblem::severity);
  return found == file.problems.end() ? "" : found->message + (found->hint.empty() ? "" : " (" + found->hint + ")");
}

/// Whether the new file has the old hooks, unchanged, and so many more.
bool has_more(const RuleFile& before, const RuleFile& after, size_t more) {
  return after.hooks.size() == before.hooks.size() + more &&
         std::ranges::equal(before.hooks, std::span(after.hooks).first(before.hooks.size()), {}, &HookSpec::definition,
                            &HookSpec::definition);
}

/// The entries, which are indented as usual, with another indentation.
std::string indented(const std::string& entries, size_t indent) {
  std::string out;
  const std::string_view lines = std::string_view(entries).substr(0, entries.size() - 1);
  for (const std::string_view line : text::split(lines, '\n')) {
    if (!line.empty()) out += std::string(indent, ' ') + std::string(line.substr(kUsualIndent));
    out += '\n';
  }
  return out;
}

}  // namespace

std::string rule_text(const NewRule& rule) {
  const std::string space(kUsualIndent, ' ');
  std::string out = space + "- name: " + scalar(rule.name) + "\n";
  if (!rule.description.empty()) out += space + "  description: " + scalar(rule.description) + "\n";
  out += space + "  on: " + list_or_one(rule.events) + "\n";
  if (!rule.when.empty()) out += space + "  when: " + condition_text(rule.when) + "\n";
  out += space + "  " + rule.action + ": " + scalar(rule.value) + "\n";
  if (!rule.sandbox.empty()) out += space + "  sandbox: " + rule.sandbox + "\n";
  if (!rule.answers.empty()) out += space + "  answers: " + list_or_one(rule.answers) + "\n";
  return out;
}

// The rule is checked alone first, for a good message.
Result<std::string> add_rule(const std::string& file, const NewRule& rule, const std::string& path) {
  const RuleFile alone = read_rules("version: 1\nhooks:\n" + rule_text(rule), {Scope::User, path, std::nullopt});
  if (const std::string mistake = first_error(alone); !mistake.empty()) return fail(Errc::BadInput, mistake);
  auto added = add_entries(file, rule_text(rule), path);
  if (!added && added.error().code == Errc::BadConfig) {
    added.error().message += "\nThis is the rule:\n" + rule_text(rule);
    added.error().message.pop_back();
  }
  return added;
}

Result<void> write_rule(const NewRule& rule, const std::string& path) {
  constexpr size_t kMaxFile = size_t{16} << 20;
  constexpr mode_t kFileMode = 0644;
  constexpr mode_t kDirectoryMode = 0755;
  std::string before;
  if (os::stamp(path)) {
    auto text = os::read_file(path, kMaxFile);
    if (!text) return std::unexpected(text.error());
    before = std::move(*text);
  }
  const auto after = add_rule(before, rule, short_path(path));
  if (!after) return std::unexpected(after.error());
  if (auto made = os::make_parent_dirs(path, kDirectoryMode); !made) return made;
  return os::write_file_atomic(path, *after, kFileMode);
}

// The file is extended as text, so that comments and layout stay. The new text is read back at the end, because
// appending only works if the list of hooks is the last thing in the file.
Result<std::string> add_entries(const std::string& file, const std::string& entries, const std::string& path) {
  const RuleFileOptions options{Scope::User, path, std::nullopt};
  const RuleFile added = read_rules("version: 1\nhooks:\n" + entries, options);
  const RuleFile before = read_rules(file, options);
  if (!first_error(before).empty()) {
    return fail(Errc::BadConfig, path + " has mistakes; `grapnel check` shows them");
  }
  for (const HookSpec& hook : added.hooks) {
    const auto taken = std::ranges::find(before.hooks, hook.name, &HookSpec::name);
    if (taken == before.hooks.end()) continue;
    return fail(Errc::BadInput, "a hook '" + hook.name + "' already exists in " + taken->source_text());
  }

  std::string out = file;
  if (!out.empty() && !out.ends_with('\n')) out += '\n';
  const auto document = read_yaml_fields(file, path);
  const YamlNode* hooks = document ? document->root.find("hooks") : nullptr;
  if (document && document->root.members.empty()) out += "version: 1\n";
  if (hooks == nullptr) out += "hooks:\n";
  const size_t indent = hooks == nullptr ? kUsualIndent : dash_column(file, *hooks).value_or(kUsualIndent);
  const bool follows = hooks != nullptr && !hooks->members.empty();
  out += (follows ? "\n" : "") + indented(entries, indent);
  if (has_more(before, read_rules(out, options), added.hooks.size())) return out;
  return fail(Errc::BadConfig,
              path +
                  ": cannot append to the hooks because of the way the file is written; put the list 'hooks' at its "
                  "end, one entry below the other, or add them by hand");
}

}  // namespace grapnel::cli
