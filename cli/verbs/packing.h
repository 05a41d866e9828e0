#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/pack/pack_home.h"

/// What `add`, `update` and `remove` have in common.
namespace grapnel::cli {

inline constexpr OptionRow kPackScopeOption{"--scope", "-s", "user|project", "whose packs (default: project)",
                                            ValueKind::Text};
inline constexpr OptionRow kPackProjectOption{
    "--project", "-p", "DIR", "the project (default: found upwards from the current directory)", ValueKind::Directory};
inline constexpr OptionRow kPackYesOption{"--yes", "-y", "", "do it without asking"};

/// The packs that the command line means. Fails: BadInput for a project that is not a directory.
Result<PackHome> home_of(const Invocation& in);

/// Gets a pack and checks that it is one. On a terminal, people see what they wait for. Fails: as `fetch_pack` and
/// `check_pack`.
Result<FetchedPack> fetch_checked(Invocation& in, const PackHome& home, const PackSource& source,
                                  const std::string& name);

/// Asks the person, unless `--yes` is given. Without a terminal the answer is no.
bool agrees(Invocation& in, std::string_view question);

/// Prints why it failed, and returns the exit status for it.
int report_pack_error(Invocation& in, const Error& error);

/// The pack of that name. Fails: BadInput, with the nearest name.
Result<PackLock::value_type> find_pack(const PackLock& packs, const std::string& name);

/// A pack as JSON, with what happened to it.
Json pack_json(const std::string& name, const LockedPack& pack, const PackHome& home, std::string_view action);

/// `12345ab`, or "" for a directory.
std::string short_revision(const LockedPack& pack);

/// What to do so that the hooks of these packs run; "" when they run already.
std::string trust_hint(const Invocation& in, const PackHome& home, const std::set<std::string>& packs);

}  // namespace grapnel::cli
