#pragma once

#include <string>
#include <string_view>

#include "grapnel/error.h"

/// What crosses the border to C: texts that the caller frees, and errors as texts.
namespace grapnel::abi {

/// A copy that grapnel_free frees; null if there is no memory.
char* to_c(std::string_view text);

/// `bad input: the payload is not an object`.
std::string describe(const Error& error);

/// Puts the text where the caller wants it, if anywhere.
void report(char** error, std::string_view text);

/// The calls that fail for reasons that C++ has no error code for.
inline constexpr std::string_view kClosed = "closed: this engine is closed";
inline constexpr std::string_view kForked =
    "refused: this engine was opened by another process, before a fork; open one in this process";

}  // namespace grapnel::abi
