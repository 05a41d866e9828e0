#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

/// How Grapnel reports that something went wrong. The library throws no exceptions.
///
/// A function that can fail returns a `Result<T>`: either the value, or an `Error` that says what kind of failure it
/// is, a message for people, and where it happened if there is a file to point at.
///
///   const Result<Json> settings = Json::parse(text);
///   if (!settings) std::cerr << settings.error().to_string() << "\n";
///
/// A mistake in a hook file is not an `Error` but a `ConfigProblem`: the rest of the file still works, so Grapnel
/// collects these mistakes and the host can show them all (`Engine::problems`).
namespace grapnel {

/// The kind of a failure, for programs that react to it. The message of the `Error` says the rest.
///
/// The "Fails:" notes in these headers use these names.
enum class Errc : uint8_t {
  /// A payload or an argument cannot be read.
  BadInput,
  /// A hook file, an entry in it or an option cannot be used.
  BadConfig,
  /// A matcher does not compile.
  InvalidPattern,
  /// The input is larger, more deeply nested or more numerous than a limit allows.
  LimitExceeded,
  /// The named thing does not exist.
  NotFound,
  /// Grapnel does not do this, to stay safe: not trusted, wrong owner, unsafe file, forbidden address.
  Refused,
  /// A server or a model is not configured, cannot be reached, or does not answer.
  Unavailable,
  /// The caller gave up, usually with a `std::stop_token`.
  Cancelled,
  /// An operating-system call failed; `Error::sys` has the errno.
  System,
  /// Grapnel itself has a bug.
  Internal,
};

/// A place in a file that a person can open in an editor. Lines and columns start at 1; columns are counted in bytes.
struct SourcePos {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;

  bool operator==(const SourcePos&) const = default;
};

/// One failure. The message is for people; programs look at the code.
struct Error {
  Errc code = Errc::Internal;
  std::string message;
  /// The place in a file, if the failure has one.
  std::optional<SourcePos> at;
  /// The errno of the system call that failed, or 0.
  int sys = 0;

  /// `file:line:column: message`, or only the message if there is no place.
  std::string to_string() const;
};

/// A mistake in a hook file or rule file: what is wrong, where, and what to do about it. Everything else in that file
/// still works, so mistakes are collected and shown instead of being returned as an `Error`.
struct ConfigProblem {
  /// An `Error` means that something cannot be used. A `Warning` means that it works, but perhaps not as intended.
  enum class Severity : uint8_t { Error, Warning };
  Severity severity = Severity::Error;
  std::string message;
  SourcePos at;
  /// How to repair it, or "".
  std::string hint;

  bool is_error() const { return severity == Severity::Error; }
  /// `file:line:column: error: message (hint)`.
  std::string to_string() const;
};

/// A value, or the reason why there is none. `if (result)` tells which; then `*result` or `result.error()`.
template <typename T>
using Result = std::expected<T, Error>;

}  // namespace grapnel
