#pragma once

#include <string>

#include <sys/types.h>

/// The account of the person who runs this process, as the system knows it. Variables can be set by anybody, also by a
/// repository whose `.env` an agent loads.
namespace grapnel::cli {

/// The home directory of a user in a list of accounts in the form of /etc/passwd; "" if it has no entry. The list is
/// read as a file, because a static program has no other way to look a user up.
std::string account_home(const std::string& accounts, uid_t user);

/// The home directory of the user of this process; `fallback` if the system has no account for it.
std::string own_account_home(const std::string& fallback);

}  // namespace grapnel::cli
