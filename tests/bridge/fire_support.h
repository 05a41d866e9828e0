#pragma once

#include <string>
#include <vector>

#include "grapnel/json.h"

#include "os/temp_dir.h"
#include "run/supervisor.h"

namespace grapnel::testing {

/// How a `grapnel fire` ended.
struct Fired {
  int exit = -1;
  std::string out;
  std::string err;
};

/// A person's home with hooks, in which agents call `grapnel fire --bridge`.
class BridgeWorld {
 public:
  BridgeWorld() { dir_.put("project/.keep", ""); }

  const TempDir& dir() const { return dir_; }
  /// Rules of the user's.
  void put_rules(std::string_view yaml) const { dir_.put("home/.config/agents/grapnel.yaml", yaml); }

  ChildSpec fire(const std::vector<std::string>& args, std::string payload) const {
    ChildSpec child;
    child.path = GRAPNEL_COMMAND;
    child.argv = {"grapnel", "fire", "--bridge"};
    child.argv.insert(child.argv.end(), args.begin(), args.end());
    child.env = {"PATH=/usr/bin:/bin", "HOME=" + (dir_ / "home")};
    child.cwd = dir_ / "project";
    child.stdin_bytes = std::make_shared<const std::string>(std::move(payload));
    child.timeout = std::chrono::minutes(5);
    return child;
  }

  static std::vector<Fired> run(const std::vector<ChildSpec>& children) {
    std::vector<Fired> out;
    for (const RunOutcome& ended : run_children(children, 0, {}, {})) {
      const Exited* exited = std::get_if<Exited>(&ended.ending);
      out.push_back({exited == nullptr ? -1 : exited->code, ended.out.bytes, ended.err.bytes});
    }
    return out;
  }
  Fired run_one(const std::vector<std::string>& args, std::string payload) const {
    return run({fire(args, std::move(payload))}).front();
  }

  /// The records so far, oldest first.
  std::vector<Json> records() const {
    std::vector<Json> out;
    const std::string lines = dir_.read("home/.local/state/grapnel/records.jsonl");
    for (size_t at = 0; at < lines.size();) {
      const size_t end = std::min(lines.find('\n', at), lines.size());
      if (auto line = Json::parse(lines.substr(at, end - at))) out.push_back(std::move(*line));
      at = end + 1;
    }
    return out;
  }

 private:
  TempDir dir_;
};

}  // namespace grapnel::testing
