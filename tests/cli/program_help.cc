#include "cli/program_help.h"

#include <array>
#include <cstdio>
#include <memory>
#include <regex>
#include <sstream>

namespace grapnel::cli {

std::string output_of(const std::string& words) {
  const std::string command = std::string(GRAPNEL_COMMAND) + " " + words + " 2>&1";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
  std::string out;
  std::array<char, 4096> buffer{};
  for (size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), pipe.get())) > 0;) out.append(buffer.data(), n);
  return out;
}

std::vector<std::string> all_verbs() {
  const std::string help = output_of("--help");
  const size_t from = help.find("Verbs:\n") + 7;
  std::istringstream lines(help.substr(from, help.find("\n\n", from) - from));
  std::vector<std::string> verbs;
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (std::regex_search(line, found, std::regex("^  ([a-z]+)  "))) verbs.push_back(found[1]);
  }
  return verbs;
}

}  // namespace grapnel::cli
