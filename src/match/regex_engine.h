#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "match/regex.h"

namespace grapnel::match {

/// One of the two engines behind `Regex`, with its compiled pattern. Thread: any.
class RegexEngine {
 public:
  virtual ~RegexEngine() = default;
  /// `subject` is valid UTF-8.
  virtual MatchOutcome match(std::string_view subject) const = 0;
  /// A match, and where it is.
  struct Found {
    MatchOutcome outcome = MatchOutcome::No;
    size_t begin = 0;
    size_t end = 0;
  };
  /// The first match that starts at `from` or later.
  virtual Found find(std::string_view subject, size_t from) const = 0;
};

/// An engine, or why it cannot be made.
using CompiledEngine = std::expected<std::shared_ptr<const RegexEngine>, RegexError>;

/// Both accept the output of `translate_ecma`. Limit: the memory of the compiled pattern.
CompiledEngine compile_re2(const std::string& pattern, Regex::Anchor anchor);
CompiledEngine compile_pcre2(const std::string& pattern, Regex::Anchor anchor);

}  // namespace grapnel::match
