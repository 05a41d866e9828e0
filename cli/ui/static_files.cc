#include <algorithm>
#include <array>

#include "cli/ui/api.h"
#include "cli/ui/page_files.h"

namespace grapnel::cli {

namespace {

/// The screens of the page. They are paths, so that people can keep and send addresses of what they look at.
constexpr auto kScreens = std::to_array<std::string_view>({"/", "/t", "/r", "/a", "/h", "/trust", "/s", "/d", "/f"});

bool is_screen(std::string_view path) {
  return std::ranges::find(kScreens, path) != kScreens.end() || path.starts_with("/e/");
}

}  // namespace

HttpResponse answer_file(const HttpRequest& request) {
  const std::string path = is_screen(request.path) ? "/index.html" : request.path;
  const auto files = page_files();
  const auto file = std::ranges::find(files, path, &EmbeddedFile::path);
  if (file == files.end()) return refuse({404, "there is no such page"});
  const bool as_gzip = !file->gzip.empty() && request.header("accept-encoding").contains("gzip");
  HttpResponse response{.type = std::string(file->type), .body = std::string(as_gzip ? file->gzip : file->bytes)};
  if (as_gzip) response.headers.emplace_back("Content-Encoding", "gzip");
  response.headers.emplace_back("Vary", "Accept-Encoding");
  // The names of the others contain what is in them.
  const bool is_fixed = path.starts_with("/assets/");
  response.headers.emplace_back("Cache-Control", is_fixed ? "private, max-age=31536000, immutable" : "no-store");
  return response;
}

}  // namespace grapnel::cli
