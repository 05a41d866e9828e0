#include "agent/tools/text_file.h"

#include <sys/stat.h>

#include "base/error.h"
#include "os/files.h"

namespace grapnel::agent {

namespace {

/// How much of a file is checked for NUL bytes.
constexpr size_t kBinaryLook = size_t{8} << 10;
constexpr mode_t kNewFileMode = 0644;
constexpr mode_t kNewDirMode = 0777;  // the umask removes bits

}  // namespace

bool is_binary(std::string_view content) {
  return content.substr(0, kBinaryLook).find('\0') != std::string_view::npos;
}

Result<std::string> read_text_file(const std::string& path) {
  auto content = os::read_file(path, kMaxFileSize);
  if (content && is_binary(*content)) return fail(Errc::Refused, path + " is a binary file");
  return content;
}

/// The file is replaced by a new one, so its mode has to be copied.
Result<void> write_text_file(const std::string& path, std::string_view content) {
  struct stat st;
  const bool exists = ::stat(path.c_str(), &st) == 0;
  if (auto made = os::make_parent_dirs(path, kNewDirMode); !made) return made;
  // `st_mode` also contains the file's type, hence the mask.
  return os::write_file_atomic(path, content, exists ? st.st_mode & mode_t{07777} : kNewFileMode);
}

}  // namespace grapnel::agent
