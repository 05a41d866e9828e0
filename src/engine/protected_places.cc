#include "engine/protected_places.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/text.h"
#include "discover/find/places.h"
#include "protect/own_review.h"
#include "trust/pinned_files.h"
#include "trust/trust_store.h"

namespace grapnel {

PlaceRoots place_roots(const EngineOptions& options, const Environment& env) {
  return {options.places.managed_root, options.project_dir, &env, options.project_parts};
}

namespace {

using protect::ProtectedPlace;

/// Whether the place is a directory that is protected with everything below it.
bool is_tree(PlaceFormat format) {
  return format == PlaceFormat::HookDirectories || format == PlaceFormat::Extensions ||
         format == PlaceFormat::SettingsDirectory;
}

/// Grapnel's own files. The texts appear in the question that a person gets.
void add_own(const ProtectionInput& in, std::vector<ProtectedPlace>& out) {
  const std::string root = in.options.places.managed_root + (in.options.places.managed_root.ends_with('/') ? "" : "/");
  out.push_back({in.env.state_dir(), true, "Grapnel's trust store and journal"});
  out.push_back({in.env.runtime_dir(), true, "session state of Grapnel"});
  out.push_back({config_dir(in.env) + "/grapnel", true, "Grapnel's configuration"});
  for (const auto& [variable, usual] : {std::pair{"XDG_DATA_HOME", "/.local/share"}, {"XDG_CACHE_HOME", "/.cache"}}) {
    const std::string set(in.env.get(variable));
    out.push_back({(set.empty() ? in.env.home() + usual : set) + "/grapnel", true, "Grapnel's own files"});
  }
  out.push_back({root + "etc/grapnel", true, "Grapnel's managed configuration"});
  out.push_back({in.options.places.trust_store, false, "Grapnel's trust store"});
  out.push_back({in.options.places.switches, false, "switches of `grapnel disable`"});
  out.push_back({in.options.places.noted_places, false, "the places that `grapnel install` noted"});
  // Where records and sessions go if there is no better place (cli/hook_source.h).
  out.push_back({.path = "/tmp/grapnel-" + std::to_string(::geteuid()),
                 .is_tree = true,
                 .what = "session state of Grapnel",
                 .is_among_others = true});
}

/// The programs: those beside the one that runs, and every path at which a shell would look for them. A file that does
/// not exist yet would be found first one day.
void add_programs(const ProtectionInput& in, std::vector<ProtectedPlace>& out) {
  std::error_code error;
  const std::filesystem::path running = std::filesystem::read_symlink("/proc/self/exe", error);
  std::vector<std::string> directories;
  // Another program embeds the library.
  if (protect::is_own_program(running.filename().string())) directories.push_back(running.parent_path().string());
  for (const std::string_view directory : text::split(in.env.get("PATH"), ':')) {
    if (directory.starts_with('/')) directories.emplace_back(directory);
  }
  for (const char* usual : {"/usr/local/bin", "/usr/bin"}) {
    if (std::ranges::find(directories, usual) == directories.end()) directories.emplace_back(usual);
  }
  directories.push_back(in.env.home() + "/.local/bin");
  for (const std::string& directory : directories) {
    for (const std::string_view name : protect::own_programs()) {
      out.push_back({directory + "/" + std::string(name), false, "a program of Grapnel", true});
    }
  }
}

/// OpenCode has no hook files: `grapnel install` writes a plug-in. The directory has had both names.
void add_plugins(const ProtectionInput& in, std::vector<ProtectedPlace>& out) {
  std::vector<std::string> directories = {config_dir(in.env) + "/opencode"};
  if (!in.options.project_dir.empty()) directories.push_back(in.options.project_dir + "/.opencode");
  for (const std::string& directory : directories) {
    for (const char* name : {"/plugin/grapnel.js", "/plugins/grapnel.js", "/plugin/grapnel.ts"}) {
      out.push_back({directory + name, false, "the plug-in that calls Grapnel"});
    }
  }
}

/// The directories in which agents look for hooks. Parts of the project count as well if a person trusted hooks there:
/// the agent may go there later.
PlaceRoots guarded_roots(const ProtectionInput& in) {
  PlaceRoots roots = place_roots(in.options, in.env);
  if (roots.project_dir.empty()) return roots;
  const std::string root = canonical_directory(roots.project_dir) + "/";
  for (const auto& [directory, digests] : TrustStore(in.options.places.trust_store).all().value_or(TrustedProjects{})) {
    const bool is_known = std::ranges::find(roots.project_parts, directory) != roots.project_parts.end();
    if (directory.starts_with(root) && !is_known) roots.project_parts.push_back(directory);
  }
  return roots;
}

/// Scripts usually lie beside the settings that call them: `.claude/guard.sh`, `.claude/hooks/guard.py`. Whether the
/// settings do call them is not known before an agent reads these.
void add_scripts_beside(const HookFile& file, std::vector<ProtectedPlace>& out) {
  if (is_tree(file.format)) return;
  const std::string directory = file.path.substr(0, file.path.rfind('/'));
  const bool is_hidden = directory.substr(directory.rfind('/') + 1).starts_with('.');
  if (!is_hidden) return;
  const std::string what = "scripts of hooks of " + std::string(file.dialect->name);
  out.push_back({.path = directory, .what = what, .is_among_others = true, .holds_scripts = true});
  out.push_back({.path = directory + "/hooks", .is_tree = true, .what = what});
}

/// The places where agents look for hooks, whether or not a file is there, and the files that the user named.
void add_hook_files(const ProtectionInput& in, std::vector<ProtectedPlace>& out) {
  for (const HookFile& file : named_places(guarded_roots(in))) {
    // Packs are protected as a whole, with those that do not exist yet and with the lock file beside them.
    if (const size_t star = file.path.find(kEachDirectory); star != std::string::npos) {
      out.push_back({file.path.substr(0, star), true, "packs of hooks"});
      out.push_back({file.path.substr(0, star) + ".lock", false, "packs of hooks"});
      continue;
    }
    out.push_back({file.path, is_tree(file.format), "hook settings of " + std::string(file.dialect->name)});
    add_scripts_beside(file, out);
  }
  for (const HookConfig& config : in.options.configs) out.push_back({config.path, false, "a hook file you named"});
  for (const std::string& path : in.named_files) out.push_back({path, false, "a hook file you named"});
}

}  // namespace

std::vector<protect::ProtectedPlace> protected_places(const ProtectionInput& in) {
  std::vector<protect::ProtectedPlace> out;
  add_own(in, out);
  add_programs(in, out);
  add_hook_files(in, out);
  add_plugins(in, out);
  return out;
}

std::vector<protect::ProtectedPlace> start_files(const ProtectionInput& in) {
  struct Row {
    const char* path;
    bool is_tree = false;
  };
  constexpr auto kOfHome = std::to_array<Row>({
      {".profile"},         {".bashrc"},       {".bash_profile"},    {".bash_login"},
      {".bash_logout"},     {".bash_aliases"}, {".zshrc"},           {".zshenv"},
      {".zprofile"},        {".zlogin"},       {".zlogout"},         {".kshrc"},
      {".cshrc"},           {".tcshrc"},       {".login"},           {".xprofile"},
      {".xinitrc"},         {".xsessionrc"},   {".pam_environment"}, {".ssh/rc"},
      {".ssh/environment"}, {".envrc"},        {".inputrc"},         {".tmux.conf"},
      {".screenrc"},        {".gitconfig"},    {".npmrc"},           {"Library/LaunchAgents", true},
  });
  constexpr auto kOfConfig = std::to_array<Row>({{"fish", true},
                                                 {"environment.d", true},
                                                 {"systemd", true},
                                                 {"autostart", true},
                                                 {"plasma-workspace", true},
                                                 {"nushell", true},
                                                 {"direnv", true},
                                                 {"git/config"},
                                                 {"tmux", true}});
  constexpr auto kOfMachine = std::to_array<Row>({
      {"/etc/environment"},
      {"/etc/profile"},
      {"/etc/profile.d", true},
      {"/etc/bash.bashrc"},
      {"/etc/bashrc"},
      {"/etc/zsh", true},
      {"/etc/zshenv"},
      {"/etc/crontab"},
      {"/etc/cron.d", true},
      {"/etc/cron.daily", true},
      {"/etc/cron.hourly", true},
      {"/etc/systemd", true},
      {"/etc/security/pam_env.conf"},
      {"/etc/rc.local"},
      {"/var/spool/cron", true},
      {"/var/spool/at", true},
      {"/etc/fish", true},
      {"/etc/ld.so.preload"},
  });
  std::vector<protect::ProtectedPlace> out;
  const auto add = [&](const std::string& path, bool is_tree) {
    out.push_back({path, is_tree, "read when a shell, a session or a job starts"});
  };
  constexpr auto kOfProject = std::to_array<Row>({{".env"},
                                                  {".env.local"},
                                                  {".envrc"},
                                                  {".mise.toml"},
                                                  {"mise.toml"},
                                                  {".vscode", true},
                                                  {".idea", true},
                                                  {".devcontainer", true},
                                                  {".devcontainer.json"},
                                                  {".git/hooks", true},
                                                  {".husky", true}});
  for (const Row& row : kOfHome) add(in.env.home() + "/" + row.path, row.is_tree);
  for (const Row& row : kOfProject) add(in.options.project_dir + "/" + row.path, row.is_tree);
  for (const Row& row : kOfConfig) add(config_dir(in.env) + "/" + row.path, row.is_tree);
  for (const Row& row : kOfMachine) add(row.path, row.is_tree);
  return out;
}

shell::Variables known_variables(const ProtectionInput& in) {
  const auto parent = [](const std::string& path) { return std::filesystem::path(path).parent_path().string(); };
  shell::Variables out = {{"HOME", in.env.home()},
                          {"XDG_CONFIG_HOME", config_dir(in.env)},
                          {"XDG_STATE_HOME", parent(in.env.state_dir())},
                          {"XDG_RUNTIME_DIR", parent(in.env.runtime_dir())},
                          {"UID", std::to_string(::geteuid())}};
  std::erase_if(out, [](const auto& one) { return one.second.empty(); });
  return out;
}

/// A guard whose script the model can rewrite guards nothing. For hooks of the project, all their files are
/// protected. For the user's own hooks, only files outside the project are: inside it, a name in a command may just as
/// well be a source file that the model works on.
std::vector<protect::ProtectedPlace> protected_scripts(const ProtectionInput& in, const Registry& registry) {
  std::vector<protect::ProtectedPlace> out;
  const std::string root = canonical_directory(in.options.project_dir);
  for (const HookSpec& hook : registry.hooks) {
    if (!hook.enabled || hook.trust == Trust::Untrusted || hook.command() == nullptr) continue;
    const bool is_projects = hook.trust == Trust::Trusted;
    if (!is_projects && !hook.command_text().contains('/')) continue;
    const std::string project = hook.project.empty() ? root : canonical_directory(hook.project);
    for (const std::string& path : files_of_hook(hook, project, is_projects ? "" : in.env.home())) {
      if (is_projects || !path.starts_with(root + "/"))
        out.push_back({path, false, "part of hook '" + hook.name + "'"});
    }
  }
  return out;
}

}  // namespace grapnel
