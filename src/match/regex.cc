#include "match/regex.h"

#include <atomic>

#include "base/text.h"
#include "match/regex_engine.h"
#include "match/required_text.h"

namespace grapnel::match {

namespace {

constexpr size_t kMaxRegex = size_t{16} << 10;

/// Translates the pattern and gives it to the faster engine that can run it.
CompiledEngine compile_engine(std::string_view pattern, Regex::Anchor anchor) {
  auto translation = translate_ecma(pattern);
  if (!translation) return std::unexpected(translation.error());
  return translation->needs_backtracking ? compile_pcre2(translation->pattern, anchor)
                                         : compile_re2(translation->pattern, anchor);
}

}  // namespace

/// A pattern, and its engine once a subject has needed it. Subjects that lack the required text never need it.
class Regex::Lazy {
 public:
  Lazy(std::string_view pattern, Anchor anchor) : pattern_(pattern), anchor_(anchor), needed_(required_text(pattern)) {}
  Lazy(const Lazy&) = delete;
  Lazy& operator=(const Lazy&) = delete;
  ~Lazy() { delete engine_.load(); }

  /// False if the subject certainly does not match.
  bool may_match(std::string_view subject) const { return subject.contains(needed_); }

  /// The engine, made on the first call. If two threads make one at once, the first is kept. Fails: as
  /// `compile_engine`.
  std::expected<const RegexEngine*, RegexError> engine() const {
    if (const Engine* made = engine_.load(std::memory_order_acquire)) return made->get();
    auto compiled = compile_engine(pattern_, anchor_);
    if (!compiled) return std::unexpected(compiled.error());
    auto mine = std::make_unique<const Engine>(std::move(*compiled));
    const Engine* other = nullptr;
    if (!engine_.compare_exchange_strong(other, mine.get(), std::memory_order_acq_rel)) return other->get();
    return mine.release()->get();
  }

 private:
  using Engine = std::shared_ptr<const RegexEngine>;

  std::string pattern_;
  Anchor anchor_;
  std::string needed_;
  mutable std::atomic<const Engine*> engine_{nullptr};
};

Regex Regex::known(std::string_view pattern, Anchor anchor) {
  return Regex(std::make_shared<const Lazy>(pattern, anchor));
}

std::expected<Regex, RegexError> Regex::compile(std::string_view pattern, Anchor anchor) {
  if (pattern.size() > kMaxRegex)
    return std::unexpected(RegexError{RegexError::Kind::TooLarge, kMaxRegex, "longer than 16384 bytes"});
  // The engine is made only to find mistakes, and thrown away: it takes kilobytes, and most patterns of a large
  // configuration never meet a subject that needs it.
  if (auto engine = compile_engine(pattern, anchor); !engine) return std::unexpected(engine.error());
  return known(pattern, anchor);
}

MatchOutcome Regex::match(std::string_view subject) const {
  if (!lazy_->may_match(subject)) return MatchOutcome::No;
  const auto engine = lazy_->engine();
  if (!engine) return MatchOutcome::Limit;
  if (text::is_valid_utf8(subject)) return (*engine)->match(subject);
  return (*engine)->match(text::to_valid_utf8(subject));
}

}  // namespace grapnel::match
