#pragma once

#include <span>
#include <string_view>

#include "grapnel/json.h"

/// The members of rule files for editors: what each of them may be, and what an editor says about it.
///
/// Which members there are is known from the readers (`rule_maps`); a test fails if one of them has no row here.
namespace grapnel {

/// One member of one map of a rule file.
struct MemberRow {
  std::string_view map;  ///< `when`, `http`…; `hook` is an entry, `file` the root
  std::string_view key;
  Json (*shape)();           ///< the schema of its value
  std::string_view about;    ///< what it means, in one or two sentences
  std::string_view example;  ///< a line of YAML, or ""
};

std::span<const MemberRow> rule_members();

}  // namespace grapnel
