#include <algorithm>
#include <iterator>
#include <map>

#include "base/text.h"
#include "discover/servers/server_file.h"
#include "model/http_url.h"
#include "os/files.h"
#include "trust/pinned_files.h"
#include "trust/trust_store.h"

namespace grapnel {

namespace {

constexpr size_t kMaxServerFile = size_t{16} << 20;

/// The files that exist, in the order of precedence: the later wins.
std::vector<ServerFile> files_of(const ServerPlaces& places) {
  std::vector<ServerFile> out;
  if (!places.use_standard_places) return out;
  for (const Dialect* dialect : all_dialects()) {
    if (!places.only_dialect.empty() && dialect->name != places.only_dialect) continue;
    for (const ServerPlace& place : dialect->servers.places) {
      for (HookFile& file : paths_of_place(place.file, *dialect, places.roots)) {
        out.push_back({dialect, &place, std::move(file.path), std::move(file.project), std::move(file.trusted_as)});
      }
    }
  }
  return out;
}

/// Of one name, the server of the file that wins. One that is not trusted takes nobody's place.
void add_server(std::vector<ServerSpec>& servers, ServerSpec server) {
  const auto is_same = [&](const ServerSpec& other) {
    return other.name == server.name && other.is_trusted() && server.is_trusted();
  };
  const auto found = std::ranges::find_if(servers, is_same);
  // The agents' places come one after the other; the first agent that has the name keeps it.
  if (found == servers.end()) return servers.push_back(std::move(server));
  if (found->dialect == server.dialect) *found = std::move(server);
}

/// A project's servers come with its repository, like its hooks.
class ServerTrust {
 public:
  explicit ServerTrust(const std::string& store) : store_(store) {}

  void judge(ServerSpec& server, std::vector<ConfigProblem>& problems) {
    HookSpec& own = server.trusted;
    if (own.project.empty()) return;
    load(problems);
    const std::string project = canonical_directory(own.project);
    own.digest = pinned_digest(own, project);
    const auto known = trusted_.find(own.trusted_as.empty() ? project : own.trusted_as);
    const bool is_known = known != trusted_.end() && !own.digest.empty() && known->second.contains(own.digest);
    own.trust = is_known ? Trust::Trusted : Trust::Untrusted;
  }

 private:
  void load(std::vector<ConfigProblem>& problems) {
    if (std::exchange(is_loaded_, true)) return;
    auto all = TrustStore(store_).all();
    if (all) {
      trusted_ = std::move(*all);
    } else {
      problems.push_back({ConfigProblem::Severity::Error,
                          all.error().message + "; no server of a project is trusted",
                          {store_, 0, 0},
                          ""});
    }
  }

  const std::string store_;
  TrustedProjects trusted_;
  bool is_loaded_ = false;
};

}  // namespace

std::string ServerSpec::address() const {
  if (command.empty()) return shown_url(url);
  return command + (args.empty() ? "" : " " + text::join(args, " "));
}

FoundServers find_servers(const ServerPlaces& places) {
  FoundServers out;
  ServerTrust trust(places.trust_store);
  const auto read = [&](const ServerFile& file, bool must_exist) {
    const auto text = os::read_file(file.path, kMaxServerFile);
    if (!text) {
      if (must_exist || text.error().code != Errc::NotFound) {
        out.problems.push_back({ConfigProblem::Severity::Error, text.error().message, {file.path, 0, 0}, ""});
      }
      return std::vector<ServerSpec>();
    }
    std::vector<ConfigProblem> problems;
    auto servers = read_server_file(*text, file, places.roots.project_dir, *places.roots.env, problems);
    // A file may have two places with servers, and is then read twice.
    for (ConfigProblem& problem : problems) {
      if (std::ranges::find(out.problems, problem.to_string(), &ConfigProblem::to_string) == out.problems.end()) {
        out.problems.push_back(std::move(problem));
      }
    }
    return servers;
  };
  // What the user names comes first, and so wins against other agents' files; `claude` has the usual keys.
  std::vector<ServerSpec> named;
  for (const std::string& path : places.files) {
    for (ServerSpec& server : read({&kClaudeDialect, nullptr, path}, true)) add_server(named, std::move(server));
  }
  for (const ServerFile& file : files_of(places)) {
    for (ServerSpec& server : read(file, false)) {
      trust.judge(server, out.problems);
      add_server(out.servers, std::move(server));
    }
  }
  for (ServerSpec& server : named) {
    std::erase_if(out.servers,
                  [&](const ServerSpec& other) { return other.name == server.name && other.is_trusted(); });
    out.servers.push_back(std::move(server));
  }
  return out;
}

std::vector<ServerSpec> usable_servers(const FoundServers& found) {
  std::vector<ServerSpec> out;
  std::ranges::copy_if(found.servers, std::back_inserter(out),
                       [](const ServerSpec& server) { return server.enabled && server.is_trusted(); });
  return out;
}

}  // namespace grapnel
