#include "bridge/install.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/text.h"
#include "bridge/codex_trust.h"
#include "bridge/json_entries.h"
#include "bridge/opencode_plugin.h"
#include "bridge/toml_entries.h"
#include "trust/sha256.h"
#include "trust/trust_store.h"

namespace grapnel {

namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxBytes = size_t{16} << 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// The content of a file; nullopt if it does not exist.
using Text = std::optional<std::string>;

/// The editing functions do not know file names, so the name is added to their errors here.
std::unexpected<Error> at_file(Error error, const std::string& path) {
  if (error.at) error.at->file = path;
  return std::unexpected(std::move(error));
}

Result<Text> read_text(const std::string& path) {
  auto text = os::read_file(path, kMaxBytes);
  if (text) return std::move(*text);
  if (text.error().code == Errc::NotFound) return std::nullopt;
  return std::unexpected(text.error());
}

/// The path of one of the agent's places, or "".
std::string find_place(const BridgeTarget& target, Scope scope, PlaceFormat format) {
  for (const HookFile& file : hook_file_places(target.roots)) {
    if (file.dialect == target.adapter->dialect && file.scope == scope && file.format == format) return file.path;
  }
  return "";
}

std::string plugin_path(const BridgeTarget& target, const HookFilePlace& place) {
  const bool is_users = place.base == PlaceBase::Config;
  return (is_users ? config_dir(*target.roots.env) : target.roots.project_dir) + "/" + std::string(place.path);
}

/// The directories that have to be created for a file, outermost first. Uninstalling removes them again.
std::vector<std::string> missing_directories(const std::string& path) {
  std::vector<std::string> out;
  std::error_code error;
  for (fs::path at = fs::path(path).parent_path(); at.has_relative_path() && !fs::exists(at, error);) {
    out.insert(out.begin(), at.string());
    at = at.parent_path();
  }
  return out;
}

const InstalledFile* find_file(const Installed* record, const std::string& path) {
  if (record == nullptr) return nullptr;
  const auto found = std::ranges::find(record->files, path, &InstalledFile::path);
  return found == record->files.end() ? nullptr : &*found;
}

/// The text without our entries, in any of the forms. `made` names the containers that only we needed.
Result<std::string> remove_entries(std::string_view text, const Adapter& adapter,
                                   const std::vector<std::string>* made) {
  if (adapter.form == EntryForm::Plugin) return is_opencode_plugin(text) ? "" : std::string(text);
  return adapter.form == EntryForm::Tables ? remove_toml_entries(text, *adapter.dialect)
                                           : remove_json_entries(text, *adapter.dialect, made);
}

/// A plug-in is a whole file. If the file already has other content, it is not overwritten.
Result<EditedSettings> add_plugin(std::string_view text, const Wiring& wiring) {
  if (text::trim(text).empty()) {
    return EditedSettings{opencode_plugin({wiring.program, wiring.on_missing == OnMissing::Block}), {}};
  }
  return fail(Errc::BadConfig, "this plug-in was not written by Grapnel", SourcePos{"", 1, 1});
}

/// A plug-in reports every event that the agent has.
std::vector<std::string> plugin_events(std::string_view text, const Adapter& adapter) {
  std::vector<std::string> out;
  if (!is_opencode_plugin(text)) return out;
  for (const EventRow* row : every_event(adapter)) out.emplace_back(spelling_of(*adapter.dialect, *row));
  return out;
}

/// Our entries in the text, in any form but that of a plug-in, which has none.
std::vector<FoundEntry> find_entries(std::string_view text, const Adapter& adapter) {
  if (adapter.form == EntryForm::Plugin) return {};
  return adapter.form == EntryForm::Tables ? find_toml_entries(text, *adapter.dialect)
                                           : find_json_entries(text, *adapter.dialect);
}

bool is_json(const Adapter& adapter) {
  return adapter.form == EntryForm::Groups || adapter.form == EntryForm::Flat;
}

/// The text with our entries, in any of the forms.
Result<EditedSettings> add_entries(std::string_view text, const Wiring& wiring) {
  if (wiring.adapter->form == EntryForm::Plugin) return add_plugin(text, wiring);
  if (wiring.adapter->form != EntryForm::Tables) return add_json_entries(text, wiring);
  auto edited = add_toml_entries(text, wiring);
  if (!edited) return std::unexpected(edited.error());
  return EditedSettings{std::move(*edited), {}};
}

/// Some agents ignore a settings file with comments or a byte-order mark. Our entries would have no effect in it, so
/// the user has to repair the file first.
Result<void> check_plain(const std::string& text, const Adapter& adapter) {
  if (adapter.reads_comments || !is_json(adapter) || text::trim(text).empty()) return {};
  const std::string agent(adapter.title);
  if (text.starts_with(kByteOrderMark)) {
    return fail(Errc::BadConfig, agent + " does not read a file with a byte-order mark", SourcePos{"", 1, 1});
  }
  const auto strict = Json::parse(text);
  if (strict) return {};
  return fail(Errc::BadConfig, agent + " does not read this file: " + strict.error().message,
              strict.error().at.value_or(SourcePos{}));
}

/// Whether nothing is left in a file. Then a file that we created is removed.
bool says_nothing(const std::string& text, const Adapter& adapter) {
  if (text::trim(text).empty()) return true;
  if (!is_json(adapter)) return false;
  const auto root = Json::parse(text, {.comments = true});
  return root && root->is_object() && root->size() == 0 && text::trim(root->raw()) == text::trim(text);
}

/// Makes a plan. `look` fills in the files as they are now and as they are without us. Installing then adds our entries
/// to the second, so an old installation never affects a new one.
class Planner {
 public:
  Planner(const BridgeTarget& target, const Manifest& manifest) : target_(target), manifest_(manifest) {}

