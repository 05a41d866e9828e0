#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/ask.h"
#include "cli/display_width.h"
#include "cli/fleet/bundle.h"
#include "cli/fleet/fleet_verbs.h"
#include "cli/fleet/policy_home.h"
#include "cli/fleet/queries.h"
#include "cli/helper_program.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "cli/ui/replay.h"
#include "discover/find/ask_setting.h"
#include "discover/formats/yaml_document.h"
#include "fleet/subjects.h"
#include "trust/private_file.h"
#include "trust/sha256.h"

namespace grapnel::cli {

namespace {

constexpr std::chrono::seconds kStorePatience{10};
constexpr std::chrono::hours kUsualLife{24 * 90};
constexpr std::chrono::minutes kTestPatience{10};
constexpr std::chrono::hours kReplayed{24};
constexpr int64_t kMaxReplayed = 20'000;
constexpr size_t kExample = 60;
constexpr size_t kMaxHistory = 10;

/// The one who signs, with everything that is needed for it.
struct Signer {
  FleetHome home;
  FleetHome::State state;
  fleet::KeyPair key;
  std::unique_ptr<Courier> courier;
};

Result<Signer> open_signer(Invocation& in) {
  const FleetHome home(in.env);
  auto state = home.load();
  if (!state) return std::unexpected(state.error());
  auto key = home.key("policy");
  if (!key) return std::unexpected(key.error());
  auto courier = home.connect("operator");
  if (!courier) return std::unexpected(courier.error());
  return Signer{home, std::move(*state), std::move(*key), std::move(*courier)};
}

Result<int64_t> percent_of(const Arguments& args) {
  if (!args.has("--percent")) return 100;
  const std::string text = args.text("--percent");
  int64_t percent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (!is_number || percent < 0 || percent > 100) return fail(Errc::BadInput, "--percent needs a number from 0 to 100");
  return percent;
}

Result<std::string> channel_of(const Arguments& args, std::string_view option) {
  const std::string channel = args.has(option) ? args.text(option) : std::string(kDefaultChannel);
  if (fleet::is_name(channel)) return channel;
  return fail(Errc::BadInput, std::string(option) + ": a channel's name has letters, digits, - and _");
}

/// What a channel has, opened. Manifests that we did not sign are left out.
struct OpenChannel {
  std::vector<fleet::Manifest> now;
  std::vector<fleet::Manifest> before;
  std::vector<fleet::SignedManifest> history;
  int64_t highest = 0;

