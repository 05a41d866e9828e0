#pragma once

#include <array>
#include <string>
#include <vector>

#include "call/permission_rule.h"

/// Fifteen dangerous things and the pattern a rule denies each with.
namespace grapnel::call {

enum class Danger {
  RmRecursive,
  ForcePush,
  HardReset,
  GitClean,
  RawDisk,
  MakeFilesystem,
  ChmodRecursive,
  Curl,
  NpmPublish,
  DockerPrune,
  KubeDelete,
  TerraformDestroy,
  Shutdown,
  Netcat,
  Sudo,
};

struct DangerRow {
  Danger danger;
  std::vector<std::string> pattern;
};

inline std::vector<DangerRow> dangers() {
  return {
      {Danger::RmRecursive, {"rm", "-rf"}},
      {Danger::ForcePush, {"git", "push", "--force"}},
      {Danger::HardReset, {"git", "reset", "--hard"}},
      {Danger::GitClean, {"git", "clean", "-f"}},
      {Danger::RawDisk, {"dd"}},
      {Danger::MakeFilesystem, {"mkfs*"}},
      {Danger::ChmodRecursive, {"chmod", "-R"}},
      {Danger::Curl, {"curl"}},
      {Danger::NpmPublish, {"npm", "publish"}},
      {Danger::DockerPrune, {"docker", "system", "prune"}},
      {Danger::KubeDelete, {"kubectl", "delete"}},
      {Danger::TerraformDestroy, {"terraform", "destroy"}},
      {Danger::Shutdown, {"shutdown"}},
      {Danger::Netcat, {"nc"}},
      {Danger::Sudo, {"sudo"}},
  };
}

/// The permission rule that denies it: `Bash(git push --force *)`.
inline PermissionRule permission_rule(Danger danger) {
  for (const DangerRow& row : dangers()) {
    if (row.danger != danger) continue;
    std::string text = "Bash(";
    for (const std::string& word : row.pattern) text += word + " ";
    return *PermissionRule::parse(text + "*)", "");
  }
  return *PermissionRule::parse("Bash", "");
}

}  // namespace grapnel::call
