#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

namespace grapnel {

/// What kind of thing went wrong; the message says the rest.
enum class Errc : uint8_t {
  BadInput,        ///< a payload or argument that cannot be read
  BadConfig,       ///< a hook file or entry that cannot be used
  InvalidPattern,  ///< a matcher that does not compile
  LimitExceeded,   ///< larger, deeper or more than `Limits` allows
  NotFound,
  Refused,      ///< not trusted, wrong owner, unsafe file
  Unavailable,  ///< a server or a model that is not configured, not reached, or does not answer
  Cancelled,
  System,  ///< an operating-system call failed; see `sys`
  Internal,
};

/// A place in a file a person can open. Lines and columns count from 1, columns in bytes.
struct SourcePos {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;

  bool operator==(const SourcePos&) const = default;
};

/// A failure: what, where, and the errno behind it when there is one.
struct Error {
  Errc code = Errc::Internal;
  std::string message;
  std::optional<SourcePos> at;
  int sys = 0;

  /// `file:line:column: message`, or the message alone.
  std::string to_string() const;
};

/// A mistake in a hook file or rule file: what is wrong, where, and what to do about it. Everything else in that file
/// still works, so mistakes are collected and shown instead of being returned as an `Error`.
struct ConfigProblem {
  enum class Severity : uint8_t { Error, Warning };
  Severity severity = Severity::Error;
  std::string message;
  SourcePos at;
  std::string hint;  ///< what to do, or ""

  bool is_error() const { return severity == Severity::Error; }
  /// `file:line:column: error: message (hint)`.
  std::string to_string() const;
};

template <typename T>
using Result = std::expected<T, Error>;

}  // namespace grapnel
