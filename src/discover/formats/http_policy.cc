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

/// A missing list means "no restriction", which differs from an empty one, so it stays missing unless a file has it.
void unite(std::optional<Strings>& target, const std::optional<Strings>& more) {
  if (!more) return;
  if (!target) target.emplace();
  unite(*target, *more);
}

/// Whether the settings name this host. Then it may also be on this machine or in a private network: these are closed
/// by default so that a hook cannot be made to reach internal services, and a host that was written down is no
/// accident.
bool is_named(const HttpPolicy& policy, const HttpUrl& url) {
  if (std::ranges::any_of(policy.hosts, [&](const std::string& pattern) { return matches_host(pattern, url); })) {
    return true;
  }
  return policy.urls && std::ranges::any_of(*policy.urls, [&](const std::string& pattern) {
           return names_one_host(pattern) && matches_url(pattern, url);
         });
}

/// What the policy permits a hook, in the form that becomes part of its definition.
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
  // A hook may use the variables that both it and the policy list.
  if (variables) {
    std::erase_if(post->allowed_env,
                  [&](const std::string& name) { return std::ranges::find(*variables, name) == variables->end(); });
  }
  // Trust covers the definition, so a project hook needs trust again when it is permitted more.
  const auto definition = Json::parse(spec.definition);
  if (definition) spec.definition = definition->with("post", permissions_of(*post)).dump();
}

}  // namespace grapnel
