#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dialect/dialect.h"

/// Translates the names that matchers contain from one dialect into another. Converting a hook file needs this.
namespace grapnel {

/// Every name that `to` has for what `from` calls `name` in that field: all tools of the same kind, or all spellings of
/// the same value. The result is empty for a tool that one of the dialects does not know. A value that is in no table
/// is the same everywhere.
std::vector<std::string> names_in(const Dialect& from, Field field, std::string_view name, const Dialect& to);

}  // namespace grapnel
