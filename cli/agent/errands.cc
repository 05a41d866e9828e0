#include "cli/agent/errands.h"

#include <array>

#include "cli/post_errand.h"
#include "grapnel_agent/http_poster.h"

namespace grapnel::cli {

namespace {

Result<Json> send_post(const Json& task, const Environment&) {
  const auto post = read_post(task);
  if (!post) return std::unexpected(post.error());
  auto reply = agent::make_http_poster()->post(*post, {});
  if (!reply) return std::unexpected(reply.error());
  return write_reply(*reply);
}

constexpr auto kErrands = std::to_array<Errand>({
    {kPostErrand, send_post},
});

}  // namespace

std::span<const Errand> all_errands() {
  return kErrands;
}

}  // namespace grapnel::cli