  /// The newest that is for every machine.
  const fleet::Manifest* base() const {
    const auto found = std::ranges::find(now, 100, &fleet::Manifest::percent);
    return found == now.end() ? nullptr : &*found;
  }
};

std::string versions_path(const FleetHome& home) {
  return home.path("versions.json");
}

/// The highest version that was ever signed here. The server could show an old one.
int64_t signed_here(const FleetHome& home, const std::string& channel) {
  const auto text = read_private_file(versions_path(home), 1 << 20);
  const Json json = text && *text ? Json::parse(**text).value_or(Json()) : Json();
  return json[channel].as_integer().value_or(0);
}

Result<void> note_signed(const FleetHome& home, const std::string& channel, int64_t version) {
  const auto text = read_private_file(versions_path(home), 1 << 20);
  const Json json = text && *text ? Json::parse(**text).value_or(Json()) : Json();
  return write_private_file(versions_path(home), json.with(channel, Json::number(version)).dump() + "\n");
}

Result<OpenChannel> open_channel(Signer& signer, const std::string& channel) {
  const auto policy = fetch_policy(*signer.courier, channel);
  if (!policy) return std::unexpected(policy.error());
  OpenChannel out{.history = policy->history, .highest = signed_here(signer.home, channel)};
  const auto open_all = [&](const std::vector<fleet::SignedManifest>& all, std::vector<fleet::Manifest>& to) {
    for (const fleet::SignedManifest& one : all) {
      auto manifest = fleet::open_manifest(one, signer.state.address.policy_keys);
      if (!manifest || manifest->channel != channel) continue;
      out.highest = std::max(out.highest, manifest->version);
      to.push_back(std::move(*manifest));
    }
  };
  open_all(policy->manifests, out.now);
  open_all(policy->history, out.before);
  for (const fleet::SignedManifest& one : policy->manifests) out.history.insert(out.history.begin(), one);
  if (out.history.size() > kMaxHistory) out.history.resize(kMaxHistory);
  return out;
}

/// Stores the text and reads it again: that a stream took it does not mean that it has it.
Result<void> store_and_check(Courier& courier, std::string_view stream, const std::string& subject,
                             const std::string& body) {
  if (auto done = store_message(courier, subject, body, kStorePatience); !done) return done;
  const auto again = courier.request(fleet::direct_get(stream, subject), "", kStorePatience);
  if (!again) return std::unexpected(again.error());
  return again->body == body ? Result<void>()
                             : fail(Errc::Unavailable, "the server does not have what was stored: " + subject);
}

Result<void> upload_bundle(Courier& courier, const std::string& digest, const std::string& text) {
  for (size_t i = 0; i < bundle_pieces(text.size()); ++i) {
    const std::string piece = text.substr(i * kBundlePiece, kBundlePiece);
    auto done = store_and_check(courier, fleet::kBlobStream, fleet::blob_subject(digest, i), piece);
    if (!done) return done;
  }
  return {};
}

/// Signs the manifest for a channel and tells the machines. With less than all of them, the others get the policy for
/// everybody anew: whoever was among the first of an earlier one has to leave that.
Result<fleet::Manifest> publish(Signer& signer, fleet::Manifest manifest, std::chrono::seconds life) {
  auto channel = open_channel(signer, manifest.channel);
  if (!channel) return std::unexpected(channel.error());
  const auto now = std::chrono::system_clock::now();
  const std::string issued = format_timestamp(now), expires = format_timestamp(now + life);
  int64_t version = channel->highest;
  fleet::ChannelPolicy policy{.history = channel->history};
  if (manifest.percent < 100 && channel->base() != nullptr) {
    fleet::Manifest base = *channel->base();
    base.version = ++version;
    base.issued = issued;
    base.expires = std::max(base.expires, expires);
    policy.manifests.push_back(fleet::sign_manifest(base, signer.key));
  }
  manifest.version = ++version;
  manifest.issued = issued;
  manifest.expires = expires;
  policy.manifests.insert(policy.manifests.begin(), fleet::sign_manifest(manifest, signer.key));
  if (auto done = note_signed(signer.home, manifest.channel, version); !done) return std::unexpected(done.error());
  const auto stored =
      store_and_check(*signer.courier, fleet::kPolicyBucket, fleet::policy_subject(manifest.channel), policy.to_text());
  if (!stored) return std::unexpected(stored.error());
  static_cast<void>(signer.courier->publish(fleet::policy_notice(manifest.channel), std::to_string(version)));
  static_cast<void>(signer.courier->flush(kStorePatience));
  return manifest;
}

Json manifest_json(const fleet::Manifest& manifest) {
  return Json::object({{"channel", Json::string(manifest.channel)},
                       {"version", Json::number(manifest.version)},
                       {"name", Json::string(manifest.name)},
                       {"bundle", Json::string(manifest.bundle)},
                       {"percent", Json::number(manifest.percent)},
                       {"expires", Json::string(manifest.expires)}});
}

std::string manifest_text(const fleet::Manifest& manifest) {
  return "version " + std::to_string(manifest.version) + " (" + printable(manifest.name) + ") for " +
         std::to_string(manifest.percent) + " % of the channel " + manifest.channel + ", until " +
         manifest.expires.substr(0, 10);
}

/// What a policy may say besides its hooks: where agents ask. Fails: BadInput.
Result<void> check_settings(const Pack& pack, const std::string& directory) {
  const auto file = std::ranges::find(pack.files, "settings.yaml", &PackFile::path);
  if (file == pack.files.end()) return {};
  const auto settings = read_yaml(file->text);
  const std::string mistake = !settings                     ? settings.error().message
                              : !settings->root.is_object() ? "it must have lines such as ask: fleet"
                                                            : mistake_in_policy_settings(settings->root);
  return mistake.empty() ? Result<void>() : fail(Errc::BadInput, directory + "/settings.yaml: " + mistake);
}

/// What `grapnel test` says about the directory.
struct Tested {
  bool has_tests = false;
  bool passed = false;
  std::string report;
};
Result<Tested> test_bundle(const Environment& env, const std::string& directory) {
  const auto pack = read_pack(directory);
  if (!pack) return std::unexpected(pack.error());
  const bool has_tests =
      std::ranges::any_of(pack->files, [](const PackFile& file) { return file.path.ends_with(".hooktest.yaml"); });
  if (!has_tests) return Tested{false, true, "There are no tests in it.\n"};
  auto answers = ask_helper_program(env, "grapnel-engine", {{"test", directory}},
                                    std::chrono::duration_cast<std::chrono::milliseconds>(kTestPatience));
  if (!answers) return std::unexpected(answers.error());
  const HelperAnswer& answer = answers->front();
  return Tested{true, answer.status == 0, answer.out + (answer.err.empty() ? "" : answer.err + "\n")};
}

/// What one rule would have done.
struct RuleReplay {
  size_t denied = 0, newly_denied = 0, asked = 0;
  std::set<std::string> machines;
  std::string example;  ///< what it would have been about, the last time
};

/// What the rules would have done to what really happened.
struct Replay {
  size_t events = 0;
  bool is_cut = false;  ///< there were more; these are the newest
  size_t unknown = 0;   ///< their records have not kept enough
  size_t denied = 0, newly_denied = 0;
  size_t asked = 0;
  std::set<std::string> machines;  ///< with something denied or asked
  std::map<std::string, RuleReplay> rules;
  std::vector<std::string> left_out;

