#include "run/child_sandbox.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <sys/stat.h>

#include "base/text.h"
#include "os/files.h"

namespace grapnel {

namespace {

/// Where programs and what they need are installed. Not among them: homes, /tmp, /run, /var, disks and terminals.
constexpr auto kSystemPlaces =
    std::to_array<std::string_view>({"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt",
                                     "/nix", "/gnu", "/snap", "/proc", "/sys", "/run/current-system"});
/// What git reads in a home before it does anything. Its passwords are in other files.
constexpr auto kGitPlaces = std::to_array<std::string_view>(
    {"/.gitconfig", "/.config/git/config", "/.config/git/ignore", "/.config/git/attributes"});
/// Beside a directory of programs: what they are made of.
constexpr auto kBesidePrograms = std::to_array<std::string_view>({"lib", "lib64", "libexec"});

constexpr std::string_view kPrivate = "$TMPDIR";
/// What scripts are called that an interpreter gets as an argument.
constexpr auto kScriptEndings = std::to_array<std::string_view>(
    {".sh", ".bash", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php", ".lua"});

bool is_private(std::string_view name) {
  return name == kPrivate || name.starts_with("$TMPDIR/");
}

bool wants_private_dir(const Sandbox& sandbox) {
  return std::ranges::any_of(sandbox.files, [](const SandboxFiles& files) {
    return (files.write && std::ranges::any_of(*files.write, is_private)) ||
           (files.read && std::ranges::any_of(*files.read, is_private));
  });
}

/// Without links; "" if it does not exist.
std::string real_path(const std::string& path) {
  std::error_code error;
  const std::string out = std::filesystem::canonical(path, error);
  return error ? "" : out;
}

std::string first_line(const std::string& path) {
  const auto text = os::read_file(path, 4096);
  return text ? std::string(text::trim(std::string_view(*text).substr(0, text->find('\n')))) : "";
}

/// Whether the directory of git says itself that it belongs to the project: `gitdir` in that of a linked worktree,
/// `core.worktree` in that of a submodule.
bool is_of_project(const std::string& directory, const std::string& project) {
  const std::string root = real_path(project);
  if (root.empty()) return false;
  if (real_path(first_line(directory + "/gitdir")) == root + "/.git") return true;
  const std::string config = os::read_file(directory + "/config", size_t{64} << 10).value_or("");
  constexpr std::string_view kKey = "worktree = ";
  for (const std::string_view line : text::split(config, '\n')) {
    const std::string_view said = text::trim(line);
    if (!said.starts_with(kKey)) continue;
    const std::string place(said.substr(kKey.size()));
    return real_path(place.starts_with('/') ? place : directory + "/" + place) == root;
  }
  return false;
}

/// The repository of a linked worktree of git, or of a submodule: `.git` is a file there that names a directory in it.
/// Whoever made the project may have written that file, so the directory has to name the project, too.
std::string repository_of(const std::string& project) {
  const std::string line = first_line(project + "/.git");
  constexpr std::string_view kKey = "gitdir: ";
  if (!line.starts_with(kKey)) return "";
  std::string directory(text::trim(std::string_view(line).substr(kKey.size())));
  if (!directory.starts_with('/')) directory = project + "/" + directory;
  directory = real_path(directory);
  if (directory.empty() || !is_of_project(directory, project)) return "";
  const size_t at = directory.rfind("/worktrees/");
  return at == std::string::npos ? directory : directory.substr(0, at);
}

bool is_script(const std::string& path) {
  struct stat info{};
  if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return false;
  if ((info.st_mode & S_IXUSR) != 0) return true;
  if (std::ranges::any_of(kScriptEndings, [&](std::string_view end) { return path.ends_with(end); })) return true;
  std::array<char, 2> start{};
  std::ifstream(path).read(start.data(), start.size());
  return start[0] == '#' && start[1] == '!';
}

/// "" if there is none: `Environment::home` would give the root, and with it everything.
std::string home_in(const Environment& env) {
  const std::string_view home = env.get("HOME");
  return home.starts_with('/') && home != "/" ? std::string(home) : "";
}

/// In memory if the user has a directory there: on a busy disk, making and removing one can take longer than the hook.
std::shared_ptr<const PrivateDir> make_private_dir(const Environment& env) {
  for (const std::string_view base : {env.get("XDG_RUNTIME_DIR"), env.get("TMPDIR"), std::string_view("/tmp")}) {
    if (!base.starts_with('/')) continue;
    if (auto made = PrivateDir::make(std::string(base))) return made;
  }
  return nullptr;
}

class PlaceNames {
 public:
  PlaceNames(const SandboxPlaces& places, const PrivateDir* temporary)
      : places_(places), home_(home_in(places.env)), temporary_(temporary) {}

  void add(std::string_view name, std::vector<std::string>& out) const {
    if (name == "project") return add_project(out);
    if (name == "system") return add_system(out);
    if (name == "home" && !home_.empty()) out.push_back(home_);
    if (name == "home") return;
    if (is_private(name)) {
      if (temporary_ != nullptr) out.push_back(temporary_->path() + std::string(name.substr(kPrivate.size())));
    } else if (name.starts_with('/')) {
      out.emplace_back(name);
    } else if (name.starts_with("~/")) {
      add_below(home_, name.substr(2), out);
    } else if (std::string path = path_in_project(places_.project, places_.project + "/" + std::string(name));
               !path.empty()) {
      out.push_back(std::move(path));
    }
  }

  /// What is needed to start it at all.
  void add_own(std::vector<std::string>& out) const {
    out.insert(out.end(), places_.own.begin(), places_.own.end());
    for (const std::string_view directory : text::split(places_.env.get("PATH"), ':')) {
      const bool is_known = directory.empty() || directory.starts_with("/usr/") || directory == "/bin";
      if (is_known || !directory.starts_with('/') || directory == "/") continue;
      // What a project has there may be a link to anywhere.
      if (!places_.project.empty() && (std::string(directory) + "/").starts_with(places_.project + "/")) continue;
      const std::string path(directory.ends_with('/') ? directory.substr(0, directory.size() - 1) : directory);
      out.push_back(path);
      add_versions(path, out);
      for (const std::string_view beside : kBesidePrograms) {
        out.push_back(path.substr(0, path.rfind('/') + 1) + std::string(beside));
      }
    }
    if (temporary_ != nullptr) out.push_back(temporary_->path());
  }

 private:
  /// Without the directory, the name would mean one below the root.
  static void add_below(const std::string& directory, std::string_view name, std::vector<std::string>& out) {
    if (!directory.empty()) out.push_back(directory + "/" + std::string(name));
  }

  /// Managers of versions (pyenv, rbenv, asdf, rustup) put small programs into PATH that start those elsewhere.
  void add_versions(const std::string& path, std::vector<std::string>& out) const {
    constexpr std::string_view kShims = "/shims";
    if (path.ends_with(kShims)) out.push_back(path.substr(0, path.size() - kShims.size()));
    if (path.ends_with("/.cargo/bin")) out.push_back(home_ + "/.rustup");
  }

  void add_project(std::vector<std::string>& out) const {
    if (places_.project.empty()) return;
    out.push_back(places_.project);
    if (std::string repository = repository_of(places_.project); !repository.empty()) {
      out.push_back(std::move(repository));
    }
  }

  void add_system(std::vector<std::string>& out) const {
    out.insert(out.end(), kSystemPlaces.begin(), kSystemPlaces.end());
    for (const std::string_view file : kGitPlaces) out.push_back(home_ + std::string(file));
  }

  const SandboxPlaces& places_;
  const std::string home_;
  const PrivateDir* temporary_;
};

os::SandboxLayer layer_of(const SandboxFiles& files, const PlaceNames& names) {
  os::SandboxLayer out{.limits_reads = files.read.has_value(), .limits_writes = files.write.has_value()};
  if (files.read) {
    for (const std::string& name : *files.read) names.add(name, out.read);
    names.add_own(out.read);
    // Many a PATH has the same directories twice, and each costs the kernel a rule.
    std::ranges::sort(out.read);
    out.read.erase(std::ranges::unique(out.read).begin(), out.read.end());
  }
  if (files.write) {
    for (const std::string& name : *files.write) names.add(name, out.write);
  }
  return out;
}

}  // namespace

std::string path_in_project(const std::string& project, const std::string& path) {
  const std::string root = project.empty() ? "" : real_path(project);
  const std::string real = root.empty() ? "" : real_path(path);
  return !real.empty() && (real + "/").starts_with(root + "/") ? real : "";
}

std::shared_ptr<const ChildSandbox> sandbox_for(const Sandbox& sandbox, const SandboxPlaces& places) {
  if (!sandbox.is_restricting()) return nullptr;
  auto out = std::make_shared<ChildSandbox>();
  out->what = describe(sandbox);
  out->is_required = sandbox.required;
  out->processes = sandbox.processes;
  out->spec.allows_network = sandbox.network;
  out->spec.memory = sandbox.memory;
  out->spec.cpu_seconds = sandbox.cpu_seconds;
  out->spec.processes = sandbox.processes;
  if (wants_private_dir(sandbox)) {
    out->temporary = make_private_dir(places.env);
    if (!out->temporary) {
      out->problem = std::string("its sandbox cannot be set up: no private directory: ") + std::strerror(errno);
    }
  }
  const PlaceNames names(places, out->temporary.get());
  for (const SandboxFiles& files : sandbox.files) {
    out->spec.layers.push_back(layer_of(files, names));
    // A hook that may write somewhere may not fill the disk with one file.
    if (files.write) out->spec.file_size = kMostInPrivateDir;
  }
  return out;
}

std::vector<std::string> places_of_words(const std::vector<std::string>& words, const std::string& home) {
  std::vector<std::string> out;
  for (const std::string& word : words) {
    std::string path = word;
    for (const std::string_view variable : {"~/", "$HOME/", "${HOME}/"}) {
      if (word.starts_with(variable)) path = home + "/" + word.substr(variable.size());
    }
    if (!path.starts_with('/') || !is_script(path)) continue;
    // Scripts include what is beside them, but what lies in the home itself is not theirs.
    const std::string directory = path.substr(0, path.rfind('/'));
    const bool is_own = !directory.empty() && directory != home && directory != "/tmp" && directory != "/etc";
    out.push_back(is_own ? directory : path);
  }
  return out;
}

}  // namespace grapnel
