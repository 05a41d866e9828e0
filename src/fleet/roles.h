#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fleet/jwt.h"

/// Who may say and hear what. The table is the whole truth: servers get it as templates in the statements about the two
/// accounts, in which `{{name()}}` stands for the name of the user. Each role has a signing key of its own, with which
/// nothing but users of that role can be made.
namespace grapnel::fleet {

enum class Account : uint8_t { Agents, Fleet };

struct RoleRow {
  std::string_view name;
  Account account;
  std::span<const std::string_view> may_publish;
  std::span<const std::string_view> may_subscribe;
  bool may_answer = false;  ///< may also publish to the reply subjects of what it receives
};

std::span<const RoleRow> all_roles();
/// Null if there is no such role.
const RoleRow* find_role(std::string_view name);

/// The subjects of FLEET that AGENTS reaches, as services (machines publish) or streams (machines hear).
struct ExportRow {
  std::string_view subject;
  bool is_service = true;
};
std::span<const ExportRow> all_exports();

/// The public keys that stand in the statements about accounts.
struct AccountKeys {
  std::string fleet;
  std::string agents;
  std::string system;
  std::map<std::string, std::string, std::less<>> role_keys;  ///< by the name of the role
  /// Users that were revoked, with the time until which their statements do not count.
  std::map<std::string, int64_t> revoked;
};

/// The statement about an account, signed by the operator.
std::string account_jwt(const KeyPair& op, const AccountKeys& keys, Account account, Time now);
std::string system_account_jwt(const KeyPair& op, const AccountKeys& keys, Time now);
std::string operator_jwt(const KeyPair& op, const AccountKeys& keys, Time now);

/// The statement about a user of a role. `account` is the public key of the role's account.
std::string user_jwt(const KeyPair& role_key, const std::string& account, const std::string& user,
                     const std::string& name, Time now, Time expires);
/// The same for a user who may do everything in an account, signed with the account's own key. For minutes only.
std::string full_user_jwt(const KeyPair& account_key, const std::string& user, const std::string& name, Time now,
                          Time expires);

}  // namespace grapnel::fleet
