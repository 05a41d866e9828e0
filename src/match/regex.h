#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "match/ecma_regex.h"

namespace grapnel {

/// The result of a comparison. `Limit` means that the engine gave up.
enum class MatchOutcome : uint8_t { No, Yes, Limit };

namespace match {

class RegexEngine;

/// A compiled regular expression in ECMAScript's syntax. RE2 runs it in linear time. Only patterns with look-around or
/// back-references use PCRE2, with limits. Thread: any.
class Regex {
 public:
  enum class Anchor : uint8_t { Search, Whole };

  /// Fails: with kind Syntax if ECMAScript would refuse the pattern, too; Unsupported if only the engines refuse it;
  /// TooLarge if it exceeds a limit.
  static std::expected<Regex, RegexError> compile(std::string_view pattern, Anchor anchor);
  /// A pattern that is known to compile. Its engine is made when a subject first needs it.
  static Regex known(std::string_view pattern, Anchor anchor);

  /// `Limit` is possible only for patterns that backtrack, and for a "known" pattern that does not compile after all.
  /// Bytes that are not UTF-8 count as U+FFFD.
  MatchOutcome match(std::string_view subject) const;

 private:
  class Lazy;
  explicit Regex(std::shared_ptr<const Lazy> lazy) : lazy_(std::move(lazy)) {}

  std::shared_ptr<const Lazy> lazy_;
};

}  // namespace match
}  // namespace grapnel
