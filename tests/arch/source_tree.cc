#include "arch/source_tree.h"

#include <algorithm>
#include <fstream>

namespace arch {

namespace fs = std::filesystem;

namespace {

SourceFile load_file(const fs::path& root, const fs::path& path) {
  SourceFile file{fs::relative(path, root).generic_string(), {}};
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) file.lines.push_back(line);
  return file;
}

bool is_source(const fs::directory_entry& entry) {
  const fs::path extension = entry.path().extension();
  return entry.is_regular_file() && (extension == ".h" || extension == ".cc");
}

}  // namespace

std::vector<SourceFile> load_tree(const fs::path& root, const std::vector<std::string_view>& folders) {
  std::vector<SourceFile> files;
  for (const std::string_view folder : folders) {
    if (!fs::is_directory(root / folder)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
      if (is_source(entry)) files.push_back(load_file(root, entry.path()));
    }
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

std::string folder_of(std::string_view path) {
  const size_t first = path.find('/');
  const std::string_view top = path.substr(0, first);
  if (top == "cli") return std::string(path.substr(0, path.rfind('/')));
  if (top != "src" && top != "include") return std::string(top);
  return std::string(path.substr(0, path.find('/', first + 1)));
}

}  // namespace arch
