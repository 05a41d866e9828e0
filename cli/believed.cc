#include "cli/believed.h"

#include <unistd.h>

#include <algorithm>
#include <optional>

#include "grapnel/json.h"

#include "base/text.h"
#include "protect/own_review.h"
#include "trust/private_file.h"
#include "trust/sha256.h"
#include "trust/trust_store.h"

namespace grapnel::cli {

namespace {

constexpr size_t kMaxNotes = size_t{1} << 20;
constexpr int64_t kNotesVersion = 1;
constexpr size_t kMaxHomes = 50;
/// Programs of the system are found even if a variable says otherwise.
constexpr std::string_view kSystemPath = "/usr/local/bin:/usr/bin:/bin";

/// The table. Rows for single variables come before rows for prefixes. The variables with which agents are told where
/// their settings are come from the agents' own tables, and count as `Noted`.
constexpr auto kVariables = std::to_array<BridgeVariable>({
    // Where the person's rules, trust, switches, records and sessions are.
    {"HOME", Belief::Noted, true},
    {"XDG_CONFIG_HOME", Belief::Noted, true},
    {"XDG_STATE_HOME", Belief::Noted, true},
    {"XDG_RUNTIME_DIR", Belief::Noted, true},
    {"XDG_DATA_HOME", Belief::Noted},
    {"XDG_CACHE_HOME", Belief::Noted},
    {"XDG_CONFIG_DIRS", Belief::Noted},
    {"XDG_DATA_DIRS", Belief::Noted},
    // Grapnel's own.
    {"GRAPNEL_DISABLE", Belief::Never, true},
    {"GRAPNEL_CONFIG", Belief::Noted, true},
    {"GRAPNEL_SHELL", Belief::Noted, true},
    {"GRAPNEL_TIMEOUT", Belief::Noted, true},
    {"GRAPNEL_MASK", Belief::Noted, true},
    {"GRAPNEL_PAYLOADS", Belief::Noted, true},
    {"GRAPNEL_KEEP", Belief::Noted, true},
    {"GRAPNEL_REPLAY", Belief::Never, true},
    {"GRAPNEL_FLEET_TOKEN", Belief::Never},
    {"GRAPNEL_SERVE", Belief::Anyway},
    {"GRAPNEL_DEPTH", Belief::Anyway},  // `fire` checks it
    {"GRAPNEL_GUARD", Belief::Anyway},
    // Whom prompt hooks ask. Many people set these for their agent alone, so it is not worth a notice in each session.
    {"ANTHROPIC_BASE_URL", Belief::Noted},
    {"OPENAI_BASE_URL", Belief::Noted},
    {"GOOGLE_GEMINI_BASE_URL", Belief::Noted},
    // What hooks are run with: code that is loaded before their own.
    {"LD_PRELOAD", Belief::Same, true},
    {"LD_AUDIT", Belief::Same, true},
    {"LD_LIBRARY_PATH", Belief::Same, true},
    {"BASH_ENV", Belief::Same, true},
    {"ENV", Belief::Same, true},
    {"SHELLOPTS", Belief::Same, true},
    {"PYTHONPATH", Belief::Same, true},
    {"PYTHONHOME", Belief::Same, true},
    {"PYTHONSTARTUP", Belief::Same, true},
    {"PERL5OPT", Belief::Same, true},
    {"PERL5LIB", Belief::Same, true},
    {"RUBYOPT", Belief::Same, true},
    {"RUBYLIB", Belief::Same, true},
    {"NODE_OPTIONS", Belief::Same, true},
    {"NODE_PATH", Belief::Same, true},
    {"JAVA_TOOL_OPTIONS", Belief::Same, true},
    {"GIT_EXTERNAL_DIFF", Belief::Same, true},
    {"GIT_SSH_COMMAND", Belief::Same, true},
    {"SHELL", Belief::Noted},
    {"TMPDIR", Belief::Noted},
    {"BASHOPTS", Belief::Same},
    {"PS4", Belief::Same},
    {"IFS", Belief::Same},
    {"CDPATH", Belief::Same},
    {"GLOBIGNORE", Belief::Same},
    {"POSIXLY_CORRECT", Belief::Same},
    {"ZDOTDIR", Belief::Same},
    {"PROMPT_COMMAND", Belief::Same},
    {"EDITOR", Belief::Same},
    {"VISUAL", Belief::Same},
    {"PAGER", Belief::Same},
    {"MANPAGER", Belief::Same},
    {"BROWSER", Belief::Same},
    {"LESSOPEN", Belief::Same},
    {"LESSCLOSE", Belief::Same},
    {"CLASSPATH", Belief::Same},
    {"_JAVA_OPTIONS", Belief::Same},
    {"PHPRC", Belief::Same},
    {"PHP_INI_SCAN_DIR", Belief::Same},
    {"GLIBC_TUNABLES", Belief::Same},
    {"GCONV_PATH", Belief::Same},
    {"LOCPATH", Belief::Same},
    {"NLSPATH", Belief::Same},
    {"HOSTALIASES", Belief::Same},
    {"LOCALDOMAIN", Belief::Same},
    {"RES_OPTIONS", Belief::Same},
    {"MAKEFLAGS", Belief::Same},
    {"MAKEFILES", Belief::Same},
    {"GNUMAKEFLAGS", Belief::Same},
    {"GREP_OPTIONS", Belief::Same},
    {"TAR_OPTIONS", Belief::Same},
    {"AWKPATH", Belief::Same},
    {"AWKLIBPATH", Belief::Same},
    {"GOFLAGS", Belief::Same},
    {"RUSTC_WRAPPER", Belief::Same},
    {"OPENSSL_CONF", Belief::Same},
    {"OPENSSL_MODULES", Belief::Same},
    {"SSL_CERT_FILE", Belief::Same},
    {"SSL_CERT_DIR", Belief::Same},
    {"REQUESTS_CA_BUNDLE", Belief::Same},
    {"http_proxy", Belief::Same},
    {"https_proxy", Belief::Same},
    {"all_proxy", Belief::Same},
    {"HTTP_PROXY", Belief::Same},
    {"HTTPS_PROXY", Belief::Same},
    {"ALL_PROXY", Belief::Same},
    {"LANG", Belief::Noted},
    {"LANGUAGE", Belief::Noted},
    // Who is named in a commit is nobody's guard.
    {"GIT_AUTHOR_", Belief::Anyway, false, true},
    {"GIT_COMMITTER_", Belief::Anyway, false, true},
    {"GRAPNEL_", Belief::Never, false, true},
    {"LC_", Belief::Noted, false, true},
    {"LD_", Belief::Same, false, true},
    {"DYLD_", Belief::Same, false, true},
    {"BASH_FUNC_", Belief::Same, false, true},
    {"PYTHON", Belief::Same, false, true},
    {"PERL", Belief::Same, false, true},
    {"RUBY", Belief::Same, false, true},
    {"NODE_", Belief::Same, false, true},
    {"DENO_", Belief::Same, false, true},
    {"BUN_", Belief::Same, false, true},
    {"LUA_", Belief::Same, false, true},
    {"JAVA_", Belief::Same, false, true},
    {"JDK_JAVA_", Belief::Same, false, true},
    {"DOTNET_", Belief::Same, false, true},
    {"CORECLR_", Belief::Same, false, true},
    {"COMPlus_", Belief::Same, false, true},
    {"MALLOC_", Belief::Same, false, true},
    {"GIT_", Belief::Same, false, true},
    {"CURL_", Belief::Same, false, true},
    {"npm_config_", Belief::Same, false, true},
    {"NPM_CONFIG_", Belief::Same, false, true},
    {"PIP_", Belief::Same, false, true},
    {"UV_", Belief::Same, false, true},
    {"CARGO_", Belief::Same, false, true},
    {"MISE_", Belief::Same, false, true},
    {"ASDF_", Belief::Same, false, true},
});

/// The row of a variable; null if the bridge hears it as it is.
const BridgeVariable* row_of_variable(std::string_view name) {
  static constexpr BridgeVariable kPlace{"", Belief::Noted, true};
  const auto& places = protect::place_variables();
  if (std::ranges::find(places, name) != places.end()) return &kPlace;
  const auto found = std::ranges::find_if(kVariables, [&](const BridgeVariable& row) {
    return row.is_prefix ? name.starts_with(row.name) : name == row.name;
  });
  return found == kVariables.end() ? nullptr : &*found;
}

/// What was noted for one home directory.
struct Notes {
  Environment places;   ///< of variables that are `Noted`, and PATH
  Environment digests;  ///< of variables that have to be the `Same`: nobody needs to read their values
};

Json json_of(const Environment& env) {
  std::vector<std::pair<std::string, Json>> members;
  for (const std::string& entry : env.entries()) {
    members.emplace_back(name_of_entry(entry), Json::string(value_of_entry(entry)));
  }
  return Json::object(members);
}

Environment environment_of(const Json& object) {
  Environment out;
  for (const JsonMember& member : object.members()) out.set(member.key, member.value.as_string().value_or(""));
  return out;
}

/// Notes that cannot be read count as none: then only the account itself is believed.
std::vector<Notes> read_notes(const std::string& account_home) {
  std::vector<Notes> out;
  const auto text = read_private_file(noted_places_file(account_home), kMaxNotes);
  if (!text || !*text) return out;
  const Json root = Json::parse(**text).value_or(Json());
  if (root["version"].as_integer() != kNotesVersion) return out;
  for (const Json& home : root["homes"].elements()) {
    out.push_back({environment_of(home["places"]), environment_of(home["digests"])});
  }
  return out;
}

const Notes* notes_for(const std::vector<Notes>& all, std::string_view home) {
  const auto found = std::ranges::find_if(all, [&](const Notes& notes) { return notes.places.get("HOME") == home; });
  return found == all.end() ? nullptr : &*found;
}

/// What holds without any notes: the account's own home, and the directory that the system makes for each user.
Notes without_notes(const Environment& said, const std::string& account_home) {
  Notes out;
  if (!account_home.empty()) out.places.set("HOME", account_home);
  const std::string runtime = "/run/user/" + std::to_string(::geteuid());
  if (said.get("XDG_RUNTIME_DIR") == runtime) out.places.set("XDG_RUNTIME_DIR", runtime);
  for (const std::string& entry : said.entries()) {
    const std::string_view name = name_of_entry(entry);
    if (name == "LANG" || name == "LANGUAGE" || name.starts_with("LC_")) out.places.set(name, value_of_entry(entry));
  }
  return out;
}

/// Of the notes, those for the home directory that the environment names, or else those for the account's.
Notes chosen_notes(const Environment& said, const std::string& account_home) {
  const std::vector<Notes> all = read_notes(account_home);
  const Notes* found = notes_for(all, said.home());
  if (found == nullptr) found = notes_for(all, account_home);
  return found == nullptr ? without_notes(said, account_home) : *found;
}

/// Whether a value means what the variable would mean if it were not set.
bool is_default(std::string_view name, std::string_view value, const std::string& home) {
  struct Default {
    std::string_view name;
    std::string_view below;
  };
  constexpr auto kDefaults = std::to_array<Default>({{"XDG_CONFIG_HOME", "/.config"},
                                                     {"XDG_STATE_HOME", "/.local/state"},
                                                     {"XDG_DATA_HOME", "/.local/share"},
                                                     {"XDG_CACHE_HOME", "/.cache"}});
  const auto found = std::ranges::find(kDefaults, name, &Default::name);
  return value.empty() || (found != kDefaults.end() && value == home + std::string(found->below));
}

/// The directories of the project, without links.
std::vector<std::string> real_directories(const ProjectDirs& project) {
  std::vector<std::string> out = {canonical_directory(project.root)};
  for (const std::string& part : project.parts) out.push_back(canonical_directory(part));
  return out;
}

bool is_inside(const std::string& path, const std::vector<std::string>& roots) {
  const std::string real = canonical_directory(path);
  return std::ranges::any_of(roots, [&](const std::string& root) {
    return root.size() > 1 && (real == root || real.starts_with(root + "/"));
  });
}

}  // namespace

std::span<const BridgeVariable> known_variables() {
  return kVariables;
}

std::string noted_places_file(const std::string& account_home) {
  return account_home + "/.local/state/grapnel/places.json";
}

Result<void> note_places(const Environment& env, const std::string& account_home) {
  std::vector<Notes> all = read_notes(account_home);
  std::erase_if(all, [&](const Notes& notes) { return notes.places.get("HOME") == env.home(); });
  Notes own;
  own.places.set("HOME", env.home());
  own.places.set("PATH", env.get("PATH"));
  for (const std::string& entry : env.entries()) {
    const std::string_view name = name_of_entry(entry);
    const std::string_view value = value_of_entry(entry);
    const BridgeVariable* row = row_of_variable(name);
    if (row == nullptr || value.empty() || name == "HOME") continue;
    if (row->belief == Belief::Noted) own.places.set(name, value);
    if (row->belief == Belief::Same) own.digests.set(name, sha256_of(value));
  }
  all.insert(all.begin(), std::move(own));
  if (all.size() > kMaxHomes) all.resize(kMaxHomes);
  std::vector<Json> homes;
  for (const Notes& notes : all) {
    homes.push_back(Json::object({{"places", json_of(notes.places)}, {"digests", json_of(notes.digests)}}));
  }
  const Json root = Json::object({{"version", Json::number(kNotesVersion)}, {"homes", Json::array(homes)}});
  return write_private_file(noted_places_file(account_home), root.dump(JsonStyle::Pretty) + "\n");
}

Believed believed(const Environment& said, const std::string& account_home) {
  const Notes notes = chosen_notes(said, account_home);
  const std::string home(notes.places.get("HOME"));
  Believed out{said, {}, std::string(notes.places.get("PATH")), account_home};
  const auto leave_out = [&](std::string_view name, const BridgeVariable& row) {
    if (row.is_told) out.unused.emplace_back(name);
  };
  for (const std::string& entry : said.entries()) {
    const std::string_view name = name_of_entry(entry);
    const std::string_view value = value_of_entry(entry);
    const BridgeVariable* row = row_of_variable(name);
    if (row == nullptr || row->belief == Belief::Anyway) continue;
    const bool is_same = row->belief == Belief::Noted  ? notes.places.get(name) == value
                         : row->belief == Belief::Same ? notes.digests.get(name) == sha256_of(value)
                                                       : false;
    if (is_same) continue;
    out.env.remove(name);
    const bool means_same = row->belief == Belief::Noted && !notes.places.has(name) && is_default(name, value, home);
    if (!means_same && !value.empty()) leave_out(name, *row);
  }
  for (const std::string& entry : notes.places.entries()) {
    if (name_of_entry(entry) != "PATH") out.env.set(name_of_entry(entry), value_of_entry(entry));
  }
  return out;
}

void leave_project_out_of_path(Believed& believed, const ProjectDirs& project) {
  const auto noted = text::split(believed.noted_path, ':');
  std::vector<std::string> kept;
  const auto add = [&](std::string_view entry) {
    if (std::ranges::find(kept, entry) == kept.end()) kept.emplace_back(entry);
  };
  bool has_left_out = false;
  const std::vector<std::string> roots = real_directories(project);
  for (const std::string_view entry : text::split(believed.env.get("PATH"), ':')) {
    const bool is_noted = !entry.empty() && std::ranges::find(noted, entry) != noted.end();
    const bool is_usable = is_noted || (entry.starts_with('/') && !is_inside(std::string(entry), roots));
    if (is_usable) add(entry);
    has_left_out |= !is_usable && !entry.empty();
  }
  for (const std::string_view entry : noted) {
    if (entry.starts_with('/')) add(entry);
  }
  for (const std::string_view entry : text::split(kSystemPath, ':')) add(entry);
  believed.env.set("PATH", text::join(kept, ":"));
  if (has_left_out) believed.unused.emplace_back("PATH inside the project");
}

std::string told_about(const std::vector<std::string>& unused) {
  if (unused.empty()) return "";
  const bool is_one = unused.size() == 1;
  return text::join(unused, ", ") + (is_one ? " is" : " are") + " set for this agent to what you did not note, and " +
         (is_one ? "is" : "are") + " not used; if you set " + (is_one ? "it" : "them") +
         " yourself, run `grapnel install` again to note " + (is_one ? "it" : "them");
}

}  // namespace grapnel::cli
