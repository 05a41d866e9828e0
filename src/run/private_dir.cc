#include "run/private_dir.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace grapnel {

std::shared_ptr<const PrivateDir> PrivateDir::make(const std::string& base) {
  std::string path = base + "/grapnel-hook-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) return nullptr;
  return std::shared_ptr<const PrivateDir>(new PrivateDir(std::move(path)));
}

PrivateDir::~PrivateDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace grapnel
