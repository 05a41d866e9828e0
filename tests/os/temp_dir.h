#pragma once

#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include <sys/stat.h>

namespace grapnel::testing {

/// A directory that goes with its scope.
class TempDir {
 public:
  TempDir() {
    std::string pattern = std::filesystem::temp_directory_path() / "grapnel_os_XXXXXX";
    path_ = ::mkdtemp(pattern.data());
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;
  /// A process that a test left behind may still be writing.
  ~TempDir() {
    std::error_code error;
    for (int tries = 0; tries < 50; ++tries) {
      std::filesystem::remove_all(path_, error);
      if (!error) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  std::string operator/(std::string_view name) const { return path_ + '/' + std::string(name); }
  const std::string& path() const { return path_; }

  std::string put(std::string_view name, std::string_view content, mode_t mode = 0644) const {
    const std::string file = *this / name;
    std::filesystem::create_directories(std::filesystem::path(file).parent_path());
    std::ofstream(file, std::ios::binary) << content;
    ::chmod(file.c_str(), mode);
    return file;
  }

  /// "" when there is none.
  std::string read(std::string_view name) const {
    std::ifstream file(*this / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::string path_;
};

}  // namespace grapnel::testing
