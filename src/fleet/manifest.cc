#include "fleet/manifest.h"

#include <algorithm>

#include "base/error.h"
#include "fleet/member_text.h"
#include "fleet/subjects.h"
#include "trust/sha256.h"

namespace grapnel::fleet {

namespace {

/// Signed together with the manifest, so that no signature over something else fits it.
constexpr std::string_view kPurpose = "grapnel-fleet-manifest-1\n";

std::string signed_bytes(const std::string& text) {
  return std::string(kPurpose) + text;
}

Json manifest_json(const Manifest& manifest) {
  return Json::object({{"v", Json::number(int64_t{1})},
                       {"channel", Json::string(manifest.channel)},
                       {"version", Json::number(manifest.version)},
                       {"bundle", Json::string(manifest.bundle)},
                       {"bundle_bytes", Json::number(manifest.bundle_bytes)},
                       {"name", Json::string(manifest.name)},
                       {"percent", Json::number(manifest.percent)},
                       {"issued", Json::string(manifest.issued)},
                       {"expires", Json::string(manifest.expires)}});
}

Json list_json(const std::vector<SignedManifest>& manifests) {
  std::vector<Json> all;
  for (const SignedManifest& manifest : manifests) all.push_back(manifest.to_json());
  return Json::array(all);
}

std::vector<SignedManifest> read_list(const Json& json) {
  std::vector<SignedManifest> out;
  for (const Json& manifest : json.elements()) out.push_back(SignedManifest::from_json(manifest));
  return out;
}

/// Why the machine does not run it; "" if it may.
std::string objection_to(const Manifest& manifest, const MachineView& view) {
  const std::string what = "version " + std::to_string(manifest.version);
  if (manifest.channel != view.channel) return what + " is for the channel " + manifest.channel;
  if (manifest.expires <= view.now) return what + " expired at " + manifest.expires;
  const bool is_known = view.current && *view.current == manifest;
  if (is_known || manifest.version > view.highest) return "";
  return what + " is not newer than version " + std::to_string(view.highest) + ", which was here before";
}

}  // namespace

Json SignedManifest::to_json() const {
  return Json::object({{"manifest", Json::string(text)},
                       {"key", Json::string(key)},
                       {"signature", Json::string(base64url(signature))}});
}

SignedManifest SignedManifest::from_json(const Json& json) {
  return {member_text(json, "manifest"), member_text(json, "key"),
          from_base64url(member_text(json, "signature")).value_or("")};
}

SignedManifest sign_manifest(const Manifest& manifest, const KeyPair& key) {
  std::string text = manifest_json(manifest).dump();
  std::string signature = key.sign(signed_bytes(text));
  return {std::move(text), key.public_key(), std::move(signature)};
}

Result<Manifest> open_manifest(const SignedManifest& manifest, const std::vector<std::string>& trusted_keys) {
  if (std::ranges::find(trusted_keys, manifest.key) == trusted_keys.end()) {
    return fail(Errc::Refused, "it is signed with a key that this machine does not trust");
  }
  if (!is_signed_by(manifest.key, signed_bytes(manifest.text), manifest.signature)) {
    return fail(Errc::Refused, "its signature is wrong");
  }
  const auto json = Json::parse(manifest.text);
  if (!json || (*json)["v"].as_integer() != 1)
    return fail(Errc::BadInput, "it is of a form that this version does not know");
  Manifest out;
  out.channel = member_text(*json, "channel");
  out.version = (*json)["version"].as_integer().value_or(0);
  out.bundle = member_text(*json, "bundle");
  out.bundle_bytes = (*json)["bundle_bytes"].as_integer().value_or(0);
  out.name = member_text(*json, "name");
  out.percent = (*json)["percent"].as_integer().value_or(0);
  out.issued = member_text(*json, "issued");
  out.expires = member_text(*json, "expires");
  if (!is_name(out.channel) || out.version <= 0) return fail(Errc::BadInput, "it has no channel or no version");
  return out;
}

std::string ChannelPolicy::to_text() const {
  return Json::object(
             {{"v", Json::number(int64_t{1})}, {"manifests", list_json(manifests)}, {"history", list_json(history)}})
      .dump();
}

ChannelPolicy ChannelPolicy::parse(const std::string& text) {
  const Json json = Json::parse(text).value_or(Json());
  return {read_list(json["manifests"]), read_list(json["history"])};
}

bool is_among(const std::string& machine, const Manifest& manifest) {
  const std::string digest = Sha256().add(manifest.bundle).add(machine).hex();
  const auto number = std::stoul(digest.substr(0, 8), nullptr, 16);
  return static_cast<int64_t>(number % 100) < manifest.percent;
}

// The newest comes first. One that is not for this machine leaves the next one in force.
Choice choose_manifest(const ChannelPolicy& policy, const MachineView& view) {
  Choice out;
  for (const SignedManifest& one : policy.manifests) {
    const auto manifest = open_manifest(one, view.trusted_keys);
    if (!manifest) {
      out.refusals.push_back("a manifest was refused: " + manifest.error().message);
      continue;
    }
    if (const std::string why = objection_to(*manifest, view); !why.empty()) {
      out.refusals.push_back("a manifest was refused: " + why);
      continue;
    }
    if (!is_among(view.machine, *manifest)) continue;
    out.manifest = *manifest;
    out.source = one;
    break;
  }
  return out;
}

}  // namespace grapnel::fleet
