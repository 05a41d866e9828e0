/// Counts how often guards stop commands of real life:
///
///   false_alarms [--show | --passed] [--rules RULE-FILE] [--in DIRECTORY] FILE...
///
/// A file has one command on each line, as a JSON string or as the member `command` of an object. If the commands are
/// hardly ever what a usual guard forbids, nearly every deny or ask is a false alarm. "Wrongly" counts those that
/// cannot be anything else: the text has none of the words that the three guards are about. Causes are the doubts that
/// the decisions name, without the places. `--show` prints what is stopped, and `--passed` what is not; without `--in`,
/// the commands are asked about in an empty directory.
#include <array>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/engine.h"

#include "subjects.h"

namespace grapnel::bench {

namespace {

constexpr std::string_view kGuards = R"(version: 1
hooks:
  - name: no-force-push
    on: PreToolUse
    when: { tool: shell, command: git push, flag: [--force, -f, --force-with-lease] }
    deny: Force pushes need a human.
  - name: protect-secrets
    on: PreToolUse
    when: { tool: [read, write, edit, shell], path: '**/.env*' }
    deny: Secrets stay out of the conversation.
  - name: no-recursive-rm
    on: PreToolUse
    when: { tool: shell, command: rm, flag: [-r, -R, --recursive] }
    deny: Deleting needs a human.
)";

bool mentions_guarded(std::string_view command) {
  constexpr auto kWords = std::to_array<std::string_view>({"push", "force", ".env", "rm", "unlink", "rmtree"});
  for (const std::string_view word : kWords) {
    if (command.contains(word)) return true;
  }
  return false;
}

/// What one file of commands gave.
struct Count {
  size_t commands = 0;
  size_t stopped = 0;
  size_t wrongly = 0;
  std::map<std::string, size_t> by_rule;
  std::map<std::string, size_t> by_cause;
};

struct Options {
  bool shows_stopped = false;
  bool shows_passed = false;
  std::string rules;
  std::string directory;
  std::vector<std::string> files;
};

/// A doubt without the parts that differ from command to command.
std::string cause_of(const std::string& doubt) {
  if (doubt.empty()) return "no doubt";
  std::string out;
  bool is_quoted = false;
  for (const char c : doubt) {
    if (c == '`') out += is_quoted ? "" : "`…`";
    if (c == '`') is_quoted = !is_quoted;
    if (!is_quoted && c != '`') out += c;
  }
  return out;
}

void add(Engine& engine, const std::string& command, const Options& options, Count& count) {
  const Event event(EventKind::PreToolUse,
                    Json::object({{"tool_name", Json::string("Bash")},
                                  {"cwd", Json::string(options.directory)},
                                  {"tool_input", Json::object({{"command", Json::string(command)}})}}));
  const Decision decision = engine.fire(event);
  ++count.commands;
  const bool is_stopped = decision.verdict() == Verdict::Deny || decision.verdict() == Verdict::Ask;
  if (!is_stopped && options.shows_passed) std::cout << Json::string(command).dump() << "\n";
  if (!is_stopped) return;
  ++count.stopped;
  const bool is_wrong = !mentions_guarded(command);
  if (is_wrong) ++count.wrongly;
  for (const HookFate& fate : decision.hooks) {
    if (fate.verdict < Verdict::Ask) continue;
    ++count.by_rule[fate.name + (fate.verdict == Verdict::Ask ? " asks" : " denies")];
    if (is_wrong) ++count.by_cause[cause_of(fate.doubt)];
    if (options.shows_stopped) {
      std::cout << (is_wrong ? "wrongly\t" : "\t") << fate.name << "\t" << Json::string(command).dump() << "\t"
                << fate.doubt << "\n";
    }
  }
}

std::string percent(size_t part, size_t whole) {
  const double rate = static_cast<double>(part) * 100 / static_cast<double>(std::max<size_t>(whole, 1));
  return std::to_string(rate).substr(0, 5) + " %";
}

void print(const std::string& file, const Count& count) {
  std::cout << file << ": " << count.commands << " commands, " << count.stopped << " stopped ("
            << percent(count.stopped, count.commands) << "), " << count.wrongly << " of them wrongly ("
            << percent(count.wrongly, count.commands) << ")\n";
  for (const auto& [rule, times] : count.by_rule) {
    std::cout << "  " << rule << ": " << times << " (" << percent(times, count.commands) << ")\n";
  }
  for (const auto& [cause, times] : count.by_cause) {
    std::cout << "  wrongly, " << times << " times: " << cause << "\n";
  }
}

std::string command_in(const std::string& line) {
  const auto value = Json::parse(line);
  if (!value) return "";
  const auto text = value->as_string() ? value->as_string() : (*value)["command"].as_string();
  return text.value_or("");
}

Options read_options(const std::vector<std::string>& words) {
  Options out;
  for (size_t i = 0; i < words.size(); ++i) {
    const bool has_next = i + 1 < words.size();
    if (words[i] == "--show") {
      out.shows_stopped = true;
    } else if (words[i] == "--passed") {
      out.shows_passed = true;
    } else if (words[i] == "--rules" && has_next) {
      out.rules = words[++i];
    } else if (words[i] == "--in" && has_next) {
      out.directory = words[++i];
    } else {
      out.files.push_back(words[i]);
    }
  }
  return out;
}

int run(const std::vector<std::string>& words) {
  Options asked = read_options(words);
  ScratchDir scratch;
  ScratchDir empty;
  if (asked.directory.empty()) asked.directory = empty.path();
  if (asked.rules.empty()) asked.rules = scratch.write("grapnel.yaml", kGuards);
  EngineOptions options{.project_dir = asked.directory, .configs = {{.dialect = "grapnel", .path = asked.rules}}};
  options.discovery.use_hook_files = false;
  const auto engine = Engine::create(std::move(options));
  for (const ConfigProblem& problem : engine->problems()) std::cerr << "false_alarms: " << problem.to_string() << "\n";
  if (engine->hooks().empty()) return 1;
  for (const std::string& file : asked.files) {
    std::ifstream in(file);
    if (!in) {
      std::cerr << "false_alarms: cannot read " << file << "\n";
      return 2;
    }
    Count count;
    for (std::string line; std::getline(in, line);) {
      if (const std::string command = command_in(line); !command.empty()) add(*engine, command, asked, count);
    }
    print(file, count);
  }
  return 0;
}

}  // namespace

}  // namespace grapnel::bench

int main(int argc, char** argv) {
  return grapnel::bench::run({argv + 1, argv + argc});
}
