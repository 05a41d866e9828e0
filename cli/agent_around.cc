#include <algorithm>
#include <array>

#include "base/text.h"
#include "bridge/adapter.h"
#include "cli/for_people.h"
#include "os/ancestors.h"
#include "os/files.h"
#include "shell/parse.h"
#include "trust/private_file.h"

namespace grapnel::cli {

namespace {

/// A variable that an agent sets for the commands of its tools.
struct AgentVariable {
  std::string_view name;
  std::string_view agent;
};
constexpr auto kAgentVariables = std::to_array<AgentVariable>({
    {"CLAUDECODE", "Claude Code"},
    {"CLAUDE_CODE_CHILD_SESSION", "Claude Code"},
    {"GEMINI_CLI", "Gemini CLI"},
    {"QWEN_CODE", "Qwen Code"},
    {"CODEX_SANDBOX", "Codex"},
    {"CODEX_SANDBOX_NETWORK_DISABLED", "Codex"},
    {"CODEX_THREAD_ID", "Codex"},
    {"CURSOR_AGENT", "Cursor"},
    {"OPENCODE", "OpenCode"},
    {"AI_AGENT", "an agent"},
});

/// Parts of the paths of agents that an interpreter runs.
constexpr auto kAgentPackages = std::to_array<AgentVariable>({{"/@anthropic-ai/claude-code/", "Claude Code"},
                                                              {"/@google/gemini-cli/", "Gemini CLI"},
                                                              {"/@openai/codex/", "Codex"},
                                                              {"/@qwen-code/", "Qwen Code"},
                                                              {"/@github/copilot/", "Copilot CLI"},
                                                              {"/opencode-ai/", "OpenCode"}});

constexpr auto kShells =
    std::to_array<std::string_view>({"sh", "bash", "dash", "zsh", "ash", "ksh", "fish", "timeout"});
constexpr size_t kMaxNoted = 64;
constexpr size_t kMaxNotedBytes = size_t{64} << 10;

/// The agent that a process is, judging by the names of its program; "" if it is none.
std::string_view agent_in(const os::Ancestor& process) {
  std::vector<std::string_view> names = {process.name};
  for (size_t i = 0; i < std::min<size_t>(process.words.size(), 2); ++i) {
    names.push_back(shell::base_name(process.words[i]));
    for (const AgentVariable& package : kAgentPackages) {
      if (process.words[i].contains(package.name)) return package.agent;
    }
  }
  for (const std::string_view name : names) {
    if (name == "grapnel-agent") return "grapnel agent";
    for (const Adapter& adapter : all_adapters()) {
      if (name == (adapter.program.empty() ? adapter.agent : adapter.program)) return adapter.title;
    }
  }
  return "";
}

std::string noted_agents_file(const Environment& env) {
  return env.state_dir() + "/agents";
}

/// A process, as a line in the list of noted agents.
std::string line_of(const os::Ancestor& process) {
  return std::to_string(process.pid) + " " + std::to_string(process.started);
}

std::vector<std::string> noted_agents(const Environment& env) {
  const auto text = read_private_file(noted_agents_file(env), kMaxNotedBytes);
  if (!text || !*text) return {};
  std::vector<std::string> out;
  for (const std::string_view line : text::split(**text, '\n')) {
    if (!line.empty()) out.emplace_back(line);
  }
  return out;
}

std::string process_text(std::string_view agent, pid_t pid) {
  return std::string(agent) + " (process " + std::to_string(pid) + ")";
}

/// The agent that set a variable for what its tools run.
std::string agent_in_variables(const Environment& env) {
  for (const AgentVariable& variable : kAgentVariables) {
    if (!env.get(variable.name).empty()) {
      return std::string(variable.agent) + " (" + std::string(variable.name) + " is set)";
    }
  }
  return "";
}

/// The agent that one of the processes is, by its name or because a bridge noted it.
std::string agent_among(const std::vector<os::Ancestor>& processes, const Environment& env) {
  const std::vector<std::string> noted = noted_agents(env);
  for (const os::Ancestor& process : processes) {
    if (const std::string_view agent = agent_in(process); !agent.empty()) return process_text(agent, process.pid);
    if (std::ranges::find(noted, line_of(process)) != noted.end()) return process_text("an agent", process.pid);
  }
  return "";
}

/// Whether the process is a shell that runs one command for somebody else: `sh -c …`. A shell that a person types into,
/// or that runs a script, is not passed over.
bool is_errand(const os::Ancestor& process) {
  if (std::ranges::find(kShells, process.name) == kShells.end()) return false;
  return process.name == "timeout" || std::ranges::any_of(process.words, [](const std::string& word) {
           return word.size() > 1 && word[0] == '-' && word[1] != '-' && word.ends_with('c');
         });
}

}  // namespace

std::string agent_around(const Environment& env) {
  std::string agent = agent_in_variables(env);
  return agent.empty() ? agent_among(os::ancestors(), env) : agent;
}

std::string agent_above(const Environment& env, pid_t process) {
  constexpr size_t kMaxVariables = size_t{4} << 20;
  const auto bytes = os::read_file("/proc/" + std::to_string(process) + "/environ", kMaxVariables);
  if (!bytes) return "a process that cannot be looked at";
  std::vector<std::string> entries;
  for (const std::string_view entry : text::split(*bytes, '\0')) {
    if (entry.contains('=')) entries.emplace_back(entry);
  }
  std::string agent = agent_in_variables(Environment(std::move(entries)));
  return agent.empty() ? agent_among(os::ancestors(process), env) : agent;
}

void note_agent(const Environment& env, pid_t caller) {
  for (const os::Ancestor& process : os::ancestors(caller)) {
    if (is_errand(process)) continue;
    if (std::ranges::find(kShells, process.name) != kShells.end() || process.pid == 1) return;
    std::vector<std::string> noted = noted_agents(env);
    const std::string line = line_of(process);
    if (std::ranges::find(noted, line) != noted.end()) return;
    noted.push_back(line);
    if (noted.size() > kMaxNoted) noted.erase(noted.begin(), noted.end() - kMaxNoted);
    static_cast<void>(write_private_file(noted_agents_file(env), text::join(noted, "\n") + "\n", os::Durability::Lazy));
    return;
  }
}

}  // namespace grapnel::cli
