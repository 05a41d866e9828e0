#include <re2/re2.h>

#include "match/regex_engine.h"

namespace grapnel::match {

namespace {

// For the program and its automata together. RE2 gets slower, not wrong, when the automata do not fit.
constexpr int64_t kMaxMemory = 4 << 20;

/// Groups never need to be captured, which lets RE2 use its fastest way.
RE2::Options options() {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMaxMemory);
  options.set_never_capture(true);
  return options;
}

/// RE2 takes linear time and has no limit to run into, so it never answers `Limit`.
class Re2Engine final : public RegexEngine {
 public:
  Re2Engine(const std::string& pattern, Regex::Anchor anchor)
      : re_(pattern, options()), anchor_(anchor == Regex::Anchor::Whole ? RE2::ANCHOR_BOTH : RE2::UNANCHORED) {}

  const RE2& re() const { return re_; }

  MatchOutcome match(std::string_view subject) const override {
    const re2::StringPiece text(subject.data(), subject.size());
    return re_.Match(text, 0, text.size(), anchor_, nullptr, 0) ? MatchOutcome::Yes : MatchOutcome::No;
  }

  Found find(std::string_view subject, size_t from) const override {
    const re2::StringPiece text(subject.data(), subject.size());
    re2::StringPiece found;
    if (!re_.Match(text, from, text.size(), anchor_, &found, 1)) return {};
    const auto begin = static_cast<size_t>(found.data() - text.data());
    return {MatchOutcome::Yes, begin, begin + found.size()};
  }

 private:
  RE2 re_;
  RE2::Anchor anchor_;
};

}  // namespace

/// The translator has checked the syntax, so any error other than the size is something that RE2 does not support.
CompiledEngine compile_re2(const std::string& pattern, Regex::Anchor anchor) {
  auto engine = std::make_shared<const Re2Engine>(pattern, anchor);
  const RE2& re = engine->re();
  if (re.ok()) return engine;
  const bool large = re.error_code() == RE2::ErrorPatternTooLarge || re.error_code() == RE2::ErrorRepeatSize;
  const auto kind = large ? RegexError::Kind::TooLarge : RegexError::Kind::Unsupported;
  return std::unexpected(RegexError{kind, std::nullopt, re.error()});
}

}  // namespace grapnel::match