  Result<BridgePlan> install(const Wiring& wiring) {
    if (auto ok = look(); !ok) return std::unexpected(ok.error());
    FileChange& settings = plan_.files.front();
    const std::string own = settings.own.value_or("");
    if (auto ok = check_plain(own, adapter()); !ok) return at_file(ok.error(), settings.path);
    auto edited = add_entries(own, wiring);
    if (!edited) return at_file(edited.error(), settings.path);
    settings.after = std::move(edited->text);
    settings.record.made = std::move(edited->made);
    if (auto ok = agree(); !ok) return std::unexpected(ok.error());
    remark_on_switches(own);
    keep_record(wiring);
    return std::move(plan_);
  }

  Result<BridgePlan> uninstall() {
    if (auto ok = look(); !ok) return std::unexpected(ok.error());
    for (FileChange& file : plan_.files) file.after = file.own;
    return std::move(plan_);
  }

 private:
  const Adapter& adapter() const { return *target_.adapter; }

  /// Reads the files, as they are now and without us. The settings file becomes the first of the plan.
  Result<void> look() {
    plan_.adapter = target_.adapter;
    const auto path = settings_path(target_);
    if (!path) return std::unexpected(path.error());
    auto all = manifest_.load();
    if (!all) return std::unexpected(all.error());
    installed_ = std::move(*all);
    record_ = find_installed(installed_, adapter().agent, *path);
    const auto strip = [&](const std::string& text) {
      const InstalledFile* known = find_file(record_, *path);
      return remove_entries(text, adapter(), known == nullptr ? nullptr : &known->made);
    };
    if (auto ok = look_at(*path, strip); !ok) return ok;
    return adapter().consent == Consent::CodexState ? look_at_consents() : Result<void>{};
  }

  /// Codex needs a second file: config.toml with the approvals. Approvals are ours if they belong to the entries that
  /// are in the file now, or to those that we once wrote.
  Result<void> look_at_consents() {
    const std::string config = find_place(target_, Scope::User, PlaceFormat::Toml);
    std::vector<CodexConsent> ours = codex_consents(plan_.files.front().before.value_or(""), codex_name());
    std::ranges::move(recorded_consents(), std::back_inserter(ours));
    return look_at(config, [&](const std::string& text) { return remove_codex_consents(text, codex_name(), ours); });
  }

