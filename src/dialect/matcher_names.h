#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dialect/dialect.h"

/// What matchers name, across dialects.
namespace grapnel {

/// Every name `to` has for what `from` calls `name` in that field: all tools of the same kind, all spellings of the
/// same value. Empty for a tool that one of them does not know; values nobody translates are the same everywhere.
std::vector<std::string> names_in(const Dialect& from, Field field, std::string_view name, const Dialect& to);

}  // namespace grapnel
