#include "cli/warm_text.h"

#include "dialect/dialect.h"
#include "run/warm_fitness.h"
#include "trust/trust_store.h"

namespace grapnel::cli {

std::string why_always_cold(const HookSpec& hook, const std::string& project, const Environment& env) {
  if (std::string why = why_never_warm(hook); !why.empty()) return why;
  const std::string own = hook.project.empty() ? project : hook.project;
  ChildSpec child;
  child.cwd = hook.cwd.starts_with('/') ? hook.cwd : own + (hook.cwd.empty() ? "" : "/" + hook.cwd);
  child.env = env;
  for (const VariableRow& row : hook.dialect->process.variables) {
    if (row.value == Field::ProjectDir) child.env.set(row.name, own);
  }
  return WarmFiles(hook, canonical_directory(own), child).why_cold();
}

std::string given_up_text(const Dialect& dialect) {
  const std::vector<std::string_view> names = variables_given_up(dialect);
  std::string out;
  for (size_t i = 0; i < names.size(); ++i) {
    out += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + std::string(names[i]);
  }
  return out;
}

}  // namespace grapnel::cli
