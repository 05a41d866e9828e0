#include "trust/open_ends.h"

#include <algorithm>
#include <array>

#include "trust/command_words.h"

namespace grapnel {

namespace {

struct RunnerRow {
  std::string_view program;
  std::string_view reads;  ///< where it finds what it runs
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

constexpr auto kDownloaders = std::to_array<std::string_view>({"curl", "wget"});
constexpr auto kInterpreters = std::to_array<std::string_view>({"python", "python3", "python2", "pypy", "pypy3"});

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

bool is_one_of(auto& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

std::vector<std::string> open_ends(std::string_view command) {
  std::vector<std::string> out;
  const std::vector<CommandWord> words = words_of_command(command);
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string name(base_name(words[i].text));
    const auto runner = std::ranges::find(kRunners, name, &RunnerRow::program);
    if (runner != kRunners.end()) {
      out.push_back("'" + name + "' runs what it finds in " + std::string(runner->reads));
    } else if (is_one_of(kDownloaders, name)) {
      out.push_back("what '" + name + "' fetches");
    } else if (is_one_of(kInterpreters, name) && i + 1 < words.size() && words[i + 1].text == "-m") {
      out.push_back("the module that '" + name + " -m' finds");
    } else if (name == "eval") {
      out.push_back("what 'eval' makes of its words");
    }
  }
  const bool is_computed = command.contains("$(") || command.contains('`');
  if (is_computed) out.emplace_back("names that are made while it runs");
  return out;
}

}  // namespace grapnel
