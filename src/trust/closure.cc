#include "trust/closure.h"

#include <algorithm>

#include <sys/stat.h>

#include "os/files.h"
#include "trust/sha256.h"

namespace grapnel {

namespace {

constexpr size_t kMaxScript = size_t{16} << 20;

bool is_regular_file(const std::string& path) {
  struct stat info{};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
}

/// Splits on everything that cannot be part of a plain path, dropping quotes and `$VARIABLE` prefixes.
std::vector<std::string> path_like_words(std::string_view command) {
  std::vector<std::string> words;
  std::string word;
  const auto flush = [&] {
    if (!word.empty()) words.push_back(std::exchange(word, {}));
  };
  for (const char c : command) {
    constexpr std::string_view kBreaks = " \t\n;|&<>()=\"'`";
    if (kBreaks.find(c) != std::string_view::npos) {
      flush();
    } else {
      word += c;
    }
  }
  flush();
  return words;
}

std::string resolve(std::string word, const std::string& project_dir) {
  if (word.starts_with('$')) {  // $GEMINI_PROJECT_DIR/x, ${PROJECT_DIR}/x: variables that name the project
    const size_t slash = word.find('/');
    word = slash == std::string::npos ? "" : word.substr(slash + 1);
  }
  if (word.empty()) return "";
  return word.starts_with('/') ? word : project_dir + "/" + word;
}

}  // namespace

std::vector<std::string> files_of_command(std::string_view command, const std::string& project_dir) {
  std::vector<std::string> files;
  for (const std::string& word : path_like_words(command)) {
    std::string path = resolve(word, project_dir);
    const bool below_project = path.starts_with(project_dir + "/");
    const bool is_new = std::ranges::find(files, path) == files.end();
    if (below_project && is_new && is_regular_file(path)) files.push_back(std::move(path));
  }
  return files;
}

std::string closure_digest(std::string_view definition, std::string_view command, const std::string& project_dir) {
  Sha256 hash;
  hash.add(definition);
  for (const std::string& path : files_of_command(command, project_dir)) {
    const auto content = os::read_file(path, kMaxScript);
    hash.add(path).add(content ? *content : "unreadable: " + content.error().message);
  }
  return hash.hex();
}

}  // namespace grapnel
