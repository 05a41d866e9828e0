#include <array>

#include "cli/ui/page_files.h"

namespace grapnel::cli {

// For builds without the page (cli/ui/page): the API works, and `--export` writes its own HTML.
std::span<const EmbeddedFile> page_files() {
  static constexpr auto kFiles = std::to_array<EmbeddedFile>({
      {"/index.html", "text/html; charset=utf-8",
       "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Grapnel</title>"
       "<p>This build of grapnel-ui has no page.</p></html>\n",
       ""},
  });
  return kFiles;
}

}  // namespace grapnel::cli
