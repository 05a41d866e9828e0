#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bridge/install.h"
#include "os/temp_dir.h"

namespace grapnel::testing {

inline constexpr std::string_view kProgram = "/opt/our tools/grapnel";

/// A person's home, with a project in it.
class Home {
 public:
  Home() : env_({"HOME=" + (dir_ / "home")}), manifest_(env_, os::Durability::Lazy) {
    std::filesystem::create_directories(dir_ / "home");
    std::filesystem::create_directories(dir_ / "project");
  }

  const TempDir& dir() const { return dir_; }
  const Environment& env() const { return env_; }
  const Manifest& manifest() const { return manifest_; }
  BridgeTarget target(const Adapter& adapter, Scope scope = Scope::User) const {
    return {&adapter, scope, {.root = dir_ / "root", .project_dir = dir_ / "project", .env = &env_}};
  }
  std::string settings(const Adapter& adapter, Scope scope = Scope::User) const {
    return settings_path(target(adapter, scope)).value();
  }

  Result<void> install(const Wiring& wiring, Scope scope = Scope::User) const {
    const BridgeTarget to = target(*wiring.adapter, scope);
    const auto plan = plan_install(to, wiring, manifest_);
    return plan ? carry_out(*plan, manifest_) : std::unexpected(plan.error());
  }
  Result<void> uninstall(const Adapter& adapter, Scope scope = Scope::User) const {
    const BridgeTarget to = target(adapter, scope);
    const auto plan = plan_uninstall(to, manifest_);
    return plan ? carry_out(*plan, manifest_) : std::unexpected(plan.error());
  }

  void write(const std::string& path, std::string_view content) const {
    dir_.put(std::filesystem::relative(path, dir_.path()).string(), content);
  }
  std::string read(const std::string& path) const {
    return dir_.read(std::filesystem::relative(path, dir_.path()).string());
  }

  /// Everything below the home and the project but our own state: paths with contents.
  std::map<std::string, std::string> everything() const {
    std::map<std::string, std::string> out;
    for (const char* part : {"home", "project"}) {
      for (const auto& entry : std::filesystem::recursive_directory_iterator(dir_ / part)) {
        const std::string path = entry.path();
        if (path.contains("/.local")) continue;
        out[path] = entry.is_regular_file() ? read(path) : "";
      }
    }
    return out;
  }

 private:
  TempDir dir_;
  Environment env_;
  Manifest manifest_;
};

inline Wiring usual_wiring(const Adapter& adapter) {
  return {&adapter, std::string(kProgram), OnMissing::Pass, usual_events(adapter)};
}

/// Whether all of `part` is in `whole`, in this order.
inline bool is_subsequence(std::string_view part, std::string_view whole) {
  size_t at = 0;
  for (const char c : whole) at += at < part.size() && part[at] == c ? 1 : 0;
  return at == part.size();
}

}  // namespace grapnel::testing
