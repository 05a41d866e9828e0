#include "trust/unpinned.h"

#include <algorithm>
#include <array>

#include "call/commands.h"
#include "call/hook_command.h"

namespace grapnel {

namespace {

/// A program that runs whatever it finds in some file. Add a row when a tool reads its commands from a file that the
/// hook's command does not name.
struct RunnerRow {
  std::string_view program;
  std::string_view reads;  ///< where it finds its commands
};
constexpr auto kRunners = std::to_array<RunnerRow>({
    {"npm", "package.json and node_modules"},
    {"npx", "package.json, node_modules and the registry"},
    {"pnpm", "package.json and node_modules"},
    {"yarn", "package.json and node_modules"},
    {"bun", "package.json and node_modules"},
    {"deno", "deno.json and the network"},
    {"make", "the Makefile"},
    {"gmake", "the Makefile"},
    {"ninja", "build.ninja"},
    {"cmake", "CMakeLists.txt and presets"},
    {"just", "the justfile"},
    {"task", "the Taskfile"},
    {"cargo", "Cargo.toml and the sources"},
    {"go", "go.mod and the sources"},
    {"mvn", "pom.xml"},
    {"gradle", "build.gradle"},
    {"rake", "the Rakefile"},
    {"bundle", "the Gemfile"},
    {"composer", "composer.json"},
    {"poetry", "pyproject.toml"},
    {"uv", "pyproject.toml"},
    {"uvx", "the package index"},
    {"pipx", "the package index"},
    {"tox", "tox.ini"},
    {"nox", "noxfile.py"},
    {"pytest", "the tests and conftest.py"},
    {"pre-commit", ".pre-commit-config.yaml"},
    {"lefthook", "lefthook.yml"},
    {"docker", "the image"},
    {"podman", "the image"},
});

/// Programs whose output may be run, and interpreters that find modules by themselves with `-m`.
constexpr auto kDownloaders = std::to_array<std::string_view>({"curl", "wget"});
constexpr auto kInterpreters = std::to_array<std::string_view>({"python", "python3", "python2", "pypy", "pypy3"});

/// Works for the tables and for vectors of texts.
bool is_one_of(auto& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Why this program makes a command impossible to pin completely; "" for all others.
std::string why_open(std::string_view program, bool names_module) {
  const std::string name(program);
  const auto runner = std::ranges::find(kRunners, name, &RunnerRow::program);
  if (runner != kRunners.end()) return "'" + name + "' runs what it finds in " + std::string(runner->reads);
  if (is_one_of(kDownloaders, name)) return "the files that '" + name + "' downloads";
  if (is_one_of(kInterpreters, name) && names_module) return "the module that '" + name + " -m' finds";
  return name == "eval" ? "the code that 'eval' runs" : "";
}

}  // namespace

std::vector<std::string> open_ends(std::string_view command) {
  std::vector<std::string> out;
  const auto note = [&](std::string_view program, bool names_module) {
    std::string why = why_open(program, names_module);
    if (!why.empty() && !is_one_of(out, why)) out.push_back(std::move(why));
  };
  const call::ParsedCommand parsed = call::commands_of(command);
  for (const call::SimpleCommand& one : parsed.commands) {
    if (one.words.empty()) continue;
    note(call::base_name(one.words[0].text), one.words.size() > 1 && one.words[1].text == "-m");
  }
  // The parser does not understand the command, so every word might be a program.
  if (parsed.is_unclear) {
    const std::vector<call::CommandWord> words = call::words_of_command(command);
    for (size_t i = 0; i < words.size(); ++i) {
      note(call::base_name(words[i].text), i + 1 < words.size() && words[i + 1].text == "-m");
    }
  }
  // A substitution may make any name, so nothing is known about the files behind it.
  const bool is_computed = command.contains("$(") || command.contains('`');
  if (is_computed) out.emplace_back("names that are computed at run time");
  return out;
}

}  // namespace grapnel
