#pragma once

#include <mutex>
#include <string>

#include "cli/fleet/fleet_files.h"
#include "fleet/central_store.h"

/// How a machine gets credentials. It makes its key itself, and only the public half leaves it:
///
///   machine    join  {"key": "U…", "host": "laptop"}
///   collector        {"machine": "laptop-1a2b3c4d5e6f", "jwt": "…"} or {"error": "…"}
///
/// The name contains a part of the key's digest, so nobody can choose the name of another machine.
namespace grapnel::cli {

class Enrolment {
 public:
  Enrolment(fleet::KeyPair role_key, std::string account)
      : role_key_(std::move(role_key)), account_(std::move(account)) {}

  /// Answers a machine that wants to join, or one that needs new credentials before the old ones expire.
  std::string join(fleet::CentralStore& store, const std::string& body) const;
  std::string renew(fleet::CentralStore& store, const std::string& machine) const;

 private:
  std::string give(const std::string& machine, const std::string& key) const;

  fleet::KeyPair role_key_;
  std::string account_;
};

/// The name of a machine with this key.
std::string machine_name(const std::string& host, const std::string& public_key);

}  // namespace grapnel::cli
