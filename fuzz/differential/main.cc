/// Compares what shell scripts do with what Grapnel says of them:  differential JAIL GUARDS SECONDS RANDOM-SEED FILE...
///
/// Each round makes a new script from those in the files (JSON lines with a member `command`; one with a member
/// `missed` is left out, since it is known), runs it in the jail, and asks the engine, which has the rules of GUARDS, a
/// file in the jail. A script that did what one of the guards is about, and that would have run without a deny or an
/// ask, is a miss. It is made shorter and printed; any miss makes the program fail.
#include <chrono>
#include <fstream>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "grapnel/engine.h"

#include "jail.h"
#include "scripts.h"

namespace grapnel::differential {

namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMaxTries = 500;  ///< to make one script shorter

std::vector<std::string> commands_in(const std::vector<std::string>& files) {
  std::vector<std::string> out;
  for (const std::string& file : files) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      const auto row = Json::parse(line);
      const auto command = row ? (*row)["command"].as_string() : std::nullopt;
      if (command && !(*row)["missed"]) out.push_back(*command);
    }
  }
  return out;
}

class Comparison {
 public:
  Comparison(const std::string& jail, const std::string& guards) : jail_(jail) {
    EngineOptions options{.project_dir = Jail::kProject, .configs = {{.dialect = "grapnel", .path = guards}}};
    options.discovery.use_hook_files = false;
    engine_ = Engine::create(std::move(options));
    const auto problems = engine_->problems();
    if (engine_->hooks().empty() || !problems.empty()) throw std::runtime_error("cannot use the guards in " + guards);
  }

  /// Whether the script did a deed and nobody would have stopped it.
  bool is_missed(const std::string& script) {
    ++ran_;
    deeds_ = jail_.run(script);
    if (deeds_.empty()) return false;
    ++did_;
    jail_.reset();  // rules look at the disk
    const Event event(EventKind::PreToolUse,
                      Json::object({{"tool_name", Json::string("Bash")},
                                    {"cwd", Json::string(Jail::kProject)},
                                    {"tool_input", Json::object({{"command", Json::string(script)}})}}));
    const Verdict verdict = engine_->fire(event).verdict();
    return verdict != Verdict::Deny && verdict != Verdict::Ask;
  }

  /// The shortest script found that is missed, too.
  std::string shortened(std::string script) {
    // What the script does may depend on which of its processes is faster, so nothing is run once more in the end.
    std::set<std::string> deeds = deeds_;
    size_t tries = 0;
    for (bool is_shorter = true; is_shorter;) {
      is_shorter = false;
      for (const std::string& candidate : Scripts::shorter(script)) {
        if (++tries > kMaxTries) break;
        if (!is_missed(candidate)) continue;
        script = candidate;
        deeds = deeds_;
        is_shorter = true;
        break;
      }
    }
    deeds_ = std::move(deeds);
    return script;
  }

  const std::set<std::string>& deeds() const { return deeds_; }
  size_t ran() const { return ran_; }
  size_t did() const { return did_; }

 private:
  Jail jail_;
  std::unique_ptr<Engine> engine_;
  std::set<std::string> deeds_;
  size_t ran_ = 0;
  size_t did_ = 0;
};

void print(const std::string& script, const std::set<std::string>& deeds) {
  std::cout << "missed:";
  for (const std::string& deed : deeds) std::cout << " " << deed;
  std::cout << "\t" << Json::string(script).dump() << std::endl;
}

int run(const std::vector<std::string>& words) {
  if (words.size() < 5) {
    std::cerr << "usage: differential JAIL GUARDS SECONDS RANDOM-SEED FILE...\n";
    return 2;
  }
  const std::vector<std::string> seeds = commands_in({words.begin() + 4, words.end()});
  if (seeds.empty()) {
    std::cerr << "differential: no command in the files\n";
    return 2;
  }
  Comparison comparison(words[0], words[1]);
  Scripts scripts(seeds, static_cast<unsigned>(std::stoul(words[3])));
  std::set<std::string> missed;
  const auto look_at = [&](const std::string& script) {
    if (!comparison.is_missed(script)) return;
    const std::string shortest = comparison.shortened(script);
    if (missed.insert(shortest).second) print(shortest, comparison.deeds());
  };
  const auto end = Clock::now() + std::chrono::seconds(std::stoul(words[2]));
  while (Clock::now() < end) look_at(scripts.next());
  std::cout << comparison.ran() << " scripts ran, " << comparison.did() << " did a guarded deed, " << missed.size()
            << " of these were missed\n";
  return missed.empty() && comparison.did() > 0 ? 0 : 1;
}

}  // namespace

}  // namespace grapnel::differential

int main(int argc, char** argv) {
  return grapnel::differential::run({argv + 1, argv + argc});
}