  template <typename Strip>
  Result<void> look_at(const std::string& path, Strip strip) {
    auto now = read_text(path);
    if (!now) return std::unexpected(now.error());
    FileChange file{path, std::move(*now), {}, {}, {}};
    const InstalledFile* known = find_file(record_, path);
    file.record.path = path;
    file.record.made_dirs = known == nullptr ? std::vector<std::string>{} : known->made_dirs;
    // A file that does not exist yet needs its directories; one that exists may contain our entries.
    if (file.before) {
      auto own = without_us(*file.before, path, known, strip);
      if (!own) return at_file(own.error(), path);
      file.own = std::move(*own);
    } else {
      std::ranges::move(missing_directories(path), std::back_inserter(file.record.made_dirs));
    }
    file.record.existed = file.own.has_value();
    plan_.files.push_back(std::move(file));
    return {};
  }

  template <typename Strip>
  /// The content without us: the backup if nobody changed the file since we wrote it, otherwise the present content
  /// without our entries. Returns nullopt if the file should not exist.
  Result<Text> without_us(const std::string& now, const std::string& path, const InstalledFile* known, Strip strip) {
    const bool is_untouched = known != nullptr && sha256_of(now) == known->after;
    if (is_untouched && !known->existed) return std::nullopt;
    if (is_untouched) {
      if (auto kept = manifest_.load_backup(path)) return std::move(*kept);
    }
    auto stripped = strip(now);
    if (!stripped) return std::unexpected(stripped.error());
    // Without a record, only a plug-in can be recognised as a file that we created.
    const bool was_ours = known == nullptr ? adapter().form == EntryForm::Plugin && *stripped != now : !known->existed;
    const bool is_ours = was_ours && says_nothing(*stripped, adapter());
    return is_ours ? Text{} : Text{std::move(*stripped)};
  }

  /// The name by which Codex refers to the settings file in its approvals. It resolves links only in some cases.
  std::string codex_name() const {
    const fs::path path = plan_.files.front().path;
    const bool is_resolved = target_.scope == Scope::Project || target_.roots.env->has("CODEX_HOME");
    return is_resolved ? canonical_directory(path.parent_path()) + "/" + path.filename().string() : path.string();
  }

  /// The approvals for the entries that we wrote last time. They may still be in config.toml although somebody has
  /// removed the entries.
  std::vector<CodexConsent> recorded_consents() const {
    if (record_ == nullptr) return {};
    Wiring wiring{&adapter(), record_->program, record_->on_missing, {}};
    for (const std::string& event : record_->events) {
      if (const EventRow* row = adapter().dialect->find_event(event)) wiring.events.push_back(row);
    }
    const auto written = add_json_entries("", wiring);
    return written ? codex_consents(written->text, codex_name()) : std::vector<CodexConsent>{};
  }

  /// Adds the approvals. If config.toml has a form that cannot be extended, the entries are installed anyway, and a
  /// note asks the user to approve them.
  Result<void> agree() {
    if (adapter().consent != Consent::CodexState) return {};
    FileChange& config = plan_.files.back();
    const auto consents = codex_consents(plan_.files.front().after.value_or(""), codex_name());
    auto agreed = add_codex_consents(config.own.value_or(""), consents);
    if (agreed) {
      config.after = std::move(*agreed);
    } else if (agreed.error().at) {
      return at_file(agreed.error(), config.path);
    } else {
      config.after = config.own;
      plan_.notes.push_back(config.path + ": " + agreed.error().message +
                            "; start Codex and approve the hooks with /hooks, otherwise none of them runs");
    }
    if (target_.scope == Scope::Project)
      plan_.notes.emplace_back("Codex runs them only after you trust this project in Codex");
    return {};
  }

