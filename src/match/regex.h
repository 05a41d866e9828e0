#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "match/ecma_regex.h"

namespace grapnel {

/// How a comparison ended.
enum class MatchOutcome : uint8_t { No, Yes, Limit };

namespace match {

class RegexEngine;

/// A compiled regular expression in ECMAScript's syntax. RE2 runs it in linear time; only look-around and
/// back-references go to PCRE2, under limits. Thread: any, once compiled.
class Regex {
 public:
  enum class Anchor : uint8_t { Search, Whole };

  /// Fails: with kind Syntax when ECMAScript would refuse it too, Unsupported when it would not but both engines do,
  /// TooLarge when it is over a limit.
  static std::expected<Regex, RegexError> compile(std::string_view pattern, Anchor anchor);
  /// One that is known to compile. Its engine is made when a subject comes that needs it.
  static Regex known(std::string_view pattern, Anchor anchor);

  /// `Limit` is possible only for patterns that backtrack, and for one that is not what it was known for. Bytes that
  /// are not UTF-8 count as U+FFFD.
  MatchOutcome match(std::string_view subject) const;

 private:
  class Lazy;
  explicit Regex(std::shared_ptr<const Lazy> lazy) : lazy_(std::move(lazy)) {}

  std::shared_ptr<const Lazy> lazy_;
};

}  // namespace match
}  // namespace grapnel
