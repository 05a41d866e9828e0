#include "cli/fleet/enrolment.h"

#include "fleet/subjects.h"
#include "trust/sha256.h"

namespace grapnel::cli {

namespace {

constexpr std::chrono::hours kMachineLife{24 * 30};
constexpr size_t kHostPart = 40;
constexpr size_t kKeyPart = 12;

std::string error_text(const std::string& message) {
  return Json::object({{"error", Json::string(message)}}).dump();
}

}  // namespace

std::string machine_name(const std::string& host, const std::string& public_key) {
  std::string name;
  for (const char c : host.substr(0, host.find('.'))) {
    if (name.size() < kHostPart) name += fleet::is_name(std::string(1, c)) ? c : '-';
  }
  return (name.empty() ? "machine" : name) + "-" + sha256_of(public_key).substr(0, kKeyPart);
}

std::string Enrolment::give(const std::string& machine, const std::string& key) const {
  const auto now = std::chrono::system_clock::now();
  const std::string jwt = fleet::user_jwt(role_key_, account_, key, machine, now, now + kMachineLife);
  return Json::object({{"machine", Json::string(machine)}, {"jwt", Json::string(jwt)}}).dump();
}

std::string Enrolment::join(fleet::CentralStore& store, const std::string& body) const {
  const Json wish = Json::parse(body).value_or(Json());
  const std::string key = wish["key"].as_string().value_or("");
  if (!fleet::is_public_key(key, fleet::KeyKind::User)) return error_text("the key of the machine is missing");
  const std::string machine = machine_name(wish["host"].as_string().value_or(""), key);
  const auto known = store.key_of(machine);
  if (!known) return error_text("the central store cannot be read");
  if (!known->empty() && *known != key) return error_text("a machine of that name has another key");
  if (auto done = store.note_joined(machine, key, now_text()); !done)
    return error_text("the central store cannot be written");
  return give(machine, key);
}

std::string Enrolment::renew(fleet::CentralStore& store, const std::string& machine) const {
  const auto key = store.key_of(machine);
  if (!key || key->empty()) return error_text("this machine is not known; it has to join again");
  return give(machine, *key);
}

}  // namespace grapnel::cli
