#include "cli/fleet/server_version.h"

#include <netdb.h>

#include <memory>

#include <sys/socket.h>
#include <sys/time.h>

#include "grapnel/json.h"

#include "base/error.h"
#include "base/text.h"
#include "base/unique_fd.h"

namespace grapnel::cli {

namespace {

constexpr timeval kInfoPatience = {2, 0};
constexpr size_t kMaxInfo = size_t{64} << 10;

struct HostPort {
  std::string host, port;
};

HostPort parts_of(std::string url) {
  if (const size_t scheme = url.find("://"); scheme != std::string::npos) url.erase(0, scheme + 3);
  if (const size_t user = url.rfind('@'); user != std::string::npos) url.erase(0, user + 1);
  const size_t colon = url.rfind(':');
  std::string host = url.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return {host, colon == std::string::npos ? "4222" : url.substr(colon + 1)};
}

UniqueFd connected(const HostPort& to) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (::getaddrinfo(to.host.c_str(), to.port.c_str(), &hints, &found) != 0) return {};
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> all(found, ::freeaddrinfo);
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    UniqueFd out(::socket(one->ai_family, one->ai_socktype | SOCK_CLOEXEC, one->ai_protocol));
    if (!out) continue;
    // Linux counts the time of a connect as that of sending.
    ::setsockopt(out.get(), SOL_SOCKET, SO_SNDTIMEO, &kInfoPatience, sizeof kInfoPatience);
    ::setsockopt(out.get(), SOL_SOCKET, SO_RCVTIMEO, &kInfoPatience, sizeof kInfoPatience);
    if (::connect(out.get(), one->ai_addr, one->ai_addrlen) == 0) return out;
  }
  return {};
}

}  // namespace

// `INFO {"server_id":…,"version":"2.9.10",…}`, in one line and in the clear, as NATS begins also where TLS follows.
Result<std::string> server_version(const std::string& url) {
  const UniqueFd socket = connected(parts_of(url));
  std::string line;
  std::string piece(4096, '\0');
  while (socket && line.size() < kMaxInfo && !line.contains('\n')) {
    const ssize_t size = ::recv(socket.get(), piece.data(), piece.size(), 0);
    if (size <= 0) break;
    line.append(piece, 0, static_cast<size_t>(size));
  }
  const size_t begin = line.find('{');
  const auto info =
      begin == std::string::npos ? Json() : Json::parse(line.substr(begin, line.find('\n') - begin)).value_or(Json());
  if (auto version = info["version"].as_string()) return *version;
  return fail(Errc::Unavailable, url + " does not say which version it has");
}

std::vector<std::string> urls_of(const std::string& list) {
  std::vector<std::string> out;
  for (const std::string_view one : text::split(list, ',')) out.emplace_back(text::trim(one));
  return out;
}

}  // namespace grapnel::cli