  /// Installing into settings that disable all hooks has no effect. The user should know.
  void remark_on_switches(const std::string& own) {
    const Dialect& dialect = *adapter().dialect;
    if (!is_json(adapter())) return;
    const Json root = Json::parse(own, {.comments = true}).value_or(Json());
    const auto says = [&](Setting setting, bool value) {
      const std::string_view pointer = dialect.pointer_of(setting);
      return !pointer.empty() && root.at_pointer(pointer).as_bool() == value;
    };
    if (!says(Setting::Enabled, false) && !says(Setting::DisableAll, true)) return;
    plan_.notes.push_back(plan_.files.front().path + " disables all hooks, including these");
  }

  /// The record says what was written and what it looked like, so that it can be taken back exactly.
  void keep_record(const Wiring& wiring) {
    Installed record{std::string(adapter().agent), target_.scope, wiring.program, wiring.on_missing, {}, {}};
    for (const EventRow* row : wiring.events) record.events.emplace_back(spelling_of(*adapter().dialect, *row));
    for (FileChange& file : plan_.files) {
      if (!file.after || file.after == file.own) continue;
      file.record.after = sha256_of(*file.after);
      record.files.push_back(file.record);
    }
    plan_.record = std::move(record);
  }

  const BridgeTarget& target_;
  const Manifest& manifest_;
  std::vector<Installed> installed_;
  const Installed* record_ = nullptr;
  BridgePlan plan_;
};

// Carrying out a plan.

Result<void> check_unchanged(const FileChange& file) {
  const auto now = read_text(file.path);
  if (!now) return std::unexpected(now.error());
  // The plan was made from other content, so carrying it out would undo somebody's change.
  if (*now == file.before) return {};
  return fail(Errc::Refused, file.path + " was changed by another program in the meantime; nothing was done");
}

/// Removes a file and the directories that we created for it.
Result<void> take_away(const FileChange& file) {
  std::error_code error;
  fs::remove(file.path, error);
  if (error) return fail(Errc::System, "cannot remove " + file.path + ": " + error.message());
  for (size_t i = file.record.made_dirs.size(); i-- > 0;) {
    fs::remove(file.record.made_dirs[i], error);  // fails for a directory with other files, which is intended
  }
  return {};
}

/// Who may read new files, and whether they are synced to the disk.
struct Writing {
  Scope scope = Scope::User;
  os::Durability durability = os::Durability::Synced;
};

/// Changes a file from one content to another. An existing file keeps its permissions. A new one in a project can be
/// read by others, because it belongs to the repository.
Result<void> put(const FileChange& file, const Text& from, const Text& to, const Writing& how) {
  if (from == to) return {};
  if (!to) return take_away(file);
  if (from) return os::rewrite_file(file.path, *to, how.durability);
  const bool is_shared = how.scope == Scope::Project;
  if (auto made = os::make_parent_dirs(file.path, is_shared ? 0755 : 0700); !made) return made;
  return os::write_file_atomic(file.path, *to, is_shared ? 0644 : 0600, how.durability);
}

/// An installation keeps the content without us. An uninstallation keeps the content that it is about to replace.
Result<void> save_backups(const BridgePlan& plan, const Manifest& manifest) {
  for (const FileChange& file : plan.files) {
    const Text& kept = plan.record ? file.own : file.before;
    if (!kept || (!plan.record && !file.is_change())) continue;
    if (auto ok = manifest.save_backup(file.path, *kept); !ok) return ok;
  }
  return {};
}

/// The list of installed agents after the plan is carried out.
std::vector<Installed> with_record(std::vector<Installed> all, const BridgePlan& plan) {
  std::erase_if(all, [&](const Installed& known) {
    return known.agent == plan.adapter->agent && known.files.front().path == plan.files.front().path;
  });
  if (plan.record) all.push_back(*plan.record);
  return all;
}

/// The settings file is written last: an entry must not exist before it is approved. If a write fails, the files that
/// were already written get their old content back.
Result<void> write_files(const BridgePlan& plan, const Writing& how) {
  for (size_t i = plan.files.size(); i-- > 0;) {
    const FileChange& file = plan.files[i];
    const auto done = put(file, file.before, file.after, how);
    if (done) continue;
    for (size_t j = i + 1; j < plan.files.size(); ++j) {
      static_cast<void>(put(plan.files[j], plan.files[j].after, plan.files[j].before, how));
    }
    return done;
  }
  return {};
}

}  // namespace

