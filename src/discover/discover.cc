#include "discover/discover.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "discover/cache/discovery_cache.h"
#include "discover/cache/watched_files.h"
#include "discover/file_reader.h"
#include "discover/find/bridge_entry.h"
#include "discover/find/extensions.h"
#include "discover/find/layers.h"
#include "discover/formats/hook_md.h"
#include "discover/formats/rule_file.h"
#include "discover/formats/settings_file.h"
#include "discover/last_good.h"
#include "trust/pinned_files.h"
#include "trust/sha256.h"
#include "trust/trust_store.h"

namespace grapnel {

namespace {

/// Swapping into an empty list saves moving every hook.
void append_hooks(std::vector<HookSpec>& to, std::vector<HookSpec> from) {
  if (to.empty()) return to.swap(from);
  std::ranges::move(from, std::back_inserter(to));
}

/// Reads everything into one registry.
///
/// The steps depend on each other. The cache is asked first and holds everything that comes from files alone. Trust is
/// decided after that and in every run, because the cache must never make a changed project hook trusted. Only then do
/// project hooks replace user hooks of the same name, and only the final list is sorted into running order.
class Discovery {
 public:
  explicit Discovery(const DiscoverOptions& options) : options_(options) {}

  Discovered run() {
    // Taken before the first file is read: the cache refuses files that changed after this moment.
    const auto started = std::chrono::system_clock::now();
    const DiscoveryCache cache(options_);
    if (auto kept = cache.load(options_.only_event)) {
      out_ = std::move(*kept);
    } else {
      reader_.emplace(options_, out_);
      read_all();
      // With project hooks in the list the order and the digest depend on trust, so both are left open in the cache.
      if (!needs_trust()) arrange(out_.registry);
      cache.store(out_, started);
    }
    if (needs_trust()) {
      judge_trust();
      replace_namesakes();
      arrange(out_.registry);
    }
    if (!out_.registry.broken.empty()) judge_broken();
    if (reader_) reader_->keep_good();
    if (options_.only_event == nullptr) watch_all();
    return std::move(out_);
  }

 private:
  /// Reads every source, without the cache. Fills `registry` and `sources`; nothing is sorted and no trust is decided.
  void read_all() {
    if (options_.use_standard_places) read_standard_places();
    for (const ExplicitFile& file : options_.files) read_explicit(file);
    for (const ConfigObject& object : options_.objects) read_object(object);
    leave_out_bridges();
    keep_parts_apart();
    watch_what_has_no_hook();
    if (options_.roots.env != nullptr) out_.sources.condense(options_.roots.env->state_dir());
  }

  /// Only hooks that came with a project need trust: they may be from a stranger's repository.
  static bool is_of_project(const HookSpec& hook) { return hook.scope == Scope::Project || hook.scope == Scope::Local; }
  bool needs_trust() const { return std::ranges::any_of(out_.registry.hooks, is_of_project); }

  /// Reads dialect by dialect, because the files of one dialect are layered over each other. Hook directories are
  /// collected first and read together for the same reason: the `hooks.toml` of an upper root also applies to lower
  /// roots.
  void read_standard_places() {
    std::vector<std::string> probed;
    const std::vector<HookFile> places = hook_file_places(options_.roots, &probed);
    watch(std::move(probed));
    for (const Dialect* dialect : all_dialects()) {
      std::vector<SettingsFile> files;
      std::vector<HookRoot> roots;
      for (const HookFile& place : places) {
        if (place.dialect != dialect || is_run_elsewhere(place)) continue;
        if (place.format == PlaceFormat::HookDirectories) {
          roots.push_back({place.scope, place.path, place.project, place.trusted_as, place.unless_in});
        } else if (place.format == PlaceFormat::Extensions) {
          take_extensions(place, files);
        } else if (place.format == PlaceFormat::SettingsDirectory) {
          read_settings_directory(place, files);
        } else if (place.format == PlaceFormat::Rules) {
          if (auto file = reader_->rules(place)) take_rules(std::move(*file), is_of_fleet(place));
        } else if (auto file = reader_->settings(place)) {
          files.push_back(std::move(*file));
        }
      }
      warn_of_twins(files);
      append_hooks(out_.registry.hooks, layer_files(std::move(files), {options_.default_timeout}));
      if (!roots.empty()) take_directories(read_hook_roots(roots, directory_options(*dialect)));
    }
  }

