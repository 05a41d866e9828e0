#define PCRE2_CODE_UNIT_WIDTH 8
#include <array>

#include "match/regex_engine.h"
#include <pcre2.h>

namespace grapnel::match {

namespace {

// Backtracking can take exponential time. A pattern that needs more than this for one subject would stop the agent, so
// the match ends with `Limit`.
constexpr uint32_t kMatchLimit = 200'000;
constexpr uint32_t kDepthLimit = 5'000;
constexpr uint32_t kHeapLimit = 8 * 1024;  // KiB

/// PCRE2 is a C library; these make `unique_ptr`s of its handles.
struct Free {
  void operator()(pcre2_code* p) const { pcre2_code_free(p); }
  void operator()(pcre2_match_context* p) const { pcre2_match_context_free(p); }
  void operator()(pcre2_match_data* p) const { pcre2_match_data_free(p); }
};
using Code = std::unique_ptr<pcre2_code, Free>;
using Context = std::unique_ptr<pcre2_match_context, Free>;
using MatchData = std::unique_ptr<pcre2_match_data, Free>;

PCRE2_SPTR to_units(std::string_view s) {
  return reinterpret_cast<PCRE2_SPTR>(s.data());
}

/// Every match makes its own match data, so one engine can be used by several threads.
class Pcre2Engine final : public RegexEngine {
 public:
  explicit Pcre2Engine(Code code) : code_(std::move(code)), context_(pcre2_match_context_create(nullptr)) {
    pcre2_set_match_limit(context_.get(), kMatchLimit);
    pcre2_set_depth_limit(context_.get(), kDepthLimit);
    pcre2_set_heap_limit(context_.get(), kHeapLimit);
    pcre2_jit_compile(code_.get(), PCRE2_JIT_COMPLETE);  // if it fails, the interpreter is used
  }

  MatchOutcome match(std::string_view subject) const override { return find(subject, 0).outcome; }

  Found find(std::string_view subject, size_t from) const override {
    const MatchData data(pcre2_match_data_create(1, nullptr));
    int result = run(subject, from, data.get(), 0);
    // The compiled machine code has only a small stack; the interpreter uses the heap.
    if (result == PCRE2_ERROR_JIT_STACKLIMIT) result = run(subject, from, data.get(), PCRE2_NO_JIT);
    if (result == PCRE2_ERROR_NOMATCH) return {};
    if (result < 0) return {.outcome = MatchOutcome::Limit};
    const PCRE2_SIZE* offsets = pcre2_get_ovector_pointer(data.get());
    return {MatchOutcome::Yes, offsets[0], offsets[1]};
  }

 private:
  /// The subject is valid UTF-8 (see `RegexEngine`), so PCRE2 need not check it again.
  int run(std::string_view subject, size_t from, pcre2_match_data* data, uint32_t options) const {
    return pcre2_match(code_.get(), to_units(subject), subject.size(), from, options | PCRE2_NO_UTF_CHECK, data,
                       context_.get());
  }

  Code code_;
  Context context_;
};

/// The translator has checked the syntax, so any other complaint is about something that PCRE2 does not support.
RegexError describe(int error) {
  std::array<PCRE2_UCHAR, 256> buffer{};
  pcre2_get_error_message(error, buffer.data(), buffer.size());
  const bool large = error == PCRE2_ERROR_PATTERN_TOO_LARGE || error == PCRE2_ERROR_PARENTHESES_NEST_TOO_DEEP ||
                     error == PCRE2_ERROR_PATTERN_TOO_COMPLICATED;
  const auto kind = large ? RegexError::Kind::TooLarge : RegexError::Kind::Unsupported;
  return {kind, std::nullopt, reinterpret_cast<const char*>(buffer.data())};
}

}  // namespace

/// The options make PCRE2 behave as ECMAScript does: `$` matches only at the very end, and a back-reference to a group
/// that did not take part matches the empty string.
CompiledEngine compile_pcre2(const std::string& pattern, Regex::Anchor anchor) {
  uint32_t options = PCRE2_UTF | PCRE2_DOLLAR_ENDONLY | PCRE2_MATCH_UNSET_BACKREF | PCRE2_NEVER_BACKSLASH_C;
  if (anchor == Regex::Anchor::Whole) options |= PCRE2_ANCHORED | PCRE2_ENDANCHORED;
  int error = 0;
  PCRE2_SIZE offset = 0;
  Code code(pcre2_compile(to_units(pattern), pattern.size(), options, &error, &offset, nullptr));
  if (!code) return std::unexpected(describe(error));
  return std::make_shared<const Pcre2Engine>(std::move(code));
}

}  // namespace grapnel::match
