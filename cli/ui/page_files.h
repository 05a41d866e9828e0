#pragma once

#include <span>
#include <string_view>

namespace grapnel::cli {

/// A file of the page that `grapnel ui` shows. The build bundles cli/ui/page and writes the table
/// (cli/ui/page/build.mjs), so the program needs no file beside itself.
struct EmbeddedFile {
  std::string_view path;   ///< `/index.html`, `/assets/page-HASH.js`: the hash is that of the content
  std::string_view type;   ///< for Content-Type
  std::string_view bytes;  ///< as it is
  std::string_view gzip;   ///< the same, compressed
};

/// All files, sorted by path.
std::span<const EmbeddedFile> page_files();

}  // namespace grapnel::cli