  /// Whether the agent that calls us already runs the hooks of that place itself; running them here would run them
  /// twice.
  bool is_run_elsewhere(const HookFile& place) const {
    const Dialect* agent = options_.bridged;
    if (agent == nullptr) return false;
    if (place.dialect == agent || place.dialect->files.sibling == agent) return true;
    return std::ranges::any_of(agent->files.runs_itself, [&](const ForeignFiles& files) {
      const bool is_read = std::ranges::find(files.scopes, place.scope) != files.scopes.end();
      return files.dialect == place.dialect->name && is_read;
    });
  }

  /// Whether the place has the policy of a fleet, which is signed. Workers run nothing else.
  bool is_of_fleet(const HookFile& place) const {
    return place.scope == Scope::Managed && options_.roots.env != nullptr &&
           place.path.starts_with(options_.roots.env->state_dir() + "/fleet/");
  }

  /// Rule files are not layered: each rule names its event and stands for itself.
  void take_rules(RuleFile file, bool is_of_fleet = false) {
    for (HookSpec& hook : file.hooks) hook.is_job &= is_of_fleet;
    append_hooks(out_.registry.hooks, std::move(file.hooks));
  }

  /// Reads each file of the directory as a settings file of its own. The directory itself is watched, too, since a new
  /// file changes only the stamp of the directory.
  void read_settings_directory(HookFile place, std::vector<SettingsFile>& files) {
    out_.sources.stamps.emplace_back(place.path, os::stamp(place.path));
    if (!out_.sources.stamps.back().second) return;
    place.format = PlaceFormat::Settings;
    for (std::string& path : settings_files_in(place.path)) {
      const std::string other = place.unless_in.empty() ? "" : place.unless_in + path.substr(path.rfind('/'));
      if (!other.empty()) out_.sources.stamps.emplace_back(other, os::stamp(other));
      if (!other.empty() && out_.sources.stamps.back().second) continue;
      place.path = std::move(path);
      if (auto file = reader_->settings(place)) files.push_back(std::move(*file));
    }
  }

  HookMdOptions directory_options(const Dialect& dialect) const {
    return {dialect, options_.default_timeout, options_.max_file_bytes};
  }

  /// The settings files of extensions join `files`, so that they are layered with the settings of the same dialect.
  void take_extensions(const HookFile& place, std::vector<SettingsFile>& files) {
    ExtensionHooks found =
        read_extensions({*place.dialect, place.path, options_.roots.project_dir, options_.max_file_bytes});
    watch(std::move(found.watched));
    std::ranges::move(found.problems, std::back_inserter(out_.registry.problems));
    for (SettingsFile& file : found.files) {
      reader_->take_problems(file);
      files.push_back(std::move(file));
    }
  }

  /// Warns when an agent finds hooks in both of its formats, because the user probably meant to have only one file.
  void warn_of_twins(const std::vector<SettingsFile>& files) {
    for (size_t i = 0; i < files.size(); ++i) {
      for (size_t j = 0; j < i; ++j) {
        const bool are_twins = files[i].scope == files[j].scope && !files[i].hooks.empty() && !files[j].hooks.empty() &&
                               format_of(files[i].path) != format_of(files[j].path);
        if (!are_twins) continue;
        out_.registry.problems.push_back({ConfigProblem::Severity::Warning,
                                          files[j].path + " defines hooks too, and the hooks of both files run",
                                          {files[i].path, 0, 0},
                                          "move them into one file"});
      }
    }
  }

  /// Takes the hooks and the paths to watch. The paths that matter to a single hook are kept apart: they are checked
  /// only when that hook is read.
  void take_directories(HookMdHooks found) {
    append_hooks(out_.registry.hooks, std::move(found.hooks));
    std::ranges::move(found.problems, std::back_inserter(out_.registry.problems));
    watch(std::move(found.watched));
    for (auto& [file, paths] : found.watched_by_hook) add_stamps(out_.sources.of_hooks[file], std::move(paths));
  }

  void watch(std::vector<std::string> paths) { add_stamps(out_.sources.stamps, std::move(paths)); }

