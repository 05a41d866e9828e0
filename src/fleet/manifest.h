#pragma once

#include <optional>
#include <string>
#include <vector>

#include "grapnel/json.h"

#include "fleet/jwt.h"

/// What a channel's machines shall run: a bundle, by its digest, signed with a key that is kept offline. A server, a
/// collector or a thief of any other key cannot make one.
namespace grapnel::fleet {

struct Manifest {
  std::string channel;
  int64_t version = 0;  ///< grows with every manifest of the channel
  std::string bundle;   ///< the SHA-256 of the bundle's text (bundle.h); "" for no rules at all
  int64_t bundle_bytes = 0;
  std::string name;  ///< what people call it
  int64_t percent = 100;
  std::string issued;  ///< ISO 8601
  std::string expires;

  bool operator==(const Manifest&) const = default;
};

/// A manifest with its signature, as it is stored and sent.
struct SignedManifest {
  std::string text;  ///< the manifest as it was signed, byte for byte
  std::string key;
  std::string signature;

  Json to_json() const;
  static SignedManifest from_json(const Json& json);
};

SignedManifest sign_manifest(const Manifest& manifest, const KeyPair& key);

/// The manifest, if one of these keys signed it. Fails: Refused, BadInput.
Result<Manifest> open_manifest(const SignedManifest& manifest, const std::vector<std::string>& trusted_keys);

/// What is stored for a channel: the newest manifest, and the newest that is for every machine. Machines do not look at
/// the history; people go back to it.
struct ChannelPolicy {
  std::vector<SignedManifest> manifests;
  std::vector<SignedManifest> history = {};  ///< the newest first

  std::string to_text() const;
  static ChannelPolicy parse(const std::string& text);
};

/// What a machine knows when it judges a manifest.
struct MachineView {
  std::string machine;
  std::string channel;
  std::vector<std::string> trusted_keys;
  std::optional<Manifest> current;  ///< what it runs now
  int64_t highest = 0;              ///< the highest version that it ever accepted
  std::string now;                  ///< ISO 8601
};

/// Whether the machine is among the first `percent` of a bundle. Whoever is among the first ten of a bundle is also
/// among the first fifty, and another bundle begins with other machines.
bool is_among(const std::string& machine, const Manifest& manifest);

/// What the machine shall run, and why each manifest that it cannot accept was refused. Nothing to do is no manifest.
struct Choice {
  std::optional<Manifest> manifest;
  std::optional<SignedManifest> source;
  std::vector<std::string> refusals;
};
Choice choose_manifest(const ChannelPolicy& policy, const MachineView& view);

}  // namespace grapnel::fleet
