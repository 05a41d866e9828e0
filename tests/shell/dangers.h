#pragma once

#include <array>
#include <string>
#include <vector>

/// Fifteen dangerous things and the pattern a rule denies each with.
namespace grapnel::shell {

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

}  // namespace grapnel::shell
