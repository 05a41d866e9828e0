#include "model/sandbox.h"

#include <algorithm>

#include "base/text.h"

namespace grapnel {

namespace {

/// Stricter, where 0 means no limit.
template <typename Number>
Number lower(Number one, Number other) {
  if (one == 0 || other == 0) return std::max(one, other);
  return std::min(one, other);
}

/// The largest unit that divides it.
std::string size_text(uint64_t bytes) {
  constexpr uint64_t kStep = 1024;
  size_t unit = 0;
  constexpr std::string_view kUnits[] = {"", "k", "M", "G"};
  while (bytes >= kStep && bytes % kStep == 0 && unit + 1 < std::size(kUnits)) {
    bytes /= kStep;
    ++unit;
  }
  return std::to_string(bytes) + std::string(kUnits[unit]);
}

std::string list_text(std::string_view verb, const std::vector<std::string>& places) {
  return std::string(verb) + (places.empty() ? " nothing" : " " + text::join(places, " "));
}

}  // namespace

Sandbox guard_sandbox() {
  Sandbox out;
  out.word = "guard";
  out.network = false;
  out.files.push_back({.read = {{"project", "system"}}, .write = {{"$TMPDIR"}}});
  out.processes = 512;
  return out;
}

void narrow(Sandbox& sandbox, const Sandbox& other) {
  if (other.is_off && !sandbox.is_restricting()) sandbox.is_off = true;
  if (other.leftovers != Leftovers::Tell) sandbox.leftovers = other.leftovers;
  if (!other.is_restricting()) return;
  const bool was_restricting = sandbox.is_restricting();
  sandbox.is_off = false;
  if (!was_restricting) {
    sandbox.word = other.word;
    sandbox.required = other.required;
  } else if (sandbox.word != other.word) {
    sandbox.word.clear();
  }
  sandbox.required |= other.required;
  sandbox.network &= other.network;
  for (const SandboxFiles& files : other.files) {
    if (std::ranges::find(sandbox.files, files) == sandbox.files.end()) sandbox.files.push_back(files);
  }
  sandbox.memory = lower(sandbox.memory, other.memory);
  sandbox.cpu_seconds = lower(sandbox.cpu_seconds, other.cpu_seconds);
  sandbox.processes = lower(sandbox.processes, other.processes);
}

std::string describe(const Sandbox& sandbox) {
  std::vector<std::string> parts;
  if (sandbox.is_off) return "off";
  if (!sandbox.word.empty()) {
    parts.push_back(sandbox.word);
  } else {
    if (!sandbox.network) parts.emplace_back("no network");
    for (const SandboxFiles& files : sandbox.files) {
      if (files.read) parts.push_back(list_text("reads", *files.read));
      if (files.write) parts.push_back(list_text("writes", *files.write));
    }
    if (sandbox.memory > 0) parts.push_back(size_text(sandbox.memory) + " of memory");
    if (sandbox.cpu_seconds > 0) parts.push_back(std::to_string(sandbox.cpu_seconds) + " s of processor time");
    if (sandbox.processes > 0) parts.push_back(std::to_string(sandbox.processes) + " processes");
    if (parts.empty()) parts.emplace_back("contain");
  }
  if (sandbox.leftovers != Leftovers::Tell) {
    parts.push_back("leftovers " + std::string(kLeftoversWords[static_cast<size_t>(sandbox.leftovers)]));
  }
  if (!sandbox.required) parts.emplace_back("not required");
  return text::join(parts, ", ");
}

}  // namespace grapnel
