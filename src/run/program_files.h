#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/hook_spec.h"
#include "os/files.h"
#include "run/child.h"

/// The files that the program of a hook consists of, as far as its command names them. A process that was started from
/// files that have changed since must not answer any more.
namespace grapnel {

using FileStamps = std::vector<std::pair<std::string, std::optional<os::FileStamp>>>;

/// Every regular file that the command names, whether or not it is in the project: by a path, with variables filled in,
/// or by a name that PATH finds. `project` must be canonical.
std::vector<std::string> files_of_program(const HookSpec& hook, const std::string& project, const ChildSpec& child);

/// The words of the command that name a file in a way that only a running shell understands: `$(dirname x)/guard.py`.
std::vector<std::string> unknown_files(const HookSpec& hook, const ChildSpec& child);

/// The files of the same kind in the same directory, which is where scripts find their modules: `*.py` beside a script
/// that ends in `.py`. Nothing if there are too many of them. Files without a suffix have no such companions.
std::optional<std::vector<std::string>> files_beside(const std::vector<std::string>& files);

FileStamps stamps_of(const std::vector<std::string>& files);

}  // namespace grapnel
