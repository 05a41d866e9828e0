#include "cli/fleet/bundle.h"

#include "grapnel/json.h"

#include "base/error.h"
#include "fleet/keys.h"

namespace grapnel::cli {

std::string bundle_text(const Pack& pack) {
  std::vector<Json> files;
  for (const PackFile& file : pack.files) {
    files.push_back(Json::object({{"path", Json::string(file.path)},
                                  {"executable", file.is_executable ? Json::boolean(true) : Json()},
                                  {"content", Json::string(fleet::base64url(file.text))}}));
  }
  return Json::object({{"v", Json::number(int64_t{1})}, {"files", Json::array(files)}}).dump();
}

Result<Pack> read_bundle(const std::string& text) {
  const auto json = Json::parse(text);
  if (!json || (*json)["v"].as_integer() != 1)
    return fail(Errc::BadInput, "this is no bundle that this version can read");
  Pack pack;
  size_t bytes = 0;
  for (const Json& file : (*json)["files"].elements()) {
    auto content = fleet::from_base64url(file["content"].as_string().value_or(""));
    if (!content) return std::unexpected(content.error());
    PackFile one{file["path"].as_string().value_or(""), std::move(*content),
                 file["executable"].as_bool().value_or(false)};
    bytes += one.text.size();
    if (auto ok = check_pack_path(one.path); !ok) return std::unexpected(ok.error());
    if (auto ok = check_pack_size(pack.files.size() + 1, bytes); !ok) return std::unexpected(ok.error());
    pack.files.push_back(std::move(one));
  }
  return pack;
}

size_t bundle_pieces(size_t bytes) {
  return (bytes + kBundlePiece - 1) / kBundlePiece;
}

}  // namespace grapnel::cli
