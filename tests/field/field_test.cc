#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "grapnel/engine.h"

#include "os/temp_dir.h"

/// Commands that somebody wrote who had not seen the code: what an agent may try in order to get past a guard, what it
/// does every day, and what looks harmless. Each is fired at the real engine with a real rule file.
///
///   evasion.jsonl           does what one of the five guards of rules.yaml forbids: stopped (denied or asked about)
///   benign.jsonl            does nothing of that kind: not stopped
///   readonly_harmful.jsonl  changes something, or may: not approved by approve.yaml
///   readonly_plain.jsonl    only reads: approved
///
/// A case that is known to be missed says why in its member "missed", and then it has to be missed: whoever improves
/// things is told to remove the note; `GRAPNEL_FIELD_UPDATE=1 field_test` removes all that no longer hold.
/// `GRAPNEL_FIELD_CASES=DIR field_test` measures other lists of the same names.
namespace grapnel::testing {
namespace {

namespace fs = std::filesystem;

struct Case {
  std::string command;
  std::string about;  ///< the guard, or the class
  std::string missed;
  Json row;
};

std::string place_of(const std::string& list) {
  const char* const other = std::getenv("GRAPNEL_FIELD_CASES");
  return (other != nullptr ? std::string(other) : std::string(GRAPNEL_FIELD "/cases")) + "/" + list;
}

std::vector<Case> read_cases(const std::string& name) {
  std::ifstream file(place_of(name));
  std::vector<Case> out;
  for (std::string line; std::getline(file, line);) {
    const auto row = Json::parse(line);
    if (!row || !(*row)["command"].is_string()) continue;
    const auto text = [&](std::string_view key) { return (*row)[key].as_string().value_or(""); };
    out.push_back({text("command"), text("guard") + "/" + text("class"), text("missed"), *row});
  }
  return out;
}

class FieldTest : public ::testing::Test {
 protected:
  void SetUp() override {
    project_ = dir_ / "project";
    for (const char* name : {".env", ".env.local", "src/main.py", "src/app.ts", "build/x", "package.json", "Makefile",
                             "README.md", "config/app.yaml"}) {
      dir_.put(std::string("project/") + name, "x\n");
    }
    // Programs that this machine may not have, so that they are found where programs usually are.
    for (const char* name :
         {"jq",         "yq",         "rg",      "fd",          "tree",        "bat",        "eza",        "cloc",
          "tokei",      "docker",     "kubectl", "helm",        "npm",         "node",       "go",         "cargo",
          "rustc",      "gh",         "python3", "python",      "java",        "terraform",  "ag",         "ack",
          "exa",        "delta",      "htop",    "tmux",        "systemctl",   "journalctl", "pip",        "pip3",
          "yarn",       "pnpm",       "dig",     "host",        "nslookup",    "ss",         "netstat",    "ip",
          "lsof",       "lscpu",      "lsblk",   "man",         "xxd",         "hexdump",    "strings",    "file",
          "less",       "more",       "column",  "bc",          "nm",          "objdump",    "readelf",    "ldd",
          "shellcheck", "make",       "gcc",     "clang",       "ruby",        "php",        "perl",       "sqlite3",
          "locate",     "pstree",     "free",    "uptime",      "vmstat",      "iostat",     "git",        "gawk",
          "mawk",       "zcat",       "zgrep",   "unzip",       "zipinfo",     "tar",        "dpkg",       "rpm",
          "apt",        "apt-cache",  "brew",    "ps",          "top",         "pgrep",      "pidof",      "who",
          "w",          "last",       "dmesg",   "mount",       "getent",      "tput",       "cal",        "rev",
          "look",       "units",      "gzip",    "xz",          "openssl",     "gpg",        "ssh-keygen", "fdfind",
          "batcat",     "dpkg-query", "tac",     "hostnamectl", "timedatectl", "loginctl",   "findmnt",    "blkid",
          "lsusb",      "lspci",      "lsmod",   "sysctl",      "nproc",       "arch",       "getconf",    "locale",
          "jobs",       "whereis",    "whatis",  "apropos",     "info",        "bzcat",      "xzcat",      "zless",
          "zmore",      "zdiff",      "sdiff",   "diff3",       "colordiff",   "hexyl",      "glow",       "dust",
          "duf",        "procs",      "tldr",    "podman",      "b2sum"}) {
      if (fs::exists(std::string("/usr/bin/") + name) || fs::exists(std::string("/bin/") + name)) continue;
      dir_.put(std::string("bin/") + name, "#!/bin/sh\n");
      fs::permissions(dir_ / (std::string("bin/") + name), fs::perms::owner_all | fs::perms::group_read |
                                                               fs::perms::group_exec | fs::perms::others_read |
                                                               fs::perms::others_exec);
    }
  }

  std::unique_ptr<Engine> engine_with(const std::string& rules) {
    EngineOptions out;
    out.project_dir = project_;
    out.places.managed_root = dir_ / "root";
    out.env = {"PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin:" + (dir_ / "bin"), "HOME=/root",
               "XDG_STATE_HOME=" + (dir_ / "state")};
    out.discovery.use_hook_files = false;
    out.configs.push_back({.dialect = "grapnel", .path = GRAPNEL_FIELD "/" + rules});
    return Engine::create(std::move(out));
  }

  Verdict verdict(Engine& engine, const std::string& command) const {
    return engine
        .fire(Event(EventKind::PreToolUse,
                    Json::object({{"tool_name", Json::string("Bash")},
                                  {"cwd", Json::string(project_)},
                                  {"tool_input", Json::object({{"command", Json::string(command)}})}})))
        .verdict();
  }

  /// Fires every case of the list; `is_right` says whether its verdict is the one that the list is about.
  template <class IsRight>
  void expect_all(const std::string& list, const std::string& rules, IsRight is_right) {
    const auto engine = engine_with(rules);
    ASSERT_FALSE(engine->hooks().empty());
    size_t right = 0;
    const std::vector<Case> cases = read_cases(list);
    const bool updates = std::getenv("GRAPNEL_FIELD_UPDATE") != nullptr;
    std::string rows;
    for (const Case& one : cases) {
      const bool holds = is_right(verdict(*engine, one.command));
      right += holds ? 1 : 0;
      rows += (holds ? one.row.without("missed") : one.row).dump() + "\n";
      if (updates && holds) continue;
      EXPECT_NE(holds, !one.missed.empty()) << one.about << ": " << one.command
                                            << (holds ? "\n  is no longer missed; remove the note: " + one.missed : "");
    }
    if (updates) std::ofstream(place_of(list)) << rows;
    std::cout << list << ": " << right << " of " << cases.size() << "\n";
  }

  TempDir dir_;
  std::string project_;
};

bool is_stopped(Verdict verdict) {
  return verdict == Verdict::Deny || verdict == Verdict::Ask;
}

TEST_F(FieldTest, EvasionsAreStopped) {
  expect_all("evasion.jsonl", "rules.yaml", is_stopped);
}

TEST_F(FieldTest, DailyWorkIsNot) {
  expect_all("benign.jsonl", "rules.yaml", [](Verdict verdict) { return !is_stopped(verdict); });
}

TEST_F(FieldTest, NothingHarmfulIsApproved) {
  expect_all("readonly_harmful.jsonl", "approve.yaml", [](Verdict verdict) { return verdict != Verdict::Allow; });
}

TEST_F(FieldTest, ReadingIsApproved) {
  expect_all("readonly_plain.jsonl", "approve.yaml", [](Verdict verdict) { return verdict == Verdict::Allow; });
}

}  // namespace
}  // namespace grapnel::testing
