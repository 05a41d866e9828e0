#pragma once

#include <string>
#include <vector>

#include "grapnel/error.h"

#include "model/hook_spec.h"

namespace grapnel {

/// Something wrong in a hook file. What it concerns is left out; its siblings load.
struct Problem {
  enum class Severity : uint8_t { Error, Warning };
  Severity severity = Severity::Error;
  std::string message;
  SourcePos at;
  std::string hint;  ///< what to do, or ""

  /// `file:line:column: error: message (hint)`.
  std::string to_string() const;
};

/// Every configured hook, in the order in which hooks run, and everything that could not be used.
///
/// Immutable once built; shared by all events until files change.
struct Registry {
  std::vector<HookSpec> hooks;
  std::vector<Problem> problems;
  std::string digest;  ///< over all definitions, switches and problems, in order
};

}  // namespace grapnel
