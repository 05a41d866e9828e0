#include "fleet/servers/company.h"

#include <signal.h>

#include <algorithm>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "fleet/empty_database.h"
#include "fleet/outbox.h"
#include "fleet/roles.h"
#include "record/chain.h"

namespace grapnel::testing {

namespace {

std::vector<std::string> fleet_words(std::vector<std::string> words) {
  words.insert(words.begin(), "fleet");
  return words;
}

std::string hash_of(const Json& record) {
  return record["hash"].as_string().value_or("");
}

Json read_json(const World& world, const std::string& path) {
  return Json::parse(world.dir().read(path)).value_or(Json());
}

}  // namespace

std::string FleetMachine::name() const {
  return read_json(world_, "home/.local/state/grapnel/fleet/machine.json")["machine"].as_string().value_or("");
}

Ended FleetMachine::fleet(std::vector<std::string> words) const {
  return world_.run(fleet_words(std::move(words)));
}

void FleetMachine::start() {
  program_ = world_.start({"fleet", "machine"});
}

void FleetMachine::kill() {
  if (program_.pid <= 0) return;
  ::kill(program_.pid, SIGKILL);
  ::waitpid(program_.pid, nullptr, 0);
  program_ = {};
}

bool FleetMachine::has_ended() {
  if (program_.pid > 0 && ::waitpid(program_.pid, nullptr, WNOHANG) == 0) return false;
  program_ = {};
  return true;
}

std::set<std::string> FleetMachine::hashes() const {
  std::set<std::string> out;
  fleet::Outbox outbox(state_dir());
  fleet::Position at;
  for (auto batch = outbox.next(at); batch && !batch->lines.empty(); batch = outbox.next(at)) {
    for (const std::string& line : batch->lines) out.insert(read_link(line)->hash);
    at = batch->upto;
  }
  return out;
}

Ended FleetSeat::fleet(std::vector<std::string> words) const {
  return world_.run(fleet_words(std::move(words)));
}

void FleetSeat::start(std::vector<std::string> words) {
  program_ = world_.start(fleet_words(std::move(words)));
}

void FleetSeat::kill() {
  if (program_.pid <= 0) return;
  ::kill(program_.pid, SIGKILL);
  ::waitpid(program_.pid, nullptr, 0);
  program_ = {};
}

Company::Company(const std::string& database, const std::vector<std::string>& more)
    : database_(database.empty() ? home("central.db") : database) {
  if (!database.empty()) empty_database(database);
  std::vector<std::string> words = {"init", "--database", database_};
  if (std::ranges::find(more, "--node") == more.end()) words.insert(words.end(), {"--listen", "127.0.0.1:0"});
  words.insert(words.end(), more.begin(), more.end());
  const Ended init = fleet(words);
  EXPECT_EQ(init.status, 0) << init;
}

Company::~Company() {
  for (const pid_t one : {server(), collector(), node(1), node(2), node(3)}) {
    if (one > 0) ::kill(one, SIGKILL);
  }
}

Ended Company::fleet(std::vector<std::string> words) const {
  return world_.run(fleet_words(std::move(words)));
}

std::unique_ptr<FleetMachine> Company::join(const std::vector<std::string>& more) const {
  auto machine = std::make_unique<FleetMachine>();
  let_in(*machine, more);
  return machine;
}

void Company::let_in(FleetMachine& machine, const std::vector<std::string>& more) const {
  const Ended token = fleet({"token"});
  EXPECT_EQ(token.status, 0) << token;
  std::vector<std::string> words = {"join", token.out.substr(0, token.out.find('\n')), "--no-start"};
  words.insert(words.end(), more.begin(), more.end());
  const Ended joined = machine.fleet(words);
  EXPECT_EQ(joined.status, 0) << joined;
}

std::unique_ptr<FleetSeat> Company::seat(const std::string& role) const {
  const Ended token = fleet({"token", "--role", role});
  EXPECT_EQ(token.status, 0) << token;
  auto seat = std::make_unique<FleetSeat>();
  const Ended joined = seat->fleet({"join", token.out.substr(0, token.out.find('\n'))});
  EXPECT_EQ(joined.status, 0) << joined;
  return seat;
}

pid_t Company::process(std::string_view file) const {
  const std::string text = world_.dir().read("home/.config/grapnel/fleet/" + std::string(file));
  return text.empty() ? 0 : static_cast<pid_t>(std::strtol(text.c_str(), nullptr, 10));
}

void Company::kill(pid_t process) const {
  ASSERT_GT(process, 0);
  ASSERT_EQ(::kill(process, SIGKILL), 0);
  // It is nobody's child here, so it is gone when its number is, or when it is a zombie of init's.
  EXPECT_TRUE(becomes_true([&] {
    std::error_code error;
    return !std::filesystem::exists("/proc/" + std::to_string(process) + "/exe", error);
  }));
}

void Company::up() const {
  const Ended up = fleet({"up"});
  EXPECT_EQ(up.status, 0) << up;
}

fleet::CentralStore Company::store() const {
  auto store = fleet::CentralStore::open(database_);
  EXPECT_TRUE(store) << store.error().message;
  return std::move(*store);
}

std::set<std::string> Company::stored(const std::string& machine, size_t& rows) const {
  const auto found = store().find({.machine = machine, .limit = 0});
  EXPECT_TRUE(found);
  std::set<std::string> out;
  for (const fleet::CentralRecord& one : *found) out.insert(hash_of(one.record));
  rows = found->size();
  return out;
}

void Company::expect_all_stored(const FleetMachine& machine) const {
  size_t rows = 0;
  const std::set<std::string> stored_ones = stored(machine.name(), rows);
  const std::set<std::string> written = machine.hashes();
  EXPECT_EQ(rows, written.size());
  EXPECT_EQ(stored_ones, written);
}

std::unique_ptr<cli::Courier> Company::connect(const std::string& role) const {
  const std::string name = world_.dir().read("home/.config/grapnel/fleet/creds/" + role + ".name");
  return connect_as(world_.dir().read("home/.config/grapnel/fleet/creds/" + role + ".creds"),
                    name.substr(0, name.find('\n')));
}

std::unique_ptr<cli::Courier> Company::connect_as(const std::string& creds, const std::string& name) const {
  const Json state = read_json(world_, "home/.config/grapnel/fleet/fleet.json");
  auto courier = cli::Courier::connect({.url = state["url"].as_string().value_or(""),
                                        .authority = state["authority"].as_string().value_or(""),
                                        .name = name,
                                        .creds = [creds] { return creds; }});
  return courier ? std::move(*courier) : nullptr;
}

fleet::KeyPair Company::key(const std::string& name) const {
  const std::string seed = world_.dir().read("home/.config/grapnel/fleet/keys/" + name + ".nk");
  return *fleet::KeyPair::from_seed(std::string_view(seed).substr(0, seed.find('\n')));
}

std::unique_ptr<cli::Courier> Company::connect_as_account(const std::string& name) const {
  const auto user = *fleet::KeyPair::make(fleet::KeyKind::User);
  const auto now = std::chrono::system_clock::now();
  const std::string jwt = fleet::full_user_jwt(key(name), user.public_key(), "admin", now, now + std::chrono::hours(1));
  return connect_as(fleet::creds_text(jwt, user.seed()), "admin");
}

std::string Company::policy(const std::string& name, const std::string& command) const {
  const std::string directory = "policies/" + name;
  world_.dir().put(directory + "/grapnel.yaml", "version: 1\nhooks:\n  - name: " + name +
                                                    "\n    on: PreToolUse\n    when: { tool: shell, command: " +
                                                    command + " }\n    deny: No " + command + " here.\n");
  world_.dir().put(
      directory + "/tests/it.hooktest.yaml",
      "version: 1\nhooks: [{ file: ../grapnel.yaml }]\ncases:\n  - name: it denies\n    event: PreToolUse\n"
      "    input: { tool_name: Bash, tool_input: { command: " +
          command + " } }\n    expect: { verdict: deny }\n");
  return world_.dir() / directory;
}

void add_records(FleetMachine& machine, int count) {
  for (int i = 0; i < count; ++i) machine.journal().add("command " + std::to_string(i));
}

void expect_arrived(const Company& company, const FleetMachine& machine) {
  const Ended flushed = machine.flush();
  EXPECT_EQ(flushed.status, 0) << flushed;
  company.expect_all_stored(machine);
}

std::string Company::policy_with(const std::string& name, const std::string& hooks, const std::string& script) const {
  const std::string directory = policy(name, "nobody-runs-this");
  const std::string rules = "policies/" + name + "/grapnel.yaml";
  world_.dir().put(rules, world_.dir().read(rules) + hooks);
  world_.dir().put("policies/" + name + "/scripts/job", script);
  std::filesystem::permissions(directory + "/scripts/job", std::filesystem::perms::owner_all);
  return directory;
}

}  // namespace grapnel::testing
