#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "discover/find/places.h"
#include "model/registry.h"

/// MCP servers that agents have configured, for `grapnel agent` and for the verbs that show trust.
///
///   server_file.h  one file of servers, entry by entry; mistakes have a position
///   find_servers   all files, in the order of precedence, with their trust
namespace grapnel {

/// One configured server, ready to be started or reached.
struct ServerSpec {
  std::string name;
  const Dialect* dialect = nullptr;
  Scope scope = Scope::User;
  SourcePos source;
  bool enabled = true;

  std::string command;  ///< "" if it has a URL
  std::vector<std::string> args;
  std::vector<std::pair<std::string, std::string>> env;
  std::string cwd;
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::optional<std::chrono::milliseconds> call_timeout;
  std::optional<std::chrono::milliseconds> start_timeout;
  std::vector<std::string> only_tools;
  std::vector<std::string> without_tools;

  /// What is trusted, if a project has it: the entry as it is written, and the project's files that its command names.
  /// It has no events, so it never runs as a hook.
  HookSpec trusted;

  bool is_trusted() const { return trusted.trust != Trust::Untrusted; }
  /// The command line, or the URL without what may be secret.
  std::string address() const;
};

/// Where to look.
struct ServerPlaces {
  PlaceRoots roots;
  std::string trust_store;
  std::string only_dialect = {};  ///< "": of every agent
  bool use_standard_places = true;
  std::vector<std::string> files = {};  ///< that the user named; they need no trust and come before all others
};

/// The servers, and the mistakes in their files.
struct FoundServers {
  std::vector<ServerSpec> servers;  ///< each name once; those of untrusted projects besides
  std::vector<ConfigProblem> problems;
};

/// Never fails: a file that cannot be read becomes a problem.
FoundServers find_servers(const ServerPlaces& places);

/// Servers that may be used.
std::vector<ServerSpec> usable_servers(const FoundServers& found);

}  // namespace grapnel