bool BridgePlan::is_change() const {
  return std::ranges::any_of(files, &FileChange::is_change);
}

Result<std::string> settings_path(const BridgeTarget& target) {
  const HookFilePlace* place = settings_place(*target.adapter, target.scope);
  std::string path = place == nullptr ? "" : find_place(target, target.scope, place->format);
  if (place != nullptr && target.adapter->form == EntryForm::Plugin) path = plugin_path(target, *place);
  const std::string_view own_file = target.adapter->own_file;
  if (!path.empty()) return own_file.empty() ? path : path + "/" + std::string(own_file);
  return fail(Errc::NotFound, std::string(target.adapter->title) + " has no hook settings for the scope '" +
                                  std::string(to_string(target.scope)) + "'");
}

Result<BridgePlan> plan_install(const BridgeTarget& target, const Wiring& wiring, const Manifest& manifest) {
  return Planner(target, manifest).install(wiring);
}

Result<BridgePlan> plan_uninstall(const BridgeTarget& target, const Manifest& manifest) {
  return Planner(target, manifest).uninstall();
}

Result<void> carry_out(const BridgePlan& plan, const Manifest& manifest) {
  const auto lock = manifest.lock();
  if (!lock) return std::unexpected(lock.error());
  for (const FileChange& file : plan.files) {
    if (auto ok = check_unchanged(file); !ok) return ok;
  }
  const auto known = manifest.load();
  if (!known) return std::unexpected(known.error());
  if (auto ok = save_backups(plan, manifest); !ok) return ok;
  const std::vector<Installed> later = with_record(*known, plan);
  // The record is saved before the files when installing, and after them when uninstalling. So whatever is in the
  // settings is always in the record, too.
  if (plan.record) {
    if (auto ok = manifest.save(later); !ok) return ok;
  }
  if (auto ok = write_files(plan, {plan.record ? plan.record->scope : Scope::User, manifest.durability()}); !ok) {
    static_cast<void>(manifest.save(*known));
    return ok;
  }
  return plan.record ? Result<void>{} : manifest.save(later);
}

Result<std::vector<std::string>> wired_events(const Adapter& adapter, const std::string& settings) {
  const auto text = os::read_file(settings, kMaxBytes);
  if (!text) return std::unexpected(text.error());
  if (adapter.form == EntryForm::Plugin) return plugin_events(*text, adapter);
  std::vector<std::string> out;
  for (const FoundEntry& found : find_entries(*text, adapter)) out.push_back(found.event);
  return out;
}

Result<std::chrono::milliseconds> wired_timeout(const Adapter& adapter, const std::string& settings, EventKind kind) {
  const auto text = os::read_file(settings, kMaxBytes);
  if (!text) return std::unexpected(text.error());
  const DialectTimeouts& timeouts = adapter.dialect->timeouts;
  const auto is_meant = [&](const FoundEntry& found) {
    const EventRow* row = adapter.dialect->find_event(kind);
    return row != nullptr && found.event == spelling_of(*adapter.dialect, *row);
  };
  const auto entries = find_entries(*text, adapter);
  const auto entry = std::ranges::find_if(entries, is_meant);
  // The plug-in waits as long as it was written for.
  if (entry == entries.end()) return entry_timeout(adapter, kind) * timeouts.unit;
  const auto number = entry->entry[adapter.dialect->key_of(HookKey::Timeout)].as_integer();
  return number ? std::min(*number * timeouts.unit, timeouts.max) : timeouts.by_default;
}

}  // namespace grapnel
