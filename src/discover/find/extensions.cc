#include "discover/find/extensions.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/text.h"
#include "os/files.h"

namespace grapnel {

namespace {

namespace fs = std::filesystem;
using Variables = std::vector<std::pair<std::string, std::string>>;

/// The directories in `root`, sorted. A link that leads nowhere today may lead to a directory later, so such links go
/// to `others` and are watched.
std::vector<std::string> directories_in(const std::string& root, std::vector<std::string>& others) {
  std::vector<std::string> out;
  std::error_code error;
  for (fs::directory_iterator at(root, error), end; !error && at != end; at.increment(error)) {
    std::error_code no_directory;
    std::vector<std::string>* to = at->is_directory(no_directory) ? &out
                                   : at->is_symlink(no_directory) ? &others
                                                                  : nullptr;
    if (to != nullptr) to->push_back(at->path().string());
  }
  std::ranges::sort(out);
  return out;
}

std::string in(const std::string& directory, std::string_view name) {
  return directory + "/" + std::string(name);
}

/// Rules are compared as text, and their directories start and end with a slash.
std::string with_slashes(std::string path) {
  if (!path.starts_with('/')) path.insert(0, "/");
  if (!path.ends_with('/')) path += '/';
  return path;
}

/// Whether a rule applies to a directory. `/some/directory/` applies to that directory only, `/some/directory/*` also
/// to everything below it.
bool is_about(std::string_view rule, std::string_view directory) {
  const bool takes_below = rule.ends_with('*');
  if (takes_below) rule.remove_suffix(1);
  return takes_below ? directory.starts_with(rule) : directory == rule;
}

/// The variables of a text with `NAME=value` lines. Quotes around a value are removed; comments and other lines are
/// skipped.
Variables read_assignments(std::string_view text) {
  Variables out;
  for (const std::string_view line : text::split(text, '\n')) {
    const size_t equals = std::min(line.find('='), line.size());
    const std::string_view name = text::trim(line.substr(0, equals));
    if (equals == line.size() || name.empty() || name.starts_with('#')) continue;
    std::string_view value = text::trim(line.substr(equals + 1));
    const bool is_quoted = value.size() >= 2 && (value.front() == '"' || value.front() == '\'');
    if (is_quoted && value.back() == value.front()) value = value.substr(1, value.size() - 2);
    out.emplace_back(name, value);
  }
  return out;
}

/// The text with every known `${name}` replaced. Unknown names stay, because the shell may know them.
std::string fill_in(std::string_view text, const Variables& variables) {
  std::string out;
  while (true) {
    const size_t open = text.find("${");
    const size_t close = open == std::string_view::npos ? open : text.find('}', open);
    if (close == std::string_view::npos) return out + std::string(text);
    const std::string_view name = text.substr(open + 2, close - open - 2);
    const auto known = std::ranges::find(variables, name, &Variables::value_type::first);
    out += text.substr(0, open);
    out += known == variables.end() ? text.substr(open, close + 1 - open) : std::string_view(known->second);
    text.remove_prefix(close + 1);
  }
}

/// Reads one directory of extensions. Every path that is tried is added to `watched`, including missing ones, since the
/// file may appear later.
class ExtensionReader {
 public:
  explicit ExtensionReader(const ExtensionRoot& root) : root_(root), names_(root.dialect.files.extensions) {}

  ExtensionHooks read() {
    out_.watched.push_back(root_.directory);
    const std::vector<std::string> directories = directories_in(root_.directory, out_.watched);
    // Without extensions there is nothing to switch off, and one file less to watch.
    if (!directories.empty()) read_overrides();
    for (const std::string& directory : directories) read_extension(directory);
    return std::move(out_);
  }

 private:
  void read_overrides() {
    const std::string path = in(root_.directory, names_.overrides);
    const auto text = load(path);
    if (!text) return;
    const auto json = Json::parse(*text);
    if (json && json->is_object()) {
      overrides_ = *json;
    } else {
      report(path, "this file does not say which extensions are switched off: it is not a JSON object",
             "until it is fixed, all extensions are on");
    }
  }

