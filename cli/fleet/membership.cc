#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <thread>

#include "base/error.h"
#include "cli/ask.h"
#include "cli/fleet/fleet_verbs.h"
#include "cli/fleet/nats_server.h"
#include "cli/fleet/policy_home.h"
#include "cli/fleet/queries.h"
#include "os/files.h"

namespace grapnel::cli {

namespace {

constexpr std::chrono::seconds kPatience{2};
constexpr std::chrono::seconds kJoinPatience{5};
constexpr std::chrono::milliseconds kJoinPause{100};
/// How long this machine's program may take to end what it is at.
constexpr std::chrono::seconds kEndPatience{10};
constexpr std::chrono::milliseconds kEndPause{10};

std::string host_name() {
  std::string name(256, '\0');
  if (::gethostname(name.data(), name.size() - 1) != 0) return "machine";
  return name.substr(0, name.find('\0'));
}

/// Asks the collector for credentials with a key of this machine's own. Fails: Unavailable, Refused.
Result<MachineHome::State> enrol(const MachineHome& home, const Token& token, const std::string& channel) {
  const auto courier = Courier::connect({.url = token.address.url,
                                         .authority = token.address.authority,
                                         .name = token.name,
                                         .creds = [creds = token.creds] { return creds; }});
  if (!courier) return std::unexpected(courier.error());
  const auto key = fleet::KeyPair::make(fleet::KeyKind::User);
  if (!key) return std::unexpected(key.error());
  const Json wish = Json::object({{"key", Json::string(key->public_key())}, {"host", Json::string(host_name())}});
  // The collector may only be starting, and a server that hears of it only now drops the first request. The same key
  // asks for the same thing again.
  auto answer = (*courier)->request("join", wish.dump(), kPatience);
  const auto end = std::chrono::steady_clock::now() + kJoinPatience;
  while (!answer && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(kJoinPause);
    answer = (*courier)->request("join", wish.dump(), kPatience);
  }
  if (!answer) return fail(Errc::Unavailable, "no collector answers: " + answer.error().message);
  const Json said = Json::parse(answer->body).value_or(Json());
  const auto machine = said["machine"].as_string();
  const auto jwt = said["jwt"].as_string();
  if (!machine || !jwt)
    return fail(Errc::Refused, "the fleet refused: " + said["error"].as_string().value_or(answer->body));
  MachineHome::State state{token.address, *machine, channel, now_text()};
  if (auto done = home.save(state, fleet::creds_text(*jwt, key->seed())); !done) return std::unexpected(done.error());
  return state;
}

/// A token of another role than a machine's: whoever has it works with the fleet from here.
int keep_role(Invocation& in, const Token& token) {
  const FleetHome home(in.env);
  FleetHome::State state = home.load().value_or(FleetHome::State{});
  if (!state.address.url.empty() && state.address.url != token.address.url) {
    return report_input(in.console, "here is another fleet already: " + state.address.url);
  }
  state.address = token.address;
  if (auto done = home.save(state); !done) return report_failure(in, done.error());
  if (auto done = home.save_creds(token.role, token.name, token.creds); !done) return report_failure(in, done.error());
  return print_done(
      in, Json::object({{"role", Json::string(token.role)}, {"name", Json::string(token.name)}}),
      "You are " + token.name + ", with the role " + token.role + ", in the fleet at " + token.address.url + ".\n");
}

/// The token is a word, or in a variable where others could read command lines, as in CI.
std::string token_text(Invocation& in) {
  const auto& words = in.args.all("WORD");
  return words.empty() ? std::string(in.env.get("GRAPNEL_FLEET_TOKEN")) : words.front();
}

/// Ends this machine's program, and waits for its end, because it writes into its directory to the last.
void end_program(const MachineHome& home) {
  const auto process = [&] { return running_process(home.path("machine.pid"), "grapnel-fleet"); };
  pid_t found = process();
  if (found > 0) ::kill(found, SIGTERM);
  const auto give_up = std::chrono::steady_clock::now() + kEndPatience;
  while ((found = process()) > 0 && std::chrono::steady_clock::now() < give_up) std::this_thread::sleep_for(kEndPause);
  if (found > 0) ::kill(found, SIGKILL);
}

}  // namespace

int fleet_join(Invocation& in) {
  if (!words_of(in, 0, 1, "a token, or finds it in GRAPNEL_FLEET_TOKEN")) return kBadUsage;
  const auto token = Token::parse(token_text(in));
  if (!token) return report_failure(in, token.error());
  if (token->role != "join") return keep_role(in, *token);
  const MachineHome home(in.env);
  if (const auto known = home.load()) {
    return report_input(
        in.console, "this machine is in a fleet already, as " + known->machine + "; `grapnel fleet leave` ends that");
  }
  const std::string channel = in.args.has("--channel") ? in.args.text("--channel") : std::string(kDefaultChannel);
  if (!fleet::is_name(channel))
    return report_input(in.console, "--channel: a channel's name has letters, digits, - and _");
  const auto state = enrol(home, *token, channel);
  if (!state) return report_failure(in, state.error());
  if (!in.args.has("--no-start")) {
    if (auto done = start_own(in.env, {"machine"}, home.path("machine.log")); !done)
      return report_failure(in, done.error());
  }
  return print_done(in, Json::object({{"machine", Json::string(state->machine)}, {"channel", Json::string(channel)}}),
                    "This machine is " + state->machine + ", in the channel " + channel + ".\n");
}

// What the journal has stays; only the fleet's own files go.
int fleet_leave(Invocation& in) {
  const MachineHome home(in.env);
  const auto state = home.load();
  if (!state) return report_failure(in, state.error());
  if (!in.args.has("--yes") && !says_yes(in.console, "Leave the fleet? Its policy no longer holds here. [y/N] ")) {
    in.console.say("nothing was changed");
    return kNo;
  }
  end_program(home);
  std::error_code error;
  std::filesystem::remove_all(home.directory(), error);
  if (error)
    return report_failure(in, Error{Errc::System, "cannot remove " + home.directory() + ": " + error.message(), {}, 0});
  return print_done(in, Json::object({{"left", Json::string(state->machine)}}),
                    state->machine + " has left the fleet. The records stay in its journal.\n");
}

int fleet_revoke(Invocation& in) {
  const auto words = words_of(in, 1, 1, "the name of a machine, or a public key of a user");
  if (!words) return kBadUsage;
  const FleetHome home(in.env);
  auto state = home.load();
  if (!state) return report_failure(in, state.error());
  std::string key = words->front();
  if (!fleet::is_public_key(key, fleet::KeyKind::User)) {
    const auto courier = home.connect("operator");
    const auto found = courier ? ask_for_key(**courier, key) : std::unexpected(courier.error());
    if (!found) return report_failure(in, found.error());
    key = *found;
  }
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  // Statements up to this second do not count; one more, because the server compares whole seconds.
  state->keys.revoked[key] = std::chrono::duration_cast<std::chrono::seconds>(now).count() + 1;
  if (auto done = home.save(*state); !done) return report_failure(in, done.error());
  for (const fleet::Account account : {fleet::Account::Agents, fleet::Account::Fleet}) {
    if (auto done = update_account(home, *state, account); !done) return report_failure(in, done.error());
  }
  return print_done(in, Json::object({{"revoked", Json::string(words->front())}, {"public_key", Json::string(key)}}),
                    words->front() + " is cut off.\n");
}

}  // namespace grapnel::cli
