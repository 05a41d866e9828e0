#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "grapnel/engine.h"

#include "base/environment.h"
#include "model/hook_spec.h"

/// Tries out rules on events of the past. The engine itself decides, with these rules and no others: it records
/// nothing, and hooks that would start a program are left out.
namespace grapnel::cli {

class RuleTrial {
 public:
  /// Fails: BadInput when the text has no rule that can be used; System.
  static Result<RuleTrial> prepare(const Environment& env, const std::string& yaml);

  /// The hooks that cannot be tried out, because they start a program or ask a model.
  const std::vector<std::string>& left_out() const { return left_out_; }

  /// What the rules alone say about the event of a record; nothing if the record has not kept enough of it.
  struct Outcome {
    Verdict verdict = Verdict::Pass;  ///< also what rules that only observe would say
    std::string by = {};
    bool changes_input = false;
    bool tells_model = false;
  };
  std::optional<Outcome> decide(const Json& record);
  /// The same about any event.
  Outcome decide(const Event& event, const std::string& project);

 private:
  RuleTrial() = default;
  Engine& engine_for(const std::string& project);

  Environment env_;
  std::shared_ptr<void> file_;  ///< the rules as a file, as long as this lives
  std::string path_;
  std::vector<HookSpec> rules_;
  std::vector<std::string> left_out_;
  /// Rules name files relative to a project.
  std::map<std::string, std::unique_ptr<Engine>> engines_;
};

/// The rules of a rule file, without hooks that cannot be used.
std::vector<HookSpec> rules_in(const std::string& yaml);

}  // namespace grapnel::cli
