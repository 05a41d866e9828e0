#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

/// The architecture check: reads the sources as text and says where they break the rules of docs/architecture.md.
///
///   source_tree.h   files and lines
///   layers.h        who may include what
///   wording.h       event names outside the dialect tables
namespace arch {

/// One file; the path is relative to the tree's root.
struct SourceFile {
  std::string path;
  std::vector<std::string> lines;
};

/// One broken rule, as `path:line: message`.
struct Finding {
  std::string path;
  size_t line = 0;
  std::string message;

  std::string to_string() const { return path + ":" + std::to_string(line) + ": " + message; }
  bool operator==(const Finding&) const = default;
};
using Findings = std::vector<Finding>;

/// Every `.h` and `.cc` file under the given folders of `root` that exist, sorted by path.
std::vector<SourceFile> load_tree(const std::filesystem::path& root, const std::vector<std::string_view>& folders);

/// `src/json`, `cli`, `include/grapnel`: the part of the path that decides what a file may do.
std::string folder_of(std::string_view path);

}  // namespace arch