  /// Extensions are on by default. The rules are applied in order, so the last one that applies to the project decides.
  bool is_on(const std::string& name) const {
    const std::string project = with_slashes(root_.project_dir);
    bool on = true;
    for (const Json& rule : overrides_[name]["overrides"].elements()) {
      const std::string text = rule.as_string().value_or("");
      const bool switches_off = text.starts_with('!');
      if (is_about(std::string_view(text).substr(switches_off ? 1 : 0), project)) on = !switches_off;
    }
    return on;
  }

  void read_extension(const std::string& directory) {
    const std::string manifest_path = in(directory, names_.manifest);
    const auto manifest_text = load(manifest_path);
    // A directory without a manifest is no extension and may be anything.
    if (!manifest_text) return;
    const auto manifest = Json::parse(*manifest_text, {.comments = true});
    const std::string name = manifest ? (*manifest)["name"].as_string().value_or("") : "";
    if (name.empty())
      return report(manifest_path, "the extension has no 'name'", "add one; until then its hooks are not loaded");
    if (is_on(name)) read_hooks(directory, *manifest);
  }

  void read_hooks(const std::string& directory, const Json& manifest) {
    const std::string path = in(directory, names_.hooks);
    auto text = load(path);
    if (!text) return;
    SettingsFile file = read_settings(std::move(*text), {&root_.dialect, Scope::Extension, path});
    file.toggles = {};  // an extension brings its own hooks and must not change how other hooks run
    const Variables settings = settings_of(directory, manifest);
    for (ParsedHook& hook : file.hooks) fill_in_hook(hook.spec, directory, settings);
    out_.files.push_back(std::move(file));
  }

  /// The values of the variables that the manifest declares. Others in the `.env` file are ignored.
  Variables settings_of(const std::string& directory, const Json& manifest) {
    const Json asked = manifest["settings"];
    if (asked.size() == 0) return {};
    Variables out = read_assignments(load(in(directory, names_.settings)).value_or(""));
    std::erase_if(out, [&](const auto& variable) {
      for (const Json& setting : asked.elements()) {
        if (setting["envVar"].equals_string(variable.first)) return false;
      }
      return true;
    });
    return out;
  }

  /// Replaces variables in all texts of a hook and adds the settings to the environment of its command. A setting takes
  /// precedence over a variable of the same name in the hook.
  void fill_in_hook(HookSpec& spec, const std::string& directory, const Variables& settings) const {
    Variables variables = {{std::string(names_.own_path), directory},
                           {std::string(names_.project), root_.project_dir},
                           {"/", "/"},
                           {"pathSeparator", "/"}};
    variables.insert(variables.end(), settings.begin(), settings.end());
    spec.name = fill_in(spec.name, variables);
    spec.description = fill_in(spec.description, variables);
    auto* command = std::get_if<CommandHandler>(&spec.handler);
    if (command == nullptr) return;
    command->command = fill_in(command->command, variables);
    for (auto& [name, value] : command->env) value = fill_in(value, variables);
    for (const auto& [name, value] : settings) {
      std::erase_if(command->env, [&](const auto& own) { return own.first == name; });
      command->env.emplace_back(name, value);
    }
  }

  /// The text of a file; nothing when it does not exist, or cannot be read and is reported.
  std::optional<std::string> load(const std::string& path) {
    out_.watched.push_back(path);
    if (!os::stamp(path)) return std::nullopt;
    auto text = os::read_file(path, root_.max_file_bytes);
    if (text) return std::move(*text);
    report(path, text.error().message);
    return std::nullopt;
  }

  void report(const std::string& path, std::string message, std::string hint = {}) {
    out_.problems.push_back({ConfigProblem::Severity::Error, std::move(message), {path, 0, 0}, std::move(hint)});
  }

  const ExtensionRoot& root_;
  const ExtensionFiles& names_;
  Json overrides_;
  ExtensionHooks out_;
};

}  // namespace

ExtensionHooks read_extensions(const ExtensionRoot& root) {
  return ExtensionReader(root).read();
}

}  // namespace grapnel
