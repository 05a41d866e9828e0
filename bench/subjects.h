#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/engine.h"

/// The engines and events that all benchmarks use, so that their numbers can be compared.
namespace grapnel::bench {

/// A hook of a settings file.
struct HookLine {
  std::string matcher;
  std::string command;
};

/// A settings object with these hooks before tool calls, in the format of `dialect` (`gemini` or `claude`).
Json settings_of(std::string_view dialect, const std::vector<HookLine>& hooks);

/// `count` hooks, each for the tools of another MCP server. No event of the benchmarks uses these tools.
std::vector<HookLine> bystanders(size_t count);

/// An engine with these hooks and nothing else: no files, no records.
/// `variables` are added to our environment.
std::unique_ptr<Engine> engine_of(std::string_view dialect, const std::vector<HookLine>& hooks,
                                  const std::vector<std::string>& variables = {});

/// The same with a rule file of that text.
std::unique_ptr<Engine> engine_of_rules(const std::string& yaml, const std::string& project_dir = "");

/// A shell call whose payload has about that many bytes, as an agent of that dialect writes it.
Event shell_call(std::string_view dialect, size_t bytes = 1000);

/// A call of a tool with one argument, with canonical names.
Event call_of(std::string_view tool, std::string_view key, std::string_view value);

/// Text with the escapes that source code has.
std::string source_text(size_t bytes);

/// The commands that rules are compared with: one of plain words, and one that needs the grammar.
inline constexpr std::string_view kPlainCommand = "git push --force-with-lease origin main";
inline constexpr std::string_view kParsedCommand =
    "cd \"$HOME\" && git push --force origin main > /dev/null 2>&1 || echo 'not pushed'";

/// A rule about paths, and one about commands.
inline constexpr std::string_view kPathRule =
    "version: 1\nhooks:\n  - name: secrets\n    on: PreToolUse\n    when: {tool: [read, write, edit], path: "
    "'**/.env*'}\n"
    "    deny: Secrets stay out of the conversation.\n";
inline constexpr std::string_view kCommandRule =
    "version: 1\nhooks:\n  - name: push\n    on: PreToolUse\n    when: {tool: shell, command: git push, flag: "
    "--mirror}\n"
    "    deny: Mirrors need a human.\n";

/// A directory that is deleted with the object.
class ScratchDir {
 public:
  ScratchDir();
  ScratchDir(const ScratchDir&) = delete;
  ScratchDir& operator=(const ScratchDir&) = delete;
  ~ScratchDir();
  const std::string& path() const { return path_; }
  /// Writes a file in it and returns its path.
  std::string write(std::string_view name, std::string_view text) const;

 private:
  std::string path_;
};

}  // namespace grapnel::bench