  static void add_stamps(Sources::Stamps& to, std::vector<std::string> paths) {
    for (std::string& path : paths) {
      auto stamp = os::stamp(path);
      to.emplace_back(std::move(path), stamp);
    }
  }

  /// A process that serves many events may run any hook, so the stamps of all hooks matter.
  void watch_all() {
    for (auto& [file, own] : out_.sources.of_hooks) std::ranges::move(own, std::back_inserter(out_.sources.stamps));
    out_.sources.of_hooks.clear();
  }

  /// A file without hooks, or with a problem, must be checked always: no hook will run that would check it.
  void watch_what_has_no_hook() {
    std::set<std::string_view> good;
    for (const HookSpec& hook : out_.registry.hooks) good.insert(hook.source.file);
    for (const ConfigProblem& problem : out_.registry.problems) good.erase(problem.at.file);
    std::erase_if(out_.sources.of_hooks, [&](auto& own) {
      if (good.contains(own.first)) return false;
      std::ranges::move(own.second, std::back_inserter(out_.sources.stamps));
      return true;
    });
  }

  /// Reads a file that the user named. Without a dialect, the name decides first, then the events that the file
  /// mentions.
  void read_explicit(const ExplicitFile& file) {
    // A hook directory is no file to load, so it is recognised first.
    const Dialect& directories = hook_directory_dialect();
    if (names_hook_directory(file.path) || file.dialect == directories.name) {
      return take_directories(read_named_hooks(file.path, directory_options(directories)));
    }
    const size_t known_problems = out_.registry.problems.size();
    auto text = reader_->load(file.path, true);
    if (!text) return reader_->note_named(file.path, known_problems);
    if (names_rule_file(file.path) || file.dialect == kGrapnelDialect.name) {
      RuleFile rules = read_rules(*text, {Scope::User, file.path, options_.default_timeout});
      reader_->take_problems(rules);
      if (rules.is_broken) reader_->note_named(file.path, known_problems);
      return take_rules(std::move(rules));
    }
    const Dialect* dialect = find_dialect(file.dialect);
    if (!file.dialect.empty() && dialect == nullptr) return report(file.path, "unknown dialect '" + file.dialect + "'");
    if (dialect == nullptr) {
      // The content decides: `fitting_dialects` counts the events and settings of each dialect.
      const auto root = parse_settings(*text, format_of(file.path));
      std::vector<const Dialect*> fitting;
      if (root) fitting = fitting_dialects(*root, file.path, find_dialect(file.likely_dialect));
      if (root && fitting.empty())
        return report(file.path, "this file names no event of any known agent; name its dialect");
      if (fitting.size() > 1) warn_of_choice(file.path, fitting);
      // Without a root, the text has a syntax error, which any reader reports.
      dialect = root ? fitting.front() : all_dialects().back();
    }
    std::vector<SettingsFile> files;
    files.push_back(read_settings(std::move(*text), {dialect, Scope::User, file.path, format_of(file.path)}));
    reader_->take_problems(files.back());
    if (files.back().is_broken) reader_->note_named(file.path, known_problems);
    append_hooks(out_.registry.hooks, layer_files(std::move(files), {options_.default_timeout}));
  }

  /// The same hook may mean something else in another agent, so people are told when the choice was a guess.
  void warn_of_choice(const std::string& path, const std::vector<const Dialect*>& fitting) {
    std::string names;
    for (size_t i = 0; i < fitting.size(); ++i) {
      const std::string_view separator = i == 0 ? "" : i + 1 == fitting.size() ? " and " : ", ";
      names += std::string(separator) + std::string(fitting[i]->name);
    }
    out_.registry.problems.push_back(
        {ConfigProblem::Severity::Warning,
         "this file fits " + names + "; it is read as " + std::string(fitting.front()->name) + "'s",
         {path, 0, 0},
         "name its dialect with --dialect"});
  }

  /// A configuration object comes from the host, which is trusted: its hooks have the scope of callbacks.
  void read_object(const ConfigObject& object) {
    const Dialect* dialect = find_dialect(object.dialect);
    if (dialect == nullptr) return report("configuration object", "unknown dialect '" + object.dialect + "'");
    if (dialect == &kGrapnelDialect) {  // JSON is valid YAML, so the rule reader can read the dump
      RuleFile rules =
          read_rules(object.value.dump(), {Scope::Callback, "configuration object", options_.default_timeout});
      reader_->take_problems(rules);
      return take_rules(std::move(rules));
    }
    std::vector<SettingsFile> files;
    files.push_back(read_settings(object.value, {dialect, Scope::Callback, "configuration object"}));
    reader_->take_problems(files.back());
    append_hooks(out_.registry.hooks, layer_files(std::move(files), {options_.default_timeout}));
  }

