#include "arch/layers.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace arch {

namespace {

struct Layer {
  std::string_view folder;
  int height;
};
constexpr auto kLayers = std::to_array<Layer>({
    {"src/base", 0},    {"src/json", 1},    {"src/os", 1},       {"src/match", 1},     {"src/shell", 1},
    {"src/mask", 2},    {"src/model", 2},   {"src/net", 2},      {"src/dialect", 3},   {"src/llm", 3},
    {"src/call", 4},    {"src/trust", 5},   {"src/protect", 6},  {"src/rule", 6},      {"src/discover", 7},
    {"src/plan", 7},    {"src/run", 7},     {"src/decide", 7},   {"src/record", 7},    {"src/session", 7},
    {"src/approve", 7}, {"src/history", 8}, {"src/engine", 8},   {"src/convert", 8},   {"src/schema", 8},
    {"src/mcp", 8},     {"src/agent", 9},   {"src/bridge", 9},   {"src/abi", 9},       {"src/fleet", 9},
    {"cli", 10},        {"cli/agent", 10},  {"cli/journal", 10}, {"cli/hooktest", 10}, {"cli/verbs", 10},
    {"cli/doctor", 10}, {"cli/init", 10},   {"cli/pack", 10},    {"cli/serve", 10},    {"cli/client", 10},
    {"cli/ui", 10},     {"cli/mcp", 10},    {"cli/fleet", 10},   {"tests", 11},        {"bench", 11},
    {"fuzz", 11},
});

/// A public header counts as the layer of its implementation.
struct PublicHeader {
  std::string_view name;
  std::string_view folder;
};
constexpr auto kPublicHeaders = std::to_array<PublicHeader>({
    {"grapnel/error.h", "src/base"},
    {"grapnel/json.h", "src/json"},
    {"grapnel/event.h", "src/model"},
    {"grapnel/decision.h", "src/model"},
    {"grapnel/hook.h", "src/model"},
    {"grapnel/person.h", "src/model"},
    {"grapnel/tool.h", "src/model"},
    {"grapnel/gemini_model.h", "src/dialect"},
    {"grapnel/project.h", "src/discover"},
    {"grapnel/record.h", "src/record"},
    {"grapnel/session_store.h", "src/session"},
    {"grapnel/engine.h", "src/engine"},
    {"grapnel/stop_hook.h", "src/engine"},
    {"grapnel/hook_service.h", "src/engine"},
    {"grapnel.h", "src/abi"},
    {"grapnel_agent/model.h", "src/llm"},
    {"grapnel_agent/tool.h", "src/agent"},
    {"grapnel_agent/agent.h", "src/agent"},
    {"grapnel_agent/http_hook_client.h", "src/agent"},
    {"grapnel_agent/judge.h", "src/agent"},
    {"grapnel_agent/mcp.h", "src/mcp"},
});

struct ThirdParty {
  std::string_view prefix;
  std::string_view folder;
};
constexpr auto kThirdParty = std::to_array<ThirdParty>({
    {"re2/", "src/match"},         {"pcre2.h", "src/match"},     {"tree_sitter/", "src/shell"},
    {"sha256.h", "src/trust"},  // libmd
    {"yaml-cpp/", "src/discover"}, {"toml++/", "src/discover"},  {"utf8proc.h", "src/discover"},
    {"ares.h", "src/net"},         {"sqlite3.h", "src/history"}, {"histedit.h", "cli/agent"},
    {"boost/", "cli/ui"},          {"boost/", "src/net"},        {"openssl/", "src/net"},
    {"openssl/", "tests"},         {"openssl/", "src/fleet"},    {"libpq-fe.h", "src/fleet"},
    {"nats/", "cli/fleet"},        {"gtest/", "tests"},          {"gmock/", "tests"},
    {"rapidcheck", "tests"},       {"benchmark/", "bench"},      {"simdjson.h", "fuzz"},
});

constexpr auto kSystemHeaders = std::to_array<std::string_view>({
    "cxxabi.h",        "dirent.h",        "fcntl.h",  "glob.h",        "grp.h",          "langinfo.h",
    "fnmatch.h",       "malloc.h",        "netdb.h",  "regex.h",       "elf.h",          "errno.h",
    "link.h",          "immintrin.h",     "limits.h", "linux/audit.h", "linux/filter.h", "linux/magic.h",
    "linux/openat2.h", "linux/seccomp.h", "poll.h",   "pthread.h",     "pty.h",          "pwd.h",
    "sched.h",         "signal.h",        "spawn.h",  "stdbool.h",     "stddef.h",       "stdint.h",
    "stdlib.h",        "termios.h",       "unistd.h",
});

/// The tables of the agents. They belong to src/dialect, and reach the rest of it through `Dialect` alone.
constexpr std::string_view kAgentTables = "src/dialect/agents/";
constexpr auto kOpenToTables =
    std::to_array<std::string_view>({"dialect/dialect.h", "dialect/output_tables.h", "dialect/canonical_inputs.h"});

/// What one `#include` line names.
struct Include {
  std::string name;
  bool angled = false;
};

std::optional<Include> parse_include(std::string_view line) {
  constexpr std::string_view kWord = "#include";
  if (!line.starts_with(kWord)) return std::nullopt;
  const size_t open = line.find_first_of("<\"", kWord.size());
  if (open == std::string_view::npos) return std::nullopt;
  const bool angled = line[open] == '<';
  const size_t close = line.find(angled ? '>' : '"', open + 1);
  if (close == std::string_view::npos) return std::nullopt;
  return Include{std::string(line.substr(open + 1, close - open - 1)), angled};
}

std::optional<int> height_of(std::string_view folder) {
  const auto* const found = std::ranges::find(kLayers, folder, &Layer::folder);
  return found == kLayers.end() ? std::nullopt : std::optional(found->height);
}

bool is_public(const SourceFile& file) {
  return file.path.starts_with("include/");
}

bool names_public(std::string_view include) {
  return include.starts_with("grapnel/") || include.starts_with("grapnel_agent/") || include == "grapnel.h";
}

/// The folder whose rules a file follows; "" for a public header nobody placed.
std::string home_of(const SourceFile& file) {
  std::string folder = folder_of(file.path);
  if (!is_public(file)) return folder;
  const std::string_view name = std::string_view(file.path).substr(std::string_view("include/").size());
  const auto* const found = std::ranges::find(kPublicHeaders, name, &PublicHeader::name);
  return found == kPublicHeaders.end() ? "" : std::string(found->folder);
}

bool is_standard(std::string_view name) {
  return name.find_first_of("./") == std::string_view::npos;
}

bool is_system(std::string_view name) {
  return name.starts_with("sys/") || name.starts_with("netinet/") || name.starts_with("arpa/") ||
         std::ranges::find(kSystemHeaders, name) != kSystemHeaders.end();
}

std::string check_angled(const SourceFile& file, const std::string& name) {
  if (is_standard(name) && !name.starts_with("rapidcheck")) return "";
  if (file.path == "include/grapnel.h" && name.starts_with("std")) return "";  // C's own headers
  if (is_public(file)) return "a public header includes <" + name + ">, which is not the standard library";
  if (is_system(name)) return "";
  std::vector<std::string> folders;
  for (const ThirdParty& library : kThirdParty) {
    if (name.starts_with(library.prefix)) folders.emplace_back(library.folder);
  }
  if (folders.empty()) return "<" + name + "> is a header tests/arch/layers.cc does not know";
  if (std::ranges::find(folders, folder_of(file.path)) != folders.end()) return "";
  std::string all = folders.front();
  for (size_t i = 1; i < folders.size(); ++i) all += " and " + folders[i];
  return "<" + name + "> is visible to " + all + " only";
}

/// The folder an include in quotes leads to: a public header's home, `src/<folder>`, or the file's own.
std::string target_of(const SourceFile& file, const std::string& name) {
  if (const auto* const found = std::ranges::find(kPublicHeaders, name, &PublicHeader::name);
      found != kPublicHeaders.end()) {
    return std::string(found->folder);
  }
  if (names_public(name)) return "";
  const size_t slash = name.find('/');
  if (slash == std::string::npos) return home_of(file);
  const std::string below_src = "src/" + name.substr(0, slash);
  if (height_of(below_src)) return below_src;
  // Tests name their own helpers by folder: "run/harness.h" is below_src, "support/…" is not.
  return height_of(folder_of(file.path)) >= height_of("cli") ? folder_of(file.path) : "";
}

/// What the reference agent may use besides the public API: nothing that knows of hooks.
bool is_open_to_hosts(std::string_view folder, std::string_view name) {
  constexpr auto kOpen = std::to_array<std::string_view>({"src/agent", "src/base", "src/json", "src/os", "src/match",
                                                          "src/shell", "src/call", "src/net", "src/llm", "src/mcp"});
  constexpr auto kChildren = std::to_array<std::string_view>(
      {"run/child.h", "run/supervisor.h", "run/child_sandbox.h", "run/refusals.h", "model/sandbox.h"});
  return std::ranges::find(kOpen, folder) != kOpen.end() || std::ranges::find(kChildren, name) != kChildren.end();
}

/// Tables include columns and other tables; nothing but tables includes a table.
std::string check_tables(const SourceFile& file, const std::string& name) {
  const bool names_table = ("src/" + name).starts_with(kAgentTables);
  if (!file.path.starts_with(kAgentTables)) {
    return names_table ? "\"" + name + "\" is of one agent: go through dialect/dialect.h" : "";
  }
  const bool is_open = names_table || std::ranges::find(kOpenToTables, name) != kOpenToTables.end();
  return is_open ? "" : "\"" + name + "\": a table of an agent includes columns and other tables only";
}

std::string check_quoted(const SourceFile& file, const std::string& name) {
  if (is_public(file) && !names_public(name)) return "a public header includes \"" + name + "\", which is private";
  if (folder_of(file.path) == "examples") {
    const bool fine = names_public(name) || name.find('/') == std::string::npos;
    return fine ? "" : "an example includes \"" + name + "\", which embedders cannot";
  }
  if (std::string message = check_tables(file, name); !message.empty()) return message;
  const std::string home = home_of(file);
  const std::string target = target_of(file, name);
  const auto own = height_of(home);
  const auto other = height_of(target);
  if (!other) return "\"" + name + "\" belongs to no layer that tests/arch/layers.cc knows";
  if (!own) return "";  // reported once, for the file
  if (*other > *own) return "\"" + name + "\" is a higher layer (" + target + ") than " + home;
  if (home == "src/agent" && !names_public(name) && !is_open_to_hosts(target, name)) {
    return "\"" + name + "\" is of " + target + ": the agent is a host, hooks reach it by the public API only";
  }
  if (*other == *own && target != home) return "\"" + name + "\" is of " + target + ", a sibling of " + home;
  return "";
}

void check_file(const SourceFile& file, Findings& findings) {
  if (!height_of(home_of(file)) && folder_of(file.path) != "examples") {
    findings.push_back({file.path, 1, "no layer in tests/arch/layers.cc is this file's"});
  }
  for (size_t i = 0; i < file.lines.size(); ++i) {
    const auto include = parse_include(file.lines[i]);
    if (!include) continue;
    std::string message = include->angled ? check_angled(file, include->name) : check_quoted(file, include->name);
    if (!message.empty()) findings.push_back({file.path, i + 1, std::move(message)});
  }
}

}  // namespace

Findings check_layers(const std::vector<SourceFile>& files) {
  Findings findings;
  for (const SourceFile& file : files) check_file(file, findings);
  return findings;
}

}  // namespace arch
