#include "run/refusals.h"

#include <algorithm>
#include <array>
#include <csignal>

#include "base/text.h"

namespace grapnel {

namespace {

constexpr size_t kMaxRefusals = 5;
constexpr size_t kMaxRefusal = 200;

/// How programs tell the kernel's refusals.
constexpr auto kRefusalWords = std::to_array<std::string_view>(
    {"Permission denied", "permission denied", "Operation not permitted", "operation not permitted", "EACCES", "EPERM",
     "PermissionError", "Function not implemented", "Invalid cross-device link", "not allowed to",
     "Cannot allocate memory", "MemoryError", "File size limit", "File too large"});

std::string_view meaning_of(int signal) {
  switch (signal) {
    case SIGSYS:
      return "a system call that its sandbox does not allow";
    case SIGXFSZ:
      return "a file larger than its sandbox allows";
    case SIGXCPU:
      return "more processor time than its sandbox allows";
    default:
      return "";
  }
}

}  // namespace

std::vector<std::string> refusals_of(const RunOutcome& outcome) {
  std::vector<std::string> out;
  if (outcome.contained.sandbox.empty()) return out;
  if (const auto* signaled = std::get_if<Signaled>(&outcome.ending); signaled != nullptr) {
    if (const std::string_view meaning = meaning_of(signaled->signal); !meaning.empty()) out.emplace_back(meaning);
  }
  for (const std::string_view line : text::split(outcome.err.bytes, '\n')) {
    const bool is_one = std::ranges::any_of(kRefusalWords, [&](std::string_view word) { return line.contains(word); });
    if (!is_one || out.size() == kMaxRefusals) continue;
    std::string said = text::cap(text::trim(text::to_valid_utf8(std::string(line))), kMaxRefusal);
    if (std::ranges::find(out, said) == out.end()) out.push_back(std::move(said));
  }
  return out;
}

}  // namespace grapnel
