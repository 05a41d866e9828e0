#include "cli/fleet/signed_hooks.h"

#include <algorithm>

#include "base/error.h"
#include "cli/fleet/bundle.h"
#include "cli/fleet/policy_home.h"
#include "cli/hook_text.h"
#include "discover/formats/rule_file.h"
#include "os/files.h"
#include "trust/private_file.h"

namespace grapnel::cli {

namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kPolicyLook{2};
constexpr size_t kMaxRuleFile = size_t{16} << 20;
constexpr int64_t kEverybody = 100;

std::string version_text(const fleet::Manifest& manifest) {
  return "version " + std::to_string(manifest.version) + " of the channel " + manifest.channel;
}

const fleet::Manifest* choose(const std::vector<fleet::Manifest>& published, const std::string& bundle) {
  const fleet::Manifest* chosen = nullptr;
  for (const fleet::Manifest& one : published) {
    if (one.bundle == bundle) return &one;
    const bool is_newer = chosen == nullptr || one.version > chosen->version;
    if (one.percent == kEverybody && is_newer) chosen = &one;
  }
  return chosen;
}

}  // namespace

Result<HookSpec> SignedHooks::find(Courier& courier, const fleet::Job& job) {
  const std::lock_guard lock(mutex_);
  Channel& channel = channels_[job.channel];
  if (steady_clock::now() - channel.looked > kPolicyLook) {
    if (auto done = look(courier, job.channel, channel); !done) return std::unexpected(done.error());
  }
  const fleet::Manifest* manifest = choose(channel.published, job.bundle);
  if (manifest == nullptr) {
    return fail(Errc::Unavailable, "no policy of the channel " + job.channel + " can be used" +
                                       (channel.why_not.empty() ? "" : ": " + channel.why_not));
  }
  if (manifest->bundle != job.bundle && manifest->version < job.version) {
    return fail(Errc::Unavailable, "the policy of the machine is newer than what the server has");
  }
  if (manifest->bundle.empty()) return fail(Errc::NotFound, version_text(*manifest) + " has no hooks");
  const auto directory = unpack(courier, *manifest);
  if (!directory) return std::unexpected(directory.error());
  const std::string path = *directory + "/grapnel.yaml";
  const auto text = os::read_file(path, kMaxRuleFile);
  if (!text) return fail(Errc::NotFound, version_text(*manifest) + " has no rules");
  RuleFile rules = read_rules(*text, {.scope = Scope::Managed, .path = path, .default_timeout = {}});
  const auto found = std::ranges::find(rules.hooks, job.hook, &HookSpec::name);
  if (found == rules.hooks.end() || !found->is_job) {
    return fail(Errc::NotFound, version_text(*manifest) + " has no hook '" + printable(job.hook) + "' for workers");
  }
  return std::move(*found);
}

// A policy that was accepted stays when it expires, as on machines. One that comes when it has expired is a replay.
Result<void> SignedHooks::look(Courier& courier, const std::string& name, Channel& channel) const {
  const auto policy = fetch_policy(courier, name);
  if (!policy) return std::unexpected(policy.error());
  const int64_t floor = floor_of(name);
  channel.published.clear();
  channel.why_not.clear();
  int64_t highest = floor;
  for (const fleet::SignedManifest& one : policy->manifests) {
    const auto manifest = fleet::open_manifest(one, address_.policy_keys);
    const std::string why = !manifest                   ? manifest.error().message
                            : manifest->channel != name ? "it is for another channel"
                            : manifest->version < floor ? "it is older than what was seen"
                            : manifest->version > floor && manifest->expires <= now_text() ? "it has expired"
                                                                                           : "";
    if (!why.empty()) {
      channel.why_not = why;
      continue;
    }
    if (manifest->percent == kEverybody) highest = std::max(highest, manifest->version);
    channel.published.push_back(*manifest);
  }
  channel.looked = steady_clock::now();
  return highest > floor ? raise_floor(name, highest) : Result<void>();
}

// The files are compared before every job: a hook runs as the same user, and could have changed them.
Result<std::string> SignedHooks::unpack(Courier& courier, const fleet::Manifest& manifest) {
  const std::string directory = directory_ + "/bundles/" + manifest.bundle;
  const auto known = packs_.find(manifest.bundle);
  if (known != packs_.end()) {
    const auto pack = read_pack(directory);
    if (pack && digest_of(*pack) == known->second) return directory;
  }
  const auto text = fetch_bundle(courier, manifest);
  if (!text) return fail(Errc::Unavailable, text.error().message);
  const auto pack = read_bundle(*text);
  if (!pack) return std::unexpected(pack.error());
  if (auto done = os::make_dirs(directory_ + "/bundles", 0700); !done) return std::unexpected(done.error());
  if (auto done = write_pack(*pack, directory); !done) return std::unexpected(done.error());
  packs_[manifest.bundle] = digest_of(*pack);
  return directory;
}

int64_t SignedHooks::floor_of(const std::string& channel) const {
  const auto text = read_private_file(directory_ + "/" + channel + ".json", 4096);
  return text && *text ? Json::parse(**text).value_or(Json())["version"].as_integer().value_or(0) : 0;
}

Result<void> SignedHooks::raise_floor(const std::string& channel, int64_t version) const {
  const Json json = Json::object({{"version", Json::number(version)}});
  return write_private_file(directory_ + "/" + channel + ".json", json.dump() + "\n");
}

}  // namespace grapnel::cli