  void report(const std::string& path, std::string message) {
    out_.registry.problems.push_back({ConfigProblem::Severity::Error, std::move(message), {path, 0, 0}, ""});
  }

  /// Removes the entries that `grapnel install` wrote into agents' settings; see bridge_entry.h.
  void leave_out_bridges() {
    std::erase_if(out_.registry.hooks,
                  [](const HookSpec& hook) { return !bridged_agent(hook.command_text()).empty(); });
  }

  /// The same command in two directories of a project is not the same hook: its names mean other files. But it may be
  /// the same as a hook of the user.
  void keep_parts_apart() {
    std::set<std::string_view> of_user;
    for (const HookSpec& hook : out_.registry.hooks) {
      if (hook.project.empty()) of_user.insert(hook.dedupe_key);
    }
    for (HookSpec& hook : out_.registry.hooks) {
      const bool is_in_part = !hook.project.empty() && hook.project != options_.roots.project_dir;
      if (is_in_part && !hook.dedupe_key.empty() && !of_user.contains(hook.dedupe_key)) hook.dedupe_key += hook.project;
    }
  }

  /// Project hooks run only when the user trusted exactly these bytes.
  void judge_trust() {
    // Read late, so that the trust store is neither read nor watched when no project hook exists.
    out_.sources.stamps.emplace_back(options_.trust_store, os::stamp(options_.trust_store));
    const TrustedProjects trusted = load_trusted();
    std::map<std::string_view, std::string> real_names;
    for (HookSpec& hook : out_.registry.hooks) {
      if (!is_of_project(hook)) continue;
      std::string& project = real_names[hook.project];
      if (project.empty()) project = canonical_directory(hook.project);
      const auto known = trusted.find(hook.trusted_as.empty() ? project : hook.trusted_as);
      const auto is_trusted = [&] { return known != trusted.end() && known->second.contains(hook.digest); };
      hook.digest = pinned_digest(hook, project);
      if (!is_trusted() && !hook.trusted_as.empty()) look_in_main_worktree(hook, is_trusted);
      hook.trust = is_trusted() ? Trust::Trusted : Trust::Untrusted;
    }
  }

  /// A hook in a linked worktree may need a file that only the main worktree has, because git does not track it. If the
  /// hook is trusted with the files of the main worktree, it runs as a hook of the main worktree.
  static void look_in_main_worktree(HookSpec& hook, const auto& is_trusted) {
    if (hook.source.file.starts_with(hook.project + "/")) return;
    std::string digest = pinned_digest(hook, hook.trusted_as);
    digest.swap(hook.digest);
    if (is_trusted()) {
      hook.project = hook.trusted_as;
    } else {
      digest.swap(hook.digest);
    }
  }

  /// Whether anything is lost by a broken file of the project. The file of a stranger's repository never guarded
  /// anything.
  void judge_broken() {
    const LastGood known(options_.trust_store);
    std::optional<TrustedProjects> trusted;
    for (BrokenFile& file : out_.registry.broken) {
      if (file.project.empty()) continue;
      if (!trusted) {
        watch({options_.trust_store});
        trusted = load_trusted();
      }
      file.was_trusted = known.was_trusted(file, trusted->contains(file.project));
      // A version whose hooks are not trusted guards nothing, whoever wrote it.
      if (!is_trusted_whole(file.at.file)) file.good_from.clear();
    }
  }

  /// Whether the file has hooks, and all of them are trusted.
  bool is_trusted_whole(const std::string& path) const {
    const auto is_its = [&](const HookSpec& hook) { return hook.source.file == path; };
    const auto is_off = [&](const HookSpec& hook) { return is_its(hook) && hook.trust != Trust::Trusted; };
    return std::ranges::any_of(out_.registry.hooks, is_its) && std::ranges::none_of(out_.registry.hooks, is_off);
  }

