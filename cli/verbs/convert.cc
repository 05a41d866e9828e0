#include "convert/convert.h"

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "cli/command.h"
#include "cli/hook_source.h"
#include "cli/hook_text.h"
#include "discover/discover.h"
#include "discover/formats/hook_md.h"
#include "os/files.h"

namespace grapnel::cli {

namespace {

// `grapnel convert` works in three steps: read hooks in any dialect (the same readers that events use), translate them
// (convert/convert.h), and write files. What is lost on the way is printed, never dropped silently.

constexpr auto kConvertArguments = std::to_array<ArgumentRow>({
    {"FILE", "a settings file, a hook directory or a directory of these (default: all files of --from in use here)",
     ValueKind::File},
});
constexpr auto kConvertOptions = std::to_array<OptionRow>({
    {"--to", "", "NAME", "the dialect to write; 'grapnel' for a rule file (must be given)", ValueKind::Dialect},
    {"--from", "", "NAME", "the dialect of FILE (default: detected from its content)", ValueKind::Dialect},
    {"--project", "-p", "DIR",
     "without FILE: the project whose files are converted as well (default: the current directory)",
     ValueKind::Directory},
    {"--output", "-o", "FILE", "write to FILE, or to a directory for hook directories; it must not exist (default: -)",
     ValueKind::File},
    kJsonOption,
});

/// The hooks that the agent of `--from` runs here, from all its files, trusted or not. The error is a sentence.
std::expected<Registry, std::string> read_live_hooks(const Invocation& in) {
  const std::string from = in.args.text("--from");
  if (from.empty()) return std::unexpected("name the FILE to convert, or an agent with --from");
  const auto project = project_dirs(in);
  if (!project) return std::unexpected(project.error().message);
  DiscoverOptions options;
  options.roots = places_of(*project, in.env);
  Registry registry = std::move(discover(options).registry);
  std::erase_if(registry.hooks, [&](const HookSpec& hook) { return hook.dialect->name != from; });
  // Problems in the files of other agents are of no interest.
  std::erase_if(registry.problems, [&](const ConfigProblem& problem) {
    return std::ranges::none_of(registry.hooks,
                                [&](const HookSpec& hook) { return hook.source.file == problem.at.file; });
  });
  return registry;
}

/// The hooks of FILE, or of all files of an agent when there is no FILE. The error is a sentence.
std::expected<Registry, std::string> read_hooks(const Invocation& in) {
  const std::string path = in.args.text("FILE");
  const std::string from = in.args.text("--from");
  if (!from.empty()) {
    if (auto known = dialect_with_files(from); !known) return std::unexpected(known.error().message);
  }
  if (path.empty()) return read_live_hooks(in);
  if (!os::stamp(path)) return std::unexpected("there is no file " + printable(path));
  std::error_code error;
  const std::string full = std::filesystem::absolute(path, error).lexically_normal().string();
  DiscoverOptions options;
  options.roots.env = &in.env;
  options.use_standard_places = false;
  options.files = {{error ? path : full, from}};
  Registry registry = std::move(discover(options).registry);
  // A file may turn out to be of another dialect than the one that the user named.
  const auto is_other = [&](const HookSpec& hook) { return !from.empty() && hook.dialect->name != from; };
  if (std::ranges::any_of(registry.hooks, is_other)) {
    return std::unexpected(printable(path) + " contains no hooks of " + from);
  }
  const auto first = std::ranges::find(registry.problems, ConfigProblem::Severity::Error, &ConfigProblem::severity);
  // If nothing could be read, the first error is the answer. Single bad entries are listed as losses instead.
  if (registry.hooks.empty() && first != registry.problems.end()) {
    ConfigProblem problem = *first;
    problem.at.file = short_path(problem.at.file);
    return std::unexpected(problem.to_string());
  }
  return registry;
}

/// Where a file is written. A file without a path of its own is the output itself.
std::string path_below(const std::string& output, const OutputFile& file) {
  return file.path.empty() ? output : output + "/" + file.path;
}

/// Writes all files, or none if one of them exists already. Returns "" or the error.
std::string write_files(const std::vector<OutputFile>& files, const std::string& output) {
  for (const OutputFile& file : files) {
    const std::string path = path_below(output, file);
    if (os::stamp(path)) return short_path(path) + " already exists; nothing was written";
  }
  for (const OutputFile& file : files) {
    const std::string path = path_below(output, file);
    if (auto made = os::make_parent_dirs(path, 0755); !made) return made.error().message;
    const auto written = os::write_file_atomic(path, file.text, file.is_executable ? 0755 : 0644);
    if (!written) return written.error().message;
  }
  return "";
}

Json problems_json(const std::vector<ConfigProblem>& problems) {
  std::vector<Json> list;
  for (const ConfigProblem& problem : problems) list.push_back(to_json(problem));
  return Json::array(list);
}

/// Everything as one object. A file that was written is named; one that was not has its text.
std::string conversion_json(const Conversion& conversion, const Registry& registry, const Dialect& to,
                            const std::string& output) {
  std::vector<Json> files;
  for (const OutputFile& file : conversion.files) {
    const bool is_written = output != "-";
    files.push_back(Json::object({{"path", is_written ? Json::string(path_below(output, file)) : Json::null()},
                                  {"text", is_written ? Json() : Json::string(file.text)}}));
  }
  return Json::object({{"to", Json::string(to.name)},
                       {"files", Json::array(files)},
                       {"problems", problems_json(registry.problems)},
                       {"losses", problems_json(conversion.losses)}})
             .dump(JsonStyle::Pretty) +
         "\n";
}

/// Prints problems to standard error, a line each.
void list(const std::vector<ConfigProblem>& problems, Console& console) {
  for (ConfigProblem problem : problems) {
    problem.at.file = short_path(problem.at.file);
    console.err(printable(problem.to_string()) + "\n");
  }
}

int run_convert(Invocation& in) {
  if (!in.args.has("--to")) return report_input(in.console, "--to is missing: name the dialect to write");
  // Grapnel's own rules have no file format among the dialects, but they can be written.
  const bool to_rules = in.args.text("--to") == kGrapnelDialect.name;
  const auto to = to_rules ? Result<const Dialect*>(&kGrapnelDialect) : dialect_with_files(in.args.text("--to"));
  if (!to) return report_input(in.console, to.error().message);
  const std::string output = in.args.has("--output") ? in.args.text("--output") : "-";
  const bool has_directories = (*to)->file_format() == PlaceFormat::HookDirectories;
  if (has_directories && output == "-") {
    return report_input(in.console, "hooks of " + std::string((*to)->name) +
                                        " are directories: name the directory to write to with --output DIR");
  }
  const auto registry = read_hooks(in);
  if (!registry) return report_input(in.console, registry.error());

  const Conversion conversion = convert_hooks(registry->hooks, **to);
  if (output != "-") {
    if (const std::string why = write_files(conversion.files, output); !why.empty()) {
      return report_input(in.console, why);
    }
  }
  if (in.args.has("--json")) {
    in.console.out(conversion_json(conversion, *registry, **to, output));
  } else {
    if (output == "-") in.console.out(conversion.files.front().text);
    // Standard output may be piped into a file, so everything else goes to standard error.
    list(registry->problems, in.console);
    list(conversion.losses, in.console);
  }
  return registry->problems.empty() && conversion.losses.empty() ? kOk : kNo;
}

}  // namespace

const Command kConvert{
    .name = "convert",
    .summary = "write an agent's hooks as another agent's",
    .about =
        "Reads the hooks of a settings file, or of hook directories, and writes them as another agent keeps them: "
        "events, tool names, matchers and timeouts are translated. Without FILE, the hooks of all files that the "
        "agent of --from reads here are converted, except the entries that call grapnel. Everything that the other "
        "agent cannot express is listed on standard error, a line each, with the place of the hook. The exit status "
        "is 0 when everything could be converted, and 1 when something was lost.",
    .arguments = kConvertArguments,
    .options = kConvertOptions,
    .examples = R"(  grapnel convert --to claude .gemini/settings.json
  grapnel convert --from clawd --to blade settings.json -o .blade/settings.json
  grapnel convert --to agenthooks .claude/settings.json -o .agents/hooks
  grapnel convert --from claude --to grapnel -o .agents/grapnel.yaml
)",
    .run = run_convert,
};

}  // namespace grapnel::cli
