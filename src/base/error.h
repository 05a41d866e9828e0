#pragma once

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <expected>
#include <string>
#include <utility>

#include "grapnel/error.h"

namespace grapnel {

/// A failure, for `return fail(…)` in a function that returns a `Result`.
inline std::unexpected<Error> fail(Errc code, std::string message) {
  return std::unexpected(Error{code, std::move(message), std::nullopt, 0});
}
inline std::unexpected<Error> fail(Errc code, std::string message, SourcePos at) {
  return std::unexpected(Error{code, std::move(message), std::move(at), 0});
}

/// The failure of a system call. The message is "what: strerror".
inline std::unexpected<Error> fail_errno(std::string what, int err = errno) {
  return std::unexpected(Error{Errc::System, std::move(what) + ": " + std::strerror(err), std::nullopt, err});
}

}  // namespace grapnel

/// Checks an invariant of our own code and ends the program if it is broken. No user input may ever lead here.
#define GRAPNEL_CHECK(cond)                                                                      \
  do {                                                                                           \
    if (!(cond)) [[unlikely]] {                                                                  \
      std::fprintf(stderr, "grapnel: broken invariant %s (%s:%d)\n", #cond, __FILE__, __LINE__); \
      std::abort();                                                                              \
    }                                                                                            \
  } while (false)
