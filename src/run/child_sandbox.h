#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/environment.h"
#include "model/sandbox.h"
#include "os/sandbox.h"
#include "run/private_dir.h"

/// A hook's sandbox for one process: the names of places have become paths.
namespace grapnel {

struct ChildSandbox {
  os::SandboxSpec spec;
  std::shared_ptr<const PrivateDir> temporary;  ///< null: it has none of its own
  uint32_t processes = 0;                       ///< at the same time; 0: no limit
  bool is_required = true;
  std::string what;     ///< for people
  std::string problem;  ///< why it cannot be set up, or ""
};

/// What the names of places mean for one process.
struct SandboxPlaces {
  std::string project;
  const Environment& env;        ///< says where its home is, and where it finds programs
  std::vector<std::string> own;  ///< the files that it is made of: it may always read them
};

/// The path without links if it exists and is in the project, or ""; links in a project may lead anywhere.
std::string path_in_project(const std::string& project, const std::string& path);

/// Null if the sandbox takes nothing away. If it has a private directory, that is made now, and `$TMPDIR` in `env` is
/// to be set to it.
std::shared_ptr<const ChildSandbox> sandbox_for(const Sandbox& sandbox, const SandboxPlaces& places);

/// The scripts that these words of a command name outside of the usual places, and the directories around them. A
/// script is known by its mode, its first line or its name: what a command only reads is not part of the hook.
std::vector<std::string> places_of_words(const std::vector<std::string>& words, const std::string& home);

}  // namespace grapnel
