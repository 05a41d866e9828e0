#include "cli/fleet/policy_home.h"

#include <filesystem>

#include "base/error.h"
#include "cli/fleet/bundle.h"
#include "fleet/subjects.h"
#include "trust/private_file.h"
#include "trust/sha256.h"

namespace grapnel::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kPolicyPatience{5};
constexpr size_t kMaxBundle = size_t{32} << 20;

Json refusals_json(const std::vector<std::string>& refusals) {
  std::vector<Json> out;
  for (const std::string& why : refusals) out.push_back(Json::string(why));
  return Json::array(out);
}

}  // namespace

Json PolicyState::to_json() const {
  const Json manifest = !current ? Json()
                                 : Json::object({{"channel", Json::string(current->channel)},
                                                 {"version", Json::number(current->version)},
                                                 {"name", Json::string(current->name)},
                                                 {"bundle", Json::string(current->bundle)},
                                                 {"expires", Json::string(current->expires)}});
  return Json::object({{"policy", manifest ? manifest : Json::null()},
                       {"policy_expired", Json::boolean(is_expired(now_text()))},
                       {"policy_was_changed_here", Json::boolean(was_changed_here)},
                       {"policy_refusals", refusals_json(refusals)}});
}

Result<fleet::ChannelPolicy> fetch_policy(Courier& courier, const std::string& channel) {
  const auto answer =
      courier.request(fleet::direct_get(fleet::kPolicyBucket, fleet::policy_subject(channel)), "", kPolicyPatience);
  if (!answer) return std::unexpected(answer.error());
  return answer->is_missing() ? fleet::ChannelPolicy{} : fleet::ChannelPolicy::parse(answer->body);
}

PolicyState PolicyHome::load() const {
  PolicyState out;
  const auto text = read_private_file(home_.path("policy.json"), kMaxBundle);
  const Json json = text && *text ? Json::parse(**text).value_or(Json()) : Json();
  out.highest = json["highest"].as_integer().value_or(0);
  out.was_changed_here = json["was_changed_here"].as_bool().value_or(false);
  for (const Json& why : json["refusals"].elements()) out.refusals.push_back(why.as_string().value_or(""));
  const auto machine = home_.load();
  if (!machine || !json["source"].is_object()) return out;
  out.source = fleet::SignedManifest::from_json(json["source"]);
  if (auto manifest = fleet::open_manifest(*out.source, machine->address.policy_keys))
    out.current = std::move(*manifest);
  return out;
}

Result<void> PolicyHome::save(const PolicyState& state) const {
  const Json json = Json::object({{"source", state.source ? state.source->to_json() : Json()},
                                  {"highest", Json::number(state.highest)},
                                  {"was_changed_here", Json::boolean(state.was_changed_here)},
                                  {"refusals", refusals_json(state.refusals)}});
  return write_private_file(home_.path("policy.json"), json.dump(JsonStyle::Pretty) + "\n");
}

Result<std::string> fetch_bundle(Courier& courier, const fleet::Manifest& manifest) {
  if (manifest.bundle_bytes < 0 || manifest.bundle_bytes > static_cast<int64_t>(kMaxBundle)) {
    return fail(Errc::LimitExceeded, "the bundle is too large");
  }
  std::string text;
  for (size_t i = 0; i < bundle_pieces(static_cast<size_t>(manifest.bundle_bytes)); ++i) {
    const std::string subject = fleet::direct_get(fleet::kBlobStream, fleet::blob_subject(manifest.bundle, i));
    const auto piece = courier.request(subject, "", kPolicyPatience);
    if (!piece) return std::unexpected(piece.error());
    if (piece->is_missing()) return fail(Errc::Unavailable, "a piece of the bundle is missing on the server");
    text += piece->body;
  }
  if (sha256_of(text) != manifest.bundle) return fail(Errc::Refused, "the bundle is not the one that was signed");
  return text;
}

// The engine may read at any moment. It finds the files of one bundle or of the other.
Result<void> PolicyHome::put(const std::string& bundle) const {
  const auto pack = read_bundle(bundle);
  if (!pack) return std::unexpected(pack.error());
  const std::string now = home_.path("policy/now");
  std::error_code error;
  if (fs::exists(now, error)) {
    const auto before = read_pack(now);
    if (before) static_cast<void>(write_pack(*before, home_.path("policy/before")));
  }
  return write_pack(*pack, now);
}

Result<PolicyState> PolicyHome::refresh(Courier& courier, const MachineHome::State& machine) const {
  const auto policy = fetch_policy(courier, machine.channel);
  if (!policy) return std::unexpected(policy.error());
  PolicyState state = load();
  fleet::Choice choice = fleet::choose_manifest(*policy, {.machine = machine.machine,
                                                          .channel = machine.channel,
                                                          .trusted_keys = machine.address.policy_keys,
                                                          .current = state.current,
                                                          .highest = state.highest,
                                                          .now = now_text()});
  if (choice.manifest && choice.manifest != state.current) {
    const auto bundle = fetch_bundle(courier, *choice.manifest);
    // A bundle that is missing or wrong leaves everything as it is; the next look tries again.
    if (!bundle) {
      choice.refusals.push_back("version " + std::to_string(choice.manifest->version) + ": " + bundle.error().message);
    } else {
      const bool is_other = !state.current || state.current->bundle != choice.manifest->bundle;
      if (auto done = is_other ? put(*bundle) : Result<void>(); !done) return std::unexpected(done.error());
      if (auto done = write_private_file(home_.path("bundle.json"), *bundle); !done)
        return std::unexpected(done.error());
      state.source = choice.source;
      state.current = choice.manifest;
      state.highest = std::max(state.highest, choice.manifest->version);
      state.was_changed_here = false;
    }
  }
  state.refusals = choice.refusals;
  if (auto done = save(state); !done) return std::unexpected(done.error());
  return state;
}

Result<bool> PolicyHome::repair() const {
  PolicyState state = load();
  if (!state.current) return false;
  const auto bundle = read_private_file(home_.path("bundle.json"), kMaxBundle);
  if (!bundle || !*bundle || sha256_of(**bundle) != state.current->bundle) return false;  // the next look fetches it
  const auto wanted = read_bundle(**bundle);
  const auto found = read_pack(home_.path("policy/now"));
  if (!wanted || (found && digest_of(*found) == digest_of(*wanted))) return false;
  if (auto done = write_pack(*wanted, home_.path("policy/now")); !done) return std::unexpected(done.error());
  state.was_changed_here = true;
  if (auto done = save(state); !done) return std::unexpected(done.error());
  return true;
}

}  // namespace grapnel::cli
