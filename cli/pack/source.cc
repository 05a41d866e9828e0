#include "cli/pack/source.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/error.h"
#include "base/text.h"
#include "cli/console.h"
#include "cli/pack/git_objects.h"

namespace grapnel::cli {

namespace fs = std::filesystem;

namespace {

constexpr auto kSchemes = std::to_array<std::string_view>({"https://", "ssh://", "file://"});

bool is_plain(std::string_view text) {
  return std::ranges::none_of(text, [](unsigned char c) { return c <= ' ' || c == 0x7f; });
}

/// `git@host:path`, as people copy it from the page of a repository.
bool is_scp_address(std::string_view text) {
  const size_t colon = text.find(':');
  const size_t at = text.find('@');
  return colon != std::string_view::npos && at < colon && !text.substr(0, colon).contains('/');
}

/// The host of an address; it must not begin with a dash, or ssh would take it as an option.
std::string_view host_of(std::string_view text) {
  const size_t scheme = text.find("://");
  if (scheme != std::string_view::npos) text.remove_prefix(scheme + 3);
  text = text.substr(0, text.find('/'));
  const size_t at = text.rfind('@');
  return at == std::string_view::npos ? text : text.substr(at + 1);
}

/// `https://name:secret@host/…`
bool has_password(std::string_view text) {
  const size_t scheme = text.find("://");
  if (scheme == std::string_view::npos) return false;
  text.remove_prefix(scheme + 3);
  const std::string_view host = text.substr(0, text.find('/'));
  return host.substr(0, host.rfind('@') + 1).contains(':') && host.contains('@');
}

Result<void> check_url(const std::string& text) {
  const std::string shown = "'" + printable(text) + "'";
  // `ext::sh -c …` and the like are programs that git would run.
  if (text.contains("::")) return fail(Errc::BadInput, shown + " names a transport program, which is not allowed");
  if (text.starts_with('-') || host_of(text).starts_with('-') || text.contains("@-"))
    return fail(Errc::BadInput, shown + " looks like an option");
  if (!is_plain(text)) return fail(Errc::BadInput, shown + " contains blanks or control characters");
  const bool is_known = std::ranges::any_of(kSchemes, [&](auto scheme) { return text.starts_with(scheme); });
  if (has_password(text))
    return fail(
        Errc::BadInput,
        "the address contains a password, which packs.lock would show to everybody; let git ask its credential helper");
  if (is_known || is_scp_address(text)) return {};
  if (text.contains("://")) return fail(Errc::BadInput, shown + ": only https, ssh and file addresses are fetched");
  std::error_code error;
  if (fs::exists(text, error))
    return fail(Errc::BadInput, printable(text) + " is a file; name the directory of the pack");
  return fail(Errc::BadInput, "there is no directory " + printable(text) +
                                  "; the address of a repository begins with https://, ssh://, file:// or NAME@HOST:");
}

Result<void> check_revision(const std::string& at) {
  const bool is_name = std::ranges::all_of(at, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '.' || c == '_' || c == '/' || c == '+' || c == '-';
  });
  if (is_name && !at.starts_with('-') && !at.contains("..")) return {};
  return fail(Errc::BadInput, "'" + printable(at) + "' is not the name of a branch, a tag or a commit");
}

}  // namespace

Result<PackSource> source_from(const std::string& text, const std::string& at) {
  if (auto ok = check_revision(at); !ok) return std::unexpected(ok.error());
  std::error_code error;
  const bool is_directory = !text.starts_with('-') && fs::is_directory(text, error);
  const bool is_bare =
      is_directory && fs::exists(fs::path(text) / "HEAD", error) && fs::is_directory(fs::path(text) / "objects", error);
  if (is_directory) {
    const std::string path = fs::absolute(text, error).lexically_normal().string();
    return PackSource{path.ends_with('/') && path.size() > 1 ? path.substr(0, path.size() - 1) : path, at,
                      is_bare || !at.empty()};
  }
  if (auto ok = check_url(text); !ok) return std::unexpected(ok.error());
  return PackSource{text, at, true};
}

std::string usual_name(const PackSource& source) {
  std::string_view text = source.text;
  while (text.ends_with('/')) text.remove_suffix(1);
  if (text.ends_with(".git")) text.remove_suffix(4);
  while (text.ends_with('/')) text.remove_suffix(1);
  std::string name = text::to_lower(text.substr(text.find_last_of("/:") + 1));
  std::ranges::replace_if(name, [](unsigned char c) { return c == '.' || c == '_' || c == ' '; }, '-');
  return check_pack_name(name) ? name : "";
}

Result<void> check_pack_name(const std::string& name) {
  constexpr size_t kMaxName = 64;
  const bool is_name =
      !name.empty() && name.size() <= kMaxName && name.front() != '-' && std::ranges::all_of(name, [](unsigned char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
      });
  if (is_name) return {};
  return fail(
      Errc::BadInput,
      "'" + printable(name) + "' cannot be the name of a pack: use up to 64 lower-case letters, digits and hyphens");
}

Result<FetchedPack> fetch_pack(const PackSource& source, const std::string& base, const Environment& env) {
  if (!source.is_git) {
    auto pack = read_pack((fs::path(base) / source.text).lexically_normal().string());
    if (!pack) return std::unexpected(pack.error());
    return FetchedPack{std::move(*pack), ""};
  }
  // The lock file, which somebody else may have written, is read again for each update, so it is checked again, too.
  if (auto ok = check_revision(source.at); !ok) return std::unexpected(ok.error());
  const bool is_address = source.text.contains(':') && !source.text.starts_with('/');
  if (is_address) {
    if (auto ok = check_url(source.text); !ok) return std::unexpected(ok.error());
  }
  return fetch_objects(is_address ? source.text : (fs::path(base) / source.text).lexically_normal().string(), source.at,
                       env);
}

}  // namespace grapnel::cli
