#include "discover/formats/hook_md.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>

#include "base/text.h"
#include "discover/formats/frontmatter.h"
#include "discover/formats/hook_entry.h"
#include "discover/formats/hook_fields.h"
#include "discover/formats/hook_name.h"
#include "discover/formats/hook_script.h"
#include "discover/formats/hooks_toml.h"
#include "discover/formats/yaml_mistake.h"
#include "os/files.h"
#include "trust/sha256.h"
#include "trust/trust_store.h"

namespace grapnel {

namespace {

namespace fs = std::filesystem;

/// Bounds the time and memory that one directory can cost.
constexpr size_t kMaxHooks = 20000;
// Above these sizes there is a warning; the hook is loaded all the same.
constexpr size_t kMetadataTokens = 100;
constexpr size_t kDocumentTokens = 1000;
constexpr size_t kLettersPerToken = 4;

bool is_there(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// The path of a directory's HOOK.md or, if there is none, its hook.md; "" without either.
std::string document_of(const std::string& directory) {
  for (const std::string name : {"/HOOK.md", "/hook.md"}) {
    if (is_there(directory + name)) return directory + name;
  }
  return "";
}

/// The directories in `root`, sorted. A link that leads nowhere today may lead to a directory later, so such links go
/// to `others` and are watched.
std::vector<std::string> directories_in(const std::string& root, std::vector<std::string>* others = nullptr) {
  std::vector<std::string> out;
  std::error_code error;
  for (fs::directory_iterator entry(root, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code unreadable;
    if (entry->is_directory(unreadable)) {
      out.push_back(entry->path().string());
    } else if (others != nullptr && entry->is_symlink(unreadable)) {
      others->push_back(entry->path().string());
    }
  }
  std::ranges::sort(out);
  return out;
}

/// A rough number of tokens: four ASCII characters make one token, and every character of another script is one.
size_t estimate_tokens(std::string_view text) {
  const auto letters = static_cast<size_t>(std::ranges::count_if(text, [](char c) { return (c & 0x80) == 0; }));
  return letters / kLettersPerToken + count_characters(text) - letters;
}

/// Where a hook was found.
struct Spot {
  std::string directory;
  Scope scope = Scope::User;
  bool is_named = false;  ///< the user named it; otherwise it was found in a root
};

/// Reads roots in layering order and keeps the `hooks.toml` of every root so far: what an upper root says also applies
/// to the roots below it. The `hooks.toml` of a project applies to its own root only.
class HookMdReader {
 public:
  explicit HookMdReader(const HookMdOptions& options) : options_(options) {}

  /// Reads `hooks.toml` first, since it changes how the hooks of the root are read. The hooks are sorted by name only
  /// after duplicates are dropped, because the order of directories decides which duplicate stays.
  void read_root(const HookRoot& root, bool is_named) {
    out_.watched.push_back(root.path);
    std::error_code error;
    if (!fs::is_directory(root.path, error)) return;
    const size_t settings_above = settings_.size();
    read_toml(root.path + "/hooks.toml");
    // The hooks that a worktree takes from the main one stand among its own, in the same order as there.
    const bool joins = !root.unless_in.empty() && last_root_ == root.unless_in;
    const size_t first = joins ? last_first_ : out_.hooks.size();
    last_root_ = root.path;
    last_first_ = first;
    for (const std::string& directory : directories_in(root.path, &out_.watched)) {
      if (out_.hooks.size() >= kMaxHooks)
        return report(root.path, "this directory holds more than 20000 hooks; the rest are not loaded");
      if (is_left_out(directory, root)) continue;
      if (!document_of(directory).empty()) {
        read_hook({directory, root.scope, is_named});
      } else {
        hint_at_nested(directory);
      }
    }
    drop_namesakes(first);
    const auto own = out_.hooks.begin() + static_cast<std::ptrdiff_t>(first);
    std::ranges::stable_sort(own, out_.hooks.end(), {}, &HookSpec::name);
    if (root.project.empty()) return;
    for (auto hook = own; hook != out_.hooks.end(); ++hook) {
      hook->project = root.project;
      hook->trusted_as = root.trusted_as;
    }
    // What one directory of a project says must not switch off hooks of another one.
    settings_.resize(settings_above);
  }

  /// Reads one hook directory. A mistake in the frontmatter leaves the hook out, and it is reported.
  void read_hook(const Spot& place) {
    const std::string path = document_of(place.directory);
    // HOOK.md takes precedence over hook.md as soon as it exists.
    if (!path.ends_with("/HOOK.md")) out_.watched.push_back(place.directory + "/HOOK.md");
    out_.watched.push_back(path);
    out_.watched_by_hook[path].push_back(place.directory + "/scripts");
    const auto document = os::read_file(path, options_.max_file_bytes);
    if (!document) return report(path, document.error().message);
    auto head = read_frontmatter(*document, path);
    if (!head) return out_.problems.push_back(explain_yaml_error(*document, head.error()));
    std::ranges::move(head->warnings, std::back_inserter(out_.problems));
    if (path.ends_with("/hook.md")) warn({path, 1, 1}, "the file should be called HOOK.md");

    // A link may have any name; the directory that it leads to counts.
    const std::string name = fs::path(canonical_directory(place.directory)).filename().string();
    const YamlNode fields = with_settings(head->root);
    const auto hook = read_hook_fields(fields, {options_.dialect, name, place.is_named}, out_.problems);
    if (!hook) return;
    check_budgets(*hook, head->root, *document, path);
    HookSpec spec = make_spec(*hook, place, path);
    // Trust is given to this text. The hash covers the prose as well, so any change to the file needs trust again.
    spec.definition = Json::object({{"dialect", Json::string(options_.dialect.name)},
                                    {"hook", to_json(fields)},
                                    {"document", Json::string(Sha256().add(*document).hex())}})
                          .dump();
    out_.hooks.push_back(std::move(spec));
  }

  void report(const std::string& path, std::string message) {
    out_.problems.push_back({ConfigProblem::Severity::Error, std::move(message), {path, 0, 0}, ""});
  }

  HookMdHooks take() { return std::move(out_); }

 private:
  /// Whether the other directory has a hook of that name. If it has none, it may get one later.
  bool is_left_out(const std::string& directory, const HookRoot& root) {
    if (root.unless_in.empty()) return false;
    const std::string other = root.unless_in + directory.substr(directory.rfind('/'));
    out_.watched.push_back(other);
    std::error_code error;
    return fs::is_directory(other, error);
  }

  void warn(SourcePos at, std::string message, std::string hint = {}) {
    out_.problems.push_back({ConfigProblem::Severity::Warning, std::move(message), std::move(at), std::move(hint)});
  }

  /// Reads a `hooks.toml`. Unusable defaults are removed here, or they would make every hook fail.
  void read_toml(const std::string& path) {
    out_.watched.push_back(path);
    if (!is_there(path)) return;
    const auto text = os::read_file(path, options_.max_file_bytes);
    if (!text) return report(path, text.error().message);
    HooksToml toml = read_hooks_toml(*text, path);
    std::ranges::move(toml.problems, std::back_inserter(out_.problems));
    decltype(toml.defaults.members) usable;
    for (auto& member : toml.defaults.members) {
      if (check_default(member.key, member.value, options_.dialect, out_.problems)) usable.push_back(std::move(member));
    }
    toml.defaults.members = std::move(usable);
    settings_.push_back(std::move(toml));
  }

  /// The fields of a hook after `hooks.toml` is applied. Three layers, the later ones on top: defaults, the hook's own
  /// fields, overrides. Defaults are applied from the uppermost root down, so the nearest one wins. Overrides are
  /// applied from the lowest root up, so the uppermost wins: a project cannot undo the user's override.
  YamlNode with_settings(const YamlNode& own) const {
    YamlNode fields;
    fields.kind = YamlNode::Kind::Map;
    fields.at = own.at;
    for (const HooksToml& toml : settings_) fields.overlay(toml.defaults);
    // A timeout from the environment takes precedence over the defaults in files, but not over the hook.
    if (options_.default_timeout) std::erase_if(fields.members, [](const auto& m) { return m.key == "timeout"; });
    fields.overlay(own);
    const YamlNode* name = own.find("name");
    for (auto toml = settings_.rbegin(); name != nullptr && toml != settings_.rend(); ++toml) {
      for (const auto& [meant, changes] : toml->overrides) {
        if (normalise_name(meant) == normalise_name(name->text)) fields.overlay(changes);
      }
    }
    return fields;
  }

  /// Any root so far may switch a hook off; none can switch it on again.
  bool is_switched_off(const std::string& name) const {
    return std::ranges::any_of(settings_, [&](const HooksToml& toml) {
      return toml.enabled == false ||
             std::ranges::any_of(toml.disabled, [&](const auto& off) { return normalise_name(off) == name; });
    });
  }

  HookSpec make_spec(const HookFields& hook, const Spot& place, const std::string& path) {
    HookSpec spec;
    spec.name = hook.name;
    spec.description = hook.description;
    spec.events.set(static_cast<size_t>(hook.event->kind));
    spec.event_name = hook.trigger;
    spec.dialect = &options_.dialect;
    spec.scope = place.scope;
    spec.source = {path, 0, 0};
    spec.clauses = hook.clauses;
    spec.handler = make_handler(hook, place.directory, path);
    spec.timeout = hook.timeout.value_or(options_.default_timeout.value_or(options_.dialect.timeouts.by_default));
    spec.async = hook.async.value_or(false);
    spec.priority = hook.priority;
    spec.enabled = !is_switched_off(hook.name);
    spec.failure = read_policy(hook, path);
    if (hook.sandbox) spec.sandbox = *hook.sandbox;
    // With an identity, a trusted project hook of the same name may replace this one.
    if (!place.is_named && hook.metadata_of("overridable") != "false") spec.identity = hook.name;
    // Trust covers HOOK.md and every script, also those that only other scripts call.
    spec.files = files_of_scripts(place.directory);
    spec.files.insert(spec.files.begin(), path);
    return spec;
  }

  /// The command that starts the script. A hook without a script is reported, but it stays in the list, so that it
  /// fails when its event fires instead of disappearing.
  CommandHandler make_handler(const HookFields& hook, const std::string& directory, const std::string& path) {
    const auto entry = find_hook_script(directory);
    if (!entry) {
      out_.problems.push_back({ConfigProblem::Severity::Error,
                               "hook '" + hook.name + "' has nothing to run",
                               {path, 1, 1},
                               "create scripts/run, scripts/run.sh or scripts/run.py"});
    } else {
      out_.watched_by_hook[path].push_back(entry->script);
      if (!entry->is_startable) report(entry->script, "this file must be executable");
    }
    const std::string usual = directory + "/scripts/run";
    return {entry ? entry->command : usual,
            entry ? entry->arguments : std::vector<std::string>{},
            {{"AGENT_HOOK_DIR", directory}, {"AGENT_HOOK_NAME", hook.name}, {"AGENT_HOOK_EVENT", hook.trigger}}};
  }

  /// What happens when the hook fails. By default the agent goes on; `metadata.on_error` can ask for more.
  FailurePolicy read_policy(const HookFields& hook, const std::string& path) {
    const std::string_view wish = hook.metadata_of("on_error");
    const OnFailure usual = options_.dialect.failure.on_failure;
    const auto meaning = read_failure_word(options_.dialect, wish);
    if (!meaning && !wish.empty()) {
      warn({path, 1, 1},
           "metadata.on_error must be " + failure_words_text(options_.dialect) + ", not '" + std::string(wish) + "'");
    }
    return {meaning.value_or(usual), meaning.value_or(usual), std::nullopt, meaning.value_or(OnFailure::Closed)};
  }

  /// Warns about long texts. Agents load the name and the description in every session.
  void check_budgets(const HookFields& hook, const YamlNode& own, const std::string& document,
                     const std::string& path) {
    const size_t metadata = estimate_tokens(hook.name) + estimate_tokens(hook.description) + 4;
    const YamlNode* description = own.find("description");
    if (metadata > kMetadataTokens && description != nullptr) {
      warn(description->at, "name and description are about " + std::to_string(metadata) + " tokens",
           "every session loads them; keep them below 100 tokens");
    }
    const size_t all = estimate_tokens(document);
    if (all <= kDocumentTokens) return;
    warn({path, 1, 1}, "the file is about " + std::to_string(all) + " tokens", "keep it below 1000 tokens");
  }

  /// Warns about hooks that are one level too deep, as when a repository of hooks is cloned into the root. Without the
  /// warning, people would wonder why their hooks do not run.
  void hint_at_nested(const std::string& directory) {
    out_.watched.push_back(directory);
    for (const std::string& nested : directories_in(directory, &out_.watched)) {
      out_.watched.push_back(nested);
      if (document_of(nested).empty()) continue;
      return warn(
          {nested, 0, 0},
          "this hook is one level too deep; hooks must be directly below " + directory.substr(0, directory.rfind('/')),
          "move or link the directory there");
    }
  }

  /// When two directories of a root have a hook of the same name, the later directory wins.
  void drop_namesakes(size_t first) {
    std::set<std::string> seen;
    for (size_t i = out_.hooks.size(); i-- > first;) {
      if (seen.insert(out_.hooks[i].name).second) continue;
      warn(out_.hooks[i].source,
           "another directory here has a hook '" + out_.hooks[i].name + "' too, and that one is used",
           "rename one of them");
      out_.hooks.erase(out_.hooks.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }

  const HookMdOptions& options_;
  std::vector<HooksToml> settings_;  ///< of the roots so far
  std::string last_root_;            ///< the root that was read last, and…
  size_t last_first_ = 0;            ///< …where its hooks begin
  HookMdHooks out_;
};

/// The directory of a hook whose HOOK.md is named; any other path is returned unchanged.
std::string directory_of(const std::string& path) {
  const fs::path file(path);
  if (text::to_lower(file.filename().string()) != "hook.md") return path;
  return file.has_parent_path() ? file.parent_path().string() : ".";
}

}  // namespace

HookMdHooks read_hook_roots(std::span<const HookRoot> roots, const HookMdOptions& options) {
  HookMdReader reader(options);
  for (const HookRoot& root : roots) reader.read_root(root, false);
  return reader.take();
}

HookMdHooks read_named_hooks(const std::string& path, const HookMdOptions& options) {
  HookMdReader reader(options);
  const std::string directory = directory_of(path);
  std::error_code error;
  if (!fs::exists(directory, error)) {
    reader.report(path, "path does not exist: " + path);
  } else if (!fs::is_directory(directory, error)) {
    reader.report(path, "Not a directory: " + path);
  } else if (!document_of(directory).empty()) {
    reader.read_hook({directory, Scope::User, true});
    // Not a hook itself, but a root with hooks below it.
  } else if (!hook_md_files(directory).empty()) {
    reader.read_root({Scope::User, directory}, true);
  } else {
    reader.report(path, "Missing required file: HOOK.md");
  }
  return reader.take();
}

bool names_hook_directory(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error) || directory_of(path) != path;
}

std::vector<std::string> hook_md_files(const std::string& path) {
  const std::string directory = directory_of(path);
  if (std::string own = document_of(directory); !own.empty()) return {std::move(own)};
  std::vector<std::string> out;
  for (const std::string& child : directories_in(directory)) {
    if (std::string document = document_of(child); !document.empty()) out.push_back(std::move(document));
  }
  return out;
}

const Dialect& hook_directory_dialect() {
  const auto has_directories = [](const Dialect* dialect) {
    return std::ranges::any_of(dialect->files.places,
                               [](const auto& place) { return place.format == PlaceFormat::HookDirectories; });
  };
  return **std::ranges::find_if(all_dialects(), has_directories);
}

}  // namespace grapnel
