#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "grapnel/error.h"

namespace grapnel::match {

class RegexEngine;

/// A regular expression whose matches are replaced, for rules that mask parts of an output. Thread: any, once compiled.
class Replacer {
 public:
  /// Fails: InvalidPattern.
  static Result<Replacer> compile(std::string_view pattern);

  /// The subject in which every match that is not empty is replaced by `text`. Nothing if a limit was reached.
  std::optional<std::string> replace_all(std::string_view subject, std::string_view text) const;

 private:
  explicit Replacer(std::shared_ptr<const RegexEngine> engine) : engine_(std::move(engine)) {}

  std::shared_ptr<const RegexEngine> engine_;
};

}  // namespace grapnel::match