  /// A project hook replaces the user hook of the same name, but only when the user trusts the project hook.
  void replace_namesakes() {
    std::map<std::string_view, const HookSpec*> trusted;
    for (const HookSpec& hook : out_.registry.hooks) {
      if (!hook.identity.empty() && hook.trust == Trust::Trusted) trusted[hook.identity] = &hook;
    }
    if (trusted.empty()) return;
    std::vector<HookSpec> kept;
    for (const HookSpec& hook : out_.registry.hooks) {
      // Managed hooks are never replaced, and neither are hooks of extensions.
      const auto by = hook.scope == Scope::User ? trusted.find(hook.identity) : trusted.end();
      if (by == trusted.end()) {
        kept.push_back(hook);
        continue;
      }
      out_.registry.problems.push_back({ConfigProblem::Severity::Warning,
                                        "this hook replaces yours of the same name in " + hook.source.file,
                                        by->second->source, "to keep yours, set 'overridable: false' in its metadata"});
    }
    out_.registry.hooks = std::move(kept);
  }

  /// The digests that the user trusts. A store that cannot be read trusts nothing.
  TrustedProjects load_trusted() {
    auto trusted = TrustStore(options_.trust_store).all();
    if (trusted) return std::move(*trusted);
    report(options_.trust_store, trusted.error().message + "; no project hook is trusted");
    return {};
  }

  const DiscoverOptions& options_;
  Discovered out_;
  std::optional<FileReader> reader_;  ///< set if files are read, not the cache
};

}  // namespace

/// Stamps that are still in the cached form are compared without unpacking them.
bool Sources::have_changed() const {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  if (good_until && now >= std::chrono::seconds(*good_until)) return true;
  const auto is_other = [](const auto& file) { return os::stamp(file.first) != file.second; };
  return (!kept.bytes.empty() && has_changed(kept.bytes)) || std::ranges::any_of(stamps, is_other) ||
         std::ranges::any_of(of_hooks, [&](const auto& own) { return std::ranges::any_of(own.second, is_other); });
}

void Sources::condense(const std::string& own) {
  // Many missing paths share their directories, so each directory is asked about once.
  std::map<std::string, bool> known;
  const auto is_there = [&](const std::string& path) {
    const auto [at, is_new] = known.try_emplace(path);
    if (is_new) at->second = os::stamp(path).has_value();
    return at->second;
  };
  for (auto& [path, stamp] : stamps) {
    // Walks down from the root. The path is cut at the first directory that is missing, which ends the loop.
    const size_t from = path.starts_with(own + "/") ? own.size() + 1 : 1;
    for (size_t end = path.find('/', from); !stamp && end != std::string::npos; end = path.find('/', end + 1)) {
      if (!is_there(path.substr(0, end))) path.resize(end);
    }
  }
  std::set<std::string> seen;
  std::erase_if(stamps, [&](const auto& file) { return !seen.insert(file.first).second; });
}

Discovered discover(const DiscoverOptions& options) {
  return Discovery(options).run();
}

void arrange(Registry& registry) {
  // A project may have hook files in several directories, one inside the other. The outer ones run first, and the local
  // file of a directory goes with the others of that directory. The outer directory has the shorter name.
  const auto level = [](const HookSpec& hook) { return hook.scope == Scope::Local ? Scope::Project : hook.scope; };
  const auto runs_first = [&](const HookSpec& a, const HookSpec& b) {
    if (a.priority != b.priority) return a.priority > b.priority;
    if (level(a) != level(b)) return level(a) < level(b);
    return a.project.size() != b.project.size() ? a.project.size() < b.project.size() : a.scope < b.scope;
  };
  if (!std::ranges::is_sorted(registry.hooks, runs_first)) std::ranges::stable_sort(registry.hooks, runs_first);
  // The digest names this registry in records. It covers what decides which hooks run, and the problems that people
  // see.
  Sha256 hash;
  for (const HookSpec& hook : registry.hooks) {
    hash.add(hook.definition).add(hook.name).add(hook.source_text());
    hash.add(hook.enabled ? "on" : "off").add(hook.trust == Trust::Untrusted ? "untrusted" : "");
    hash.add(hook.observes() ? "observes" : "");
  }
  for (const ConfigProblem& problem : registry.problems) hash.add(problem.to_string());
  registry.digest = hash.hex().substr(0, 32);
}

}  // namespace grapnel
