#include "cli/account.h"

#include <unistd.h>

#include "base/text.h"
#include "os/files.h"

namespace grapnel::cli {

namespace {

constexpr size_t kMaxAccounts = size_t{4} << 20;
/// The columns of a line: name, password, user, group, comment, home, shell.
constexpr size_t kUserColumn = 2;
constexpr size_t kHomeColumn = 5;

}  // namespace

std::string account_home(const std::string& accounts, uid_t user) {
  const auto text = os::read_file(accounts, kMaxAccounts);
  if (!text) return "";
  const std::string wanted = std::to_string(user);
  for (const std::string_view line : text::split(*text, '\n')) {
    const auto columns = text::split(line, ':');
    const bool is_own = columns.size() > kHomeColumn && columns[kUserColumn] == wanted;
    if (is_own && columns[kHomeColumn].starts_with('/')) return std::string(columns[kHomeColumn]);
  }
  return "";
}

std::string own_account_home(const std::string& fallback) {
  std::string home = account_home(GRAPNEL_ACCOUNTS, ::geteuid());
  return home.empty() ? fallback : home;
}

}  // namespace grapnel::cli
