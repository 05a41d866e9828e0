#pragma once

#include <memory>

#include "grapnel/hook.h"
#include "grapnel/json.h"

#include "base/environment.h"

/// The errand `post`: an `http` hook's post as JSON, and the reply to it.
namespace grapnel::cli {

inline constexpr std::string_view kPostErrand = "post";

Json write_post(const HookPost& post);
/// Fails: BadInput.
Result<HookPost> read_post(const Json& json);

/// A body that is no UTF-8 is made so.
Json write_reply(const HookReply& reply);
HookReply read_reply(const Json& json);

/// Has `grapnel-agent` send the posts, each in a process of its own.
std::shared_ptr<HookPoster> make_errand_poster(const Environment& env);

}  // namespace grapnel::cli
