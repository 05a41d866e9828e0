#include "cli/fleet/fleet_files.h"

#include "base/clock.h"
#include "base/error.h"
#include "cli/console.h"
#include "discover/find/overrides.h"
#include "discover/find/places.h"
#include "fleet/subjects.h"
#include "trust/private_file.h"

namespace grapnel::cli {

namespace {

constexpr size_t kMaxFile = size_t{1} << 20;

Json text_list(const std::vector<std::string>& texts) {
  std::vector<Json> out;
  for (const std::string& text : texts) out.push_back(Json::string(text));
  return Json::array(out);
}

std::string text_in(const Json& json, std::string_view key) {
  return json[key].as_string().value_or("");
}

/// The file's content; an error of its own if it is not there.
Result<std::string> read_own_file(const std::string& path, const std::string& if_missing) {
  const auto text = read_private_file(path, kMaxFile);
  if (!text) return std::unexpected(text.error());
  if (!*text) return fail(Errc::NotFound, if_missing);
  return **text;
}

Result<Json> read_own_json(const std::string& path, const std::string& if_missing) {
  const auto text = read_own_file(path, if_missing);
  if (!text) return std::unexpected(text.error());
  auto json = Json::parse(*text);
  if (!json) return fail(Errc::BadInput, path + " is damaged: " + json.error().message);
  return json;
}

Result<std::string> creds_file(const std::string& file, const std::string& role) {
  return read_own_file(file, "there are no credentials of the role " + role + " here; `grapnel fleet token --role " +
                                 role + "` makes some");
}

Json roles_json(const std::map<std::string, std::string, std::less<>>& roles) {
  Json out = Json::object();
  for (const auto& [role, key] : roles) out = out.with(role, Json::string(key));
  return out;
}

}  // namespace

std::string now_text() {
  return format_timestamp(std::chrono::system_clock::now());
}

Result<std::chrono::seconds> read_span(const std::string& text, std::chrono::seconds by_default) {
  if (text.empty()) return by_default;
  const bool is_days = text.ends_with('d');
  const auto span = parse_duration(is_days ? text.substr(0, text.size() - 1) + "h" : text);
  if (!span) return fail(Errc::BadInput, "'" + printable(text) + "' is not a duration; write 10s, 1h or 30d");
  return std::chrono::duration_cast<std::chrono::seconds>(is_days ? *span * 24 : *span);
}

std::vector<std::pair<std::string, Json>> FleetAddress::members() const {
  return {{"url", Json::string(url)},
          {"authority", Json::string(authority)},
          {"policy_keys", text_list(policy_keys)},
          {"approver_key", Json::string(approver_key)},
          {"collector_key", Json::string(collector_key)}};
}

FleetAddress FleetAddress::from_json(const Json& json) {
  FleetAddress out{text_in(json, "url"),
                   text_in(json, "authority"),
                   {},
                   text_in(json, "approver_key"),
                   text_in(json, "collector_key")};
  for (const Json& key : json["policy_keys"].elements()) out.policy_keys.push_back(key.as_string().value_or(""));
  return out;
}

FleetHome::FleetHome(const Environment& env) : directory_(config_dir(env) + "/grapnel/fleet") {}

bool FleetHome::exists() const {
  return load().has_value();
}

Result<FleetHome::State> FleetHome::load() const {
  const auto json = read_own_json(path("fleet.json"),
                                  "there is no fleet here; `grapnel fleet init` makes one, and "
                                  "`grapnel fleet join TOKEN` is for those who get a token");
  if (!json) return std::unexpected(json.error());
  State out;
  out.address = FleetAddress::from_json(*json);
  out.database = text_in(*json, "database");
  out.listen = text_in(*json, "listen");
  const Json keys = (*json)["keys"];
  out.keys.fleet = text_in(keys, "fleet");
  out.keys.agents = text_in(keys, "agents");
  out.keys.system = text_in(keys, "system");
  for (const JsonMember& role : keys["roles"].members())
    out.keys.role_keys[role.key] = role.value.as_string().value_or("");
  for (const Json& node : (*json)["nodes"].elements())
    out.nodes.push_back({text_in(node, "clients"), text_in(node, "servers")});
  for (const JsonMember& user : (*json)["revoked"].members())
    out.keys.revoked[user.key] = user.value.as_integer().value_or(0);
  return out;
}

Result<void> FleetHome::save(const State& state) const {
  Json revoked = Json::object();
  for (const auto& [user, until] : state.keys.revoked) revoked = revoked.with(user, Json::number(until));
  const Json keys = Json::object({{"fleet", Json::string(state.keys.fleet)},
                                  {"agents", Json::string(state.keys.agents)},
                                  {"system", Json::string(state.keys.system)},
                                  {"roles", roles_json(state.keys.role_keys)}});
  std::vector<Json> nodes;
  for (const ServerNode& node : state.nodes) {
    nodes.push_back(Json::object({{"clients", Json::string(node.clients)}, {"servers", Json::string(node.servers)}}));
  }
  const Json json = Json::object(state.address.members())
                        .with("database", Json::string(state.database))
                        .with("listen", Json::string(state.listen))
                        .with("nodes", nodes.empty() ? Json() : Json::array(nodes))
                        .with("keys", keys)
                        .with("revoked", revoked);
  return write_private_file(path("fleet.json"), json.dump(JsonStyle::Pretty) + "\n");
}

Result<void> FleetHome::save_key(const std::string& name, const fleet::KeyPair& key) const {
  return write_private_file(path("keys/" + name + ".nk"), key.seed() + "\n");
}

Result<fleet::KeyPair> FleetHome::key(const std::string& name) const {
  const std::string file = path("keys/" + name + ".nk");
  const auto text = read_own_file(file, "the key " + file + " is not here; whoever keeps it has to do this");
  if (!text) return std::unexpected(text.error());
  auto key = fleet::KeyPair::from_seed(std::string_view(*text).substr(0, text->find('\n')));
  if (!key) return fail(Errc::BadInput, file + ": " + key.error().message);
  return key;
}

// The name of the user is needed for its inbox.
Result<void> FleetHome::save_creds(const std::string& role, const std::string& name, const std::string& text) const {
  if (auto done = write_private_file(path("creds/" + role + ".creds"), text); !done) return done;
  return write_private_file(path("creds/" + role + ".name"), name + "\n");
}

std::string FleetHome::name_of(const std::string& role) const {
  const auto name = read_own_file(path("creds/" + role + ".name"), "");
  return name ? name->substr(0, name->find('\n')) : "";
}

Result<fleet::Creds> FleetHome::creds(const std::string& role) const {
  const auto text = creds_file(path("creds/" + role + ".creds"), role);
  return text ? fleet::read_creds(*text) : std::unexpected(text.error());
}

Result<std::unique_ptr<Courier>> FleetHome::connect(const std::string& role) const {
  const auto state = load();
  if (!state) return std::unexpected(state.error());
  const std::string file = path("creds/" + role + ".creds");
  const auto creds = creds_file(file, role);
  if (!creds) return std::unexpected(creds.error());
  const std::string name = name_of(role);
  if (name.empty()) return fail(Errc::NotFound, file + " has no name");
  return Courier::connect(
      {.url = state->address.url, .authority = state->address.authority, .name = name, .creds = [text = *creds] {
         return text;
       }});
}

MachineHome::MachineHome(const Environment& env) : directory_(env.state_dir() + "/fleet") {}

Result<MachineHome::State> MachineHome::load() const {
  const auto json =
      read_own_json(path("machine.json"), "this machine is in no fleet; `grapnel fleet join TOKEN` adds it");
  if (!json) return std::unexpected(json.error());
  return State{FleetAddress::from_json(*json), text_in(*json, "machine"), text_in(*json, "channel"),
               text_in(*json, "joined")};
}

Result<void> MachineHome::save(const State& state, const std::string& creds) const {
  if (auto done = save_creds(creds); !done) return done;
  const Json json = Json::object(state.address.members())
                        .with("machine", Json::string(state.machine))
                        .with("channel", Json::string(state.channel))
                        .with("joined", Json::string(state.joined));
  return write_private_file(path("machine.json"), json.dump(JsonStyle::Pretty) + "\n");
}

std::string MachineHome::creds() const {
  const auto text = read_private_file(path("machine.creds"), kMaxFile);
  return text && *text ? **text : "";
}

Result<void> MachineHome::save_creds(const std::string& creds) const {
  return write_private_file(path("machine.creds"), creds);
}

fleet::Position MachineHome::mark() const {
  const auto json = read_own_json(path("mark.json"), "");
  return json ? fleet::Position::from_json(*json) : fleet::Position{};
}

Result<void> MachineHome::save_mark(const fleet::Position& mark) const {
  return write_private_file(path("mark.json"), mark.to_json().dump() + "\n", os::Durability::Lazy);
}

fleet::Position MachineHome::jobs_mark() const {
  const auto json = read_own_json(path("jobs.json"), "");
  return json ? fleet::Position::from_json(*json) : fleet::Position{};
}

Result<void> MachineHome::save_jobs_mark(const fleet::Position& mark) const {
  return write_private_file(path("jobs.json"), mark.to_json().dump() + "\n", os::Durability::Lazy);
}

Result<std::unique_ptr<Courier>> MachineHome::connect(const State& state) const {
  return Courier::connect(
      {.url = state.address.url, .authority = state.address.authority, .name = state.machine, .creds = [home = *this] {
         return home.creds();
       }});
}

std::string Token::to_text() const {
  const Json json = Json::object(address.members())
                        .with("role", Json::string(role))
                        .with("name", Json::string(name))
                        .with("creds", Json::string(creds));
  return "grapnel-" + fleet::base64url(json.dump());
}

Result<Token> Token::parse(const std::string& text) {
  constexpr std::string_view kStart = "grapnel-";
  const auto bytes = fleet::from_base64url(text.starts_with(kStart) ? text.substr(kStart.size()) : text);
  const auto json = bytes ? Json::parse(*bytes) : std::unexpected(bytes.error());
  Token out;
  if (json)
    out = {FleetAddress::from_json(*json), text_in(*json, "role"), text_in(*json, "name"), text_in(*json, "creds")};
  if (out.address.url.empty() || out.role.empty() || !fleet::is_name(out.name) || !fleet::read_creds(out.creds)) {
    return fail(Errc::BadInput, "this is no token of a fleet, or a part of it is missing");
  }
  return out;
}

Result<NewUser> make_user(const FleetHome& home, const FleetHome::State& state, const std::string& role,
                          const std::string& name, std::chrono::seconds valid_for) {
  const fleet::RoleRow* row = fleet::find_role(role);
  if (row == nullptr || role == "machine")
    return fail(Errc::BadInput, "there is no role '" + printable(role) +
                                    "' for a token; there are machine, collector, operator, worker, approver, reader");
  if (!fleet::is_name(name))
    return fail(Errc::BadInput, "'" + printable(name) + "': a name has letters, digits, - and _");
  const auto role_key = home.key("role-" + role);
  if (!role_key) return std::unexpected(role_key.error());
  const auto user = fleet::KeyPair::make(fleet::KeyKind::User);
  if (!user) return std::unexpected(user.error());
  const auto now = std::chrono::system_clock::now();
  const std::string& account = row->account == fleet::Account::Fleet ? state.keys.fleet : state.keys.agents;
  const std::string jwt = fleet::user_jwt(*role_key, account, user->public_key(), name, now, now + valid_for);
  return NewUser{name, user->public_key(), fleet::creds_text(jwt, user->seed())};
}

}  // namespace grapnel::cli