  void add(const fleet::CentralRecord& one, const RuleTrial::Outcome& outcome);
  std::string to_text() const;
  Json to_json() const;
};

void Replay::add(const fleet::CentralRecord& one, const RuleTrial::Outcome& outcome) {
  const bool is_denied = outcome.verdict == Verdict::Deny, is_asked = outcome.verdict == Verdict::Ask;
  if (!is_denied && !is_asked) return;
  const bool is_new = is_denied && !one.record["verdict"].equals_string("deny");
  RuleReplay& rule = rules[outcome.by];
  for (size_t* count : {&denied, &rule.denied}) *count += is_denied ? 1 : 0;
  for (size_t* count : {&newly_denied, &rule.newly_denied}) *count += is_new ? 1 : 0;
  for (size_t* count : {&asked, &rule.asked}) *count += is_asked ? 1 : 0;
  for (std::set<std::string>* where : {&machines, &rule.machines}) where->insert(one.machine);
  rule.example = text_of(one.record, "subject");
}

std::string Replay::to_text() const {
  const std::string on = " on " + count_text(machines.size(), "machine");
  std::string out = "Of the " + std::string(is_cut ? "newest " : "") + count_text(events, "event") +
                    " of the last 24 hours it would have denied " + std::to_string(denied) + " (" +
                    std::to_string(newly_denied) + " were not denied then) and asked about " + std::to_string(asked) +
                    (machines.empty() ? "" : "," + on) + ".\n";
  for (const auto& [name, rule] : rules) {
    std::vector<std::string> parts;
    if (rule.denied > 0)
      parts.push_back("denied " + std::to_string(rule.denied) + " (" + std::to_string(rule.newly_denied) + " new)");
    if (rule.asked > 0) parts.push_back("asked about " + std::to_string(rule.asked));
    out += "  " + printable(name) + " " + text::join(parts, " and ") + " on " +
           count_text(rule.machines.size(), "machine") +
           (rule.example.empty() ? "" : ", as " + cut_to_width(printable(rule.example), kExample)) + "\n";
  }
  if (unknown > 0) out += "Of " + count_text(unknown, "event") + " the records do not say enough to tell.\n";
  if (!left_out.empty()) out += "Not tried, because they start a program: " + text::join(left_out, ", ") + ".\n";
  return out;
}

Json Replay::to_json() const {
  const auto number = [](size_t value) { return Json::number(static_cast<int64_t>(value)); };
  std::vector<Json> all;
  for (const auto& [name, rule] : rules) {
    all.push_back(Json::object({{"rule", Json::string(name)},
                                {"would_deny", number(rule.denied)},
                                {"newly_denied", number(rule.newly_denied)},
                                {"would_ask", number(rule.asked)},
                                {"machines", number(rule.machines.size())},
                                {"example", Json::string(rule.example)}}));
  }
  return Json::object({{"events", number(events)},
                       {"unknown", number(unknown)},
                       {"would_deny", number(denied)},
                       {"newly_denied", number(newly_denied)},
                       {"would_ask", number(asked)},
                       {"machines", number(machines.size())},
                       {"cut", Json::boolean(is_cut)},
                       {"rules", Json::array(all)}});
}

Result<Replay> replay_bundle(const Environment& env, Courier& courier, const Pack& pack) {
  const auto rules = std::ranges::find(pack.files, std::string("grapnel.yaml"), &PackFile::path);
  if (rules == pack.files.end()) return Replay{};
  auto trial = RuleTrial::prepare(env, rules->text);
  if (!trial) return Replay{.left_out = hook_names(pack)};
  Replay out{.left_out = trial->left_out()};
  const auto records = ask_for_records(
      courier, {.since = format_timestamp(std::chrono::system_clock::now() - kReplayed), .limit = kMaxReplayed});
  if (!records) return std::unexpected(records.error());
  out.is_cut = static_cast<int64_t>(records->size()) >= kMaxReplayed;
  for (const fleet::CentralRecord& one : *records) {
    if (one.record["background"]) continue;
    ++out.events;
    const auto outcome = trial->decide(one.record);
    if (outcome) {
      out.add(one, *outcome);
    } else {
      ++out.unknown;
    }
  }
  return out;
}

/// Whether the person wants it. Without a terminal, `--yes` has to say so.
bool consents(Invocation& in, const std::string& question) {
  if (in.args.has("--yes")) return true;
  if (can_ask(in.console)) return says_yes(in.console, question + " [y/N] ");
  in.console.say("nothing was changed; without a terminal this needs --yes");
  return false;
}

int print_published(Invocation& in, const fleet::Manifest& manifest, const Json& more) {
  return print_done(in, manifest_json(manifest).merged(more), "Published " + manifest_text(manifest) + ".\n");
}

}  // namespace

int fleet_push(Invocation& in) {
  const auto words = words_of(in, 1, 1, "the directory of a policy: a pack");
  if (!words) return kBadUsage;
  const std::string directory = absolute_path(words->front(), "");
  const std::string name = in.args.has("--name") ? in.args.text("--name") : directory.substr(directory.rfind('/') + 1);
  const auto channel = channel_of(in.args, "--channel");
  const auto percent = channel ? percent_of(in.args) : std::unexpected(channel.error());
  const auto life = percent ? read_span(in.args.text("--expires"), kUsualLife) : std::unexpected(percent.error());
  if (!life) return report_failure(in, life.error());
  const auto pack = read_pack(directory);
  if (!pack) return report_failure(in, pack.error());
  if (auto ok = check_pack(*pack, name); !ok) return report_failure(in, ok.error());
  if (auto ok = check_settings(*pack, directory); !ok) return report_failure(in, ok.error());
  // Everything that may object comes before anything is sent.
  const auto tested = test_bundle(in.env, directory);
  if (!tested) return report_failure(in, tested.error());
  if (!in.args.has("--json")) in.console.out(tested->report);
  if (!tested->passed) {
    in.console.say("nothing was changed: the tests of the policy fail");
    return kNo;
  }
  auto signer = open_signer(in);
  if (!signer) return report_failure(in, signer.error());
  const auto replay = replay_bundle(in.env, *signer->courier, *pack);
  if (!replay) return report_failure(in, replay.error());
  if (!in.args.has("--json")) in.console.out(replay->to_text());
  const std::string question =
      "Push " + printable(name) + " to " + std::to_string(*percent) + " % of the channel " + *channel + "?";
  if (!consents(in, question)) return kNo;
  const std::string text = bundle_text(*pack);
  const std::string digest = sha256_of(text);
  if (auto done = upload_bundle(*signer->courier, digest, text); !done) return report_failure(in, done.error());
  const auto published = publish(*signer,
                                 {.channel = *channel,
                                  .bundle = digest,
                                  .bundle_bytes = static_cast<int64_t>(text.size()),
                                  .name = name,
                                  .percent = *percent},
                                 *life);
  if (!published) return report_failure(in, published.error());
  return print_published(in, *published,
                         Json::object({{"tested", Json::boolean(tested->has_tests)}, {"replay", replay->to_json()}}));
}

int fleet_promote(Invocation& in) {
  if (!words_of(in, 0, 0, "no words; --channel, --to and --percent say what to do")) return kBadUsage;
  const auto from = channel_of(in.args, "--channel");
  const auto to = !in.args.has("--to") ? from : channel_of(in.args, "--to");
  const auto percent = to ? percent_of(in.args) : std::unexpected(to.error());
  const auto life = percent ? read_span(in.args.text("--expires"), kUsualLife) : std::unexpected(percent.error());
  if (!from || !life) return report_failure(in, from ? life.error() : from.error());
  auto signer = open_signer(in);
  if (!signer) return report_failure(in, signer.error());
  const auto channel = open_channel(*signer, *from);
  if (!channel) return report_failure(in, channel.error());
  if (channel->now.empty()) return report_input(in.console, "the channel " + *from + " has no policy yet");
  fleet::Manifest manifest = channel->now.front();
  manifest.channel = *to;
  manifest.percent = *percent;
  if (!consents(in, "Give " + printable(manifest.name) + " to " + std::to_string(*percent) + " % of the channel " +
                        *to + "?"))
    return kNo;
  const auto published = publish(*signer, manifest, *life);
  if (!published) return report_failure(in, published.error());
  return print_published(in, *published, Json::object());
}

// A machine accepts no lower version, so going back is a new version with the bundle of an old one.
int fleet_rollback(Invocation& in) {
  const auto words = words_of(in, 0, 1, "the version to go back to, or nothing for the one before");
  const auto name = channel_of(in.args, "--channel");
  const auto life = name ? read_span(in.args.text("--expires"), kUsualLife) : std::unexpected(name.error());
  if (!words || !life) return words ? report_failure(in, life.error()) : kBadUsage;
  auto signer = open_signer(in);
  if (!signer) return report_failure(in, signer.error());
  const auto channel = open_channel(*signer, *name);
  if (!channel) return report_failure(in, channel.error());
  if (channel->now.empty()) return report_input(in.console, "the channel " + *name + " has no policy yet");
  std::vector<fleet::Manifest> older(channel->now.begin() + 1, channel->now.end());
  older.insert(older.end(), channel->before.begin(), channel->before.end());
  const std::string version = words->empty() ? "" : words->front();
  const auto found = std::ranges::find_if(older, [&](const fleet::Manifest& one) {
    return version.empty() ? one.bundle != channel->now.front().bundle : std::to_string(one.version) == version;
  });
  if (found == older.end())
    return report_input(in.console, "the channel " + *name + " has no such version to go back to");
  fleet::Manifest manifest = *found;
  manifest.percent = 100;
  if (!consents(in, "Go back to " + printable(manifest.name) + ", version " + std::to_string(manifest.version) + "?"))
    return kNo;
  const auto published = publish(*signer, manifest, *life);
  if (!published) return report_failure(in, published.error());
  return print_published(in, *published, Json::object({{"went_back_to", Json::number(found->version)}}));
}

}  // namespace grapnel::cli
