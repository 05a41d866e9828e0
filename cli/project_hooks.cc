#include "cli/project_hooks.h"

#include <filesystem>

#include "base/error.h"
#include "base/text.h"
#include "discover/discover.h"

namespace grapnel::cli {

// The path is made absolute before links are resolved, so that a project that no longer exists still has a name.
std::string project_name(const Arguments& args) {
  const std::string path = args.has("DIR") ? args.text("DIR") : ".";
  std::error_code error;
  std::string full = std::filesystem::absolute(path, error).lexically_normal().string();
  while (full.size() > 1 && full.ends_with('/')) full.pop_back();
  return canonical_directory(full);
}

TrustStore trust_store(const Environment& env) {
  return TrustStore(env.state_dir() + "/trust.json");
}

TrustHistory trust_memory(const Environment& env) {
  return TrustHistory(trust_store(env).path());
}

// A trusted hook has not changed, by definition of its digest.
std::string Project::changes_of(const HookSpec& hook) const {
  const PinnedHook* was = hook.trust == Trust::Trusted ? nullptr : changed_from(before, hook);
  return was == nullptr ? "" : differences(*was, pin(hook, directory), directory);
}

std::string diff_text(const std::string& diff, const Console& console) {
  std::string out;
  for (const std::string_view line : text::split(text::trim(diff), '\n')) {
    // The line comes from the project's files, so it must not be able to print control characters.
    const std::string shown = printable(line);
    // `---` and `+++` name the files; they are no changes.
    const bool is_header = line.starts_with("---") || line.starts_with("+++");
    const bool is_change = !is_header && (line.starts_with('-') || line.starts_with('+'));
    out +=
        "    " + (is_change ? console.styled(line.starts_with('-') ? Style::Red : Style::Green, shown) : shown) + "\n";
  }
  return out;
}

Result<Project> load_project(const Invocation& in) {
  Project project{project_name(in.args), {}, {}};
  std::error_code error;
  if (!std::filesystem::is_directory(project.directory, error)) {
    return fail(Errc::BadInput, project.directory + " is not a directory");
  }
  // An unsafe trust store must be reported before anything is shown as trusted or untrusted.
  if (const auto readable = trust_store(in.env).trusted(project.directory); !readable) {
    return std::unexpected(readable.error());
  }
  DiscoverOptions options;
  options.roots = {.root = "/", .project_dir = project.directory, .env = &in.env};
  options.trust_store = trust_store(in.env).path();
  for (HookSpec& hook : discover(options).registry.hooks) {
    // Hooks from the user's own files need no trust and are not shown.
    if (hook.trust != Trust::NotNeeded) project.hooks.push_back(std::move(hook));
  }
  // Without the history there are no diffs to show, but everything else works.
  auto before = trust_memory(in.env).load(project.directory);
  if (before) project.before = std::move(*before);
  return project;
}

}  // namespace grapnel::cli
