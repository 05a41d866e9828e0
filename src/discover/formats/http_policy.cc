#include "discover/formats/http_policy.h"

#include <algorithm>

#include "dialect/dialect.h"
#include "model/http_url.h"

namespace grapnel {

namespace {

using Strings = std::vector<std::string>;

void unite(Strings& target, const Strings& more) {
  target.insert(target.end(), more.begin(), more.end());
}

void unite(std::optional<Strings>& target, const std::optional<Strings>& more) {
  if (!more) return;
  if (!target) target.emplace();
  unite(*target, *more);
}

/// Whether somebody wrote this very host down, so that it may be anywhere.
bool is_named(const HttpPolicy& policy, const HttpUrl& url) {
  if (std::ranges::any_of(policy.hosts, [&](const std::string& pattern) { return matches_host(pattern, url); })) {
    return true;
  }
  return policy.urls && std::ranges::any_of(*policy.urls, [&](const std::string& pattern) {
           return names_one_host(pattern) && matches_url(pattern, url);
         });
}

Json permissions_of(const HttpHandler& post) {
  return Json::object({{"tls", Json::boolean(post.needs_tls)},
                       {"loopback", Json::boolean(post.loopback_addresses)},
                       {"private", Json::boolean(post.private_addresses)}});
}

}  // namespace

HttpPolicy HttpPolicy::overlaid(const HttpPolicy& later) const {
  HttpPolicy out = *this;
  unite(out.urls, later.urls);
  unite(out.variables, later.variables);
  unite(out.hosts, later.hosts);
  if (later.loopback) out.loopback = later.loopback;
  if (later.private_networks) out.private_networks = later.private_networks;
  if (later.plain) out.plain = later.plain;
  return out;
}

void HttpPolicy::apply_to(HookSpec& spec) const {
  auto* post = std::get_if<HttpHandler>(&spec.handler);
  if (post == nullptr) return;
  const auto url = HttpUrl::parse(post->url);
  const bool may_be_anywhere = url && is_named(*this, *url);
  post->allowed_urls = urls;
  post->needs_tls = spec.dialect->http.needs_tls && !plain.value_or(false) && !may_be_anywhere;
  post->loopback_addresses = loopback.value_or(false) || may_be_anywhere;
  post->private_addresses = private_networks.value_or(false) || may_be_anywhere;
  if (variables) {
    std::erase_if(post->allowed_env,
                  [&](const std::string& name) { return std::ranges::find(*variables, name) == variables->end(); });
  }
  const auto definition = Json::parse(spec.definition);
  if (definition) spec.definition = definition->with("post", permissions_of(*post)).dump();
}

}  // namespace grapnel
